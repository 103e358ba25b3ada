"""A plan: how each predicate is said, whatever the data. It is what a model keeps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from logicoder.logic.rules import Rule, clause_of
from logicoder.logic.terms import Clause

Form = Literal["plain", "apart", "symmetric", "transitive", "equivalence"]
FORMS = get_args(Form)
"""What is told of a predicate with two places of one type: nothing, its diagonal apart, or a closure too."""
PAIRED = ("symmetric", "equivalence")
"""Forms whose atoms count by unordered pairs."""


@dataclass(frozen=True)
class Domain:
    """Where the values of a place are taken from.

    Attributes:
        place: the place.
        within: predicate and place whose values hold all of them; None for the entities of the type.
    """

    place: int
    within: tuple[str, int] | None = None


@dataclass(frozen=True)
class Step:
    """How one predicate is said.

    Attributes:
        predicate: its name.
        form: one of `FORMS`.
        domains: the places whose values are told.
        layers: rules in the order in which they are used; those of one layer are coded together.
    """

    predicate: str
    form: str = "plain"
    domains: tuple[Domain, ...] = ()
    layers: tuple[tuple[Rule, ...], ...] = ()

    @property
    def needs(self) -> frozenset[str]:
        """The predicates that must be known before."""
        taken = {domain.within[0] for domain in self.domains if domain.within is not None}
        used = frozenset(taken).union(*(rule.predicates for layer in self.layers for rule in layer))
        return used - {self.predicate}

    @property
    def recursion(self) -> Rule | None:
        """The rule by which the predicate goes on along another one, if there is one."""
        rules = (rule for layer in self.layers for rule in layer)
        return next((rule for rule in rules if self.predicate in rule.predicates), None)

    @property
    def seeds(self) -> list[Rule]:
        """The other rules."""
        rules = (rule for layer in self.layers for rule in layer)
        return [rule for rule in rules if self.predicate not in rule.predicates]

    def clauses(self) -> Iterator[Clause]:
        """Iterate over its rules as clauses."""
        for layer in self.layers:
            for rule in layer:
                yield clause_of(self.predicate, rule.head, rule.body)


@dataclass(frozen=True)
class Definition:
    """A latent predicate that follows from predicates of the data.

    Attributes:
        name: its name.
        rules: what it follows from, any of them.
        stored: whether its facts are said like those of other predicates, so that what it follows from can be
            rebuilt from it; otherwise it is a shorthand, and known as soon as its parts are.
    """

    name: str
    rules: tuple[Rule, ...]
    stored: bool = False

    @property
    def arity(self) -> int:
        """Number of arguments."""
        return len(self.rules[0].head)

    @property
    def needs(self) -> frozenset[str]:
        """The predicates that must be known before."""
        return frozenset[str]().union(*(rule.predicates for rule in self.rules))

    def clauses(self) -> Iterator[Clause]:
        """Iterate over its rules as clauses."""
        for rule in self.rules:
            yield clause_of(self.name, rule.head, rule.body)


@dataclass(frozen=True)
class Plan:
    """How all predicates are said, in order: each one uses only those before it, and what follows from them.

    Attributes:
        steps: one for each predicate, stored latent ones included.
        latents: latent predicates that rules use.
    """

    steps: tuple[Step, ...]
    latents: tuple[Definition, ...] = ()

    @property
    def stored(self) -> tuple[Definition, ...]:
        """The latent predicates that have steps of their own."""
        return tuple(latent for latent in self.latents if latent.stored)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def rules(self) -> Iterator[Rule]:
        """Iterate over all rules, those of shorthands included."""
        for latent in self.latents:
            yield from latent.rules
        for step in self.steps:
            for layer in step.layers:
                yield from layer
