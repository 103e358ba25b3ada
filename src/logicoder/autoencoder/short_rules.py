"""Short rules that say something about facts, whether or not a program has use for them.

A message says everything once and in one direction. What is missing from data can be seen from more sides: so
all rules of one or two literals are counted here, those that read their own predicate too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logicoder.base.effort import Effort
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.chain_products import matrix_keys
from logicoder.engine.arrays.rules.counted import Counted, Counts, Numbers
from logicoder.engine.arrays.rules.counts import RuleCounts
from logicoder.engine.arrays.rules.rule_tables import RuleTables, View, chain_of, join_size
from logicoder.engine.arrays.rules.spaces import Space, SpacesOf
from logicoder.engine.arrays.rules.wide import wide_rules
from logicoder.logic.rules import UNEQUAL, Literal, Rule

_LEAST_TRUE, _LEAST_SHARE = 2, 0.02
"""What a rule must derive to say anything: so many facts, and such a share of facts."""

_MOST = 200
"""Rules of a predicate."""

_LEAST_ATOMS, _ATOMS_PER_FACT = 500_000, 10
"""Atoms that the rules of a predicate may derive together."""

_ATOM_BYTES = 250
"""What an atom takes while all that speaks for it is weighed."""

_SMALL = 150
"""Entities at each end of views up to which matrices are dense: sparse ones take their time however small."""

Floats = NDArray[np.float64]

_WORK_SHARE = 0.1
"""The part of the work of learning that may go into this."""


@dataclass(frozen=True, eq=False)
class ShortRule:
    """A rule and what it derives.

    Attributes:
        text: the clause.
        atoms: what it derives, as sorted keys.
    """

    text: str
    atoms: Keys


class ShortRules:
    """The short rules of each predicate.

    Args:
        tables: the relations that rules may use.
        names: the predicates.
        effort: what it may cost; a part of it is taken.
    """

    def __init__(self, tables: RuleTables, names: Sequence[str], effort: Effort) -> None:
        self._tables, self._effort = tables, effort
        database = tables.database
        self._spaces = [SpacesOf(database, name, tables.relation(name)).space(()) for name in names]
        self._found: Mapping[str, list[Counted]] = {name: [] for name in names}
        least = [_LEAST_TRUE] * len(names)
        counts = RuleCounts(tables, self._spaces, least, self._worth, effort)
        with effort.down_to(effort.after(_WORK_SHARE)):
            for counted in (
                *counts.single(),
                *counts.chains(),
                *wide_rules(tables, self._spaces, least, effort),
                *self._own_chains(),
            ):
                if counted.true >= _LEAST_TRUE and counted.true >= _LEAST_SHARE * counted.derived:
                    self._found[self._spaces[counted.space].predicate].append(counted)

    def of(self, predicate: str) -> Iterator[ShortRule]:
        """Iterate over the rules of a predicate, those that tell most first."""
        (space,) = [space for space in self._spaces if space.predicate == predicate]
        room = min(self._effort.room(0.2, _ATOM_BYTES), _LEAST_ATOMS + _ATOMS_PER_FACT * space.facts)
        for counted in self.ranked(predicate):
            if counted.derived > room:
                continue
            room -= counted.derived
            try:
                atoms = self._tables.atoms(space.types, counted.rule, self._effort)
            except JoinTooLargeError:
                continue
            yield ShortRule(str(counted.rule.clause(predicate)), atoms)

    def ranked(self, predicate: str, most: int = _MOST) -> list[Counted]:
        """Return the rules of a predicate that tell most, in order; there may be hundreds of thousands."""
        (space,) = [space for space in self._spaces if space.predicate == predicate]
        rules = self._found[predicate]
        derived, true = (np.array([getattr(c, name) for c in rules], float) for name in ("derived", "true"))
        told = information(space, derived, true)
        least = -np.partition(-told, most - 1)[most - 1] if len(rules) > most else -np.inf
        places = np.flatnonzero(told >= least).tolist()
        return [rules[i] for i in sorted(places, key=lambda i: (-told[i], rules[i].rule))[:most]]

    def _worth(self, numbers: Numbers, derived: Counts, true: Counts, literals: int) -> Counts:  # noqa: ARG002
        return np.asarray(true - _LEAST_SHARE * derived)

    def _own_chains(self) -> Iterator[Counted]:
        """Iterate over chains through the predicate itself, in which no atom derives itself."""
        views = self._tables.views
        steps = {id(view): _moving(view) for view in views}
        for number, space in enumerate(self._spaces):
            if len(space.types) != 2 or not space.facts:
                continue
            own = [view for view in views if view.predicate == space.predicate and view.arity == 2]
            pairs = [(left, right) for left in own for right in views]
            pairs += [(left, right) for left in views if left.predicate != space.predicate for right in own]
            for left, right in pairs:
                if (left.types[0], right.types[1]) != space.types or left.types[1] != right.types[0]:
                    continue
                if not self._effort.spend(join_size(left, right)):
                    return
                keys = _keys(steps[id(left)] @ steps[id(right)])
                yield from self._counted(number, space, keys, [left, right])
            for view in own:
                if view.columns == (1, 0) and view.types == space.types:
                    yield from self._counted(number, space, _keys(steps[id(view)]), [view])

    def _counted(self, number: int, space: Space, atoms: Keys, views: Sequence[View]) -> Iterator[Counted]:
        """Count what views derive one after the other, where it is worth it."""
        true = int(space.true(atoms).sum())
        if true < _LEAST_TRUE:
            return
        chain = chain_of(views)
        between = [0, *range(2, len(views) + 1), 1]
        tests = [
            Literal(UNEQUAL, ends)
            for view, ends in zip(views, pairwise(between), strict=True)
            if view.types[0] == view.types[1]
        ]
        yield Counted(number, Rule(chain.head, (*chain.body, *tests)), len(atoms), true)


def _moving(view: View) -> Any:
    """Return a view without the pairs of an entity with itself; a small one as a dense matrix."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import)

    found = view.matrix
    if view.types[0] == view.types[1]:
        pairs = found.tocoo()
        moves = pairs.row != pairs.col
        found = csr_matrix((pairs.data[moves], (pairs.row[moves], pairs.col[moves])), shape=pairs.shape)
    return found.toarray() if max(found.shape) <= _SMALL else found


def _keys(matrix: Any) -> Keys:
    return np.flatnonzero(matrix) if isinstance(matrix, np.ndarray) else matrix_keys(matrix)


def information(space: Space, derived: Floats, true: Floats) -> Floats:
    """Return the bits that knowing what each rule derives saves, the rule left out."""
    whole = _entropy(space.atoms, space.facts)
    return whole - _entropy(derived, true) - _entropy(space.atoms - derived, space.facts - true)


def _entropy(atoms: Floats | float, true: Floats | float) -> Floats:
    share = (np.asarray(true) + 0.5) / (np.asarray(atoms) + 1)
    return np.asarray(-atoms * (share * np.log2(share) + (1 - share) * np.log2(1 - share)))
