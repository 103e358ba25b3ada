"""The counts of clauses in worlds: satisfied groundings, and what each ground atom changes about them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.kb.schema import Schema
from logicoder.mln.counting.atom_rows import AtomRows, rows_of
from logicoder.mln.counting.codes import CodedClause, coded
from logicoder.mln.counting.expansion import Expansion, differences, falsifications
from logicoder.mln.counting.tensors import Term, WorldCounts
from logicoder.mln.formulas import Literals
from logicoder.mln.network import types_of
from logicoder.mln.worlds import World

_LARGEST = 2**62
_MOST_KEPT = 1 << 18
"""How many clauses are remembered."""


class Counter:
    """Exact counts of clauses in some worlds, kept for clauses that are the same up to names and order.

    Constants of a clause that do not exist in a world make false atoms there.

    >>> from logicoder.kb.knowledge_base import KnowledgeBase
    >>> from logicoder.logic.terms import Atom, Literal, Variable
    >>> from logicoder.mln.worlds import worlds_of
    >>> kb = KnowledgeBase.from_facts([("friends", "anna", "bob"), ("smokes", "anna")])
    >>> x, y = Variable("X"), Variable("Y")
    >>> clause = (
    ...     Literal(Atom("friends", (x, y)), positive=False),
    ...     Literal(Atom("smokes", (x,)), positive=False),
    ...     Literal(Atom("smokes", (y,))),
    ... )
    >>> counter = Counter(worlds_of(kb))
    >>> counter.satisfied(clause)
    [3]
    >>> counter.differences(clause, "smokes", 0).tolist()
    [-1, 1]

    Args:
        worlds: the worlds to count in, all of one schema.
        budget: how many numbers an array may hold: joins and rows beyond it are made in blocks. Four times as
            many are kept for clauses to come.
    """

    def __init__(self, worlds: Sequence[World], *, budget: int = 1 << 24) -> None:
        if not worlds:
            raise UsageError("there is no world to count in")
        for world in worlds:
            if world.schema != worlds[0].schema:
                raise UsageError(f"the predicates of {world.name} are not those of {worlds[0].name}")
        self.worlds = tuple(worlds)
        self.budget = budget
        self._counts = [WorldCounts(world, budget) for world in worlds]
        self._coded: dict[Literals, CodedClause] = {}
        self._expansions: dict[tuple[CodedClause, str | None, bool | None], Expansion] = {}
        self._terms: dict[tuple[CodedClause, str, int, bool | None], list[Term]] = {}
        self._satisfied: dict[CodedClause, list[int]] = {}
        self._rows: dict[tuple[Sequence[CodedClause], Sequence[bool | None], str, int], AtomRows] = {}
        self._kept = 0

    @property
    def schema(self) -> Schema:
        """The predicates of the worlds."""
        return self.worlds[0].schema

    def groundings(self, literals: Literals) -> list[int]:
        """Return the number of groundings of a clause in each world."""
        types = self._name(literals).types
        return [prod(len(world.domains[kind]) for kind in types) for world in self.worlds]

    def satisfied(self, literals: Literals) -> list[int]:
        """Return the number of satisfied groundings in each world."""
        clause = self._name(literals)
        if clause not in self._satisfied:
            false = self._expansion(clause, None)
            pairs = zip(self.groundings(literals), self._counts, strict=True)
            self._satisfied[clause] = [every - counts.total(false) for every, counts in pairs]
        return list(self._satisfied[clause])

    def differences(
        self, literals: Literals, predicate: str, world: int, positive: bool | None = None
    ) -> np.ndarray:
        """Return the satisfied groundings with each atom of a predicate true, minus those with it false.

        The atoms are numbered as in `World.numbers`. With `positive`, see `terms`.

        Raises:
            UsageError: if the predicate has more atoms than the budget; `rows` needs no such array.
        """
        number = self.worlds[world].groundings(predicate)
        if number > self.budget:
            raise UsageError(
                f"{predicate} has {number} ground atoms, more than the {self.budget} that an array may hold: "
                f"use rows(), or a larger budget"
            )
        shape = self.worlds[world].shape(predicate)
        found = np.zeros(shape, np.int64)
        for coefficient, tensors in self.terms(literals, predicate, world, positive):
            value = np.array(coefficient, np.int64)
            for tensor in tensors:
                here = [size if i in tensor.positions else 1 for i, size in enumerate(shape)]
                value = value * tensor.dense().reshape(here)
            found += value
        return found.reshape(-1)

    def terms(
        self, literals: Literals, predicate: str, world: int, positive: bool | None = None
    ) -> list[Term]:
        """Return the differences of a clause as a sum of products of sparse tensors.

        With `positive`, only those that are due to positive (or to negative) literals: the groundings that
        would be false if the atom were false (or true).
        """
        clause = self._name(literals)
        key = (clause, predicate, world, positive)
        if key not in self._terms:
            self._make_room()
            if self.worlds[world].groundings(predicate) >= _LARGEST:
                raise UsageError(
                    f"{predicate} has more ground atoms than 64 bits can number: use fewer constants"
                )
            found = self._counts[world].terms(self._expansion(clause, predicate, positive), predicate)
            _check_magnitude(found, literals)
            self._terms[key] = found
        return self._terms[key]

    def rows(
        self,
        clauses: Sequence[Literals],
        predicate: str,
        world: int,
        signs: Sequence[bool | None] | None = None,
    ) -> AtomRows:
        """Return the distinct rows of truth and differences among the ground atoms of a predicate.

        Args:
            clauses: one column each.
            predicate: the predicate.
            world: the number of the world.
            signs: for each clause, whether only positive or negative literals are meant, see `terms`.
        """
        names = tuple(map(self._name, clauses))
        key = (names, tuple(signs or ()), predicate, world)
        if key not in self._rows:
            parts = zip(clauses, signs or [None] * len(clauses), strict=True)
            terms = [self.terms(clause, predicate, world, positive) for clause, positive in parts]
            found = rows_of(terms, self.worlds[world], predicate, self.budget)
            self._kept += found.differences.size
            if self._kept > self.budget:
                self._rows.clear()
                self._kept = found.differences.size
            self._rows[key] = found
        return self._rows[key]

    def _make_room(self) -> None:
        """Forget counts if they are too many; exhaustive searches go through more than memory can hold."""
        if sum(counts.held for counts in self._counts) > 4 * self.budget or len(self._terms) > _MOST_KEPT:
            self._terms.clear()
            for counts in self._counts:
                counts.forget()
        for kept in (self._coded, self._expansions):
            if len(kept) > _MOST_KEPT:
                kept.clear()

    def _name(self, literals: Literals) -> CodedClause:
        if literals not in self._coded:
            self._coded[literals] = coded(literals, types_of(literals, self.schema))
        return self._coded[literals]

    def _expansion(
        self, clause: CodedClause, predicate: str | None, positive: bool | None = None
    ) -> Expansion:
        key = (clause, predicate, positive)
        if key not in self._expansions:
            self._expansions[key] = (
                falsifications(clause) if predicate is None else differences(clause, predicate, positive)
            )
        return self._expansions[key]


def _check_magnitude(terms: list[Term], literals: Literals) -> None:
    largest = sum(
        abs(coefficient) * prod(tensor.largest for tensor in tensors) for coefficient, tensors in terms
    )
    if largest >= _LARGEST:
        raise UsageError(
            f"the counts of a clause of {len(literals)} literals may exceed 64 bits (up to {largest:.2g}): "
            f"use fewer variables"
        )
