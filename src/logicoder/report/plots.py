"""Static plots for papers and slides, made by matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from logicoder.base.errors import UsageError
from logicoder.base.files import write_text
from logicoder.base.palette import FALSE, GOOD, INPUT, LATENT, LINE, MISSING, QUIET, tinted
from logicoder.learner.plotting import check_plot, new_figure, save_figure
from logicoder.report.layer_graph import Graph, graph_of, readable
from logicoder.report.layer_picture import HEIGHT, drawing_of, svg_of
from logicoder.report.layer_picture import curve as edge_curve
from logicoder.report.search_steps import PHASES, progress_of, pruning_steps

if TYPE_CHECKING:
    from logicoder.autoencoder.auto_encoder import AutoEncoder
    from logicoder.learner.bottleneck_curve import Curve
    from logicoder.report.content import Content

OF_DATA = ("architecture", "predicates")
OF_SEARCH = ("search", "candidates", "phases")
PLOTS = (*OF_DATA, *OF_SEARCH, "curve")
_WIDE = 6.4
_ROW = 0.24
_PER_INCH = 120.0
"""Points of the drawing in an inch of paper."""


def save_plots(
    folder: Path,
    suffix: str,
    runs: Sequence[AutoEncoder],
    *,
    wanted: Sequence[str] = PLOTS,
    content: Content | None = None,
    curve: Curve | None = None,
) -> list[Path]:
    """Write the plots that were asked for, as far as there is something to plot; return their paths.

    Args:
        folder: where to write them.
        suffix: `svg`, `png` or `pdf`.
        runs: the auto-encoder of each layer.
        wanted: some of `PLOTS`.
        content: a model on its data, for the plots that need data.
        curve: a rate-distortion curve.
    """
    for name in wanted:
        if name not in PLOTS:
            raise UsageError(f"there is no plot {name!r}; choose from: {', '.join(PLOTS)}")
    check_plot(folder / f"plot.{suffix}")
    made: list[Path] = []

    def path_of(name: str, place: int | None) -> Path:
        return folder / (f"{name}.{suffix}" if place is None else f"{name}-{place}.{suffix}")

    def save(name: str, place: int | None, size: tuple[float, float], draw: Callable[[Any], None]) -> None:
        made.append(path_of(name, place))
        with new_figure(size) as figure:
            axes = figure.add_subplot()
            draw(axes)
            save_figure(figure, made[-1])

    for place, run in enumerate(runs, start=1):
        layer = place if len(runs) > 1 else None
        if content is not None and "architecture" in wanted:
            graph = readable(graph_of(content.layers[place - 1]))
            if suffix == "svg":  # letters and lines only: a quarter of what matplotlib writes
                made.append(path_of("architecture", layer))
                write_text(made[-1], f"{svg_of(graph, 'Architecture')}\n")
            else:
                picture = _Architecture(graph)
                save("architecture", layer, picture.size, picture.draw)
        statistics = getattr(run, "statistics_", {})
        if "search" in wanted and len(getattr(run, "history_", ())):
            save("search", layer, (_WIDE, 3.0), partial(_draw_search, run))
        if "candidates" in wanted and "candidates" in statistics:
            steps = pruning_steps(statistics["candidates"])
            size = (_WIDE, 1.0 + _ROW * (len(steps) + 2))
            save("candidates", layer, size, partial(_draw_candidates, statistics["candidates"]))
        if "phases" in wanted and statistics.get("seconds"):
            save("phases", layer, (_WIDE, 1.7), partial(_draw_phases, statistics["seconds"]))
    if content is not None and "predicates" in wanted:
        rows = len(content.totals.predicates)
        save("predicates", None, (_WIDE, 1.0 + _ROW * rows), partial(_draw_predicates, content))
    if curve is not None and "curve" in wanted:
        curve.plot(folder / f"curve.{suffix}")
        made.append(folder / f"curve.{suffix}")
    return made


class _Architecture:
    """The layered graph of one layer."""

    def __init__(self, graph: Graph) -> None:
        self._drawing = drawing_of(graph)
        self.size = (self._drawing.width / _PER_INCH, self._drawing.height / _PER_INCH)

    def draw(self, axes: Any) -> None:
        """Draw it, in the units of the drawing, the first row on top."""
        from matplotlib.patches import FancyBboxPatch, PathPatch  # noqa: PLC0415  (optional, and heavy)
        from matplotlib.path import Path as Route  # noqa: PLC0415

        drawing = self._drawing
        axes.set_xlim(0, drawing.width)
        axes.set_ylim(drawing.height, 0)
        axes.axis("off")
        letter = 11.5 / _PER_INCH * 72
        for edge in sorted(drawing.graph.edges, key=lambda e: -e.facts):
            points = edge_curve(drawing.boxes[edge.source], drawing.boxes[edge.target])
            route = Route(points, [Route.MOVETO, Route.CURVE4, Route.CURVE4, Route.CURVE4])
            width = drawing.stroke(edge.facts) / _PER_INCH * 72
            axes.add_patch(PathPatch(route, fill=False, edgecolor=LINE, linewidth=width, alpha=0.7))
        colours = {"input": INPUT, "output": INPUT, "latent": LATENT}
        for box in drawing.boxes.values():
            line = colours.get(box.node.kind, QUIET)
            axes.add_patch(
                FancyBboxPatch(
                    (box.x, box.y),
                    box.width,
                    HEIGHT,
                    boxstyle="round,pad=0,rounding_size=5",
                    facecolor="white" if box.node.kind in ("encoder", "decoder") else tinted(line),
                    edgecolor=line,
                    linewidth=0.7,
                )
            )
            middle = box.y + HEIGHT / 2 + 1
            axes.text(
                box.x + 8,
                middle,
                box.label,
                fontsize=letter,
                family="monospace",
                va="center",
                parse_math=False,
            )
            number = f"{box.node.facts:,}"
            axes.text(
                box.x + box.width - 8, middle, number, fontsize=letter, color=QUIET, va="center", ha="right"
            )
        for x, text in drawing.columns:
            axes.text(x, 14, text, fontsize=letter, color=QUIET, weight="bold", va="center")


def _draw_predicates(content: Content, axes: Any) -> None:
    scores = sorted(content.totals.predicates, key=lambda score: (score.facts, score.predicate))
    names = [score.predicate for score in scores]
    places = range(len(names))
    left = [0] * len(names)
    for word, colour in (("rebuilt", GOOD), ("missing", MISSING), ("false", FALSE)):
        values = [getattr(score, word) for score in scores]
        label = "reconstructed" if word == "rebuilt" else word
        axes.barh(places, values, left=left, color=colour, height=0.7, label=label)
        left = [a + b for a, b in zip(left, values, strict=True)]
    _named_rows(axes, names)
    axes.margins(x=0.02)
    axes.set_xlabel("facts")
    axes.legend(loc="lower right")


def _named_rows(axes: Any, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), names, parse_math=False)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    axes.margins(y=0.02)


def _draw_search(run: AutoEncoder, axes: Any) -> None:
    moments = progress_of(run)
    times = [moment.seconds for moment in moments]
    axes.step(
        times, [m.objective for m in moments], where="post", color=INPUT, label="best program", clip_on=False
    )
    bounds = [m.bound for m in moments]
    axes.step(times, bounds, where="post", color=LATENT, linestyle="--", label="proven bound", clip_on=False)
    axes.set_ylim(bottom=0)
    axes.set_xlim(left=0)
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("seconds of the search")
    axes.set_ylabel("bits" if getattr(run, "goal_", None) == "bits" else "loss")
    axes.grid(axis="y")
    axes.legend()


def _draw_candidates(candidates: Mapping[str, Any], axes: Any) -> None:
    rows: list[tuple[str, int, str]] = []
    for part, first in (("encoder", "encoders"), ("decoder", "decoders_evaluated")):
        colour = LATENT if part == "encoder" else INPUT
        rows.append((f"{part}s enumerated", candidates[first], colour))
        steps = (step for step in pruning_steps(candidates) if step.part == part)
        rows += [(f"without: {step.rule}", step.after, colour) for step in steps]
    rows.reverse()
    axes.barh(
        range(len(rows)), [max(1, count) for _, count, _ in rows], color=[c for *_, c in rows], height=0.7
    )
    for place, (_, count, _) in enumerate(rows):
        axes.annotate(
            f"{count:,}",
            (max(1, count), place),
            textcoords="offset points",
            xytext=(4, 0),
            va="center",
            fontsize=7,
        )
    axes.set_xscale("log")
    _named_rows(axes, [name for name, *_ in rows])
    axes.set_xlim(left=1, right=max(count for _, count, _ in rows) * 6)
    axes.set_xlabel("candidates (logarithmic)")


def _draw_phases(seconds: Mapping[str, float], axes: Any) -> None:
    phases = [phase for phase in PHASES if phase in seconds][::-1]
    axes.barh(range(len(phases)), [seconds[phase] for phase in phases], color=INPUT, height=0.7)
    for place, phase in enumerate(phases):
        spent = seconds[phase]
        axes.annotate(
            f"{spent:.2f}", (spent, place), textcoords="offset points", xytext=(4, 0), va="center", fontsize=7
        )
    _named_rows(axes, [PHASES[phase] for phase in phases])
    axes.margins(x=0.12)
    axes.set_xlabel("seconds")
