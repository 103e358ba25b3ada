"""Selections by a solver, made in a sample and counted on all facts: the figures are those of memory."""

from __future__ import annotations

import pytest
from tests.engine.sql.systems import SYSTEMS, session_of

from logicoder import AutoEncoder, KnowledgeBase, Program
from logicoder.autoencoder.stored_fit import select_for_stored
from logicoder.base.progress import PhaseFinished
from logicoder.base.stopping import StopToken
from logicoder.engine.programs import run_program
from logicoder.engine.sql.duckdb_session import DuckdbSession
from logicoder.engine.sql.stored_data import StoredData

COUNTED = (
    "loss_",
    "missing_",
    "false_",
    "masked_",
    "latent_facts_",
    "size_",
    "bits_",
    "plain_bits_",
    "objective_",
    "facts_",
)


@pytest.fixture(scope="module")
def small():
    return people(range(5))


def people(couples, interpretation="data"):
    """Return couples with a child each; of every fifth one the mother is not known."""
    facts = []
    for number in couples:
        father, mother, child = (f"{who}{number}" for who in "fmc")
        facts += [("father", father, child), ("parent", father, child), ("male", father)]
        if number % 5:
            facts += [("mother", mother, child), ("parent", mother, child)]
    return KnowledgeBase.from_facts(facts, interpretation=interpretation)


@pytest.fixture(scope="module")
def larger():
    return people(range(60))


@pytest.mark.parametrize(
    "settings",
    [
        {"compression": "0.6"},
        {"objective": "masked", "weights": "balanced", "limits": ["father:missing=50%"]},
        {"objective": "bits", "bottlenecks": ("bits=4",), "constants": 5, "negation": True},
        {"background": "elder(X) :- parent(X,_).", "objective": "loss", "recursion": True},
        {"compression": "0.7", "disjunctive_decoders": True, "max_corruption": "0.5", "generality": False},
    ],
    ids=str,
)
def test_counts_of_an_engine_are_those_of_arrays(small, settings):
    """Where the sample is all of the data, every figure is the one that arrays give."""
    same_counts(small, settings)


def test_interpretations_are_counted_apart():
    parts = [people(range(first, first + 4), f"w{first}") for first in (0, 2)]
    facts = [
        ("father", "f1", "x"),
        ("sunny",),
    ]  # of another one, the father of whom is elsewhere somebody else
    parts.append(KnowledgeBase.from_facts(facts, interpretation="w9"))
    same_counts(KnowledgeBase.union(parts), {"compression": "0.6"})


def same_counts(small, settings):
    """Compare the figures of an engine with those of arrays, and those of single clauses with their atoms."""
    model = AutoEncoder(**settings, effort=1)
    here = AutoEncoder(**settings, effort=1).fit(small)
    with StoredData.of(small, DuckdbSession()) as data:
        parameters = model._settings()
        found = select_for_stored(data, parameters, model.background_program(), most=len(small))
    assert (found["encoder_"], found["decoder_"]) == (here.encoder_, here.decoder_)
    for name in COUNTED:
        assert found[name] == getattr(here, name), name
    assert {s.predicate: s for s in found["scores_"]} == {s.predicate: s for s in here.scores_}
    assert all(one["holds"] for one in found["statistics_"]["engine"]["constraints"])
    facts, latent = texts(small), here.transform(small)
    for item, clause in zip(found["problem_"].decoders, found["decoder_"], strict=True):
        derived = texts(run_program(Program((clause,)), latent, here.schema_))
        assert (item.true, item.false) == (len(derived & facts), len(derived - facts))


def texts(kb):
    return {(fact.interpretation, str(fact)) for fact in kb}


def test_a_stopped_fit_tells_of_the_sample(larger, caplog):
    token = StopToken()

    def report(event):
        if isinstance(event, PhaseFinished) and event.phase == "solve":
            token.stop("interrupted")

    model = AutoEncoder(engine="duckdb", max_sample=100, compression="0.5", effort=1, reporter=report)
    model.fit(larger, stop=token)
    assert model.facts_ == model.statistics_["engine"]["facts_in_memory"] < len(larger)
    assert f"stopped before all facts were counted: the figures are for {model.facts_:,} facts" in caplog.text


def test_the_program_of_a_sample_is_counted_on_all_facts(larger, caplog):
    model = AutoEncoder(
        engine="duckdb", max_sample=100, compression="0.5", limits=["male:loss=0"], effort=1
    ).fit(larger)
    assert model.facts_ == len(larger)
    assert model.loss_ == model.reconstruct(larger).loss
    assert model.latent_facts_ == len(model.transform(larger))
    assert model.masked_ == sum(score.missing for score in model.masked(larger))
    bits = model.encode_losslessly(larger).bits
    assert model.bits_ == pytest.approx(bits.latent + bits.exceptions + bits.program, abs=0.1)
    record = model.statistics_["engine"]
    assert record["facts_in_memory"] < len(larger)
    (latent, *_) = record["constraints"]
    share = model.latent_facts_ / len(larger)
    assert latent["asked"] == f"latent facts <= 1/2 * {len(larger)}"
    assert latent["found"] == f"{share:.4g} * {len(larger)}"
    assert latent["holds"] is (share <= 0.5)
    assert (model.bound_, model.bound_scope_) == (0, "none" if model.loss_ else "language")
    assert ("the sample satisfies this" in caplog.text) is any(not c["holds"] for c in record["constraints"])


def test_a_constraint_that_only_the_sample_satisfies_is_told(caplog):
    facts = [("p", f"a{i}") for i in range(300)] + [("q", f"a{i}") for i in range(0, 300, 3)]
    kb = KnowledgeBase.from_facts(facts)
    model = AutoEncoder(
        engine="duckdb", max_sample=100, bottlenecks=("largest=80",), compression="1", effort=1
    ).fit(kb)
    (told,) = model.statistics_["engine"]["constraints"]
    assert (told["asked"], told["holds"]) == ("facts of the largest latent predicate <= 80", False)
    assert int(told["found"]) == max(model.transform(kb).count(name) for name in model.encoder_.defined())
    assert model.status_ == "feasible"
    assert f"<= 80: the sample satisfies this, but all facts have {told['found']}" in caplog.text


@pytest.mark.parametrize(
    "system", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in SYSTEMS[1:]]
)
def test_servers_count_the_same(system, request):
    facts = [("p", f"a{i}") for i in range(9)] + [("q", f"a{i}") for i in range(6)]
    kb = KnowledgeBase.from_facts(facts)
    model = AutoEncoder(compression="0.7", effort=1)
    here = AutoEncoder(compression="0.7", effort=1).fit(kb)
    with session_of(system, request) as session:
        parameters = model._settings()
        there = select_for_stored(StoredData.of(kb, session), parameters, Program(), most=len(kb))
        for name in (*COUNTED, "encoder_", "decoder_"):
            assert there[name] == getattr(here, name), name
