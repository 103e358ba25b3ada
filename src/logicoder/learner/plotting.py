"""Pictures of rate-distortion curves: plain characters for a terminal, matplotlib for files."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from logicoder.base.errors import MissingExtraError, UsageError
from logicoder.base.files import write_bytes
from logicoder.base.palette import INPUT, LATENT, PLOT_STYLE, QUIET

if TYPE_CHECKING:
    from logicoder.learner.bottleneck_curve import Curve

FORMATS = (".svg", ".png", ".pdf")
_LEAST_WIDTH = 40
_LEAST_HEIGHT = 5


def text_plot(curve: Curve, width: int = 80, height: int = 16) -> str:
    """Return a plot of plain characters.

    `*` is the best program, `:` what is not decided between it and its bound; where they meet there is only
    the star. `x` marks a bottleneck that no program satisfies, or for which none was found.
    """
    width, height = max(width, _LEAST_WIDTH), max(height, _LEAST_HEIGHT)
    known = [point for point in curve if point.objective is not None]
    most = max((point.objective or 0 for point in known), default=0) or 1
    labels = [f"{most * (height - 1 - row) / (height - 1):,.5g}" for row in range(height)]
    margin = max(map(len, labels)) + 1
    room = width - margin - 2
    count = len(curve.points)
    columns = [round((number + 0.5) * room / max(1, count)) for number in range(count)]
    grid = [[" "] * room for _ in range(height)]

    def row_of(value: float) -> int:
        return height - 1 - round((height - 1) * value / most)

    for column, point in zip(columns, curve.points, strict=True):
        place = min(column, room - 1)
        if point.objective is None or point.bound is None:
            grid[height - 1][place] = "x"
            continue
        for row in range(row_of(point.objective), row_of(point.bound) + 1):
            grid[row][place] = ":"
        grid[row_of(point.objective)][place] = "*"
    shown = range(0, height, 3) if height > 8 else range(height)
    lines = [_quantity(curve)]
    for row, cells in enumerate(grid):
        label = labels[row] if row in shown or row == height - 1 else ""
        lines.append(f"{label:>{margin}} |{''.join(cells)}".rstrip())
    lines.append(f"{'':>{margin}} +{'-' * room}")
    lines.append(_marks(curve, columns, room, margin))
    lines.append(f"{'':>{margin}}  compression ({', '.join(curve.bottlenecks)})")
    return "\n".join(lines)


def _marks(curve: Curve, columns: list[int], room: int, margin: int) -> str:
    """Return the values below the axis, as many as there is room for."""
    cells = [" "] * (room + 8)
    free = 0
    for column, point in zip(columns, curve.points, strict=True):
        text = f"{float(point.compression):.3g}"
        start = max(0, column - len(text) // 2)
        if start >= free and start + len(text) <= len(cells):
            cells[start : start + len(text)] = text
            free = start + len(text) + 1
    return f"{'':>{margin}}  {''.join(cells)}".rstrip()


def _quantity(curve: Curve) -> str:
    weighted = any(point.objective != point.loss for point in curve.points)
    return "bits" if curve.objective == "bits" else "weighted loss" if weighted else "loss"


def save_plot(curve: Curve, path: Path) -> None:
    """Write a picture of a curve; the bounds are a band below it."""
    check_plot(path)
    with new_figure((6.4, 3.8)) as figure:
        axes = figure.add_subplot()
        _draw(curve, axes)
        save_figure(figure, path)


def _draw(curve: Curve, axes: Any) -> None:
    points = [p for p in curve.points if p.objective is not None and p.bound is not None]
    places = [float(p.compression) for p in points]
    values = [float(p.objective or 0) for p in points]
    bounds = [float(p.bound or 0) for p in points]
    # Between two points the best program is no worse than that of the left one, and no better than the bound
    # of the right one: the band is proven everywhere, not only at the points.
    stairs = [place for place in places for _ in (0, 1)][1:]
    above = [value for value in values for _ in (0, 1)][:-1]
    below = [bound for bound in bounds for _ in (0, 1)][2:] + bounds[-1:]
    axes.fill_between(stairs, below, above, color=INPUT, alpha=0.15, linewidth=0, label="not decided")
    axes.plot(stairs, above, color=INPUT, linewidth=1)
    axes.plot(
        places,
        values,
        marker="o",
        markersize=4,
        linestyle="",
        color=INPUT,
        label="best program",
        clip_on=False,
    )
    axes.plot(stairs, below, color=LATENT, linestyle=":", linewidth=1.2)
    axes.plot(places, bounds, marker="_", linestyle="", color=LATENT, label="proven bound")
    for point in curve.points:
        if point.objective is None:
            axes.axvline(float(point.compression), color=QUIET, linestyle="--", linewidth=0.8)
    for place, value, point in zip(places, values, points, strict=True):
        axes.annotate(
            f"{point.latent_facts:,}", (place, value), textcoords="offset points", xytext=(4, 5), fontsize=7
        )
    axes.set_ylim(bottom=0)
    axes.set_xlabel(f"compression ({', '.join(curve.bottlenecks)}); latent facts beside the points")
    axes.set_ylabel(_quantity(curve))
    axes.set_title(f"{curve.facts:,} facts")
    axes.legend()


@contextmanager
def new_figure(size: tuple[float, float]) -> Iterator[Any]:
    """Yield an empty figure in the style of all plots; it must be saved within the block."""
    import matplotlib as mpl  # noqa: PLC0415  (optional, and heavy)
    from matplotlib.figure import Figure  # noqa: PLC0415

    style: Any = PLOT_STYLE
    with mpl.rc_context(style):
        yield Figure(figsize=size, layout="constrained")


def save_figure(figure: Any, path: Path) -> None:
    """Write a figure; without a date, so that the same figure gives the same file."""
    suffix, content = path.suffix.lower(), io.BytesIO()
    metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(suffix)
    figure.savefig(content, format=suffix[1:], metadata=metadata)
    write_bytes(path, content.getvalue())


def check_plot(path: Path) -> None:
    """Make sure, before long work, that a picture can be written."""
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"{path}: a plot must be named {', '.join(f'*{suffix}' for suffix in FORMATS)}")
    try:
        import matplotlib as mpl  # noqa: PLC0415  (optional, and heavy)
    except ImportError:
        raise MissingExtraError("matplotlib", "plot", "a plot") from None
    del mpl
