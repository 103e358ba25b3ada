"""Rules made from rules, and rules about constants: all literals about one variable are counted at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.counted import Counted, Effort, Worth
from logicoder.engine.arrays.rules.rule_tables import Column, RuleTables, chain_of, join_size, sparse_rows
from logicoder.engine.arrays.rules.spaces import Space, key_columns
from logicoder.engine.arrays.rules.walks import Walks
from logicoder.logic.rules import Rule

_FEWEST = 4
"""Entities that a constant must tell apart."""

_MOST_CONSTANTS = 20_000
"""Columns with a constant in another one that are looked at for each type."""

_ALIKE = 3
"""Rules with the same predicates and of the same length that are made, since few of them are kept."""

_LONG_SAMPLE = 60
"""Facts of a head by which chains of three views are found."""

_LONG_WALKS = 1_000_000_000
"""Walks through chains of three views that may be made, the same number for each head."""

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
    """

    def __init__(
        self,
        tables: RuleTables,
        spaces: Sequence[Space],
        least: Sequence[int],
        worth: Worth,
        effort: Effort,
        walks: Walks,
    ) -> None:
        self._tables, self._spaces, self._least = tables, spaces, least
        self._worth, self._effort, self._walks = worth, effort, walks

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
            if self._effort.stopped():
                return
            pairs = view.matrix.tocoo()
            symbols = database.symbol_of[view.types[1]][pairs.col]
            order = np.argsort(symbols, kind="stable")
            ordered = symbols[order]
            begins = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
            if len(begins) == len(ordered):
                continue
            for begin, end in zip(begins, np.append(begins[1:], len(ordered)), strict=True):
                if end - begin >= _FEWEST:
                    values = np.unique(pairs.row[order[begin:end]]).astype(np.int64)
                    fixed = view.columns[1], database.symbols[ordered[begin]]
                    yield Column(view.predicate, view.columns[0], view.types[0], view.arity, values, fixed)

    # -- rules about constants -----------------------------------------------------------------------------

    def constants(self) -> Iterator[Counted]:
        """p(X) :- a(X,c), and p(X,c) :- a(X) or a(X,d), for all constants at once."""
        for number, space in enumerate(self._spaces):
            if self._effort.stopped():
                return
            if not space.facts:
                continue
            if len(space.types) == 1:
                yield from self._about(number, Rule((0,), ()), 0, space.keys, None)
            elif len(space.types) == 2 and not space.symmetric:
                yield from self._slices(number, 0)
                yield from self._slices(number, 1)

    def _slices(self, number: int, place: int) -> Iterator[Counted]:
        """Rules for the facts of a head that have a constant in one place."""
        space = self._spaces[number]
        if not space.facts:
            return
        database = self._tables.database
        columns = key_columns(space.keys, space.sizes)
        entity, other = columns[place], columns[1 - place]
        counts = np.bincount(entity, minlength=space.sizes[place])
        frequent = np.flatnonzero(counts >= max(_FEWEST, self._least[number]))
        if database.worlds > 1 or not len(frequent) or len(frequent) > _MOST_CONSTANTS:
            return
        kind = space.types[1 - place]
        about = self._columns.get(kind)
        if about is None:
            return
        chosen, matrix = about.columns, about.matrix
        order = np.argsort(entity, kind="stable")
        ordered = other[order]
        begins = np.searchsorted(entity[order], frequent)
        slices = [ordered[a:b] for a, b in zip(begins, begins + counts[frequent], strict=True)]
        true = (sparse_rows(slices, space.sizes[1 - place]) @ about.turned).tocoo()
        mask = space.masks[1 - place]
        inside = matrix @ (np.ones(matrix.shape[1]) if mask is None else mask.astype(float))
        enough = np.flatnonzero(true.data >= self._least[number])
        keep = enough[about.foreign(space.predicate)[true.col[enough]]]
        derived = inside[true.col[keep]]
        if space.apart:  # the atom p(c,c) is none of this space
            same = space.types[0] == space.types[1]
            derived = derived - (
                np.asarray(matrix[true.col[keep], frequent[true.row[keep]]]).ravel() if same else 0
            )
        worth = self._worth(np.full(len(keep), number), derived, true.data[keep], 3)
        best = about.best(true.col[keep], worth)
        for i, size in zip(keep[best].tolist(), derived[best].tolist(), strict=True):
            symbol = database.symbols[database.symbol_of[space.types[place]][frequent[true.row[i]]]]
            head: tuple[int | str, ...] = (0, symbol) if place == 1 else (symbol, 0)
            literal, _ = chosen[true.col[i]].literal(0, 1)
            yield Counted(number, Rule(head, (literal,)), round(size), round(true.data[i]))

    # -- longer rules ------------------------------------------------------------------------------------

    def longer(self, best: Sequence[Counted]) -> Iterator[Counted]:
        """All rules that say more of a variable of the head than some rule does."""
        for item in best:
            space = self._spaces[item.space]
            if self._effort.stopped() or not self._effort.spend(item.derived):
                return
            if item.rule.constants and len(item.rule.body) > 1:
                continue
            atoms = space.within(self._tables.atoms(space.types, item.rule))
            for place, argument in enumerate(item.rule.head):
                if not isinstance(argument, str):
                    yield from self._about(item.space, item.rule, place, atoms, item)

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
        views = self._walks.views
        known: dict[Rule, Keys | None] = {}
        for number, space in enumerate(self._spaces):
            if len(space.types) != 2 or not space.facts:
                continue
            if self._effort.stopped():
                return
            if number and self._spaces[number - 1].predicate != space.predicate:
                known = {}
            reached, sampled = self._walks.chains(space, 3, _LONG_SAMPLE)
            scale = space.facts / sampled
            likely = [
                (count * scale, chain)
                for chain, count in reached.items()
                if count * scale >= self._least[number]
                and all(views[view].predicate != space.predicate for view in chain)
            ]
            likely.sort(key=lambda entry: (-entry[0], entry[1]))
            room = _LONG_WALKS // len(self._spaces)
            for _, chain in likely[:_LONG_CHAINS]:
                if self._effort.stopped():
                    return
                rule = chain_of([views[view] for view in chain])
                if rule not in known:
                    known[rule] = self._atoms(space, rule, room)
                    walks = join_size(views[chain[0]], views[chain[1]])
                    room -= walks if walks <= room else 0
                keys = known[rule]
                if keys is not None:
                    room = max(0, room - len(keys))
                    atoms = space.within(keys)
                    self._effort.tuples -= len(atoms)
                    yield Counted(number, rule, len(atoms), int(space.true(atoms).sum()))

    def _atoms(self, space: Space, rule: Rule, room: int) -> Keys | None:
        try:
            return self._tables.atoms(space.types, rule, min(room, self._effort.largest))
        except JoinTooLargeError:
            return None
