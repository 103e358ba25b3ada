"""The results as pictures, one file each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from common import Journal, Row
from scale import rows_of
from tables import PHASES


def draw(journal: Journal, scale: Journal, folder: Path) -> list[Path]:
    """Draw what there is; return the files."""
    found = []
    for row, name in _speeds(journal):
        found.append(_bars(row, name, folder))
    if journal.find(bench="phases"):
        found.append(_phases(journal, folder / "phases.svg"))
    if journal.find(bench="solvers"):
        found.append(_solvers(journal, folder / "solvers.svg"))
    sound = [row for row in rows_of(scale) if "error" not in row and not row["options"]]
    if sound:
        found.append(_scale(sound, folder / "scale.svg"))
    return found


def _figure(width: float = 8.0, height: float = 4.0) -> tuple[Any, Any]:
    import matplotlib as mpl  # noqa: PLC0415  (takes long to import)

    mpl.use("svg")
    # Without these a picture differs on every run.
    mpl.rcParams["svg.hashsalt"] = "logicoder"
    from matplotlib import pyplot as plt  # noqa: PLC0415

    return plt.subplots(figsize=(width, height), layout="constrained")


def _save(figure: Any, path: Path) -> Path:
    from matplotlib import pyplot as plt  # noqa: PLC0415

    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    return path


def _speeds(journal: Journal) -> list[tuple[list[Row], str]]:
    groups: dict[str, list[Row]] = {}
    for row in (*journal.find(bench="candidates"), *journal.find(bench="large joins")):
        groups.setdefault(f"{row['data']}: {row.get('kind', 'large joins')}", []).append(row)
    return [(rows, title) for title, rows in groups.items()]


def _bars(rows: Sequence[Row], title: str, folder: Path) -> Path:
    figure, axes = _figure(8, 3)
    names = [row["engine"] for row in rows]
    axes.barh(names, [row["rate"] for row in rows], color=["C1", *["C0"] * (len(rows) - 1)])
    axes.set_xscale("log")
    axes.invert_yaxis()
    axes.set_xlabel("candidates per second")
    axes.set_title(title, fontsize=10)
    words = "".join(letter if letter.isalnum() else " " for letter in title.lower()).split()
    return _save(figure, folder / f"speed-{'-'.join(words)}.svg")


def _phases(journal: Journal, path: Path) -> Path:
    rows = [row for row in journal.find(bench="phases") if "error" not in row]
    figure, axes = _figure(8, 1 + 0.3 * len(rows))
    labels = [f"{row['data']} {row['lengths']}" for row in rows]
    left = [0.0] * len(rows)
    for phase in PHASES:
        widths = [row["phases"].get(phase, 0.0) for row in rows]
        axes.barh(labels, widths, left=left, label=phase)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    axes.invert_yaxis()
    axes.set_xlabel("seconds")
    axes.legend()
    return _save(figure, path)


def _solvers(journal: Journal, path: Path) -> Path:
    rows = journal.find(bench="solvers")
    figure, axes = _figure(8, 1 + 0.25 * len(rows))
    labels = [f"{row['data']}: {row['solver']}" for row in rows]
    colours = ["C0" if row["status"] == "optimal" else "0.7" for row in rows]
    axes.barh(labels, [row["seconds"] for row in rows], color=colours)
    axes.set_xscale("log")
    axes.invert_yaxis()
    axes.set_xlabel("seconds; grey: not proved optimal at the limit")
    return _save(figure, path)


def _scale(rows: Sequence[Row], path: Path) -> Path:
    figure, axes = _figure()
    other = axes.twinx()
    university = [row for row in rows if row["data"] == "university"]
    facts = [row["asked"] for row in university]
    axes.loglog(facts, [row["seconds"] for row in university], "o-", color="C0", label="university, seconds")
    other.loglog(facts, [row["gib"] for row in university], "s--", color="C1", label="university, GiB")
    for row in rows:
        if row["data"] != "university":
            axes.loglog([row["asked"]], [row["seconds"]], "x", color="C0")
            axes.annotate(row["data"], (row["asked"], row["seconds"]))
    axes.set_xlabel("facts")
    axes.set_ylabel("seconds", color="C0")
    other.set_ylabel("peak GiB", color="C1")
    return _save(figure, path)
