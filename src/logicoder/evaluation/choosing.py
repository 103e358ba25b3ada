"""Choosing models on the validation fold, which is no test fold."""

from __future__ import annotations

from collections.abc import Iterable

from logicoder.evaluation.configuration import Cell
from logicoder.evaluation.splits import Split
from logicoder.evaluation.store import VALIDATION, Store


def chosen_cells(
    store: Store, split: Split, cells: Iterable[Cell], measure: str = "auc_pr"
) -> dict[str, Cell]:
    """Return the cell of each variant with the largest mean of a measure on the validation fold.

    Of equal ones it is the first. Variants without any finished cell are left out.
    """
    found: dict[str, tuple[float, Cell]] = {}
    for cell in cells:
        if not store.has(split, cell.name, VALIDATION):
            continue
        unit = store.read(split, cell.name, VALIDATION)
        if "failed" in unit or unit["mean"][measure] is None:
            continue
        value = float(unit["mean"][measure])
        if cell.variant not in found or value > found[cell.variant][0]:
            found[cell.variant] = (value, cell)
    return {variant: cell for variant, (_, cell) in found.items()}
