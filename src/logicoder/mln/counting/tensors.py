"""The counts of one world: conjunctions, each evaluated once, and their products over an atom's arguments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from logicoder.engine.arrays.relation import pack
from logicoder.mln.counting.codes import Arguments, Symbol, Union
from logicoder.mln.counting.count_tables import Columns, CountTable
from logicoder.mln.counting.expansion import Conjunction, Expansion, Factor
from logicoder.mln.counting.joins import contract
from logicoder.mln.worlds import World

_LARGEST = 2**62
"""Counts from here on are kept as Python's integers."""


@dataclass(frozen=True, eq=False)
class Tensor:
    """Counts over some arguments of an atom, the same for all others; zero for rows that are not listed.

    Attributes:
        positions: the arguments, ascending.
        columns: a row of constants per count, distinct and sorted.
        counts: the counts.
        sizes: the sizes of the domains of these arguments.
    """

    positions: tuple[int, ...]
    columns: Columns
    counts: np.ndarray
    sizes: tuple[int, ...]

    @cached_property
    def keys(self) -> np.ndarray:
        """The rows as sorted numbers, the last position the lowest digit."""
        return pack(self.columns, self.sizes)

    @cached_property
    def largest(self) -> int:
        """The largest count."""
        return int(self.counts.max())

    def restricted(self, position: int, low: int, high: int) -> Tensor:
        """Return the part for some of the constants of an argument, numbered from zero."""
        if position not in self.positions:
            return self
        place = self.positions.index(position)
        keep = (self.columns[place] >= low) & (self.columns[place] < high)
        columns = [column[keep] for column in self.columns]
        columns[place] = columns[place] - low
        sizes = (*self.sizes[:place], high - low, *self.sizes[place + 1 :])
        return Tensor(self.positions, tuple(columns), self.counts[keep], sizes)

    def dense(self) -> np.ndarray:
        """Return all counts, as an array over the positions."""
        full = np.zeros(prod(self.sizes), np.int64)
        full[self.keys] = self.counts
        return full.reshape(self.sizes)

    def at(self, keys: np.ndarray) -> np.ndarray:
        """Return the counts of some rows."""
        places = np.searchsorted(self.keys, keys)
        places[places == len(self.keys)] = 0
        if not len(self.keys):
            return np.zeros(len(keys), np.int64)
        return np.where(self.keys[places] == keys, self.counts[places], 0)


Term = tuple[int, tuple[Tensor, ...]]
"""A coefficient and the tensors that it is multiplied with, over disjoint arguments."""


