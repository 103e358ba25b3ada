"""What a plan comes to on data that stay where they are: its choices and bits by counts of their system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from math import log2
from typing import TYPE_CHECKING

from logicoder.compression.code import ClauseCode, set_bits
from logicoder.compression.goals import Bits
from logicoder.compression.plan import PAIRED, Definition, Domain, Plan, Step
from logicoder.compression.stored_spaces import bare_space
from logicoder.compression.ways import Choice, Layer, choice_cost, message_cost
from logicoder.engine.arrays.rules.closed_forms import FORMS, Closure
from logicoder.engine.signatures import program_schema
from logicoder.engine.sql.closures import Closed, Closures
from logicoder.engine.sql.space_counts import MOST_RULES, Look, SpaceCounts
from logicoder.kb.schema import Schema
from logicoder.logic.rules import Rule, clause_of
from logicoder.logic.terms import Program

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData


class StoredMessage:
    """The message that says stored data by a plan, as `logicoder.compression.message.Message` does.

    Args:
        plan: how predicates are said; the data need not be those that it was made for.
        data: the facts.
        schema: their types.
    """

    def __init__(self, plan: Plan, data: StoredData, schema: Schema) -> None:
        usable, latents = set(schema), list[Definition]()
        for latent in plan.latents:
            if latent.needs <= usable:
                usable.add(latent.name)
                latents.append(latent)
        program = Program(tuple(clause for latent in latents for clause in latent.clauses()))
        known = data.of_schema(schema)
        made = known.runs.run(program, known.relations)
        types = program_schema(program, schema)
        self.known = schema
        self.schema = Schema({**schema.predicates, **types.predicates}, schema.domains)
        self.data = known.of_schema(self.schema, made)
        self.counts, self._closures = SpaceCounts(self.data, self.schema), Closures(self.data)
        steps = [self._step(step, usable) for step in plan if step.predicate in usable]
        planned = {step.predicate for step in steps}
        others = [n for n, p in schema.items() if n not in planned and not p.background and known.counts[n]]
        # What the plan does not know may be background of what it knows, and is said first.
        self.plan = Plan((*(Step(name) for name in others), *steps), tuple(latents))

    def _step(self, step: Step, usable: set[str]) -> Step:
        layers = tuple(
            rules
            for layer in step.layers
            if (rules := tuple(rule for rule in layer if rule.predicates <= usable))
        )
        domains = tuple(d if self._held(step, d) is not None else Domain(d.place) for d in step.domains)
        return replace(step, layers=layers, domains=domains)

    def _held(self, step: Step, domain: Domain) -> int | None:
        """Return how many values the place has that a domain is named after, if it holds all of them."""
        if domain.within is None or domain.within[0] not in self.data.relations:
            return None
        places = (0, 1) if step.form in PAIRED else (domain.place,)
        return self.counts.is_within(step.predicate, places, *domain.within)

    # -- the code -----------------------------------------------------------------------------------------

    @cached_property
    def _sizes(self) -> dict[tuple[str, int], int]:
        return {
            (name, place): sum(self.counts.entities(kind).values())
            for name, predicate in self.known.items()
            for place, kind in enumerate(predicate.types)
        }

    @cached_property
    def code(self) -> ClauseCode:
        """The code of clauses."""
        tests = any(rule.tested for rule in self.plan.rules())
        latents = {
            d.name: [sum(self.counts.entities(kind).values()) for kind in self.schema[d.name].types]
            for d in self.plan.latents
        }
        predicates = len({name for name, _ in self._sizes})
        return ClauseCode(predicates, self._sizes, tests).with_latents(latents)

    # -- steps --------------------------------------------------------------------------------------------

    def look(self, step: Step) -> Look:
        """Return how a step looks at its predicate."""
        paired = step.form in PAIRED
        told = tuple(sorted(domain.place for domain in step.domains))
        told = (0, 1) if paired and told else told
        return Look(step.predicate, told, apart=step.form != "plain", symmetric=paired)

    def query(self, predicate: str, rule: Rule) -> str:
        """Return the query for what a rule derives from facts as they are."""
        clause = clause_of(predicate, rule.head, rule.body)
        (body,) = clause.alternatives
        return self.data.runs.queries.select(clause.head, body, self.data.relations)

    def closed(self, step: Step) -> Closed | None:
        """Return the closure of a predicate, if it has one."""
        seen = partial(self.counts.seen, look=self.look(step))
        seeds = [self.query(step.predicate, rule) for rule in step.seeds]
        if step.recursion is not None:
            clause = clause_of(step.predicate, step.recursion.head, step.recursion.body)
            return self._closures.gone_on(clause, seeds, seen, self.data.relations)
        if step.form not in FORMS:
            return None
        return self._closures.made(step.form, step.predicate, seeds, seen)

    @cached_property
    def choices(self) -> dict[str, Choice]:
        """How each predicate is said, with all counts."""
        goal = Bits(self.code)
        found = {step.predicate: self._choice(step) for step in self.plan}
        return {name: replace(own, cost=choice_cost(goal, own)) for name, own in found.items()}

    def _choice(self, step: Step) -> Choice:
        look = self.look(step)
        types = self.schema.types()
        numbers = tuple(types.index(kind) for kind in self.schema[step.predicate].types)
        space = bare_space(look, self.counts.look(look), numbers)
        rules = [rule for layer in step.layers for rule in layer]
        needs = frozenset[str]().union(*(rule.predicates for rule in rules)) - {step.predicate}
        closed = self.closed(step)
        if closed is None:
            return Choice(space, step.form, 0.0, self._layers(look, step.layers), None, needs)
        closure = Closure(*self._closures.sizes(closed))
        layers = tuple(Layer((rule,), closure.given, 0, 0.0) for rule in rules)
        return Choice(space, step.form, 0.0, layers, closure, needs)

    def _layers(self, look: Look, layers: Sequence[tuple[Rule, ...]]) -> tuple[Layer, ...]:
        """Return the layers with what each derives beyond those before it."""
        rules = [rule for layer in layers for rule in layer][:MOST_RULES]
        classes = self.counts.classes(look, rules, self.data.relations) if rules else []
        found, covered, number = [], 0, 0
        for layer in layers:
            own = sum(1 << place for place in range(number, number + len(layer)))
            fresh = [(atoms, true) for mask, atoms, true in classes if mask & own and not mask & covered]
            derived, true = sum(atoms for atoms, _ in fresh), sum(facts for _, facts in fresh)
            found.append(Layer(layer, derived, true, 0.0))
            covered, number = covered | own, number + len(layer)
        return tuple(found)

    # -- bits ---------------------------------------------------------------------------------------------

    @cached_property
    def plain_bits(self) -> float:
        """The facts by types alone."""
        names = [step.predicate for step in self.plan if step.predicate in self.known]
        return sum(float(set_bits(*self.counts.plain(name))) for name in names)

    @cached_property
    def bits(self) -> float:
        """All of it; never more than the plain facts, which a flag could announce as well."""
        saved = sum(self._saved(step, domain) for step in self.plan for domain in step.domains)
        return min(self.plain_bits, message_cost(Bits(self.code), self.choices, self.plan.latents, saved))

    def _saved(self, step: Step, domain: Domain) -> float:
        """Return the bits that are saved where a domain is named within another one."""
        held = self._held(step, domain)
        if held is None:
            return 0.0
        told = self.look(step)
        place = 0 if step.form in PAIRED else told.told.index(domain.place)
        values, size = self.choices[step.predicate].space.domains[place]
        return float(set_bits(size, values) - set_bits(held, values)) - log2(max(1, len(self._sizes)))
