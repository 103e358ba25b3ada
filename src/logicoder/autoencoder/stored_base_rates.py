"""Whether rules about stored facts say more than how common values are, as `base_rates` has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from logicoder.autoencoder.base_rates import FUNCTION, lifts
from logicoder.engine.sql.relations import argument_columns, listed, same

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData

_VALUES = 1_000
"""Values whose numbers are looked up: all others are at most as common as the last of these."""

_COUNTED = 100
"""Rules that one query counts."""


class StoredBaseRates:
    """How common values of a predicate are at the place that its others determine, if they do.

    Args:
        data: the facts.
        name: the predicate.
        entities: how many there are, of a column that is true or false; 0 of any other predicate.
    """

    def __init__(self, data: StoredData, name: str, entities: int = 0) -> None:
        self._facts, self._entities = data.counts[name], entities
        self._name, self._session, self._table = name, data.session, data.relations[name].table
        arity = data.relations[name].arity
        self._arguments = argument_columns(arity) if arity > 1 else []
        self._columns = data.columns(name)

    @cached_property
    def functions(self) -> list[tuple[int, int, int]]:
        """The places that the others determine, each with its groups and those of one fact."""
        return list(self._functions())

    def others(self, place: int) -> list[str]:
        """Return the columns beside one place."""
        return [column for column in self._columns if column != self._arguments[place]]

    def lift(self, table: str, rules: Sequence[str], tried: int = 1) -> list[bool]:
        """Return whether what rules derive says more than how common their values are.

        Args:
            table: the atoms, and whether each is a fact (`f`).
            rules: for each, the condition that it derives an atom.
            tried: of how many rules each is one.
        """
        if self._entities:
            return list(self._flags(table, rules, tried))
        if not self.functions:
            return [True] * len(rules)
        place, groups, _ = self.functions[0]
        value, others = self._arguments[place], self.others(place)
        known = f"SELECT DISTINCT {listed(others)} FROM {self._table}"
        has = f"CASE WHEN g.{others[-1]} IS NULL THEN 0 ELSE 1 END AS h"
        source = f"SELECT t.*, {has} FROM {table} AS t LEFT JOIN ({known}) AS g ON {same('t', 'g', others)}"
        found = []
        for start in range(0, len(rules), _COUNTED):
            selected = []
            for rule in rules[start : start + _COUNTED]:
                own = f"CASE WHEN {rule} THEN {value} END"
                selected += [f"min({own})", f"max({own})"]
                selected += [
                    f"sum(CASE WHEN {rule} AND {a} THEN 1 ELSE 0 END)" for a in ("f = 1", "f = 0 AND h = 1")
                ]
            row = self._session.row(
                f"SELECT {listed(selected)} FROM ({source}) AS s",
                f"comparing rules about {self._name} with base rates",
            )
            for least, most, right, wrong in zip(*(row[n::4] for n in range(4)), strict=True):
                if least is None:  # as in memory: what derives nothing says nothing wrong
                    found.append(True)
                    continue
                base = self._number(least if least == most else None) / groups
                found.append(lifts(int(right or 0), int(wrong or 0), min(1.0, base), tried))
        return found

    def _flags(self, table: str, rules: Sequence[str], tried: int) -> Iterator[bool]:
        """Iterate over whether rules about a flag say more than how common it is."""
        for start in range(0, len(rules), _COUNTED):
            selected = [
                f"sum(CASE WHEN {rule} AND f = {fact} THEN 1 ELSE 0 END)"
                for rule in rules[start : start + _COUNTED]
                for fact in (1, 0)
            ]
            purpose = f"comparing rules about {self._name} with base rates"
            row = self._session.row(f"SELECT {listed(selected)} FROM {table}", purpose)
            for right, wrong in zip(row[::2], row[1::2], strict=True):
                counts = int(right or 0), int(wrong or 0)
                yield not any(counts) or lifts(*counts, self._facts / self._entities, tried)

    def _number(self, value: str | None) -> int:
        """Return how many facts have a value, or the most frequent one."""
        if value is None:
            return max(self._rates.values(), default=0)
        return self._rates.get(value, min(self._rates.values(), default=0))

    @cached_property
    def _rates(self) -> dict[str, int]:
        value = self._arguments[self.functions[0][0]]
        query = f"SELECT {value}, count(*) AS n FROM {self._table} GROUP BY {value} ORDER BY n DESC, {value}"
        rows = self._session.rows(f"{query} LIMIT {_VALUES}", f"counting values of {self._name}")
        return {own: int(number) for own, number in rows}

    def _functions(self) -> Iterator[tuple[int, int, int]]:
        for place in reversed(range(len(self._arguments))):
            others = listed(self.others(place))
            groups = f"SELECT count(*) AS n FROM {self._table} GROUP BY {others}"
            row = self._session.row(
                f"SELECT count(*), sum(CASE WHEN n = 1 THEN 1 ELSE 0 END) FROM ({groups}) AS s",
                f"looking for functions in {self._name}",
            )
            number, single = int(row[0]), int(row[1] or 0)
            if number and single >= FUNCTION * number:
                yield place, number, single
