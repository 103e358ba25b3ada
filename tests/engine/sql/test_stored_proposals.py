"""Rules that a sample cannot show are proposed by all facts, in every system."""

from __future__ import annotations

import random

import pytest

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.base.effort import StoppedError
from logicoder.base.stopping import StopToken
from logicoder.compression import stored_proposals
from logicoder.compression.code import ClauseCode
from logicoder.compression.goals import Bits
from logicoder.compression.stored_proposals import StoredProposals
from logicoder.engine.sql.duckdb_session import DuckdbSession
from logicoder.engine.sql.sample import sampled
from logicoder.engine.sql.space_counts import SpaceCounts
from logicoder.engine.sql.stored_data import StoredData


def far_from_the_sample():
    """Many facts about people, and few about parts, some of which are parts of parts."""
    rng = random.Random(4)  # noqa: S311
    people = [f"p{i}" for i in range(2000)]
    facts = {("knows", *rng.sample(people, 2)) for _ in range(5000)}
    whole = {f"t{i}": {f"t{rng.randrange(i)}", f"t{rng.randrange(i)}"} for i in range(1, 40)} | {"t0": set()}
    for part, wholes in whole.items():
        facts |= {("part", part, other) for other in wholes}
        facts |= {("inner", part, other) for between in wholes for other in whole[between]}
    for number in range(40):
        facts |= (
            {("sealed", f"t{number}"), ("tight", f"t{number}")} if number % 3 else {("open", f"t{number}")}
        )
    return KnowledgeBase.from_facts(sorted(facts), types="one")


def test_a_rule_that_the_sample_cannot_show_is_found(session, monkeypatch):
    kb, rare = far_from_the_sample(), {"part", "inner", "sealed", "tight", "open"}
    if session.system == "spark":  # where a query takes a second, and every predicate some queries
        rare = {"part", "inner"}
        kb = kb.restricted(["knows", *sorted(rare)])
    data = StoredData.of(kb, session)
    part, _ = sampled(data, 100)
    assert not rare.intersection(part.predicates), "the sample has no such facts"
    model = AutoEncoder(max_sample=100).fit(data)
    clauses = set(map(str, model.decoder_))
    assert "inner(X,Y) :- part(X,Z), part(Z,Y)." in clauses
    if "tight" in rare:
        assert clauses & {"sealed(X) :- tight(X).", "tight(X) :- sealed(X)."}
    assert model.facts_ == len(kb)
    if session.system == "duckdb":
        monkeypatch.setattr(StoredProposals, "rules", lambda *_: {})
        without = AutoEncoder(max_sample=100).fit(data)
        assert not len(without.decoder_), "nothing else finds it"
        assert model.bits_ < without.bits_
    session.clear()


def proposals_of(data, schema):
    counts = SpaceCounts(data, schema)
    sizes = {
        (name, place): sum(counts.entities(kind).values())
        for name, predicate in schema.items()
        for place, kind in enumerate(predicate.types)
    }
    return StoredProposals(data, schema, counts, Bits(ClauseCode(len(schema), sizes)))


@pytest.fixture
def duckdb():
    with DuckdbSession() as session:
        yield session


def test_what_is_proposed_pays_and_is_no_longer_than_needed(duckdb):
    kb = far_from_the_sample()
    data = StoredData.of(kb, duckdb)
    found = proposals_of(data, kb.schema).rules(kb.learnable)
    shown = {name: [str(r.clause(name)) for r in rules] for name, rules in found.items()}
    assert shown["inner"][0] == "inner(X,Y) :- part(X,Z), part(Z,Y)."
    assert shown["tight"][0] == "tight(X) :- sealed(X)."
    assert "tight(X) :- part(X,_)." in shown["tight"]
    # The first rule is always right: no test makes it better.
    assert not [text for text in shown["tight"][1:] if "sealed(X)" in text]
    assert "knows" not in shown


def test_proposals_end_in_time_and_leave_nothing(duckdb, monkeypatch):
    kb = far_from_the_sample()
    data = StoredData.of(kb, duckdb)
    proposals = proposals_of(data, kb.schema)
    before = duckdb.stop
    try:
        duckdb.stop = StopToken(seconds=3600)
        monkeypatch.setattr(stored_proposals, "_SHARE", 0.0)
        assert proposals.in_time(kb.learnable) == {}, "the judge still has time"
        duckdb.stop.stop("interrupted")
        with pytest.raises(StoppedError):
            proposals.in_time(kb.learnable)
    finally:
        duckdb.stop = before
    proposals.rules(kb.learnable)
    made = set(duckdb._made)
    assert proposals.rules(kb.learnable)
    assert set(duckdb._made) == made
