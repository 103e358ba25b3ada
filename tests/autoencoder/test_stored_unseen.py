"""Facts that are held out where they are stored: the same ones as in memory, judged alike."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.compression import worlds
from tests.engine.random_programs import REPEATABLE
from tests.engine.sql.systems import SYSTEMS, session_of

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.autoencoder.stored_unseen import stored_split, stored_unseen
from logicoder.autoencoder.unseen import split_of, unseen_of
from logicoder.engine.sql.duckdb_session import DuckdbSession
from logicoder.engine.sql.sample import read
from logicoder.engine.sql.stored_data import StoredData


def texts(kb):
    return {(fact.interpretation if len(kb.interpretations) > 1 else "", str(fact)) for fact in kb}


def same_split(kb, data, share, seed):
    """Return both splits, which hold the same facts."""
    here, there = split_of(kb, share, seed), stored_split(data, share, seed)
    assert (here is None) == (there is None)
    if here is not None:
        assert texts(read(there.seen)) == texts(here.seen)
        assert texts(read(there.held_out)) == texts(here.held_out)
        assert there.by_facts == here.by_facts
    return here, there


@settings(REPEATABLE, max_examples=6)
@given(worlds.knowledge_bases(), st.sampled_from(["1/10", "1/3", "9/10"]), st.integers(0, 3))
def test_random_data_are_split_and_judged_as_in_memory(kb, share, seed):
    with StoredData.of(kb, DuckdbSession()) as data:
        here, there = same_split(kb, data, Fraction(share), seed)
        if here is not None and here.seen.size:
            (layer,) = AutoEncoder(effort=2, holdout=0).fit(here.seen).stack()
            assert stored_unseen(layer, there) == pytest.approx(unseen_of(layer, here))


def test_as_many_facts_are_held_out_as_were_asked_for():
    kb = KnowledgeBase.from_facts([*(("p", f"a{i}", "o'x|y") for i in range(399)), ("on",)])
    counted = split_of(kb, Fraction(1, 8), 1)
    assert len(counted.held_out) == 50
    assert texts(split_of(kb, Fraction(1, 8), 2).held_out) != texts(counted.held_out)
    with StoredData.of(kb, DuckdbSession()) as data:
        same_split(kb, data, Fraction(1, 8), 1)
        assert stored_split(data, Fraction(0), 1) is None


def test_a_fit_tells_of_facts_that_were_held_out():
    kb = KnowledgeBase.from_facts(sorted(worlds.family(3, families=8)))
    program = "elder(X) :- father(X,_)."
    model = AutoEncoder(engine="duckdb", max_sample=120, holdout="20%", effort=3, background=program).fit(kb)
    assert model.facts_ == len(kb)
    unseen = model.unseen_
    assert (unseen["held_out"], unseen["facts"]) == ("facts", len(kb) // 5)
    assert unseen["loss"] == unseen["missing"] + unseen["false"]
    assert unseen["bits"] < unseen["plain_bits"]


@pytest.mark.parametrize(
    "system", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in SYSTEMS[1:]]
)
def test_servers_hold_out_the_same_facts(system, request):
    pairs = [(f"é{i}", f"o'{i % 7}|x") for i in range(30)]
    kb = KnowledgeBase.from_facts({"p": pairs, "q": [(y, x) for x, y in pairs]})
    with session_of(system, request) as session:
        here, there = same_split(kb, StoredData.of(kb, session), Fraction(1, 5), 1)
        (layer,) = AutoEncoder(effort=1).fit(here.seen).stack()
        assert stored_unseen(layer, there) == pytest.approx(unseen_of(layer, here))
