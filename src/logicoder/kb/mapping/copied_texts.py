"""Columns of text that another table copies: `publishers.name`, of which `books.publisher_name` is a copy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from heapq import nsmallest

from logicoder.kb.mapping.column_profile import ColumnProfile
from logicoder.kb.mapping.names import identifier, last_word
from logicoder.kb.mapping.value_types import ENOUGH, SAME


class CopiedTexts:
    """Finds columns that repeat the values of another one.

    Those are columns of the same last word with values most of which the other has, too, and columns of any
    name whose values are nearly the same. Such columns get the same type of values.

    Args:
        tables: the columns of all tables.
        says: whether a column gives facts by itself; only those count as copies.
    """

    def __init__(
        self, tables: Mapping[str, Mapping[str, ColumnProfile]], says: Callable[[ColumnProfile], bool]
    ) -> None:
        # Only columns with something in common are compared: thousands of tables stay quick.
        self._by_hint: dict[tuple[str, str], list[tuple[str, ColumnProfile]]] = defaultdict(list)
        for table, columns in tables.items():
            for column in columns.values():
                if column.looks == "text" and says(column):
                    for hint in _hints(column):
                        self._by_hint[hint].append((table, column))

    def has(self, table: str, column: ColumnProfile) -> bool:
        """Whether another table has a copy of a column."""
        return any(
            other_table != table and _copies(other, column)
            for hint in _hints(column)
            for other_table, other in self._by_hint.get(hint, ())
        )


def _hints(column: ColumnProfile) -> list[tuple[str, str]]:
    first = nsmallest(ENOUGH, map(str, column.values))
    return [("word", _word(column)), *(("value", value) for value in first)]


def _copies(other: ColumnProfile, column: ColumnProfile) -> bool:
    common = len(other.values & column.values)
    if _word(other) == _word(column):
        return common * 2 > other.distinct
    return common >= max(ENOUGH, SAME * len(other.values | column.values))


def _word(column: ColumnProfile) -> str:
    return last_word(identifier(column.name))
