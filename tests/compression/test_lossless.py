"""What is said comes back, and costs what the search said: recomputed here from the data alone."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from math import comb, log2, prod

import pytest
from hypothesis import given, settings

from compression.worlds import comes_back, knowledge_bases
from logicoder import KnowledgeBase, Program
from logicoder.compression.codec import Part, say
from logicoder.compression.compressed import Compressed
from logicoder.compression.definitions import types_with, with_tables
from logicoder.compression.learned_plan import Compressor
from logicoder.compression.plan import Plan, Step
from logicoder.engine.programs import run_program
from logicoder.problem.bits import number_bits
from tiny_data import REPEATABLE

TIMES = settings(REPEATABLE, max_examples=60)


def learned(kb: KnowledgeBase) -> tuple[Compressor, Compressed, list[Part]]:
    compressor = Compressor(kb)
    found = compressor.run()
    relations = {name: compressor.database.relation(name) for name in kb.predicates}
    return compressor, found, say(found.plan, compressor.database, relations)


@TIMES
@given(knowledge_bases())
def test_all_facts_come_back(kb: KnowledgeBase) -> None:
    compressor = Compressor(kb)
    assert comes_back(compressor, compressor.run())


@TIMES
@given(knowledge_bases())
def test_the_message_is_as_long_as_the_search_says(kb: KnowledgeBase) -> None:
    compressor, found, parts = learned(kb)
    said = sum(part_bits(part, compressor, found.plan) for part in parts)
    assert found.bits == pytest.approx(said + program_bits(compressor, found.plan), abs=1e-3)
    assert found.bits <= found.domain_bits + 1e-6


def part_bits(part: Part, compressor: Compressor, plan: Plan) -> float:
    """How many elements there are, and which; or what else the one fact of each value holds."""
    if part.role == "turned":
        return part.total
    which = log2(comb(part.total, len(part.chosen)))
    if part.role == "rest":
        (step,) = [step for step in plan if step.predicate == part.predicate]
        which = min(
            [which, *(len(part.chosen) * log2(options) for options in functions(step, plan, compressor))]
        )
    return log2(part.total + 1) + which


def functions(step: Step, plan: Plan, compressor: Compressor) -> list[int]:
    """For each place that has given values, each in one fact: how many facts one value could have."""
    database = compressor.database
    if step.form != "plain" or step.recursion:
        return []
    own = {name: database.relation(name) for name in database.kb.schema}
    relation = with_tables(own, plan.latents, database)[step.predicate]
    told = {domain.place for domain in step.domains}
    values = [
        len(set(column.tolist())) if place in told else database.sizes[kind]
        for place, (kind, column) in enumerate(zip(relation.types, relation.columns, strict=True))
    ]
    if len(values) < 2:
        return []
    return [prod(values) // values[place] for place in told if values[place] == len(relation)]


def test_one_fact_for_each_value_is_said_value_by_value() -> None:
    """Random colours: all there is to find is that each thing has one."""
    rng = random.Random(0)  # noqa: S311
    colours = {("colour", f"t{i}", f"c{rng.randrange(8)}") for i in range(200)}
    kb = KnowledgeBase.from_facts(sorted(colours | {("other", f"x{i}", f"x{i + 1}") for i in range(300)}))
    compressor, found, parts = learned(kb)
    (rest,) = [part for part in parts if part.predicate == "colour" and part.role == "rest"]
    assert rest.bits == pytest.approx(log2(200 * 8 + 1) + 3 * 200)
    assert comes_back(compressor, found)
    with_another = KnowledgeBase.from_facts(
        [*sorted(colours), ("colour", "t0", "c0"), ("colour", "t0", "c1")]
    )
    (rest,) = [part for part in learned(with_another)[2] if part.role == "rest"]
    assert rest.options == 0


def program_bits(compressor: Compressor, plan: Plan) -> float:
    """Flags, names of domains and rules, as docs/explanation/semantics.md has them."""
    schema, sizes = compressor.database.kb.schema, compressor.database.sizes
    names = [name for name in schema if schema[name].arity]
    places = sum(schema[name].arity for name in names)
    kinds = types_with({name: compressor.database.relation(name).types for name in schema}, plan.latents)
    latents = {latent.name: [sizes[kind] for kind in kinds[latent.name]] for latent in plan.latents}
    tests = any(rule.tested for rule in plan.rules())
    code = replace(compressor.code.with_latents(latents), tests=tests)
    assert code.symbols == len(names) + len(latents)
    total = 1.0 + number_bits(len(latents))
    for latent in plan.latents:
        total += number_bits(latent.arity - 1) + 2
        total += sum(code.bits(latent.name, rule) for rule in latent.rules)
    for step in plan:
        types = kinds[step.predicate]
        total += 1 + max(1, len(types)) + len(step.domains)
        if len(types) == 2 and types[0] == types[1]:
            total += 1 if step.form == "plain" else 3
        total += sum(log2(places) for domain in step.domains if domain.within is not None)
        total += sum(code.bits(step.predicate, rule) for layer in step.layers for rule in layer)
    return total


@TIMES
@given(knowledge_bases())
def test_layers_hold_what_clauses_derive(kb: KnowledgeBase) -> None:
    """Rules are run as clauses by the other evaluator, and every atom is counted one by one."""
    _, found, parts = learned(kb)
    for step in found.plan:
        if step.form in ("transitive", "equivalence") or not step.layers:
            continue
        sizes = [
            part.total for part in parts if part.predicate == step.predicate and part.role[:5] == "layer"
        ]
        assert sizes == layer_sizes(kb, step, found.plan)


def layer_sizes(kb: KnowledgeBase, step: Step, plan: Plan) -> list[int]:
    domains: dict[int, set[tuple[str, str]]] = {}
    facts = {(f.interpretation, *map(str, f.arguments)) for f in kb.facts(step.predicate)}
    for domain in step.domains:
        domains[domain.place] = {(row[0], row[1 + domain.place]) for row in facts}
        if step.form == "symmetric":
            both = {(row[0], value) for row in facts for value in row[1:]}
            domains = {0: both, 1: both}
    seen: set[tuple[str, ...]] = set()
    sizes = []
    schema = kb.schema.restricted([step.predicate])
    definitions = [clause for latent in plan.latents for clause in latent.clauses()]
    for layer, clause in zip(step.layers, step.clauses(), strict=True):
        assert len(layer) == 1
        atoms = set()
        for fact in run_program(Program((*definitions, clause)), kb, schema):
            row = (fact.interpretation, *map(str, fact.arguments))
            inside = all((row[0], row[1 + place]) in values for place, values in domains.items())
            if inside and not (step.form != "plain" and row[1] == row[2]):
                atoms.add((row[0], *sorted(row[1:])) if step.form == "symmetric" else row)
        sizes.append(len(atoms - seen))
        seen |= atoms
    return sizes


def test_propositions_and_wide_predicates_are_said_as_they_are() -> None:
    rows = [("wide", *(f"c{(7 * i + 13 * j) % 10_000}" for j in range(6))) for i in range(50)]
    constants = [("known", f"c{i}") for i in range(10_000)]
    kb = KnowledgeBase.from_facts([("raining",), *rows, *constants])
    _, found, parts = learned(kb)
    assert set(found.choices) == {"known", "raining", "wide"}
    wide = next(part for part in parts if part.predicate == "wide" and part.role == "rest")
    assert len(wide.chosen) == 50
    assert found.bits <= found.domain_bits


def test_every_atom_of_a_tiny_space_is_counted() -> None:
    kb = KnowledgeBase.from_facts([("p", x, y) for x, y in product("abc", "abc") if x != y])
    _, found, _ = learned(kb)
    # The diagonal told apart says all: nothing of three on it, all of six beside it.
    assert found.bits == pytest.approx(2 + 1 + 2 + 3 + log2(4) + log2(7))


@TIMES
@given(knowledge_bases())
def test_the_bound_is_no_more_than_the_message(kb: KnowledgeBase) -> None:
    _, found, _ = learned(kb)
    assert 0 < found.bound <= found.bits + 1e-6
    if found.status == "optimal":
        assert found.bound_scope == "language"
        # Whoever packs a message may say the plain facts instead, in one flag.
        assert found.bound == pytest.approx(min(found.bits, found.plain_bits))


def test_a_single_fact_is_said_in_the_best_way_there_is() -> None:
    _, found, _ = learned(KnowledgeBase.from_facts([("p", "a")]))
    assert found.status == "optimal"
    # No tests, no latents, no domain, no clauses, and how many of one atom hold.
    assert found.bits == pytest.approx(5.0)
