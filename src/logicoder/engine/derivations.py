"""Where derived facts come from: the ground instances of clauses behind them, and those that nearly hold.

A fact of a recursive predicate has a *stage*, the round of the fixpoint in which it first appears. Its
instances are read with facts of earlier stages only, so that no fact ever supports itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from logicoder.kb.knowledge_base import KnowledgeBase, Truth
from logicoder.logic.strata import strata
from logicoder.logic.substitution import Substitution, unify, value
from logicoder.logic.terms import Atom, Body, Clause, Constant, Literal, Program, Term, Variable

Binding = Mapping[Variable, Constant]

_MOST_SUBSETS = 8
"""Bodies of more literals are only cut at their end when the part that holds is looked for."""


@dataclass(frozen=True)
class Instance:
    """One alternative of a clause under a binding of its variables.

    Attributes:
        clause: the clause, with this alternative only.
        body: the literals under the binding; variables that stay free remain.
        holds: for each literal whether it holds; None where its variables are free, so that it says nothing.
    """

    clause: Clause
    body: Body
    holds: tuple[bool | None, ...]

    @property
    def fulfilled(self) -> int:
        """Number of literals that hold."""
        return sum(map(bool, self.holds))


class AnyDerivations(ABC):
    """A program run on data, wherever they are, ready to be asked where each fact comes from.

    Attributes:
        program: the clauses.
        outputs: what they derive; of data that stay where they are, the predicates without their facts.
    """

    program: Program
    outputs: KnowledgeBase

    @cached_property
    def defined(self) -> frozenset[str]:
        """The predicates that the program defines."""
        return frozenset(self.program.defined())

    @cached_property
    def recursive(self) -> dict[str, set[str]]:
        """The stratum of each predicate that depends on itself."""
        found: dict[str, set[str]] = {}
        for stratum in strata(self.program):
            clauses = (clause for clause in self.program if clause.head.predicate in stratum)
            if any(clause.body_predicates() & stratum for clause in clauses):
                found |= dict.fromkeys(stratum, stratum)
        return found

    # -- what systems do ----------------------------------------------------------------------------------

    @abstractmethod
    def worlds_of(self, atom: Atom, truth: Truth = "true") -> list[int]:
        """Return the interpretations in which an atom, or an instance of one with variables, is found."""

    @abstractmethod
    def bindings(
        self, body: Body, world: int, earlier: Any = None, most: int | None = None
    ) -> Iterable[Binding]:
        """Iterate over what the variables of a body can be so that it holds.

        Args:
            body: the literals.
            world: the interpretation.
            earlier: what `before` returned.
            most: how many are wanted.
        """

    @abstractmethod
    def number(self, body: Body, world: int, earlier: Any) -> int:
        """Return how many such bindings there are."""

    @abstractmethod
    def before(self, atom: Atom, world: int) -> Any:
        """Return what an atom may be derived from, where its predicate depends on itself."""

    # -- questions ------------------------------------------------------------------------------------

    def holds(self, atom: Atom, world: int) -> bool:
        """Whether an atom is a fact of the data, or derived from it."""
        return world in self.worlds_of(atom)

    def witness(self, atom: Atom, world: int) -> Atom:
        """Return the first fact that an atom with variables stands for, where there is one."""
        return bound(Literal(atom), next(iter(self.bindings((Literal(atom),), world, most=1)))).atom

    def instances(self, atom: Atom, world: int, by: Clause | None = None) -> Iterator[Instance]:
        """Iterate over the ground instances that derive a ground atom, clause by clause or by one of them."""
        earlier = self.before(atom, world)
        for clause, body in self._alternatives(atom, self.program if by is None else (by,)):
            for binding in self.bindings(body, world, earlier):
                yield Instance(clause, tuple(bound(item, binding) for item in body), (True,) * len(body))

    def count(self, atom: Atom, world: int) -> int:
        """Return the number of ground instances that derive a ground atom."""
        earlier = self.before(atom, world)
        return sum(self.number(body, world, earlier) for _, body in self._alternatives(atom))

    def near_misses(self, atom: Atom, world: int) -> Iterator[Instance]:
        """Iterate over the alternatives that could derive an atom, each with as many literals as can hold.

        The atom may have variables; it is not derived.
        """
        for clause, body in self._alternatives(atom):
            yield self._nearest(clause, body, world)

    def _nearest(self, clause: Clause, body: Body, world: int) -> Instance:
        for chosen in _subsets(len(body)):
            part = tuple(body[i] for i in chosen)
            if not _is_safe(part):
                continue
            for binding in self.bindings(part, world, most=1):
                ground = tuple(bound(literal, binding) for literal in body)
                return Instance(clause, ground, tuple(self._verdict(item, world) for item in ground))
        return Instance(clause, body, tuple(self._verdict(item, world) for item in body))

    def _verdict(self, literal: Literal, world: int) -> bool | None:
        if not literal.binds:
            return None if _free(literal) else any(True for _ in self.bindings((literal,), world, most=1))
        return self.holds(literal.atom, world)

    def _alternatives(
        self, atom: Atom, clauses: Iterable[Clause] | None = None
    ) -> Iterator[tuple[Clause, Body]]:
        """Iterate over the alternatives whose head is the atom, with their bodies under that binding."""
        for clause in self.program if clauses is None else clauses:
            binding = unified(clause.head, atom)
            if binding is not None:
                for body in clause.alternatives:
                    yield replace(clause, alternatives=(body,)), tuple(bound(item, binding) for item in body)


# -- binding ------------------------------------------------------------------------------------------


def bound(literal: Literal, binding: Mapping[Variable, Term]) -> Literal:
    """Return a literal with terms in the place of some variables."""
    arguments = tuple(binding.get(a, a) if isinstance(a, Variable) else a for a in literal.atom.arguments)
    return replace(literal, atom=replace(literal.atom, arguments=arguments))


def unified(head: Atom, atom: Atom) -> dict[Variable, Term] | None:
    """Return what a clause's variables become when its head is an atom; None if it cannot be.

    Variables of the atom are not those of the clause, whatever they are called.

    >>> X, Y = Variable("X"), Variable("Y")
    >>> unified(Atom("p", (X, Y)), Atom("p", (Constant("a"), X)))
    {Variable(name='X'): Constant(symbol='a')}
    >>> unified(Atom("p", (X, Y)), Atom("p", (Y, Y)))
    {Variable(name='X'): Variable(name='Y')}
    >>> unified(Atom("p", (X, X)), Atom("p", (Constant("a"), Constant("b")))) is None
    True
    """
    if head.predicate != atom.predicate or head.arity != atom.arity:
        return None
    apart = [Variable(f"$ {a.name}") if isinstance(a, Variable) else a for a in atom.arguments]
    found: Substitution = {}
    if not unify(head.arguments, apart, found):
        return None
    return {variable: value(variable, found) for variable in head.variables() if variable in found}


def _subsets(size: int) -> Iterator[tuple[int, ...]]:
    """Iterate over the parts of a body, the larger and earlier ones first, down to single literals."""
    if size > _MOST_SUBSETS:
        yield from (tuple(range(length)) for length in range(size - 1, 0, -1))
        return
    for length in range(size - 1, 0, -1):
        yield from combinations(range(size), length)


def _is_safe(body: Body) -> bool:
    known = {variable for item in body if item.binds for variable in item.atom.variables()}
    return all(_free(item) <= known for item in body if not item.binds)


def _free(literal: Literal) -> set[Variable]:
    """Return the variables that something else must bind; under negation, _ stands for whatever there is."""
    return {v for v in literal.atom.variables() if literal.inequality or str(v) != "_"}
