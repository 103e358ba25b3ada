"""How the search went: loss and bound over time, candidates, time of each phase."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from logicoder.report.charts import Line, bar, line_chart
from logicoder.report.content import Content
from logicoder.report.markup import Markup, element
from logicoder.report.page_tables import Column, Row, number, table
from logicoder.report.search_steps import PHASES, progress_of, pruning_steps
from logicoder.report.sections.frame import section

if TYPE_CHECKING:
    from logicoder.autoencoder.auto_encoder import AutoEncoder


def search(content: Content) -> Markup | None:
    """Return how the search went; None for programs that nobody searched for."""
    parts: list[object] = []
    for place, run in enumerate(content.runs, start=1):
        statistics = getattr(run, "statistics_", None)
        if not statistics:
            continue
        if len(content.runs) > 1:
            parts.append(element("h3", f"Layer {place}"))
        seconds = statistics.get("seconds", {})
        heading = "h4" if len(content.runs) > 1 else "h3"
        parts += _progress(run, heading)
        if "candidates" in statistics:
            parts.append(_pruning(statistics["candidates"]))
        if seconds:
            parts.append(_phases(seconds))
    return section("search", "How the search went", parts) if parts else None


def _progress(run: AutoEncoder, heading: str) -> list[Markup]:
    """Return the chart of one run, with its heading."""
    moments = progress_of(run)
    if not moments:
        return []
    first, last = moments[0], moments[-1]
    quantity = "bits" if getattr(run, "goal_", run.get_params()["objective"]) == "bits" else "loss"
    name = f"{quantity.capitalize()} and bound over time"
    told = (
        f"{name}: from {number(first.objective)} to {number(last.objective)}, "
        f"bound {number(last.bound)}, in {last.seconds:.2f} seconds"
    )
    lines = [
        Line("best program", "best", [(m.seconds, m.objective) for m in moments]),
        Line("proven bound", "bound", [(m.seconds, m.bound) for m in moments]),
    ]
    return [element(heading, name), line_chart(lines, told, "seconds of the search", quantity)]


def _pruning(candidates: Mapping[str, Any]) -> Markup:
    steps = pruning_steps(candidates)
    widest = {
        part: max([1, *(step.before for step in steps if step.part == part)])
        for part in ("encoder", "decoder")
    }
    rows = [
        Row(
            (
                f"{step.part}s: {step.rule}",
                bar((("plain", math.log1p(step.after)),), math.log1p(widest[step.part])),
                *(step.before, step.removed, step.after),
            )
        )
        for step in steps
    ]
    ends = [("encoders", "after_naming_variants"), ("decoders_evaluated", "decoders")]
    words = " and ".join(
        f"{number(candidates[first])} {what} candidates to {number(candidates[last])}"
        for (first, last), what in zip(ends, ("encoder", "decoder"), strict=True)
    )
    columns = (
        Column("rule"),
        Column("what is left (logarithmic)", sorts=False),
        *(Column(name, numeric=True) for name in ("before", "removed", "after")),
    )
    return table(f"Candidates, from {words}", columns, rows)


def _phases(seconds: Mapping[str, float]) -> Markup:
    whole = sum(seconds.values()) or 1.0
    rows = [
        Row((PHASES[phase], bar((("plain", spent),), whole), f"{spent:.2f}", f"{spent / whole:.0%}"))
        for phase in PHASES
        if (spent := seconds.get(phase)) is not None
    ]
    columns = (
        Column("phase"),
        Column("share of the time", sorts=False),
        Column("seconds", numeric=True),
        Column("share", numeric=True),
    )
    return table("Time of each phase", columns, rows)
