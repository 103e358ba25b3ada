"""A plan: how each predicate is said, whatever the data. It is what a model keeps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, get_args

from logicoder.logic.rules import Rule
from logicoder.logic.terms import Clause

Form = Literal["plain", "apart", "symmetric", "transitive", "equivalence"]
FORMS = get_args(Form)
"""What is told of a predicate with two places of one type: nothing, its diagonal apart, or a closure too."""


Place = tuple[str, int]
"""A predicate, and the number of an argument."""

Holds = Callable[[str, tuple[int, ...], Place], bool]
"""Whether the values of some places of a predicate are all at another place."""


@dataclass(frozen=True)
class Domain:
    """Where the values of a place are taken from.

    Attributes:
        place: the place.
        within: predicate and place whose values hold all of them; None for the entities of the type.
    """

    place: int
    within: Place | None = None


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
    def rules(self) -> list[Rule]:
        """The rules of all layers."""
        return [rule for layer in self.layers for rule in layer]

    @property
    def apart(self) -> bool:
        """Whether its diagonal is told apart."""
        return self.form != "plain"

    @property
    def paired(self) -> bool:
        """Whether its atoms count by unordered pairs; then one domain serves both places."""
        return self.form in ("symmetric", "equivalence")

    @property
    def told(self) -> tuple[int, ...]:
        """The places whose domains are told."""
        places = {place for domain in self.domains for place in self.places_of(domain)}
        return tuple(sorted(places))

    def places_of(self, domain: Domain) -> tuple[int, ...]:
        """Return the places whose values are taken from a domain."""
        return (0, 1) if self.paired else (domain.place,)

    @property
    def needs(self) -> frozenset[str]:
        """The predicates that must be known before."""
        taken = {domain.within[0] for domain in self.domains if domain.within is not None}
        return self.mentioned.union(taken) - {self.predicate}

    @property
    def mentioned(self) -> frozenset[str]:
        """The other predicates in its rules."""
        return frozenset[str]().union(*(rule.predicates for rule in self.rules)) - {self.predicate}

    @property
    def recursion(self) -> Rule | None:
        """The rule by which the predicate goes on along another one, if there is one."""
        return next((rule for rule in self.rules if self.predicate in rule.predicates), None)

    @property
    def seeds(self) -> list[Rule]:
        """The other rules."""
        return [rule for rule in self.rules if self.predicate not in rule.predicates]

    def clauses(self) -> Iterator[Clause]:
        """Iterate over its rules as clauses."""
        for rule in self.rules:
            yield rule.clause(self.predicate)


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
            yield rule.clause(self.name)


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

    def usable(self, known: Collection[str]) -> tuple[Definition, ...]:
        """Return the latent predicates that some known ones suffice for, each made of those before it."""
        every, found = set(known), []
        for latent in self.latents:
            if latent.needs <= every:
                every.add(latent.name)
                found.append(latent)
        return tuple(found)

    def fitted(self, known: Collection[str], learned: Iterable[str], holds: Holds) -> Plan:
        """Return the plan for data that need not be those that it was made for.

        Rules with strange predicates are left out. Predicates that the plan does not know are said as they
        are, and domains that are not within those of others on their own.

        Args:
            known: the predicates of the data.
            learned: those of them that are to be said.
            holds: whether the values of some places of a predicate are all at a place of another one.
        """
        latents = self.usable(known)
        usable = {*known, *(latent.name for latent in latents)}
        steps = [self._fitted(step, usable, holds) for step in self.steps if step.predicate in usable]
        planned = {step.predicate for step in steps}
        # What the plan does not know may be background of what it knows, and is said first.
        return Plan((*(Step(name) for name in learned if name not in planned), *steps), latents)

    def _fitted(self, step: Step, usable: set[str], holds: Holds) -> Step:
        layers = (tuple(rule for rule in layer if rule.predicates <= usable) for layer in step.layers)
        domains = (
            domain
            if domain.within is None or holds(step.predicate, step.places_of(domain), domain.within)
            else Domain(domain.place)
            for domain in step.domains
        )
        return replace(step, layers=tuple(layer for layer in layers if layer), domains=tuple(domains))

    def rules(self) -> Iterator[Rule]:
        """Iterate over all rules, those of shorthands included."""
        for latent in self.latents:
            yield from latent.rules
        for step in self.steps:
            yield from step.rules
