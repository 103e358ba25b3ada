"""Rules made from rules, and rules about constants: all literals about one variable are counted at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from logicoder.base.effort import Effort
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.counted import Counted, Worth
from logicoder.engine.arrays.rules.counts import RuleCounts
from logicoder.engine.arrays.rules.meetings import meeting_rules
from logicoder.engine.arrays.rules.pinned import pinned_rules
from logicoder.engine.arrays.rules.products import Products
from logicoder.engine.arrays.rules.rule_tables import Column, RuleTables, chain_of, sparse_rows
from logicoder.engine.arrays.rules.spaces import Space, key_columns
from logicoder.logic.rules import Rule

_FEWEST = 4
"""Entities that a constant must tell apart."""

_MOST_CONSTANTS = 20_000
"""Columns with a constant in another one that are looked at for each type."""

_ALIKE = 3
"""Rules with the same predicates and of the same length that are made, since few of them are kept."""

_LONG_SAMPLE = 60
"""Facts of a head by which chains of three views are found."""

_PRODUCT = 8
"""Numbers of a sparse matrix that are multiplied by a vector in the time of a tuple."""

_LONG_CHAINS = 20
"""Chains of three views that are evaluated for each head."""


class _Columns:
    """Columns of one type and a matrix of their entities.

    Args:
        columns: the columns.
        size: number of entities of the type.
    """

    def __init__(self, columns: Sequence[Column], size: int) -> None:
        self.columns = columns
        self.matrix = sparse_rows([column.values for column in columns], size)
        self.turned = self.matrix.T.tocsr()
        self.fixed = np.array([column.fixed is not None for column in columns])
        self._predicates = np.array([column.predicate for column in columns])
        kinds = [(c.predicate, c.column, -1 if c.fixed is None else c.fixed[0]) for c in columns]
        numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
        self._kinds = np.array([numbers[kind] for kind in kinds], np.int64)

    def foreign(self, predicate: str) -> NDArray[np.bool_]:
        """Return which columns are of other predicates."""
        return np.asarray(self._predicates != predicate)

    def best(self, columns: NDArray[np.int64], worth: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return which of some columns are worth most: a few, with ties, of those that cost the same."""
        paying = np.flatnonzero(worth > 0)
        order = paying[np.lexsort((-worth[paying], self._kinds[columns[paying]]))]
        kinds, ordered = self._kinds[columns[order]], worth[order]
        last = np.searchsorted(kinds, kinds, "right") - 1
        enough = np.minimum(np.searchsorted(kinds, kinds) + _ALIKE - 1, last)
        return np.sort(order[ordered >= ordered[enough]])


