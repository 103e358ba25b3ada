"""Facts that change: as they were, as they are and both at once, found by any of their arguments.

While a change is worked in, facts that go are still there, and marked; so are those that come. Each question
says of which time it is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

OLD, NEW, BOTH = "old", "new", "both"
"""The times that can be asked about."""

Row = tuple[int, ...]
"""The interpretation and the constants of an atom, as numbers."""

Places = tuple[int, ...]


class FactStore:
    """Facts by predicate.

    Args:
        texts: the constants by their numbers; it may grow.
    """

    def __init__(self, texts: Sequence[str] = ()) -> None:
        self.texts = texts
        self._rows: dict[str, set[Row]] = {}
        self._added: dict[str, set[Row]] = {}
        self._removed: dict[str, set[Row]] = {}
        self._indexes: dict[str, dict[Places, dict[Row, set[Row]]]] = {}

    def load(self, predicate: str, rows: Iterable[Row]) -> None:
        """Take facts as they are; those of the predicate that were there before are forgotten."""
        self._rows[predicate] = set(rows)
        self._indexes.pop(predicate, None)

    def add(self, predicate: str, row: Row) -> None:
        """Add a fact that is not there, as a part of the change."""
        self._rows.setdefault(predicate, set()).add(row)
        self._added.setdefault(predicate, set()).add(row)
        for places, index in self._indexes.get(predicate, {}).items():
            index.setdefault(tuple(row[place] for place in places), set()).add(row)

    def remove(self, predicate: str, row: Row) -> None:
        """Mark a fact that is there as one that goes."""
        self._removed.setdefault(predicate, set()).add(row)

    def changed(self, predicate: str) -> set[Row]:
        """Return the facts of a predicate that come or go."""
        return self._added.get(predicate, set()) | self._removed.get(predicate, set())

    def changes(self) -> Iterator[tuple[str, set[Row], set[Row]]]:
        """Iterate over predicates with the facts that come and those that go."""
        for predicate in {**self._added, **self._removed}:
            yield predicate, self._added.get(predicate, set()), self._removed.get(predicate, set())

    def settle(self) -> None:
        """End the change: what goes is gone."""
        for predicate, rows in self._removed.items():
            self._rows[predicate] -= rows
            for places, index in self._indexes.get(predicate, {}).items():
                for row in rows:
                    key = tuple(row[place] for place in places)
                    found = index[key]
                    found.discard(row)
                    if not found:
                        del index[key]
        self._added, self._removed = {}, {}

    def rows(self, predicate: str) -> Collection[Row]:
        """Return the facts of a predicate, both those that come and those that go."""
        return self._rows.get(predicate, ())

    def rows_now(self, predicate: str) -> set[Row]:
        """Return the facts of a predicate once the change is made."""
        return self._rows.get(predicate, set()) - self._removed.get(predicate, set())

    def put(self, predicate: str, row: Row, there: bool) -> None:
        """Make something a fact from now on, or none; it may have come or gone by this change already."""
        if there and row in self._removed.get(predicate, ()):
            self._removed[predicate].discard(row)
        elif there and row not in self._rows.get(predicate, ()):
            self.add(predicate, row)
        elif not there and self.holds(predicate, row):
            self.remove(predicate, row)

    def holds(self, predicate: str, row: Row, time: str = NEW) -> bool:
        """Whether something is a fact."""
        if row not in self._rows.get(predicate, ()):
            return False
        if time == BOTH:
            return True
        return row not in (self._added if time == OLD else self._removed).get(predicate, ())

    def index(self, predicate: str, places: Places) -> dict[Row, set[Row]]:
        """Return the facts of a predicate by the values at some places."""
        indexes = self._indexes.setdefault(predicate, {})
        if places not in indexes:
            index: dict[Row, set[Row]] = {}
            for row in self._rows.get(predicate, ()):
                index.setdefault(tuple(row[place] for place in places), set()).add(row)
            indexes[places] = index
        return indexes[places]

    def matching(self, predicate: str, places: Places, values: Row, time: str) -> Iterator[Row]:
        """Iterate over the facts that hold some values at some places."""
        hidden: Collection[Row] = ()
        if time != BOTH:
            hidden = (self._added if time == OLD else self._removed).get(predicate, ())
        found = self.index(predicate, places).get(values, ())
        yield from (row for row in found if row not in hidden) if hidden else found
