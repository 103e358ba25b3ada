"""Large data: always a valid program with an exact loss, honest bounds, and a budget of memory that holds."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from tests.waiting import PATIENCE

from logicoder import AutoEncoder, InfeasibleError, KnowledgeBase
from logicoder.base.memory import MemoryBudget
from logicoder.candidates import large
from logicoder.datasets import university
from tiny_data import REPEATABLE, SIGNATURES, knowledge_bases, zero_scope


def programs(model: AutoEncoder) -> tuple[str, str]:
    return str(model.encoder_), str(model.decoder_)


def check(model: AutoEncoder, kb: KnowledgeBase, compression: str) -> None:
    outcome = model.reconstruct(kb)
    assert (outcome.loss, outcome.latent_facts) == (model.loss_, model.latent_facts_)
    assert model.bound_ <= model.loss_
    assert model.latent_facts_ <= Fraction(compression) * kb.size
    assert model.bound_scope_ == zero_scope(model, "pruned")
    rebuilt = {clause.head.predicate for clause in model.decoder_}
    assert rebuilt | set(model.problem_.irreparable) == set(kb.learnable)


@settings(REPEATABLE, max_examples=12)
@given(
    kb=knowledge_bases(SIGNATURES),
    compression=st.sampled_from(("0.6", "0.8", "1")),
    facts=st.sampled_from((1, 2, 1000)),
    seed=st.integers(0, 3),
)
def test_heads_and_samples_give_valid_programs(kb, compression, facts, seed) -> None:
    options = {"compression": compression, "seed": seed, "effort": 8.0}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large, "_MOST_FACTS", facts)
        try:
            model = AutoEncoder(**options, max_work=1).fit(kb)
        except InfeasibleError:
            event("infeasible")
            return
        again = AutoEncoder(**options, max_work=1, jobs=1).fit(kb)
    pruned = model.statistics_["candidates"]["pruned"]
    event("sampled" if pruned["sampled_heads"] else "not sampled")
    check(model, kb, compression)
    assert programs(again) == programs(model)
    whole = AutoEncoder(**options).fit(kb)
    event("as good as all at once" if model.loss_ == whole.loss_ else "worse than all at once")
    assert model.loss_ >= whole.bound_


def test_samples_find_the_planted_program(monkeypatch) -> None:
    monkeypatch.setattr(large, "_MOST_FACTS", 100)
    world = university(facts=3000)
    model = AutoEncoder(compression=0.5, max_work=1, effort=20.0).fit(world.kb)
    check(model, world.kb, "0.5")
    assert model.statistics_["candidates"]["pruned"]["sampled_heads"] > 4
    assert (model.loss_, model.bound_scope_) == (0, "language")
    assert model.latent_facts_ == world.latent_facts


def test_other_switches_on_large_data(monkeypatch) -> None:
    monkeypatch.setattr(large, "_MOST_FACTS", 100)
    kb = university(facts=1000, interpretations=2).kb
    options = {"negation": True, "inequality": True, "max_work": 1, "effort": 8.0}
    model = AutoEncoder(**options, limits={"ta": {"missing": "5%"}}, compression=0.6).fit(kb)
    check(model, kb, "0.6")
    missing = [fact for fact in model.reconstruct(kb).missing if fact.predicate == "ta"]
    assert len(missing) <= 0.05 * len(kb.table("ta"))


# -- memory -------------------------------------------------------------------------------------------


def test_a_generous_budget_changes_nothing() -> None:
    kb = university(facts=1000).kb
    plain, roomy = (AutoEncoder(compression=0.8, max_memory=m).fit(kb) for m in (None, "64GiB"))
    assert programs(plain) == programs(roomy)
    assert plain.statistics_["candidates"] == roomy.statistics_["candidates"]


FIT = """
import json, re
from pathlib import Path
from logicoder import AutoEncoder
from logicoder.base.memory import MemoryBudget
from logicoder.datasets import university
world = university(facts={facts})
model = AutoEncoder(compression=0.6, max_memory={memory!r}, effort=8.0).fit(world.kb)
# Not `ru_maxrss`, which begins at the peak of the parent.
peak = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) * 1024
outcome = model.reconstruct(world.kb)
print(json.dumps([peak, model.loss_, outcome.loss, model.bound_, model.statistics_["candidates"]["pruned"]]))
"""


def fitted_apart(facts: int, memory: str) -> tuple[int, int, int, int, dict[str, int]]:
    """Fit in a process of its own; return its peak memory, loss, true loss, bound and counts."""
    command = [sys.executable, "-c", FIT.format(facts=facts, memory=memory)]
    peak, loss, real, bound, pruned = json.loads(
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout
    )
    return peak, loss, real, bound, pruned


@pytest.mark.skipif(sys.platform != "linux", reason="memory is told elsewhere")
def test_peak_memory_stays_within_the_budget() -> None:
    peak, loss, real, bound, pruned = fitted_apart(60_000, "320MiB")
    assert loss == real
    assert bound <= loss
    # The sizes are estimates: a little more is fine, twice as much is not.
    assert peak < 1.2 * 320 * 2**20
    assert pruned["sampled_heads"] == 6


def test_what_does_not_fit_is_left_out_and_counted(monkeypatch) -> None:
    small = MemoryBudget(limit=400_000, data=0)
    monkeypatch.setattr(MemoryBudget, "of", lambda *_: small)
    kb = university(facts=3000).kb
    model = AutoEncoder(compression=0.6, effort=8.0).fit(kb)
    check(model, kb, "0.6")
    pruned = model.statistics_["candidates"]["pruned"]
    # Joins, and extensions that cannot all be kept; and then the atoms that all decoders derive.
    assert pruned["memory"] > 0
    assert pruned["limit"] > 0
