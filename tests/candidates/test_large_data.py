"""What large data are evaluated with, on data small enough for the ways that look at everything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder.base.clock import Clock
from logicoder.base.memory import MemoryBudget
from logicoder.base.progress import silent
from logicoder.base.stopping import StopToken
from logicoder.candidates import large
from logicoder.candidates.candidate_wishes import CandidateWishes
from logicoder.candidates.decoders import DecoderSource
from logicoder.candidates.encoder_limits import EncoderLimits
from logicoder.candidates.encoders import EncoderStatistics, Latent
from logicoder.candidates.enumeration_watch import Watch
from logicoder.candidates.language import Switches
from logicoder.datasets import star_wars_figure, university
from logicoder.engine.arrays import evaluated_definitions, inclusions, sparse_chains
from logicoder.engine.arrays.array_engine import ArrayEngine
from logicoder.engine.arrays.array_handles import relations_of
from logicoder.engine.arrays.atom_sample import Sample, derived_atoms
from logicoder.engine.arrays.batches import Batch
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.decoder_pairs import PairEnumeration
from logicoder.engine.arrays.join import bindings_of, join
from logicoder.engine.arrays.linking_latents import Links
from logicoder.engine.arrays.promises import Promises
from logicoder.engine.arrays.relation import Relation
from logicoder.engine.arrays.targets import Target
from logicoder.engine.clauses import Join, Template
from logicoder.engine.questions import DecoderQuestion, Sampling
from logicoder.kb import KnowledgeBase
from logicoder.learner.settings import Settings
from logicoder.problem.limits import Limit, with_limits

from .asking import encoder_enumeration, ignore, question_of
from .random_data import REPEATABLE, data_with_latents, plain_data
from .test_problem_building import build

HALF = Fraction(1, 2)


def latents_of(database: Database, kb: KnowledgeBase) -> dict[int, Relation]:
    names = [name for name in kb.predicates if kb.schema[name].background]
    return {i: database.relation(name) for i, name in enumerate(names)}


def accepted(batches: list[Batch]) -> set[tuple[object, ...]]:
    """Return all candidates with their counts; the two literals of a body in either order."""
    return {
        (
            batch.head.predicate,
            batch.head.arguments,
            frozenset((v.latent, v.arguments, v.positive) for v in batch.body(i).views),
            int(batch.true[i]),
            int(batch.false[i]),
            bool(batch.idle[i]),
        )
        for batch in batches
        for i in range(len(batch))
    }


@settings(REPEATABLE, max_examples=40)
@given(kb=plain_data(), data=st.data())
def test_sizes_of_joins_are_known_before(kb, data) -> None:
    engine = ArrayEngine(kb)
    relations = [engine.database.relation(name) for name in kb.predicates]
    vocabulary = [Template(name, (None,) * r.arity) for name, r in zip(kb.predicates, relations, strict=True)]
    joins, expected = [], []
    for _ in range(6):
        first, second = (data.draw(st.integers(0, len(kb.predicates) - 1)) for _ in range(2))
        left, right = relations[first], relations[second]
        shared = [
            (a, b) for a, one in enumerate(left.types) for b, other in enumerate(right.types) if one == other
        ]
        if not shared:
            continue
        a, b = data.draw(st.sampled_from(shared))
        names = [100 + i for i in range(right.arity)]
        names[b] = a
        distinct = data.draw(st.booleans())
        joins.append(Join((first, tuple(range(left.arity))), (second, tuple(names)), (a,), distinct))
        tables = bindings_of(left, range(left.arity)), bindings_of(right, names)
        if distinct:
            expected.append(len(set(left.columns[a].tolist()) & set(right.columns[b].tolist())))
        else:
            expected.append(join(engine.database, *tables).rows)
    assert engine.sizes(vocabulary, joins) == expected


@settings(REPEATABLE, max_examples=60)
@given(kb=data_with_latents(), few=st.booleans())
def test_sparse_chains_accept_what_bit_vectors_accept(kb, few) -> None:
    engine = ArrayEngine(kb)
    question = question_of(engine, kb, 2, HALF)
    latents = relations_of(question.latents)
    targets = targets_of(engine.database, question)
    found = []
    for most in (None, 10**9):
        enumeration = PairEnumeration(
            engine.database, targets, latents, 2, question.acceptance, most_meetings=most
        )
        with pytest.MonkeyPatch.context() as patch:
            if few:
                patch.setattr(sparse_chains, "_TUPLES", 2)
            found.append(accepted(list(enumeration.run(ignore))))
    event("some" if found[0] else "none")
    assert found[0] == found[1]


def targets_of(database: Database, question: DecoderQuestion) -> dict[tuple[int, ...], list[Target]]:
    places = {name: place for place, name in enumerate(database.kb.learnable)}
    found: dict[tuple[int, ...], list[Target]] = {}
    for head in question.heads:
        found.setdefault(head.types, []).append(Target.of(database, places[head.predicate], head))
    return found


@settings(REPEATABLE, max_examples=60)
@given(kb=data_with_latents(), every=st.integers(2, 3), seed=st.integers(0, 3), negation=st.booleans())
def test_counts_on_a_sample_are_exact(kb, every, seed, negation) -> None:
    """What a candidate has on a sample is what it derives in full with its first variable in the sample."""
    engine = ArrayEngine(kb)
    database = engine.database
    question = question_of(engine, kb, 2, None, Switches(negation=negation))
    question = replace(question, sampling=Sampling(every, 1000, seed))
    latents = relations_of(question.latents)
    targets = {target.head: target for found in targets_of(database, question).values() for target in found}
    for batch in engine.count(question, ignore):
        assert isinstance(batch, Batch)
        target = targets[batch.head]
        sample = Sample.of(database, batch.head.types[0], every, seed)
        for i in range(len(batch)):
            atoms = derived_atoms(database, target, batch.body(i), latents)
            inside = sample.inside[atoms[batch.head.arguments.index(0)]]
            full = {tuple(row) for row in np.column_stack(atoms)[inside].tolist()}
            [listed] = batch.examined(np.array([i])).atoms(np.array([0]))
            assert full == {tuple(row) for row in np.column_stack(listed).tolist()}
            relation = database.relation(batch.head.predicate)
            true = {tuple(row) for row in np.column_stack(relation.columns).tolist()}
            assert int(batch.true[i]) == len(full & true)
            event("some atoms" if full else "no atoms")


@settings(REPEATABLE, max_examples=60)
@given(kb=plain_data(2, (2, 2, 1, 3)))
def test_inclusions_of_large_extensions(kb) -> None:
    enumeration = encoder_enumeration(kb, 2, 2)
    extensions = [latent.extension for latent in enumeration.run(ignore)]
    kinds = [()] * len(extensions)
    expected = enumeration.language.engine.inclusions(extensions, kinds)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inclusions, "_MANY", 3)
        assert enumeration.language.engine.inclusions(extensions, kinds) == expected
    event("edges" if expected[1] else "no edges")


# -- limits on encoders -------------------------------------------------------------------------------

WORLD = university(people=40).kb


def encoders(**limits: int) -> tuple[list[Latent], EncoderStatistics]:
    options = {"score": lambda latent: -latent.extension.size} if "kept_tuples" in limits else {}
    enumeration = encoder_enumeration(WORLD, 2, 2, limits=EncoderLimits(**limits), **options)
    return enumeration.run(ignore), enumeration.statistics


def lost(statistics: EncoderStatistics) -> int:
    return (
        statistics.empty
        + statistics.too_large
        + statistics.unevaluated
        + statistics.over_bottleneck
        + statistics.memory
        + statistics.naming_variants
    )


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"max_encoders": 60}, "unevaluated"),
        ({"joined_tuples": 2000}, "too_large"),
        ({"max_tuples": 150}, "too_large"),
        ({"memory_tuples": 150}, "memory"),
        ({"kept_tuples": 1500}, "memory"),
    ],
)
def test_every_encoder_is_kept_or_counted(limits, reason) -> None:
    everything, _ = encoders()
    found, statistics = encoders(**limits)
    assert getattr(statistics, reason) > 0
    assert statistics.encoders == lost(statistics) + len(found)
    assert len(found) < len(everything)
    # Another clause may stand for its naming variants, but it derives the same.
    extensions = {latent.extension.fingerprint for latent in everything}
    assert {latent.extension.fingerprint for latent in found} <= extensions
    if "kept_tuples" in limits:
        # A quarter more may be there before some are dropped.
        assert sum(latent.extension.size for latent in found) <= 1500 * 5 // 4
    # Single literals are kept in any case, as far as they are small.
    singles = [latent for latent in everything if latent.literals == 1]
    if reason != "memory":
        assert {(s.head, s.bodies) for s in singles} <= {(x.head, x.bodies) for x in found}


def test_overlapping_disjunctions_come_first() -> None:
    found, _ = encoders(max_encoders=60)
    texts = {str(latent.bodies) for latent in found if len(latent.bodies) > 1}
    names = list(WORLD.predicates)
    both = (((names.index("advisedby"), (0, 1)),), ((names.index("paidby"), (0, 1)),))
    assert str(both) in texts


@pytest.mark.parametrize("cheap", [10, 100_000])
def test_too_large_for_any_program(monkeypatch, cheap) -> None:
    monkeypatch.setattr("logicoder.candidates.encoders._SMALL", cheap)
    everything, _ = encoders()
    found, statistics = encoders(largest=100)
    kept = [(x.head, x.bodies) for x in everything if x.extension.size <= max(100, cheap)]
    assert {(x.head, x.bodies) for x in found} == set(kept)
    assert (statistics.over_bottleneck > 0) == (cheap == 10)


# -- latents of heads ---------------------------------------------------------------------------------


@settings(REPEATABLE, max_examples=40)
@given(kb=data_with_latents(), together=st.sampled_from((1, 5, 10**6)))
def test_promises_count_covered_facts(kb, together) -> None:
    database = Database(kb)
    latents = latents_of(database, kb)
    facts = [database.relation(name) for name in kb.learnable]
    for cover in Promises(database, facts, together).covers(latents):
        for row, number in enumerate(cover.latents.tolist()):
            latent = latents[number]
            tuples = list(zip(*(c.tolist() for c in latent.columns), strict=True))
            for column, (predicate, places) in enumerate(cover.places):
                rows = list(zip(*(c.tolist() for c in facts[predicate].columns), strict=True))
                wanted = [tuple(fact[c] for c in places) for fact in rows]
                kinds = tuple(facts[predicate].types[c] for c in places)
                # Some projection of the latent to columns of these types has this count.
                options = set()
                for chosen in _subsets(latent.types, kinds):
                    values = {tuple(t[c] for c in chosen) for t in tuples}
                    options.add((len(values), sum(w in values for w in wanted)))
                assert (int(cover.sizes[row]), int(cover.counts[row, column])) in options


def _subsets(types: tuple[int, ...], kinds: tuple[int, ...]) -> list[tuple[int, ...]]:
    every = combinations(range(len(types)), len(kinds))
    return [chosen for chosen in every if tuple(types[c] for c in chosen) == kinds]


def test_links_lead_from_one_argument_to_the_other() -> None:
    """A teaching assistant is a student of the one who teaches."""
    database = Database(WORLD)
    names = list(WORLD.predicates)
    latents: Mapping[int, Relation] = {i: database.relation(name) for i, name in enumerate(names)}
    links = Links(database, latents, 10**6)
    own = [names.index("ta")]
    pairs = links.pairs(database.relation("ta"), own, 3)
    assert set(pairs[0]) <= {names.index(n) for n in ("taughtby", "advisedby", "paidby")}
    assert names.index("taughtby") in pairs[0]
    assert not any(number in own for pair in pairs for number in pair)


BUDGET = MemoryBudget.of(None, WORLD.size, 100)


def source_of(latents: int) -> DecoderSource:
    """Return what makes decoders over the first latents of the world."""
    enumeration = encoder_enumeration(WORLD, 2, 2)
    first = enumeration.run(ignore)[:latents]
    rules = {"signature_variants": False, "drop_extensions": False, "max_decoders": None, "dominance": False}
    options = Settings(max_corruption=HALF, **rules)
    wishes = CandidateWishes.of(WORLD, enumeration.language, options)
    watch = Watch(Clock(silent), StopToken())
    return DecoderSource(enumeration.language.engine, WORLD, options, watch, wishes, first)


@pytest.mark.parametrize("jobs", [1, 2])
def test_heads_with_all_latents_find_what_there_is(jobs) -> None:
    """With few latents and facts nothing is left out but what is too corrupt."""
    source = source_of(40)
    expected = source.pruned(source.pairs(range(40), 2), None)
    found = large.LargeDecoders(source, BUDGET, jobs).decoders()
    some = [d for d in expected if d.true + d.false <= 2000]

    def forms(decoders) -> set[tuple[object, ...]]:
        return {(d.head, frozenset(d.body.views), d.true, d.false) for d in decoders}

    assert forms(found) <= forms(expected)
    assert forms(some) <= forms(found)


@pytest.mark.parametrize("room", [None, 0])
def test_of_many_latents_each_head_has_the_most_promising(monkeypatch, room) -> None:
    source = source_of(40)
    every = {(d.head, frozenset(d.body.views)) for d in source.pruned(source.pairs(range(40), 2), None)}
    monkeypatch.setattr(large, "_MOST_LATENTS", 5)
    if room is not None:  # few latents are looked at, however little memory there is
        monkeypatch.setattr(large, "_TUPLE_BYTES", 1 << 60)
        monkeypatch.setattr(large, "_FEW_LATENTS", 2)
    decoders = large.LargeDecoders(source, BUDGET, 1).decoders()
    assert {(d.head, frozenset(d.body.views)) for d in decoders} <= every
    for name in {d.predicate for d in decoders}:
        latents = {latent for d in decoders if d.predicate == name for latent in d.latents}
        assert 1 <= len(latents) <= (5 if room is None else 2)
    assert len({d.predicate for d in decoders}) > (2 if room is None else 0)


def test_what_gains_most_has_the_room_there_is(monkeypatch) -> None:
    source = source_of(40)
    decoders = [d for d in source.pruned(source.pairs(range(40), 2), None) if d.false]
    source.statistics.limit = 0
    best = max(decoders, key=lambda d: d.true - d.false)
    assert best.true + best.false < max(d.true + d.false for d in decoders)
    monkeypatch.setattr(large, "_ATOMS_PER_FACT", 0)
    monkeypatch.setattr(large, "_LEAST_ATOMS", best.true + best.false)
    whole = large.LargeDecoders(source, BUDGET, 1)
    assert whole.listed(decoders, ()) == [best]
    assert source.statistics.limit == len(decoders) - 1
    # What a program has is listed in any case, and so is what it leaves room for.
    program = [d for d in decoders if d is not best][:2]
    room = sum(d.true + d.false for d in program)
    monkeypatch.setattr(large, "_LEAST_ATOMS", room - 1)
    assert whole.listed(decoders, program) == program
    assert source.statistics.limit == 2 * len(decoders) - 3
    monkeypatch.setattr(large, "_LEAST_ATOMS", room + best.true + best.false)
    assert whole.listed(decoders, program)[:3] == [*program, best]
    # A decoder that was judged by every third value derives about three times as much.
    sampled = large.LargeDecoders(source, BUDGET, 1, {best.predicate: 3})
    monkeypatch.setattr(large, "_LEAST_ATOMS", 3 * (best.true + best.false) - 1)
    assert best not in sampled.listed([best], ())


def test_sampled_predicates_weigh_as_much_as_all_their_facts() -> None:
    problem = with_limits(build(star_wars_figure(), 1), [Limit.parse("mother:loss=1")])
    assert "limit" in {constraint.family for constraint in problem.constraints}
    guide = large.LargeDecoders(source_of(1), BUDGET, 1, {"mother": 4}).guide(problem)
    weights = {target.name: target.weight for target in problem.targets}
    assert {t.name: t.weight for t in guide.targets} == weights | {"mother": 4 * weights["mother"]}
    assert not {constraint.family for constraint in guide.constraints} & {"limit"}


def test_heads_side_by_side_give_the_same_encoders(monkeypatch) -> None:
    monkeypatch.setattr(evaluated_definitions, "_MANY", 1)
    found = []
    for jobs in (1, 3):
        enumeration = encoder_enumeration(WORLD, 2, 2, jobs=jobs)
        latents = enumeration.run(ignore)
        found.append((enumeration.statistics, [(x.head, x.bodies, x.extension.size) for x in latents]))
    assert found[0] == found[1]
