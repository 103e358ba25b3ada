"""Rules made from rules, and rules about constants: all literals about one variable are counted at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.counts import Counted, Effort, Worth
from logicoder.engine.arrays.rules.spaces import Space
from logicoder.engine.arrays.rules.tables import Column, RuleTables, View, key_columns
from logicoder.engine.arrays.rules.walks import Walks
from logicoder.logic.rules import Rule

_FEWEST = 4
"""Entities that a constant must tell apart."""

_MOST_CONSTANTS = 20_000
"""Columns with a constant in another one that are looked at for each type."""

_LONG_SAMPLE = 60
"""Facts of a head by which chains of three views are found."""

_LONG_CHAINS = 20
"""Chains of three views that are evaluated for each head."""


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
    def _columns(self) -> dict[int, tuple[list[Column], Any]]:
        """By type, all columns, with constants in other ones too, and a matrix of their entities."""
        from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import)

        by_type: dict[int, list[Column]] = {}
        for column in (*self._tables.columns, *self._with_constants()):
            by_type.setdefault(column.kind, []).append(column)
        found = {}
        for kind, columns in by_type.items():
            plain = [column for column in columns if column.fixed is None]
            others = sorted((c for c in columns if c.fixed), key=lambda c: -len(c.values))[:_MOST_CONSTANTS]
            chosen = [*plain, *others]
            rows = np.repeat(np.arange(len(chosen)), [len(c.values) for c in chosen])
            values = np.concatenate([c.values for c in chosen])
            shape = (len(chosen), self._tables.database.sizes[kind])
            found[kind] = chosen, csr_matrix((np.ones(len(rows)), (rows, values)), shape=shape)
        return found

    def _with_constants(self) -> Iterator[Column]:
        database = self._tables.database
        for view in self._tables.views:
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
        chosen, matrix = self._columns.get(kind, ([], None))
        if not chosen:
            return
        order = np.argsort(entity, kind="stable")
        begins = np.searchsorted(entity[order], frequent)
        sliced = _rows(other[order], begins, counts[frequent], space.sizes[1 - place])
        true = (sliced @ matrix.T).tocoo()
        mask = space.masks[1 - place]
        inside = matrix @ (np.ones(matrix.shape[1]) if mask is None else mask.astype(float))
        foreign = np.array([column.predicate != space.predicate for column in chosen])
        keep = np.flatnonzero(foreign[true.col] & (true.data >= self._least[number]))
        derived = inside[true.col[keep]]
        if space.apart:  # the atom p(c,c) is none of this space
            same = space.types[0] == space.types[1]
            derived = derived - (
                np.asarray(matrix[true.col[keep], frequent[true.row[keep]]]).ravel() if same else 0
            )
        worth = self._worth(np.full(len(keep), number), derived, true.data[keep], 3)
        for i, size in zip(keep[worth].tolist(), derived[worth].tolist(), strict=True):
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
        chosen, matrix = self._columns.get(kind, ([], None))
        if not chosen or space.symmetric:
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
        foreign = np.array([c.predicate != space.predicate for c in chosen])
        keep = foreign & (true >= self._least[number])
        if parent is not None:
            # A literal that tells nothing apart, or leaves no more of what is true, is of no use.
            keep &= (derived < parent.derived) & (true * parent.derived > derived * parent.true)
        else:
            keep &= np.array([c.fixed is not None for c in chosen])
        places = np.flatnonzero(keep)
        worth = self._worth(np.full(len(places), number), derived[places], true[places], len(rule.body) + 1)
        fresh = 1 + max(
            (a for x in rule.body for a in x.arguments if not isinstance(a, str)), default=len(rule.head) - 1
        )
        for i in places[worth].tolist():
            literal, _ = chosen[i].literal(rule.head[place], fresh)  # type: ignore[arg-type]
            yield Counted(number, Rule(rule.head, (*rule.body, literal)), round(derived[i]), round(true[i]))

    def long_chains(self) -> Iterator[Counted]:
        """p(X,Y) :- a(X,Z), b(Z,U), c(U,Y), found by walks between the two sides of facts."""
        views = self._walks.views
        for number, space in enumerate(self._spaces):
            if len(space.types) != 2 or not space.facts:
                continue
            if self._effort.stopped():
                return
            reached, sampled = self._walks.chains(space, 3, _LONG_SAMPLE)
            scale = space.facts / sampled
            likely = [
                (count * scale, chain)
                for chain, count in reached.items()
                if count * scale >= self._least[number]
                and all(views[view].predicate != space.predicate for view in chain)
            ]
            likely.sort(key=lambda entry: (-entry[0], entry[1]))
            for _, chain in likely[:_LONG_CHAINS]:
                rule = _chain([views[view] for view in chain])
                found = self._counted(number, rule)
                if found is not None:
                    yield found

    def _counted(self, number: int, rule: Rule) -> Counted | None:
        space = self._spaces[number]
        try:
            atoms = space.within(self._tables.atoms(space.types, rule, self._effort.largest))
        except JoinTooLargeError:
            return None
        self._effort.tuples -= len(atoms)
        return Counted(number, rule, len(atoms), int(space.true(atoms).sum()))


def _rows(values: np.ndarray, begins: np.ndarray, lengths: np.ndarray, size: int) -> Any:
    """Return a sparse matrix with a row for each range of values."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import)

    rows = np.repeat(np.arange(len(begins)), lengths)
    places = np.repeat(begins - (np.cumsum(lengths) - lengths), lengths) + np.arange(int(lengths.sum()))
    return csr_matrix((np.ones(len(rows)), (rows, values[places])), shape=(len(begins), size))


def _chain(views: Sequence[View]) -> Rule:
    """Return the rule that walks through some views from X to Y."""
    between = [0, *range(2, len(views) + 1), 1]
    fresh = len(views) + 1
    body = []
    for view, first, second in zip(views, between[:-1], between[1:], strict=True):
        literal, fresh = view.literal(first, second, fresh)
        body.append(literal)
    return Rule((0, 1), tuple(body))
