"""The colours and the type of every picture, so that the page and the plots look alike.

The colours stay apart for people who see few of them, and in greys (after Okabe and Ito, darkened until text
in them can be read on white).
"""

from __future__ import annotations

from typing import Any

INPUT = "#0b5c8f"
LATENT = "#a8560a"
GOOD = "#1c7a5a"
MISSING = "#b8860b"
FALSE = "#b3261e"
INK = "#1b2430"
QUIET = "#5a6675"
LINE = "#c9d1db"

PLOT_STYLE: dict[str, Any] = {
    "figure.dpi": 150,
    "font.size": 9,
    "font.family": "sans-serif",
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.labelcolor": INK,
    "axes.edgecolor": QUIET,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "text.color": INK,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "lines.linewidth": 1.6,
    "pdf.fonttype": 42,
    # With a fixed salt the same picture is the same file; letters stay letters.
    "svg.hashsalt": "logicoder",
    "svg.fonttype": "none",
}
"""Settings of matplotlib for a picture that fits the column of a paper."""


def tinted(colour: str, share: float = 0.12) -> str:
    """Return a colour mixed with much white.

    >>> tinted("#000000", 0.5)
    '#808080'
    """
    parts = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(255 - share * (255 - part)):02x}" for part in parts)
