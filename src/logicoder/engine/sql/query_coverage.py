"""Atoms of a predicate that several queries derive: which of them derive each, and whether it is a fact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from logicoder.engine.sql.bit_masks import marked, mask_names, mask_of
from logicoder.engine.sql.relations import Relation, listed, same

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData

FACT = "f"
"""The column that tells whether an atom is a fact: 1 or 0."""


def is_fact(columns: Sequence[str]) -> str:
    """Return whether an atom of `covered_atoms` is a fact, as a number."""
    return f"CASE WHEN x.{columns[-1]} IS NULL THEN 0 ELSE 1 END"


def covered_atoms(
    data: StoredData,
    facts: Relation,
    queries: Sequence[str],
    more: Sequence[str] = (),
    joins: Sequence[str] = (),
) -> str:
    """Return the query for all atoms that queries derive, with a bit for each query and whether it is a fact.

    Args:
        data: says whether there are several interpretations.
        facts: the facts of the predicate.
        queries: one at least.
        more: what else is selected.
        joins: what that is read from, beside the atoms (`s`).
    """
    columns = facts.columns(worlds=data.several)
    known = f"LEFT JOIN {facts.table} AS x ON {same('s', 'x', columns)}"
    selected = [listed([*columns, *mask_names(len(queries))], "s"), f"{is_fact(columns)} AS {FACT}", *more]
    return f"SELECT {listed(selected)} FROM ({marked(columns, queries)}) AS s {' '.join([known, *joins])}"


def coverage_classes(data: StoredData, atoms: str, number: int, purpose: str) -> list[tuple[int, bool, int]]:
    """Return the classes of covered atoms: which queries derive them, whether they are facts, how many.

    Args:
        data: the system.
        atoms: the table of these atoms, or the query in parentheses.
        number: how many queries there are.
        purpose: what it is for.
    """
    columns = listed([*mask_names(number), FACT])
    query = f"SELECT {columns}, count(*) FROM {atoms} AS c GROUP BY {columns}"
    rows = data.session.rows(query, purpose)
    return sorted((mask_of(row[:-2]), bool(int(row[-2])), int(row[-1])) for row in rows)
