"""Columns of a table that another column of the same rows determines, be it with a few exceptions.

A message does without such a rule where a table is small, and where a wrong value would enter the list of
which values go with which. Both are no reason to say nothing of it, nor to overlook what is wrong.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import log2, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from logicoder.engine.arrays.database import Database
from logicoder.logic.rules import Literal, Rule

_MOST_WRONG, _FEWER = 0.1, 0.5
"""Exceptions at most: as a share of all rows, and of the exceptions of guessing a constant."""

_BEYOND_CHANCE = 7.0
"""Bits that a dependency saves beyond those that tell which of all pairs of columns it is."""

_EXAMPLES = 3

_SPARSEST = 8
"""Numbers are counted in a table if it has at most so many entries for each of them."""

_MOST_LOOKS, _PAIR = 100_000_000, 2_000
"""Rows that are looked at for all pairs of columns together, and what a pair takes beside its rows."""

_log = logging.getLogger("logicoder")

Values = NDArray[np.int64]


@dataclass(frozen=True)
class Dependency:
    """One column that another one determines.

    Attributes:
        predicate: the column.
        by: what determines it.
        holds: rows in which it has the value that is most frequent beside that of the other column.
        total: rows that have both.
        bits: what saying the column by the other one would save, beside saying it alone.
        values: the most frequent value for each value of the other column.
        exceptions: some rows that have another value, each with it.
    """

    predicate: str
    by: str
    holds: int
    total: int
    bits: float
    values: tuple[tuple[str, str], ...]
    exceptions: tuple[tuple[str, str], ...]

    def rules(self) -> Iterator[Rule]:
        """Iterate over the rules that give each row its value."""
        for given, value in self.values:
            yield Rule((0, value), (Literal(self.by, (0, given)),))


def dependencies(database: Database, things: Mapping[str, str]) -> dict[str, Dependency]:
    """Return the dependency of each column that has one: that which saves most, by few enough exceptions.

    Args:
        database: the data.
        things: the predicates that are columns, each with the kind of thing that has it.
    """
    tables: dict[str, dict[str, _Numbered]] = {}
    for name, thing in things.items():
        column = _column(database, name)
        if column is not None:
            tables.setdefault(thing, {})[name] = _numbered(column)
    pairs = sum(len(columns) * (len(columns) - 1) for columns in tables.values())
    found = {}
    for columns in _affordable(tables):
        for name in columns.keys() & set(database.kb.learnable):
            ways = [_dependency(columns[name], columns[by]) for by in columns if by != name]
            others = [by for by in columns if by != name]
            told = [(way.bits, by, way) for by, way in zip(others, ways, strict=True) if way is not None]
            if told and max(told)[0] >= _BEYOND_CHANCE + log2(pairs):
                _, by, way = max(told, key=lambda one: one[:2])
                found[name] = _named(database, name, by, way)
    return {name: found[name] for name in things if name in found}


def _affordable(tables: Mapping[str, dict[str, _Numbered]]) -> Iterator[dict[str, _Numbered]]:
    """Iterate over the columns of tables that are compared: of too many, those with the fewest values."""
    several = {
        thing: {name: column for name, column in columns.items() if len(column.values) > 1}
        for thing, columns in tables.items()
    }
    each = {thing: len(next(iter(columns.values())).numbers) + _PAIR for thing, columns in tables.items()}
    costs = {thing: len(columns) ** 2 * each[thing] for thing, columns in several.items()}
    share = min(1.0, _MOST_LOOKS / max(1, sum(costs.values())))
    for thing, columns in several.items():
        most = max(2, int(len(columns) * sqrt(share)))
        if most < len(columns):
            kept = sorted(columns, key=lambda name: (len(columns[name].values), name))[:most]
            _log.warning("only %d of %d columns of %s are compared", most, len(columns), thing)
            yield {name: columns[name] for name in kept}
        else:
            yield columns


def _column(database: Database, name: str) -> Values | None:
    """Return the value of each thing, or -1; None for what is no column with one value each."""
    if name not in database.kb.schema or database.kb.schema[name].arity != 2:
        return None
    relation = database.relation(name)
    (rows, values), (thing, kind) = relation.columns, relation.types
    column = np.full(database.sizes[thing], -1, np.int64)
    column[rows] = database.symbol_of[kind][values]
    return column if int((column >= 0).sum()) == len(relation) else None


class _Numbered(NamedTuple):
    """A column whose values are numbered without gaps: the number of each thing, or -1, and the values."""

    numbers: Values
    values: Values


def _numbered(column: Values) -> _Numbered:
    there = column >= 0
    numbers = np.full(len(column), -1, np.int64)
    values, numbers[there] = np.unique(column[there], return_inverse=True)
    return _Numbered(numbers, values)


@dataclass(frozen=True)
class _Way:
    """How one column determines another, by the numbers of symbols; see `Dependency`."""

    holds: int
    total: int
    bits: float
    given: Values
    value: Values


def _dependency(target: _Numbered, by: _Numbered) -> _Way | None:
    """Return how one column determines another; None where it does not, or saves nothing."""
    both = (target.numbers >= 0) & (by.numbers >= 0)
    own, other, width = target.numbers[both], by.numbers[both], len(target.values)
    total, counts = len(own), _counts(own)[1].astype(np.float64)
    given, values = len(_counts(other)[0]), len(counts)
    if values < 2 or 2 * given > total:
        return None
    alone = float(-(counts * np.log2(counts / total)).sum())
    table = given * log2(values)
    if table >= alone:
        return None
    keys, number = _counts(other * width + own)
    order = np.lexsort((number, keys // width))
    last = np.append(np.diff(keys[order] // width) > 0, [True])
    chosen = order[last]
    holds = int(number[chosen].sum())
    wrong = total - holds
    if wrong > _MOST_WRONG * total or wrong > _FEWER * (total - counts.max()):
        return None
    bits = alone - table - wrong * log2(values) - _which(total, wrong)
    said = by.values[keys[chosen] // width], target.values[keys[chosen] % width]
    return _Way(holds, total, bits, *said) if bits > 0 else None


def _counts(numbers: Values) -> tuple[Values, Values]:
    """Return which numbers there are, ascending, and how often, if possible without sorting them."""
    if not len(numbers) or numbers.max() > _SPARSEST * len(numbers):
        return np.unique(numbers, return_counts=True)
    often = np.bincount(numbers)
    there = np.flatnonzero(often)
    return there, often[there]


def _which(total: int, wrong: int) -> float:
    """Return the bits that tell which rows are exceptions, at most."""
    share = wrong / total
    spread = -(share * log2(share) + (1 - share) * log2(1 - share)) if wrong else 0.0
    return log2(total + 1) + total * spread


def _named(database: Database, name: str, by: str, way: _Way) -> Dependency:
    """Return a dependency with the names of its values."""
    symbols = database.kb.symbols
    relation = database.relation(name)
    target, other = (_column(database, own) for own in (name, by))
    if target is None or other is None:
        raise ValueError(f"{name} and {by} are no columns")
    expected = np.full(int(other.max()) + 1, -1, np.int64)
    expected[way.given] = way.value
    odd = np.flatnonzero((target >= 0) & (other >= 0) & (target != expected[other]))[:_EXAMPLES]
    rows = database.symbol_of[relation.types[0]][odd]
    return Dependency(
        name,
        by,
        way.holds,
        way.total,
        way.bits,
        tuple((symbols[given], symbols[value]) for given, value in zip(way.given, way.value, strict=True)),
        tuple((symbols[row], symbols[value]) for row, value in zip(rows, target[odd], strict=True)),
    )
