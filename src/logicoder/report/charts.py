"""Small charts for a page, as SVG that takes its colours from the page: light, dark and in print."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from logicoder.report.markup import Markup, element

WIDTH, HEIGHT = 640.0, 250.0
LEFT, RIGHT, TOP, BOTTOM = 80.0, 16.0, 34.0, 44.0
_DOTS = 60
"""Lines of more points are drawn without dots."""


@dataclass(frozen=True)
class Line:
    """A named line through points; `steps` keeps each value until the next point."""

    name: str
    kind: str
    points: Sequence[tuple[float, float]]
    steps: bool = True


def line_chart(lines: Sequence[Line], name: str, across: str, up: str) -> Markup:
    """Return a chart of lines over a common axis.

    Args:
        lines: the lines.
        name: what the chart shows, in words, for who cannot see it.
        across: what the horizontal axis measures.
        up: what the vertical axis measures.
    """
    everything = [point for line in lines for point in line.points]
    high_x = max((x for x, _ in everything), default=1.0) or 1.0
    high_y = max((y for _, y in everything), default=1.0) or 1.0
    marks_x, marks_y = ticks(high_x), ticks(high_y)
    if all(float(x).is_integer() for x, _ in everything):  # half an update is none
        marks_x = [mark for mark in marks_x if float(mark).is_integer()]
    high_x, high_y = max(high_x, marks_x[-1]), max(high_y, marks_y[-1])

    def place(point: tuple[float, float]) -> tuple[float, float]:
        x = LEFT + point[0] / high_x * (WIDTH - LEFT - RIGHT)
        return x, HEIGHT - BOTTOM - point[1] / high_y * (HEIGHT - TOP - BOTTOM)

    grid = []
    for mark in marks_y:
        y = place((0, mark))[1]
        grid.append(element("line", x1=LEFT, x2=WIDTH - RIGHT, y1=y, y2=y, class_="grid"))
        grid.append(element("text", tick_text(mark), x=LEFT - 8, y=y + 4, text_anchor="end"))
    for mark in marks_x:
        x = place((mark, 0))[0]
        grid.append(element("text", tick_text(mark), x=x, y=HEIGHT - BOTTOM + 17, text_anchor="middle"))
    axis = [
        element(
            "text", across, x=(LEFT + WIDTH - RIGHT) / 2, y=HEIGHT - 6, text_anchor="middle", class_="axis"
        ),
        # Beside the numbers it would cover them where letters are large, on phones.
        element("text", up, x=2, y=15, class_="axis"),
    ]
    drawn = [_line(line, [place(point) for point in line.points]) for line in lines if line.points]
    chart = element(
        "svg",
        grid,
        axis,
        drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH:.0f} {HEIGHT:.0f}",
        role="img",
        aria_label=name,
        class_="chart",
    )
    return element("figure", chart, element("figcaption", legend((line.kind, line.name) for line in lines)))


def legend(entries: Iterable[tuple[str, str]]) -> Markup:
    """Return what the colours of a chart mean: kinds and words for them."""
    listed = [element("li", element("span", class_=f"key {kind}"), word) for kind, word in entries]
    return element("ul", listed, class_="legend")


def _line(line: Line, places: list[tuple[float, float]]) -> Markup:
    corners = [places[0]]
    for x, y in places[1:]:
        if line.steps:
            corners.append((x, corners[-1][1]))
        corners.append((x, y))
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners)
    dots = [element("circle", cx=x, cy=y, r=2.5) for x, y in places] if len(places) <= _DOTS else []
    return element("g", element("path", d=path), dots, class_=f"line {line.kind}")


def ticks(high: float, about: int = 5) -> list[float]:
    """Return round numbers from zero to at least nearly `high`.

    >>> ticks(1.0), ticks(47)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 10.0, 20.0, 30.0, 40.0])
    """
    rough = high / about
    power = 10.0 ** math.floor(math.log10(rough)) if rough > 0 else 1.0
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    return [round(number * step, 12) for number in range(int(high / step + 1.001))]


def tick_text(value: float) -> str:
    """Return a number below or beside an axis.

    >>> tick_text(1500.0), tick_text(0.2)
    ('1,500', '0.2')
    """
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.4g}"


def bar(parts: Sequence[tuple[str, float]], whole: float, width: int = 160) -> Markup:
    """Return a bar of parts that follow each other, beside a whole that would fill the width.

    The numbers stand beside it in the table; to a screen reader the bar is silent.
    """
    drawn = []
    x = 0.0
    for kind, value in parts:
        if value:
            length = max(1.5, width * value / max(whole, 1e-9))
            drawn.append(element("rect", x=x, y=0, width=length, height=12, class_=kind))
            x += length
    return element(
        "svg",
        element("rect", x=0, y=0, width=width, height=12, class_="track"),
        drawn,
        viewBox=f"0 0 {width} 12",
        width=width,
        height=12,
        class_="bar",
        aria_hidden="true",
        focusable="false",
        preserveAspectRatio="none",
    )