class WorldCounts:
    """Counts of conjunctions in one world, each evaluated once.

    Attributes:
        held: how many counts are kept.
    """

    def __init__(self, world: World, budget: int) -> None:
        self.world = world
        self.budget = budget
        self._tables: dict[Conjunction, CountTable] = {}
        self._tensors: dict[tuple[Factor, str], Tensor] = {}
        self._places: dict[str, dict[str, int]] = {}
        self.held = 0
        self._made: dict[Symbol, np.ndarray] = {}
        self._members: dict[tuple[str, Arguments], np.ndarray] = {}

    def terms(self, expansion: Expansion, predicate: str) -> list[Term]:
        """Return an expansion of the atoms of a predicate as sums of products of tensors."""
        found: dict[tuple[Tensor, ...], int] = {}
        for product, coefficient in expansion:
            if not all(symbol in self.places(kind) for kind, symbol in product.required):
                continue
            factor = coefficient * prod(len(self.world.domains[kind]) for kind in product.free)
            tensors = []
            for part in product.factors:
                if part.places:
                    tensors.append(self.tensor(part, predicate))
                elif part.conjunction is not None:
                    factor *= self.table(part.conjunction).total()
            if factor and all(len(tensor.counts) for tensor in tensors):
                key = tuple(tensors)
                found[key] = found.get(key, 0) + factor
        return [(factor, tensors) for tensors, factor in found.items() if factor]

    def forget(self) -> None:
        """Drop all tables and tensors; they are made again when needed."""
        self._tables.clear()
        self._tensors.clear()
        self.held = 0

    def total(self, expansion: Expansion) -> int:
        """Return the value of an expansion without a head."""
        return sum(factor for factor, _ in self.terms(expansion, ""))

    def places(self, kind: str) -> dict[str, int]:
        """Return the position of each symbol of a type."""
        if kind not in self._places:
            self._places[kind] = {symbol: i for i, symbol in enumerate(self.world.domains[kind])}
        return self._places[kind]

    def tensor(self, factor: Factor, predicate: str) -> Tensor:
        """Return a factor over the arguments of a predicate."""
        key = (factor, predicate)
        if key not in self._tensors:
            self._tensors[key] = self._tensor(factor, predicate)
            self.held += len(self._tensors[key].counts)
        return self._tensors[key]

    def _tensor(self, factor: Factor, predicate: str) -> Tensor:
        shape = self.world.shape(predicate)
        types = self.world.schema[predicate].types
        columns: dict[int, np.ndarray] = {}
        if factor.conjunction is not None:
            table = self.table(factor.conjunction)
            counts = table.counts
            for where, column in zip(factor.places, table.columns, strict=True):
                columns |= dict.fromkeys(where, column)
        else:
            [where] = factor.places
            if factor.constant is None:
                every = np.arange(shape[where[0]], dtype=np.int32)
            else:
                place = self.places(types[where[0]]).get(factor.constant)
                every = np.array([] if place is None else [place], np.int32)
            counts = np.ones(len(every), np.int64)
            columns |= dict.fromkeys(where, every)
        positions = tuple(sorted(columns))
        ordered = tuple(columns[i] for i in positions)
        return tensor_of(positions, ordered, counts, tuple(shape[i] for i in positions))

    def table(self, conjunction: Conjunction) -> CountTable:
        """Return how often a conjunction holds, for each row of its outputs."""
        if conjunction not in self._tables:
            self._tables[conjunction] = self._table(conjunction)
            self.held += len(self._tables[conjunction].counts)
        return self._tables[conjunction]

    def _table(self, conjunction: Conjunction) -> CountTable:
        tables = [self._atom(name, arguments) for name, arguments in conjunction.atoms]
        parts, scale = contract(tables, conjunction.outputs, {}, self.budget)
        if not parts:
            return CountTable((), (), np.array([scale], np.int64 if scale < _LARGEST else object), ())
        [table] = parts  # conjunctions are connected
        if table.variables == conjunction.outputs:
            return table
        order = [table.variables.index(v) for v in conjunction.outputs]
        columns, sizes = tuple(table.columns[i] for i in order), tuple(table.sizes[i] for i in order)
        return CountTable(conjunction.outputs, columns, table.counts, sizes)

    def _atom(self, name: Symbol, arguments: Arguments) -> CountTable:
        types, relation = self._relation(name)
        keep = np.ones(len(relation), np.bool_)
        columns: dict[int, int] = {}
        for i, code in enumerate(arguments):
            if isinstance(code, str):
                keep &= relation[:, i] == self.places(types[i]).get(code, -1)
            elif code in columns:
                keep &= relation[:, i] == relation[:, columns[code]]
            else:
                columns[code] = i
        rows = relation if keep.all() else relation[keep]
        sizes = tuple(len(self.world.domains[types[i]]) for i in columns.values())
        chosen = tuple(np.ascontiguousarray(rows[:, i]) for i in columns.values())
        return CountTable(tuple(columns), chosen, np.ones(len(rows), np.int64), sizes)

    def _relation(self, name: Symbol) -> tuple[tuple[str, ...], np.ndarray]:
        """Return the types and the rows of a relation."""
        if not isinstance(name, Union) and len(name) == 1:
            return self.world.schema[name[0]].types, self.world.relations[name[0]]
        if name not in self._made:
            self._made[name] = self._united(name) if isinstance(name, Union) else self._equal(*name)
        return name.types if isinstance(name, Union) else name, self._made[name]

    def _equal(self, first: str, second: str) -> np.ndarray:
        """Return the pairs of constants of two types with the same symbol."""
        left, right = self.places(first), self.places(second)
        pairs = [(left[symbol], right[symbol]) for symbol in left if symbol in right]
        return np.array(pairs, np.int32).reshape(-1, 2)

    def _united(self, union: Union) -> np.ndarray:
        """Return the distinct rows for which some member holds."""
        found = []
        for member in union.members:
            # Those of an expanded EXIST are in as many unions, each without another one.
            if member not in self._members:
                self._members[member] = self._rows(*member)
            found.append(self._members[member])
        every = np.concatenate(found)
        return np.unique(every, axis=0) if union.types else every[:1]

    def _rows(self, predicate: str, arguments: Arguments) -> np.ndarray:
        """Return the values of the variables of an atom, numbered from zero, for which it holds."""
        table = self._atom((predicate,), arguments)
        rows = np.zeros((len(table.counts), len(table.variables)), np.int32)
        for variable, column in zip(table.variables, table.columns, strict=True):
            rows[:, variable] = column
        return rows


def tensor_of(
    positions: tuple[int, ...], columns: Columns, counts: np.ndarray, sizes: tuple[int, ...]
) -> Tensor:
    """Return a tensor of distinct rows in any order."""
    keys = pack(columns, sizes)
    if len(keys) > 1 and not (keys[1:] > keys[:-1]).all():
        order = np.argsort(keys, kind="stable")
        columns, counts = tuple(column[order] for column in columns), counts[order]
    return Tensor(positions, columns, counts, sizes)
