"""Running stratified programs one binding at a time: slow, and simple enough to trust."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from logicoder.logic import Constant, Variable
from logicoder.logic.strata import strata
from logicoder.logic.symbols import symbol_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from logicoder.kb import KnowledgeBase
    from logicoder.logic import Atom, Literal, Program
    from logicoder.logic.terms import Body

Ground = tuple[str, tuple[str, ...]]
Binding = dict[Variable, str]


@dataclass
class World:
    """The atoms of one interpretation at one level; what is neither true nor listed is false, unless open."""

    true: set[Ground]
    denied: set[Ground] = field(default_factory=set)
    unknown: set[Ground] = field(default_factory=set)
    open_predicates: frozenset[str] = frozenset()

    def matches(self, atom: Atom, binding: Binding) -> Iterator[Binding]:
        for name, row in sorted(self.true):
            if name == atom.predicate and len(row) == atom.arity:
                extended = dict(binding)
                for term, value in zip(atom.arguments, row, strict=True):
                    known = term.symbol if isinstance(term, Constant) else extended.setdefault(term, value)
                    if known != value:
                        break
                else:
                    yield extended

    def is_false(self, atom: Ground) -> bool:
        if atom[0] in self.open_predicates:
            return atom in self.denied
        return atom not in self.true and atom not in self.unknown

    def bindings(self, body: Body) -> list[Binding]:
        found: list[Binding] = [{}]
        for literal in body:
            if literal.binds:
                found = [extended for one in found for extended in self.matches(literal.atom, one)]
        negated = [literal.atom for literal in body if not literal.positive]
        unequal = [literal.atom for literal in body if literal.inequality]
        found = [one for one in found if all(self.is_false(ground(atom, one)) for atom in negated)]
        return [one for one in found if all(len(set(ground(atom, one)[1])) == 2 for atom in unequal)]

    def holds(self, literal: Literal) -> bool:
        return bool(self.bindings((literal,)))


def ground(atom: Atom, binding: Binding | None = None) -> Ground:
    return atom.predicate, tuple(
        term.symbol if isinstance(term, Constant) else (binding or {})[term] for term in atom.arguments
    )


def world_of(kb: KnowledgeBase, name: str) -> World:
    atoms = {
        truth: {
            (fact.predicate, tuple(map(symbol_of, fact.arguments)))
            for fact in kb.facts(truth=truth)
            if fact.interpretation == name
        }
        for truth in ("true", "false", "unknown")
    }
    open_predicates = frozenset(n for n, predicate in kb.schema.items() if predicate.open_world)
    return World(atoms["true"], atoms["false"], atoms["unknown"], open_predicates)


def derived(program: Program, world: World) -> set[Ground]:
    """Return what a program derives: stratum by stratum, all clauses again until nothing is new."""
    everything = World(set(world.true), world.denied, world.unknown, world.open_predicates)
    found: set[Ground] = set()
    for stratum in strata(program):
        clauses = [clause for clause in program if clause.head.predicate in stratum]
        while True:
            new = {
                ground(clause.head, one)
                for clause in clauses
                for body in clause.alternatives
                for one in everything.bindings(body)
            }
            if new <= found:
                break
            found |= new
            everything.true |= new
    return found


def beside(world: World, found: set[Ground]) -> World:
    """Return a world together with what was derived from it."""
    return World(world.true | found, world.denied, world.unknown, world.open_predicates)
