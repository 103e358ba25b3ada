"""A selection and the programs that are written of it say the same."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.kb import Predicate, Schema
from logicoder.learner.selected_programs import programs_of
from logicoder.selection import Solution
from tiny_data import CONSTANTS, REPEATABLE


@pytest.mark.parametrize(
    "name",
    [
        "latent1",
        "latent_1",
        "$world",
        "Two Words",
        "it's",
        "answer",
        "not",
        "true",
    ],
)
def test_predicates_may_have_any_name(name) -> None:
    """Learned clauses are kept as text: what is printed must read back as the same clause."""
    schema = Schema.of(Predicate(name, ()), Predicate("p", ("person",)), Predicate("q", ("person",)))
    facts = {"earth": [(name,), ("p", "a"), ("q", "b")], "mars": [("p", "b"), ("q", "a")]}
    kb = KnowledgeBase.union(
        KnowledgeBase.from_facts(rows, schema=schema, interpretation=world) for world, rows in facts.items()
    )
    learned = AutoEncoder(1, 1, compression=2).fit(kb)
    assert learned.loss_ == learned.reconstruct(kb).loss == 0


@st.composite
def partly_known(draw) -> KnowledgeBase:
    """Facts, explicit negatives and unknown atoms; one predicate may be open, one is a proposition."""
    schema = Schema.of(
        Predicate("p0", ("person", "person"), open_world=draw(st.booleans())),
        Predicate("p1", ("person",)),
        Predicate("p2", ()),
    )
    rows: dict[str, list[tuple[str, ...]]] = {
        "true": [("p0", "a", "b"), ("p1", "a")],
        "false": [],
        "unknown": [],
    }
    for predicate in schema.values():
        for row in product(*(CONSTANTS[kind] for kind in predicate.types)):
            atom = (predicate.name, *row)
            truth = draw(st.sampled_from(("true", "true", "false", "unknown", "unlisted")))
            if truth != "unlisted" and atom not in rows["true"]:
                rows[truth].append(atom)
    return KnowledgeBase.from_facts(
        rows["true"], negatives=rows["false"], unknown=rows["unknown"], schema=schema
    )


@settings(REPEATABLE, max_examples=60)
@given(data=st.data(), kb=partly_known(), max_corruption=st.sampled_from((None, "0.5")))
def test_any_selection_has_the_loss_of_its_programs(data, kb, max_corruption) -> None:
    """Missing facts and known falsehoods; unknown atoms count neither for nor against."""
    # Any program will do: the problem behind it is what matters here.
    settings = {"max_corruption": max_corruption, "objective": "loss", "jobs": 1}
    problem = AutoEncoder(1, 2, 2, **settings).fit(kb).problem_
    candidates = st.sampled_from(range(len(problem.decoders)))
    selected = Solution.of(problem, data.draw(st.sets(candidates, max_size=6)), 0, "by hand")
    alp = AutoEncoder.from_programs(*programs_of(problem, selected, set(kb.schema)), schema=kb.schema)

    rebuilt = {(f.predicate, f.arguments) for f in alp.inverse_transform(alp.transform(kb))}
    facts, negatives, unknown = (
        {(f.predicate, f.arguments) for f in kb.facts(truth=truth)} for truth in ("true", "false", "unknown")
    )
    false = {a for a in rebuilt - facts - unknown if a in negatives or not kb.schema[a[0]].open_world}
    event("false atoms" if false else "no false atoms")
    event("unknown atoms rebuilt" if rebuilt & unknown else "no unknown atom rebuilt")
    assert (selected.missing, selected.false) == (len(facts - rebuilt), len(false))
    outcome = alp.reconstruct(kb)
    assert (len(outcome.missing), len(outcome.false)) == (selected.missing, selected.false)
    assert outcome.latent_facts == sum(problem.encoders[e].weight for e in selected.encoders)
