"""A program as exporters see it: plain rules, the predicates they read, and an order to define them in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import TopologicalSorter

from logicoder.base.errors import UsageError
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.mapping.data_mapping import DataMapping
from logicoder.logic.dependencies import reach_of
from logicoder.logic.terms import Atom, Program, Term


@dataclass(frozen=True)
class Rule:
    """One alternative of a clause, its literals sorted by what they do.

    Attributes:
        head: what is derived.
        positive: atoms that hold, and give values to all variables of the head.
        negated: atoms that do not hold, whatever stands for variables that occur nowhere else.
        unequal: pairs of terms that differ.
    """

    head: Atom
    positive: tuple[Atom, ...] = ()
    negated: tuple[Atom, ...] = ()
    unequal: tuple[tuple[Term, Term], ...] = ()

    @property
    def is_fact(self) -> bool:
        """Whether there is no condition."""
        return not (self.positive or self.negated or self.unequal)

    @property
    def body(self) -> frozenset[str]:
        """The predicates of the body."""
        return frozenset(atom.predicate for atom in (*self.positive, *self.negated))


@dataclass(frozen=True)
class Script:
    """What to export.

    Attributes:
        rules: the program.
        inputs: the arities of the predicates that the rules read and do not define.
        defined: the arities of those that they define.
        remarks: a line about some of them.
        facts: facts of the inputs that are to be part of the export, of one interpretation.
        mapping: how the inputs come from the tables of a database.
    """

    rules: tuple[Rule, ...]
    inputs: Mapping[str, int]
    defined: Mapping[str, int]
    remarks: Mapping[str, str] = field(default_factory=dict)
    facts: KnowledgeBase | None = None
    mapping: DataMapping | None = None

    @classmethod
    def of(
        cls,
        program: Program,
        remarks: Mapping[str, str] | None = None,
        facts: KnowledgeBase | None = None,
        mapping: DataMapping | None = None,
    ) -> Script:
        """Return the script of a program.

        Raises:
            UsageError: if there are facts of several interpretations.
        """
        if facts is not None and len(facts.interpretations) > 1:
            raise UsageError(
                f"an export holds the facts of one interpretation, and there are {len(facts.interpretations)}"
            )
        arities, defined = program.arities(), program.defined()
        return cls(
            tuple(rules_of(program)),
            {name: arity for name, arity in arities.items() if name not in defined},
            {name: arities[name] for name in defined},
            remarks or {},
            facts,
            mapping,
        )

    @property
    def arities(self) -> dict[str, int]:
        """The arities of all predicates: those that are read first."""
        return {**self.inputs, **self.defined}

    def input_rows(self) -> Iterator[tuple[str, list[list[str]]]]:
        """Iterate over the facts of the inputs, as symbols."""
        kb = self.facts
        for name in self.inputs:
            if kb is not None and name in kb.schema and kb.count(name):
                yield name, [[kb.symbols[i] for i in row] for row in kb.table(name).arguments.tolist()]

    @cached_property
    def components(self) -> tuple[tuple[str, ...], ...]:
        """The defined predicates: those that depend on each other together, and after what they depend on.

        >>> program = Program.parse("a(X) :- b(X). b(X) :- c(X). b(X) :- b(X), d(X). d(X) :- b(X).")
        >>> Script.of(program).components
        (('b', 'd'), ('a',))
        """
        direct = {name: frozenset[str]() for name in self.defined}
        for rule in self.rules:
            direct[rule.head.predicate] |= rule.body
        reach = reach_of(direct)
        members = {
            name: tuple(
                other
                for other in self.defined
                if other == name or (other in reach[name] and name in reach[other])
            )
            for name in self.defined
        }
        needs = {
            members[name]: {members[other] for other in reach[name] if other in members} - {members[name]}
            for name in self.defined
        }
        return tuple(TopologicalSorter(needs).static_order())

    def is_recursive(self, component: tuple[str, ...]) -> bool:
        """Whether the predicates of a component depend on themselves."""
        return any(rule.body & set(component) for rule in self.rules if rule.head.predicate in component)

    def rules_for(self, name: str) -> tuple[Rule, ...]:
        """Return the rules that define a predicate."""
        return tuple(rule for rule in self.rules if rule.head.predicate == name)


def rules_of(program: Program) -> Iterator[Rule]:
    """Iterate over the alternatives of all clauses."""
    for clause in program:
        for body in clause.alternatives:
            tests = [literal.atom.arguments for literal in body if literal.inequality]
            yield Rule(
                clause.head,
                tuple(literal.atom for literal in body if literal.binds),
                tuple(literal.atom for literal in body if not literal.positive),
                tuple((left, right) for left, right in tests),
            )


def free_name(name: str, taken: set[str]) -> str:
    """Return a name that is not taken: this one, or this one with a number."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found
