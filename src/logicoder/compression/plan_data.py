"""Plans and bases as plain data, for files: clauses are text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct, structs

from logicoder.base.saved_json import Count
from logicoder.compression.plan import Definition, Domain, Form, Plan, Step
from logicoder.compression.plan_programs import Base
from logicoder.logic.parser import parse_program
from logicoder.logic.rules import Rule, rule_of


class StoredBase(Struct):
    """A `Base`, its fields in the same order."""

    name: str
    predicate: str
    form: Literal["rest", "recursive"] | Form
    clause: str = ""

    @classmethod
    def of(cls, base: Base) -> StoredBase:
        """Return what a file keeps of a base."""
        return cls(base.name, base.predicate, base.form, base.clause)  # type: ignore[arg-type]

    def base(self) -> Base:
        """Return the base."""
        return Base(*structs.astuple(self))


class StoredLatent(Struct):
    """A shorthand of a plan."""

    name: str
    clauses: tuple[str, ...]
    stored: bool = False


class StoredDomain(Struct, array_like=True):
    """A place whose values are told, perhaps among those of a place of another predicate."""

    place: Count
    predicate: str | None = None
    other_place: Count = 0


class StoredStep(Struct):
    """A step of a plan."""

    predicate: str
    form: Form
    domains: tuple[StoredDomain, ...]
    layers: tuple[tuple[str, ...], ...]


class StoredPlan(Struct):
    """A plan."""

    latents: tuple[StoredLatent, ...]
    steps: tuple[StoredStep, ...]

    @classmethod
    def of(cls, plan: Plan) -> StoredPlan:
        """Return what a file keeps of a plan."""
        latents = (StoredLatent(x.name, _texts(x.name, x.rules), x.stored) for x in plan.latents)
        return cls(tuple(latents), tuple(map(_stored_step, plan)))

    def plan(self) -> Plan:
        """Return the plan.

        Raises:
            InputError: where a clause cannot be read.
            ValueError: where a clause is none of a plan.
        """
        steps = []
        for step in self.steps:
            domains = (
                Domain(d.place, None if d.predicate is None else (d.predicate, d.other_place))
                for d in step.domains
            )
            steps.append(Step(step.predicate, step.form, tuple(domains), tuple(map(_rules, step.layers))))
        latents = (Definition(x.name, _rules(x.clauses), x.stored) for x in self.latents)
        return Plan(tuple(steps), tuple(latents))


def _stored_step(step: Step) -> StoredStep:
    domains = (StoredDomain(domain.place, *(domain.within or ())) for domain in step.domains)
    layers = (_texts(step.predicate, layer) for layer in step.layers)
    return StoredStep(step.predicate, step.form, tuple(domains), tuple(layers))  # type: ignore[arg-type]


def _texts(predicate: str, rules: Iterable[Rule]) -> tuple[str, ...]:
    return tuple(str(rule.clause(predicate)) for rule in rules)


def _rules(texts: Iterable[str]) -> tuple[Rule, ...]:
    return tuple(rule_of(clause) for text in texts for clause in parse_program(text, "<plan>"))
