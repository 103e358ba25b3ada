"""The figures of the paper, from the results of one's own experiments. They need matplotlib."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from logicoder.base.errors import InputError, MissingExtraError, location_of
from logicoder.base.files import read_text
from logicoder.evaluation.configuration import Cell
from logicoder.evaluation.store import ENCODING, VALIDATION, Store, Unit
from logicoder.evaluation.summary import baseline_of

Results = Mapping[str, tuple[Mapping[str, Any], Sequence[Unit]]]
"""By name of the data: summary and units."""


def read_results(folders: Sequence[Path]) -> Results:
    """Return what some experiments came to, by the names of their folders."""
    found = {}
    for folder in folders:
        path = Path(folder) / "summary.json"
        if not path.exists():
            raise InputError("there are no results of an experiment here", location_of(folder))
        found[Path(folder).name] = (json.loads(read_text(path)), list(Store(Path(folder)).units()))
    return found


def save_figures(folders: Sequence[Path], target: Path, suffix: str = ".svg") -> list[Path]:
    """Write the four figures; return their files.

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
    drawings: dict[str, tuple[int, Callable[[Any, Results], None]]] = {
        "gains": (2, _draw_gains),
        "run-times": (1, _draw_run_times),
        "validation": (1, _draw_validation),
        "loss": (1, _draw_loss),
    }
    found = []
    for name, (columns, draw) in drawings.items():
        figure, axes = plt.subplots(1, columns, figsize=(5.5 * columns, 4), layout="constrained")
        draw(axes, results)
        path = target / f"{name}{suffix}"
        figure.savefig(path)
        plt.close(figure)
        found.append(path)
    return found


def _draw_gains(axes: Any, results: Results) -> None:
    """Draw AUC-PR and AUC-ROC of each baseline against those with latents."""
    for axis, measure, title in zip(axes, ("auc_pr", "auc_roc"), ("AUC-PR", "AUC-ROC"), strict=True):
        labels: list[str] = []
        place = 0.0
        for name, (summary, _) in results.items():
            rows = {row["variant"]: row for row in summary["rows"]}
            for variant, row in rows.items():
                other = rows.get(baseline_of(variant) or "")
                if other is None:
                    continue
                before, after = (r["mean"]["mean"][measure] for r in (other, row))
                axis.plot([place, place], [before, after], color="tab:red", linewidth=2, zorder=1)
                axis.scatter(
                    [place], [before], color="tab:grey", zorder=2, label="original" if not labels else None
                )
                axis.scatter(
                    [place], [after], color="tab:blue", zorder=2, label="latent" if not labels else None
                )
                labels.append(f"{name}\n{variant}")
                place += 1
        axis.set_xticks(range(len(labels)), labels, rotation=60, ha="right", fontsize=7)
        axis.set_ylim(0, 1)
        axis.set_ylabel(f"mean {title}")
        if labels:
            axis.legend()


def _draw_run_times(axis: Any, results: Results) -> None:
    """Draw the time of each selection against the number of variables of its problem."""
    for name, (_, units) in results.items():
        found = [u for u in units if u["role"] == ENCODING and "failed" not in u]
        axis.scatter([u["variables"] for u in found], [u["phases"]["solve"] for u in found], label=name, s=14)
    axis.set(xscale="log", yscale="log", xlabel="variables", ylabel="selection (s)")
    axis.legend()


def _draw_validation(axis: Any, results: Results) -> None:
    """Draw the validation score of every cell of the grid."""
    labels: list[str] = []
    for name, (_, units) in results.items():
        found = [u for u in units if u["role"] == VALIDATION and "failed" not in u]
        for unit in found:
            label = f"{name}\n{unit['variant']}"
            if label not in labels:
                labels.append(label)
            axis.scatter([labels.index(label)], [unit["mean"]["auc_pr"]], color="tab:blue", s=10, alpha=0.6)
    axis.set_xticks(range(len(labels)), labels, rotation=60, ha="right", fontsize=7)
    axis.set_ylabel("mean AUC-PR on the validation fold")


def _draw_loss(axis: Any, results: Results) -> None:
    """Draw the validation score of latent networks against the reconstruction loss."""
    for name, (_, units) in results.items():
        losses = {
            (u["split"], u["name"]): u["loss"] / max(1, u["facts"])
            for u in units
            if u["role"] == ENCODING and "failed" not in u
        }
        points = []
        for unit in units:
            if unit["role"] == VALIDATION and "failed" not in unit:
                loss = losses.get((unit["split"], Cell(**unit["cell"]).encoding))
                if loss is not None:
                    points.append((loss, unit["mean"]["auc_pr"]))
        axis.scatter([x for x, _ in points], [y for _, y in points], label=name, s=14)
    axis.set(xlabel="reconstruction loss / facts", ylabel="mean AUC-PR on the validation fold")
    axis.legend()
