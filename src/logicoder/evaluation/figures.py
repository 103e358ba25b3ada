"""The figures of the paper, from the results of one's own experiments. They need matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

from logicoder.base.errors import InputError, MissingExtraError, location_of
from logicoder.base.saved_json import read_json
from logicoder.evaluation.configuration import HYBRID, Cell
from logicoder.evaluation.experiment_summary import baseline_of
from logicoder.evaluation.store import ENCODING, VALIDATION, Measures, Store, Unit


class _Row(TypedDict):
    """The scores of a variant."""

    variant: str
    mean: dict[str, Measures]


class _Summary(TypedDict):
    """What figures need of a summary."""

    rows: list[_Row]


Results = Mapping[str, tuple[_Summary, Sequence[Unit]]]
"""By name of the data: summary and units."""

Points = dict[str, list[tuple[float, float]]]
"""By label: x and y."""

_SHOWN = {"auc_pr": "AUC-PR", "auc_roc": "AUC-ROC"}
_MOST_INSIDE = 6
"""Names of a legend that there is room for within the axes."""

_MARKERS = "os^vDPX"


def read_results(folders: Sequence[Path]) -> Results:
    """Return what some experiments came to, by the names of their folders."""
    found = {}
    for folder in folders:
        path = Path(folder) / "summary.json"
        if not path.exists():
            raise InputError("this folder contains no results of an experiment", location_of(folder))
        found[Path(folder).name] = (
            read_json(path, _Summary, "this summary"),
            list(Store(Path(folder)).units()),
        )
    return found


def save_figures(folders: Sequence[Path], target: Path, suffix: str = ".svg") -> list[Path]:
    """Write up to four figures; return their files. One without any point is left out.

    Args:
        folders: of one experiment or several, one for each dataset.
        target: the folder to write to.
        suffix: the format: `.svg`, `.png` or `.pdf`.
    """
    try:
        import matplotlib  # noqa: PLC0415  (optional)
    except ImportError:
        raise MissingExtraError("matplotlib", "plot", "a figure") from None
    matplotlib.use("agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415

    results = read_results(folders)
    target = Path(target)
    target.mkdir(parents=True, exist_ok=True)
    drawings: list[tuple[str, int, Callable[[Results], Any], Callable[[Any, Any], None]]] = [
        ("gains", 2, _gains, _draw_gains),
        ("run-times", 1, _run_times, _draw_run_times),
        ("validation", 1, _validation, _draw_validation),
        ("loss", 1, _losses, _draw_losses),
    ]
    found = []
    for name, columns, points_of, draw in drawings:
        points = points_of(results)
        if not points:
            continue
        width = max(5.5, 0.3 * len(points))  # names below the points, or beside them, need room
        figure, axes = plt.subplots(1, columns, figsize=(width * columns, 4), layout="constrained")
        draw(axes, points)
        path = target / f"{name}{suffix}"
        figure.savefig(path)
        plt.close(figure)
        found.append(path)
    return found


def _gains(results: Results) -> dict[str, tuple[Measures, Measures]]:
    """Return the scores without and with latents, by dataset and variant."""
    found = {}
    for name, (summary, _) in results.items():
        rows = {row["variant"]: row for row in summary["rows"]}
        for variant, row in rows.items():
            other = rows.get(baseline_of(variant) or "")
            if other is None:
                continue
            before, after = (r["mean"].get("mean", {}) for r in (other, row))
            if all(scores.get(measure) is not None for measure in _SHOWN for scores in (before, after)):
                found[f"{name}\n{variant}"] = (before, after)
    return found


def _draw_gains(axes: Any, pairs: Mapping[str, tuple[Measures, Measures]]) -> None:
    """Draw AUC-PR and AUC-ROC of each baseline against those with latents."""
    places = list(range(len(pairs)))
    for axis, (measure, title) in zip(axes, _SHOWN.items(), strict=True):
        before = [scores[measure] for scores, _ in pairs.values()]
        after = [scores[measure] for _, scores in pairs.values()]
        axis.vlines(places, before, after, color="tab:red", linewidth=2, zorder=1)
        axis.scatter(places, before, color="tab:grey", zorder=2, label="without latents")
        axis.scatter(places, after, color="tab:blue", zorder=2, label="with latents")
        _name_places(axis, list(pairs))
        axis.set_ylim(0, 1)
        axis.set_ylabel(f"mean {title}")
        axis.legend()


def _run_times(results: Results) -> Points:
    """Return the variables of each problem, and the time of its selection, by dataset."""
    found: Points = {}
    for name, (_, units) in results.items():
        for unit in units:
            if unit["role"] == ENCODING and "failed" not in unit:
                # Both axes are logarithmic.
                point = (max(1, unit["variables"]), max(0.001, unit["phases"].get("solve", 0.0)))
                found.setdefault(name, []).append(point)
    return found


def _draw_run_times(axis: Any, points: Points) -> None:
    """Draw the time of each selection against the number of variables of its problem."""
    _scatter(axis, points)
    axis.set(xscale="log", yscale="log", xlabel="variables", ylabel="selection (s)")


def _validation(results: Results) -> dict[str, list[float]]:
    """Return the validation scores of all cells, by dataset and variant."""
    found: dict[str, list[float]] = {}
    for name, (_, units) in results.items():
        for unit in _validated(units):
            found.setdefault(f"{name}\n{unit['variant']}", []).append(unit["mean"]["auc_pr"])
    return found


def _draw_validation(axis: Any, scores: Mapping[str, Sequence[float]]) -> None:
    """Draw the validation score of every cell of the grid."""
    for place, own in enumerate(scores.values()):
        axis.scatter([place] * len(own), own, color="tab:blue", s=10, alpha=0.6)
    _name_places(axis, list(scores))
    axis.set_ylabel("mean AUC-PR on the validation fold")


def _losses(results: Results) -> Points:
    """Return reconstruction loss and validation score of generative networks, by dataset and variant.

    Hybrid networks are left out: they see the data as well, whatever the auto-encoder has lost.
    """
    found: Points = {}
    for name, (_, units) in results.items():
        losses = {
            (u["split"], u["name"]): u["loss"] / max(1, u["facts"])
            for u in units
            if u["role"] == ENCODING and "failed" not in u
        }
        for unit in _validated(units):
            cell = Cell(**unit["cell"])
            loss = losses.get((unit["split"], cell.encoding))
            if loss is not None and cell.representation != HYBRID:
                label = f"{name} {cell.variant}" if len(results) > 1 else cell.variant
                found.setdefault(label, []).append((loss, unit["mean"]["auc_pr"]))
    return found


def _draw_losses(axis: Any, points: Points) -> None:
    """Draw the validation score of latent networks against the reconstruction loss."""
    _scatter(axis, points)
    axis.set(xlabel="reconstruction loss / facts", ylabel="mean AUC-PR on the validation fold")


def _validated(units: Sequence[Unit]) -> list[Unit]:
    found = [unit for unit in units if unit["role"] == VALIDATION and "failed" not in unit]
    return [unit for unit in found if unit["mean"].get("auc_pr") is not None]


def _scatter(axis: Any, points: Points) -> None:
    """Draw points with a colour and a marker for each label."""
    for number, (label, own) in enumerate(points.items()):
        marker = _MARKERS[number % len(_MARKERS)]
        axis.scatter(*zip(*own, strict=True), color=f"C{number % 10}", marker=marker, label=label, s=14)
    if len(points) > _MOST_INSIDE:
        axis.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize=7)
    else:
        axis.legend()


def _name_places(axis: Any, labels: Sequence[str]) -> None:
    axis.set_xticks(range(len(labels)), labels, rotation=90, fontsize=7)
