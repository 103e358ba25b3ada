"""The message that says data by a plan: what it says, and how many bits that takes; on other data, too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import log2

import numpy as np

from logicoder.base.sorted_keys import inside
from logicoder.compression.code import ClauseCode, set_bits
from logicoder.compression.codec import Part, Relations, say
from logicoder.compression.definitions import types_with, with_definitions, with_tables
from logicoder.compression.goals import Bits
from logicoder.compression.plan import Place, Plan, Step
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
        fitted = _fitted(plan, database)
        known = {name: database.relation(name).types for name in kb.schema if kb.schema[name].arity}
        types = types_with(known, fitted.latents)
        sizes = {name: [database.sizes[kind] for kind in own] for name, own in types.items()}
        return cls(fitted, database, ClauseCode.of(sizes, fitted), sum(map(len, known.values())))

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
        named = sum(domain.within is not None for domain in step.domains)
        return self.code.step(step, self.said[step.predicate].types, named, self.places)

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
    kb = database.kb
    known = {name: database.relation(name) for name in kb.schema}
    relations = with_tables(known, plan.usable(known), database)

    def holds(predicate: str, places: tuple[int, ...], within: Place) -> bool:
        other, column = within
        if other not in relations:
            return False
        own = [relations[predicate].columns[place] for place in places]
        return bool(inside(np.concatenate(own), relations[other].columns[column]).all())

    learned = (name for name, own in kb.schema.items() if not own.background and kb.count(name))
    return plan.fitted(known, learned, holds)
