"""The message that says data by a plan: what it says, and how many bits that takes; on other data, too."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import log2

import numpy as np

from logicoder.base.sorted_keys import inside
from logicoder.compression.code import ClauseCode, set_bits
from logicoder.compression.codec import Part, Relations, say
from logicoder.compression.definitions import types_of, types_with, with_definitions, with_tables
from logicoder.compression.goals import Bits
from logicoder.compression.plan import Domain, Plan, Step
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.rules.spaces import possible
from logicoder.kb.knowledge_base import KnowledgeBase


@dataclass(frozen=True, eq=False)
class Message:
    """What is said of data by a plan.

    Attributes:
        plan: how each predicate is said.
        database: the data.
        code: the code of clauses.
        places: number of places that a domain can be named after.
    """

    plan: Plan
    database: Database
    code: ClauseCode
    places: int

    @classmethod
    def of(cls, plan: Plan, kb: KnowledgeBase) -> Message:
        """Return the message that says data, which need not be those that the plan was made for.

        Predicates that the plan does not know are said as they are, and domains that are not within those of
        others on their own.
        """
        database = Database(kb)
        usable = [name for name in kb.schema if kb.schema[name].arity]
        sizes = {
            (name, place): database.sizes[kind]
            for name in usable
            for place, kind in enumerate(database.relation(name).types)
        }
        fitted = _fitted(plan, database)
        known = types_of({name: database.relation(name) for name in kb.schema})
        types = types_with(known, fitted.latents)
        latents = {d.name: [database.sizes[kind] for kind in types[d.name]] for d in fitted.latents}
        tests = any(rule.tested for rule in fitted.rules())
        code = ClauseCode(len(usable), sizes, tests).with_latents(latents)
        return cls(fitted, database, code, len(sizes))

    @property
    def relations(self) -> Relations:
        """The facts of each predicate of the data."""
        return {name: self.database.relation(name) for name in self.database.kb.schema}

    @cached_property
    def said(self) -> Relations:
        """The facts of each predicate, those of stored latent ones included."""
        return with_tables(self.relations, self.plan.latents, self.database)

    @cached_property
    def known(self) -> Relations:
        """The facts of all predicates that rules may use, latent ones included."""
        return with_definitions(self.said, self.plan.latents, self.database)

    @cached_property
    def parts(self) -> list[Part]:
        """The subsets that are said."""
        return say(self.plan, self.database, self.relations)

    @cached_property
    def program_bits(self) -> float:
        """The bits of latent predicates, flags, names of domains, and rules."""
        return Bits(self.code).header(self.plan.latents) + sum(self.step_bits(step) for step in self.plan)

    def step_bits(self, step: Step) -> float:
        """Return the bits that tell how a predicate is said."""
        types = self.said[step.predicate].types
        bits = 1.0 + max(1, len(types)) + len(step.domains)
        if len(types) == 2 and types[0] == types[1]:
            bits += 1 if step.form == "plain" else 3
        bits += sum(log2(self.places) for domain in step.domains if domain.within is not None)
        return bits + sum(self.code.bits(step.predicate, rule) for layer in step.layers for rule in layer)

    @property
    def bits(self) -> float:
        """All of it; never more than the plain facts, which a flag could announce as well."""
        return min(self.plain_bits, self.program_bits + sum(part.bits for part in self.parts))

    @property
    def within_bits(self) -> float:
        """The bits that are saved where domains are named within those of others."""
        total = 0.0
        for step in self.plan:
            types = self.said[step.predicate].types
            held = {part.role: part for part in self.parts if part.predicate == step.predicate}
            for domain in step.domains:
                if domain.within is not None:
                    part = held[f"domain {domain.place}"]
                    whole = float(set_bits(self.database.sizes[types[domain.place]], len(part.chosen)))
                    total += whole - part.bits - log2(self.places)
        return total

    @cached_property
    def plain_bits(self) -> float:
        """The facts by types alone."""
        total = 0.0
        latent = {definition.name for definition in self.plan.latents}
        for step in self.plan:
            if step.predicate in latent:
                continue
            relation = self.database.relation(step.predicate)
            atoms = possible(self.database, relation.types, [None] * len(relation.types))
            total += float(set_bits(atoms, len(relation)))
        return total


def _fitted(plan: Plan, database: Database) -> Plan:
    """Return a plan that says this data: all of its predicates, with domains that hold."""
    schema = database.kb.schema
    usable, latents = set(schema), []
    for latent in plan.latents:
        if latent.needs <= usable:
            usable.add(latent.name)
            latents.append(latent)
    relations = with_tables({name: database.relation(name) for name in schema}, latents, database)
    steps = [_step(step, relations, usable) for step in plan if step.predicate in relations]
    planned = {step.predicate for step in steps}
    others = [n for n, p in schema.items() if n not in planned and not p.background and database.kb.count(n)]
    # What the plan does not know may be background of what it knows, and is said first.
    return Plan((*(Step(name) for name in others), *steps), tuple(latents))


def _step(step: Step, relations: Relations, usable: set[str]) -> Step:
    layers = tuple(
        rules
        for layer in step.layers
        if (rules := tuple(rule for rule in layer if rule.predicates <= usable))
    )
    return replace(step, layers=layers, domains=tuple(_domain(step, own, relations) for own in step.domains))


def _domain(step: Step, domain: Domain, relations: Relations) -> Domain:
    if domain.within is None:
        return domain
    other, column = domain.within
    if other in relations:
        own = relations[step.predicate].columns
        places = own if step.form in ("symmetric", "equivalence") else (own[domain.place],)
        if inside(np.concatenate(places), relations[other].columns[column]).all():
            return domain
    return Domain(domain.place)
