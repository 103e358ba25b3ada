"""What large data are evaluated with, on data small enough for the ways that look at everything."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder.candidates.batches import Acceptance, Batch
from logicoder.candidates.decoders import PairEnumeration
from logicoder.candidates.encoders import EncoderEnumeration, EncoderStatistics, Latent
from logicoder.candidates.heads import HeadEnumeration
from logicoder.candidates.language import EncoderLanguage, Switches
from logicoder.candidates.links import Links
from logicoder.candidates.promises import Promises
from logicoder.candidates.pruning import chosen_decoders
from logicoder.candidates.sampling import Sample, derived_atoms
from logicoder.candidates.screening import EncoderLimits
from logicoder.candidates.targets import targets_of
from logicoder.datasets import university
from logicoder.engine.arrays import coverage, sparse_chains
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.relation import Relation
from logicoder.engine.arrays.join_sizes import JoinSizes
from logicoder.engine.arrays.fingerprint import fingerprint
from logicoder.engine.arrays.join import bindings_of, join
from logicoder.kb import KnowledgeBase

from .random_data import REPEATABLE, data_with_latents, plain_data

HALF = Fraction(1, 2)


def ignore(*progress: int) -> None:
    assert all(number >= 0 for number in progress)


def latents_of(database: Database, kb: KnowledgeBase) -> dict[int, Relation]:
    names = [name for name in kb.predicates if kb.schema[name].background]
    return {i: database.relation(name) for i, name in enumerate(names)}


def accepted(batches: list[Batch]) -> set[tuple[object, ...]]:
    """Return all candidates with their counts; the two literals of a body in either order."""
    return {
        (
            batch.target.predicate,
            batch.target.arguments,
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
    database = Database(kb)
    language = EncoderLanguage(database, kb.predicates)
    sizes = JoinSizes(database)
    expected = []
    for _ in range(6):
        first, second = (data.draw(st.integers(0, len(kb.predicates) - 1)) for _ in range(2))
        left, right = (language.relations[i] for i in (first, second))
        shared = [
            (a, b) for a, one in enumerate(left.types) for b, other in enumerate(right.types) if one == other
        ]
        if not shared:
            continue
        a, b = data.draw(st.sampled_from(shared))
        names = [100 + i for i in range(right.arity)]
        names[b] = a
        tables = bindings_of(left, range(left.arity)), bindings_of(right, names)
        sizes.ask((first, tables[0]), ((second, a, b), tables[1]), [a])
        expected.append(join(database, *tables).rows)
    assert sizes.answers().tolist() == expected


@settings(REPEATABLE, max_examples=60)
@given(kb=data_with_latents(), few=st.booleans())
def test_sparse_chains_accept_what_bit_vectors_accept(kb, few) -> None:
    database = Database(kb)
    latents = latents_of(database, kb)
    found = []
    for most in (None, 10**9):
        enumeration = PairEnumeration(
            database, kb.learnable, latents, 2, Acceptance(HALF), most_meetings=most
        )
        with pytest.MonkeyPatch.context() as patch:
            if few:
                patch.setattr(sparse_chains, "_TUPLES", 2)
            found.append(accepted(list(enumeration.run(ignore))))
    event("some" if found[0] else "none")
    assert found[0] == found[1]


@settings(REPEATABLE, max_examples=60)
@given(kb=data_with_latents(), every=st.integers(2, 3), seed=st.integers(0, 3), negation=st.booleans())
def test_counts_on_a_sample_are_exact(kb, every, seed, negation) -> None:
    """What a candidate has on a sample is what it derives in full with its first variable in the sample."""
    database = Database(kb)
    latents = latents_of(database, kb)
    switches = Switches(negation=negation)
    for types, targets in targets_of(database, kb.learnable, switches).items():
        sample = Sample.of(database, types[0], every, seed)
        near = {n: r for n, r in sample.near(database, latents).items() if len(r)}
        enumeration = PairEnumeration(
            database,
            (),
            near,
            2,
            Acceptance(None),
            switches=switches,
            targets={types: [sample.target(target) for target in targets]},
            sample=sample,
        )
        for batch in enumeration.run(ignore):
            target = next(
                t
                for t in targets
                if (t.predicate, t.arguments) == (batch.target.predicate, batch.target.arguments)
            )
            for i in range(len(batch)):
                atoms = derived_atoms(database, target, batch.body(i), latents)
                inside = sample.inside[atoms[target.arguments.index(0)]]
                full = {tuple(row) for row in np.column_stack(atoms)[inside].tolist()}
                [listed] = batch.examined(np.array([i])).atoms(np.array([0]))
                assert full == {tuple(row) for row in np.column_stack(listed).tolist()}
                name = kb.learnable[target.predicate]
                true = {tuple(row) for row in np.column_stack(database.relation(name).columns).tolist()}
                assert int(batch.true[i]) == len(full & true)
                event("some atoms" if full else "no atoms")


@settings(REPEATABLE, max_examples=60)
@given(kb=plain_data(2, (2, 2, 1, 3)))
def test_inclusions_of_large_extensions(kb) -> None:
    database = Database(kb)
    latents = EncoderEnumeration(database, kb.predicates, 2, 2).run(ignore)
    relations = [latent.relation for latent in latents]
    kinds = [()] * len(relations)
    expected = coverage.relation_inclusions(database, relations, kinds)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coverage, "_MANY", 3)
        assert coverage.relation_inclusions(database, relations, kinds) == expected
    event("edges" if expected[1] else "no edges")


# -- limits on encoders -------------------------------------------------------------------------------

WORLD = university(people=40).kb


def encoders(**limits: int) -> tuple[list[Latent], EncoderStatistics]:
    options = {"score": lambda latent: -len(latent.relation)} if "kept_tuples" in limits else {}
    enumeration = EncoderEnumeration(
        Database(WORLD), WORLD.predicates, 2, 2, limits=EncoderLimits(**limits), **options
    )
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
    extensions = {fingerprint(latent.relation.columns) for latent in everything}
    assert {fingerprint(latent.relation.columns) for latent in found} <= extensions
    if "kept_tuples" in limits:
        # A quarter more may be there before some are dropped.
        assert sum(len(latent.relation) for latent in found) <= 1500 * 5 // 4
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
    kept = [(x.head, x.bodies) for x in everything if len(x.relation) <= max(100, cheap)]
    assert {(x.head, x.bodies) for x in found} == set(kept)
    assert (statistics.over_bottleneck > 0) == (cheap == 10)


# -- latents of heads ---------------------------------------------------------------------------------


@settings(REPEATABLE, max_examples=40)
@given(kb=data_with_latents())
def test_promises_count_covered_facts(kb) -> None:
    database = Database(kb)
    latents = latents_of(database, kb)
    facts = [database.relation(name) for name in kb.learnable]
    for cover in Promises(database, facts).covers(latents):
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


@pytest.mark.parametrize("jobs", [1, 2])
def test_heads_with_all_latents_find_what_there_is(jobs) -> None:
    """With few latents and facts nothing is left out but what is too corrupt."""
    database = Database(WORLD)
    latents = EncoderEnumeration(database, WORLD.predicates, 2, 2).run(ignore)
    relations = {i: latent.relation for i, latent in enumerate(latents[:40])}
    weights = [len(latent.relation) for latent in latents]
    rules = {"merge_signature_variants": False, "drop_extensions": False, "max_decoders": None}
    enumeration = PairEnumeration(database, WORLD.learnable, relations, 2, Acceptance(HALF))
    expected = chosen_decoders(list(enumeration.run(ignore)), weights, enumeration.statistics, **rules)
    targets: dict[int, list] = {}
    for found in targets_of(database, WORLD.learnable, Switches()).values():
        for target in found:
            targets.setdefault(target.predicate, []).append(target)
    heads = HeadEnumeration(
        database,
        targets,
        {i: database.relation(name) for i, name in enumerate(WORLD.learnable)},
        relations,
        {},
        2,
        Acceptance(HALF),
        Switches(),
        lambda batches, statistics: chosen_decoders(batches, weights, statistics, **rules),
        most_latents=100,
        most_facts=10**6,
        most_links=10**6,
        seed=0,
        jobs=jobs,
    )
    found = heads.run(ignore)
    large = [d for d in expected if d.true + d.false <= 2000]

    def forms(decoders) -> set[tuple[object, ...]]:
        return {(d.target.arguments, d.predicate, frozenset(d.body.views), d.true, d.false) for d in decoders}

    assert forms(found) <= forms(expected)
    assert forms(large) <= forms(found)


def test_heads_side_by_side_give_the_same_encoders(monkeypatch) -> None:
    monkeypatch.setattr("logicoder.candidates.encoders._MANY", 1)
    found = []
    for jobs in (1, 3):
        enumeration = EncoderEnumeration(Database(WORLD), WORLD.predicates, 2, 2, jobs=jobs)
        latents = enumeration.run(ignore)
        found.append((enumeration.statistics, [(x.head, x.bodies, len(x.relation)) for x in latents]))
    assert found[0] == found[1]
