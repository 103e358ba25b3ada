"""The rate-distortion curve, where there is one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from logicoder.report.charts import Line, line_chart
from logicoder.report.content import Content
from logicoder.report.markup import Markup, element, joined
from logicoder.report.page_tables import Column, Row, number, table
from logicoder.report.sections.frame import section


def curve(content: Content) -> Markup | None:
    """Return the rate-distortion curve, where there is one."""
    if content.curve is None:
        return None
    points = [point for point in content.curve["points"] if point.get("minimised") is not None]
    lines = [
        Line("best program", "best", [(p["compression"], p["minimised"]) for p in points]),
        Line(
            "proven bound",
            "bound",
            [(p["compression"], p["bound"]) for p in points if p["bound"] is not None],
        ),
    ]
    # What the chart shows and the bound is about, where that is not simply the loss.
    other = ("minimised",) if any(point["minimised"] != point["loss"] for point in points) else ()
    names = ("compression", "latent_facts", "latent_predicates", "loss", *other, "bound", "status")
    rows = [Row([point[name] for name in names]) for point in content.curve["points"]]
    columns = [Column(name.replace("_", " "), numeric=name != "status") for name in names]
    what = "bits" if content.curve["objective"] == "bits" else "loss"
    across = f"compression ({', '.join(content.curve['bottlenecks'])})"
    return section(
        "curve",
        "Rate and distortion",
        element(
            "p", "How much is lost for how small a latent representation; bounds are proven.", class_="note"
        ),
        line_chart(lines, f"{what} against {across}; the numbers follow in a table", across, what),
        _slider(content.curve["points"]),
        table("Points of the curve", columns, rows, sortable=True),
    )


def _slider(points: Sequence[Mapping[str, Any]]) -> Markup:
    """Return each point with its programs; a slider shows one of them at a time."""
    parts = []
    for place, point in enumerate(points):
        told = [f"compression {number(point['compression'])}: {point['status']}"]
        names = (("loss", "loss"), ("latent_facts", "latent facts"), ("bits", "bits"), ("size", "size"))
        told += [f"{words} {number(point[name])}" for name, words in names if point.get(name) is not None]
        programs = [
            joined([element("h4", title), element("pre", element("code", "\n".join(point[name])))])
            for name, title in (("encoder", "Encoder"), ("decoder", "Decoder"))
            if point.get(name)
        ]
        parts.append(
            element("div", element("p", ", ".join(told)), programs, class_="point", data_point=place)
        )
    control = element(
        "div",
        element(
            "label",
            "Point of the curve",
            element("input", type="range", min=0, max=len(points) - 1, value=0, step=1),
            class_="grow",
        ),
        class_="controls needs-js",
    )
    return element("div", control, parts, data_slider=True)
