"""Rows of a system about one predicate of stored data: the first ones, and how many more there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from logicoder.engine.sql.relations import listed

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData

MOST = 1_000
"""Rows of one kind about one predicate that are brought into memory."""


class StoredListing:
    """Lists what concerns a predicate.

    Args:
        data: the facts.
        name: the predicate.

    Attributes:
        left_out: rows that were counted and not listed.
    """

    def __init__(self, data: StoredData, name: str) -> None:
        self._data, self._session, self._name = data, data.session, name
        self.left_out = 0

    def _first(self, columns: Sequence[str], source: str, order: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the first rows of a source, and count how many are left out."""
        purpose = f"listing what may be wrong with {self._name}"
        query = f"SELECT {listed(columns)} FROM {source} ORDER BY {listed(order)} LIMIT {MOST}"
        rows = self._session.rows(query, purpose)
        if len(rows) == MOST:
            self.left_out += self._session.value(f"SELECT count(*) FROM {source}", purpose) - MOST
        return rows

    def _text(self, row: Sequence[str]) -> tuple[str, str]:
        """Return an atom as text, and its interpretation."""
        atom, world = self._data.atom(self._name, row)
        return str(atom), world