class Refinements:
    """Makes longer rules for some spaces.

    Args:
        tables: the relations that rules may use.
        spaces: the heads.
        least: for each space, the fewest true atoms with which a rule can pay.
        worth: whether rules can pay.
        effort: what it may cost.
        counts: has the walks.
    """

    def __init__(
        self,
        tables: RuleTables,
        spaces: Sequence[Space],
        least: Sequence[int],
        worth: Worth,
        effort: Effort,
        counts: RuleCounts,
    ) -> None:
        self._tables, self._spaces, self._least = tables, spaces, least
        self._worth, self._effort, self._counts = worth, effort, counts

    # -- columns ------------------------------------------------------------------------------------------

    @cached_property
    def _columns(self) -> dict[int, _Columns]:
        """By type, all columns, with constants in other ones too."""
        by_type: dict[int, list[Column]] = {}
        for column in (*self._tables.columns, *self._with_constants()):
            by_type.setdefault(column.kind, []).append(column)
        found: dict[int, _Columns] = {}
        for kind, columns in by_type.items():
            plain = [column for column in columns if column.fixed is None]
            others = sorted((c for c in columns if c.fixed), key=lambda c: -len(c.values))[:_MOST_CONSTANTS]
            chosen = [*plain, *others]
            found[kind] = _Columns(chosen, self._tables.database.sizes[kind])
        return found

    def _with_constants(self) -> Iterator[Column]:
        database = self._tables.database
        for view in self._tables.views:
            if not self._effort.spend(view.matrix.nnz):
                continue
            symbols = database.symbol_of[view.types[1]][view.matrix.indices]
            order = np.argsort(symbols, kind="stable")
            ordered = symbols[order]
            begins = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
            ends = np.append(begins[1:], len(ordered))
            often = np.flatnonzero(ends - begins >= _FEWEST)
            if not len(ordered) or not len(often):
                continue
            # A constant is another entity in each world, and so are those beside it: none comes twice.
            rows = np.repeat(np.arange(view.matrix.shape[0]), view.row_sizes)[order]
            for begin, end in zip(begins[often].tolist(), ends[often].tolist(), strict=True):
                fixed = view.columns[1], database.symbols[ordered[begin]]
                yield Column(
                    view.predicate, view.columns[0], view.types[0], view.arity, rows[begin:end], fixed
                )

    # -- rules about constants -----------------------------------------------------------------------------

    def constants(self) -> Iterator[Counted]:
        """p(X) :- a(X,c), p(X) :- a(X,Z), b(Z,c), p(X,c) :- a(X), a(X,d) or a(X,Z), b(X,Z), and the like."""
        for number, space in enumerate(self._spaces):
            self._effort.check()
            if not space.facts or not space.packed:
                continue
            if len(space.types) == 1:
                yield from self._about(number, Rule((0,), ()), 0, space.keys, None)
            elif len(space.types) == 2 and not space.symmetric:
                yield from self._slices(number, 0)
                yield from self._slices(number, 1)
        shared = (self._tables, self._spaces, self._least, self._worth, self._effort)
        yield from pinned_rules(*shared)
        yield from meeting_rules(*shared)
        fixed = [c for own in self._columns.values() for c in own.columns if c.fixed is not None]
        yield from self._counts.through_constants(fixed)

    def _slices(self, number: int, place: int) -> Iterator[Counted]:
        """Rules for the facts of a head that have a constant in one place."""
        space, database = self._spaces[number], self._tables.database
        columns = key_columns(space.keys, space.sizes)
        entity, other = columns[place], columns[1 - place]
        counts = np.bincount(entity, minlength=space.sizes[place])
        frequent = np.flatnonzero(counts >= max(_FEWEST, self._least[number]))
        if database.worlds > 1 or not len(frequent) or len(frequent) > _MOST_CONSTANTS:
            return
        about = self._columns.get(space.types[1 - place])
        if about is None:
            return
        order = np.argsort(entity, kind="stable")
        begins = np.searchsorted(entity[order], frequent)
        slices = [other[order[a:b]] for a, b in zip(begins, begins + counts[frequent], strict=True)]
        mask = space.masks[1 - place]
        inside = about.matrix @ (np.ones(about.matrix.shape[1]) if mask is None else mask.astype(float))
        found = [
            self._paying(number, about, inside, frequent, *part)
            for part in self._common(slices, about, self._least[number])
        ]
        if not found:
            return
        rows, cols, derived, true, worth = (np.concatenate(parts) for parts in zip(*found, strict=True))
        for i in about.best(cols, worth).tolist():
            symbol = database.symbols[database.symbol_of[space.types[place]][frequent[rows[i]]]]
            head: tuple[int | str, ...] = (0, symbol) if place == 1 else (symbol, 0)
            literal, _ = about.columns[cols[i]].literal(0, 1)
            yield Counted(number, Rule(head, (literal,)), round(derived[i]), round(true[i]))

    def _paying(
        self,
        number: int,
        about: _Columns,
        inside: NDArray[np.float64],
        constants: NDArray[np.int64],
        rows: NDArray[np.int64],
        cols: NDArray[np.int64],
        true: NDArray[np.float64],
    ) -> tuple[NDArray[np.generic], ...]:
        """Return the best of some slices and columns: both, derived and true atoms, and worth."""
        space, derived = self._spaces[number], inside[cols]
        if space.apart:  # the atom p(c,c) is none of this space
            derived = derived - np.asarray(about.matrix[cols, constants[rows]]).ravel()
        worth = self._worth(np.full(len(cols), number), derived, true, 3)
        worth[~about.foreign(space.predicate)[cols]] = 0
        best = about.best(cols, worth)
        return rows[best], cols[best], derived[best], true[best], worth[best]

    def _common(
        self, slices: Sequence[NDArray[np.int64]], about: _Columns, least: int
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]]:
        """Iterate over slices and columns that have enough entities in common, and how many: part by part."""
        holders = np.diff(about.turned.indptr)
        work = np.array([int(holders[entities].sum()) for entities in slices])
        breaks = np.flatnonzero(np.diff(np.cumsum(work) // max(1, self._effort.largest // 2))) + 1
        for part in np.split(np.arange(len(slices)), breaks):
            if self._effort.spend(int(work[part].sum())):
                some = sparse_rows([slices[i] for i in part.tolist()], about.matrix.shape[1])
                common = (some @ about.turned).tocoo()
                enough = common.data >= least
                if enough.any():
                    yield part[common.row[enough]], common.col[enough], common.data[enough]

    def products(self) -> Iterator[Counted]:
        """p(X,Y) :- a(X,c), b(Y,d)."""
        kinds = {kind: (own.columns, own.matrix) for kind, own in self._columns.items()}
        made = Products(self._tables, self._spaces, self._least, self._worth, self._effort)
        yield from made.counted(kinds)

    # -- longer rules ------------------------------------------------------------------------------------

    def longer(self, best: Sequence[Counted]) -> Iterator[Counted]:
        """All rules that say more of a variable of the head than some rule does."""
        for item in best:
            space = self._spaces[item.space]
            self._effort.check()
            if item.rule.constants and len(item.rule.body) > 1:
                continue
            atoms = self._atoms(item.space, item.rule)
            if atoms is None:
                continue
            for place, argument in enumerate(item.rule.head):
                if not isinstance(argument, str):
                    yield from self._about(item.space, item.rule, place, space.within(atoms), item)

    def _about(
        self, number: int, rule: Rule, place: int, atoms: Keys, parent: Counted | None
    ) -> Iterator[Counted]:
        """Rules with one more literal about a variable of the head."""
        space = self._spaces[number]
        kind = space.types[place]
        about = self._columns.get(kind)
        if about is None or space.symmetric:
            return
        chosen, matrix = about.columns, about.matrix
        if not self._effort.spend(len(atoms) + 2 * matrix.nnz // _PRODUCT):
            return
        column = key_columns(atoms, space.sizes)[place]
        right = column[space.true(atoms)]
        size = space.sizes[place]
        true = matrix @ np.bincount(right, minlength=size).astype(float)
        if parent is None:
            mask = space.masks[place]
            derived = matrix @ (np.ones(size) if mask is None else mask.astype(float))
        else:
            derived = matrix @ np.bincount(column, minlength=size).astype(float)
        keep = about.foreign(space.predicate) & (true >= self._least[number])
        if parent is not None:
            # A literal that tells nothing apart, or leaves no more of what is true, is of no use.
            keep &= (derived < parent.derived) & (true * parent.derived > derived * parent.true)
        else:
            keep &= about.fixed
        places = np.flatnonzero(keep)
        worth = self._worth(np.full(len(places), number), derived[places], true[places], len(rule.body) + 1)
        fresh = 1 + max(
            (a for x in rule.body for a in x.arguments if not isinstance(a, str)), default=len(rule.head) - 1
        )
        for i in places[about.best(places, worth)].tolist():
            literal, _ = chosen[i].literal(rule.head[place], fresh)
            yield Counted(number, Rule(rule.head, (*rule.body, literal)), round(derived[i]), round(true[i]))

    def long_chains(self) -> Iterator[Counted]:
        """p(X,Y) :- a(X,Z), b(Z,U), c(U,Y), found by walks between the two sides of facts."""
        walks = self._counts.walks
        views = walks.views
        known: dict[Rule, Keys | None] = {}
        allowed, spent = self._effort.left, self._effort.spent
        for number, space in enumerate(self._spaces):
            if len(space.types) != 2 or not space.facts or not space.packed:
                continue
            if number and self._spaces[number - 1].predicate != space.predicate:
                known = {}
            # Every head has the same part of the work, and what those before it left over.
            until = spent + allowed * (number + 1) // len(self._spaces)
            likely = walks.likely(space, 3, _LONG_SAMPLE, self._least[number], _LONG_CHAINS)
            for _, chain in likely:
                if self._effort.spent >= until:
                    break
                rule = chain_of([views[view] for view in chain])
                if rule not in known:
                    known[rule] = self._atoms(number, rule)
                keys = known[rule]
                if keys is not None:
                    self._effort.count(len(keys))
                    atoms = space.within(keys)
                    yield Counted(number, rule, len(atoms), int(space.true(atoms).sum()))

    def _atoms(self, number: int, rule: Rule) -> Keys | None:
        """Return what a rule derives; None where that is too much."""
        try:
            return self._tables.atoms(self._spaces[number].types, rule, self._effort)
        except JoinTooLargeError:
            return None
