"""What a plan comes to on data that stay where they are: its choices and bits by counts of their system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from math import log2
from typing import TYPE_CHECKING

from logicoder.compression.code import ClauseCode, set_bits
from logicoder.compression.goals import Bits
from logicoder.compression.plan import Domain, Place, Plan, Step
from logicoder.compression.stored_spaces import bare_space
from logicoder.compression.ways import Choice, Layer, choice_cost, message_cost
from logicoder.engine.arrays.rules.closed_forms import FORMS, Closure
from logicoder.engine.signatures import program_schema
from logicoder.engine.sql.closures import Closed, Closures
from logicoder.engine.sql.space_counts import MOST_RULES, Look, SpaceCounts
from logicoder.kb.schema import Schema
from logicoder.logic.rules import Rule
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
        program = Program(tuple(clause for d in plan.usable(schema) for clause in d.clauses()))
        known = data.of_schema(schema)
        made = known.runs.run(program, known.relations)
        types = program_schema(program, schema)
        self.known = schema
        self.schema = Schema({**schema.predicates, **types.predicates}, schema.domains)
        self.data = known.of_schema(self.schema, made)
        self.counts, self._closures = SpaceCounts(self.data, self.schema), Closures(self.data)
        learned = (name for name, own in schema.items() if not own.background and known.counts[name])
        self.plan = plan.fitted(schema, learned, lambda *question: self._held(*question) is not None)

    def _held(self, predicate: str, places: tuple[int, ...], within: Place) -> int | None:
        """Return how many values a place has, if it holds all values of some others."""
        if within[0] not in self.data.relations:
            return None
        return self.counts.is_within(predicate, places, *within)

    # -- the code -----------------------------------------------------------------------------------------

    @cached_property
    def code(self) -> ClauseCode:
        """The code of clauses."""
        entities = self.counts.entities
        sizes = {n: [sum(entities(kind).values()) for kind in p.types] for n, p in self.schema.items()}
        return ClauseCode.of(sizes, self.plan)

    # -- steps --------------------------------------------------------------------------------------------

    def look(self, step: Step) -> Look:
        """Return how a step looks at its predicate."""
        return Look(step.predicate, step.told, step.apart, step.paired)

    def query(self, predicate: str, rule: Rule) -> str:
        """Return the query for what a rule derives from facts as they are."""
        return self.data.runs.queries.of_rule(predicate, rule, self.data.relations)

    def closed(self, step: Step) -> Closed | None:
        """Return the closure of a predicate, if it has one."""
        seen = partial(self.counts.seen, look=self.look(step))
        seeds = [self.query(step.predicate, rule) for rule in step.seeds]
        if step.recursion is not None:
            clause = step.recursion.clause(step.predicate)
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
        closed = self.closed(step)
        if closed is None:
            return Choice(space, step.form, 0.0, self._layers(look, step.layers), None, step.mentioned)
        closure = Closure(*self._closures.sizes(closed))
        layers = tuple(Layer((rule,), closure.given, 0, 0.0) for rule in step.rules)
        return Choice(space, step.form, 0.0, layers, closure, step.mentioned)

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
        if domain.within is None:
            return 0.0
        held = self._held(step.predicate, step.places_of(domain), domain.within)
        if held is None:
            return 0.0
        place = 0 if step.paired else step.told.index(domain.place)
        values, size = self.choices[step.predicate].space.domains[place]
        places = sum(len(own.types) for own in self.known.values())
        return float(set_bits(size, values) - set_bits(held, values)) - log2(max(1, places))
