"""Models that were learned by description length: what they keep, rebuild, list as exceptions, and save."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compression.worlds import knowledge_bases
from logicoder import AutoEncoder, KnowledgeBase
from logicoder.base.effort import Effort
from logicoder.base.errors import InputError, UsageError
from logicoder.base.stopping import StopToken
from logicoder.compression.compressed import Compressed
from logicoder.compression.learned_plan import Compressor
from logicoder.datasets import family
from logicoder.engine.programs import run_program
from tiny_data import REPEATABLE

TIMES = settings(REPEATABLE, max_examples=12)


def facts_of(kb: KnowledgeBase) -> set[tuple[str, str]]:
    return {(fact.interpretation, str(fact)) for fact in kb}


@TIMES
@given(knowledge_bases())
def test_data_come_back_exactly_and_bits_are_those_of_the_encoding(kb: KnowledgeBase) -> None:
    model = AutoEncoder(holdout=0).fit(kb)
    encoding = model.encode_losslessly(kb)
    assert model.decode_losslessly(encoding.latent, encoding.exceptions) == kb
    assert model.exceptions_ == len(encoding.exceptions)
    assert encoding.bits.plain - encoding.bits.saved == pytest.approx(model.bits_, abs=1e-3)
    assert encoding.bits.plain == pytest.approx(model.plain_bits_, abs=1e-3)
    assert 0 <= model.bits_saved_ <= model.plain_bits_


@settings(REPEATABLE, max_examples=40)
@given(knowledge_bases(), st.sampled_from(("bits", "stored")))
def test_no_message_is_longer_than_the_plain_facts_nor_below_its_bound(kb: KnowledgeBase, goal: str) -> None:
    model = AutoEncoder(objective=goal, holdout=0).fit(kb)
    assert model.bits_ <= model.plain_bits_
    assert model.domain_bits_ <= model.plain_bits_
    assert model.bound_ <= model.objective_ + 1e-6
    assert model.bound_scope_ in ("language", "pruned")
    if goal == "bits":
        assert model.bits_saved_ >= 0
    else:
        assert model.objective_ <= kb.size
    if model.status_ == "optimal":
        assert model.bound_scope_ == "language"
        assert model.gap_ == pytest.approx(0, abs=1e-6)


def test_the_plain_facts_have_a_bound_too() -> None:
    """One fact: nothing of the language is shorter, and the summary says so."""
    model = AutoEncoder().fit(KnowledgeBase.from_facts([("p", "a", "b")]))
    assert model.bits_ == model.plain_bits_ == model.bound_
    assert (model.status_, model.bound_scope_) == ("optimal", "language")


@TIMES
@given(knowledge_bases())
def test_what_comes_back_is_what_is_kept_and_what_clauses_derive_from_it(kb: KnowledgeBase) -> None:
    model = AutoEncoder(holdout=0).fit(kb)
    latent = model.transform(kb)
    expected = facts_of(run_program(model.decoder_, latent, kb.schema.restricted(model.decoder_.defined())))
    expected |= {fact for fact in facts_of(latent) if fact[1].partition("(")[0] in model.kept_}
    assert facts_of(model.inverse_transform(latent)) == expected
    assert model.loss_ == len(expected ^ facts_of(kb))
    assert model.reconstruct(kb).loss == model.loss_
    kept = {name: facts_of(kb.restricted([name])) for name in model.kept_}
    assert all(facts_of(latent.restricted([name])) == facts for name, facts in kept.items())


@TIMES
@given(knowledge_bases())
def test_saved_models_are_the_same(tmp_path_factory: pytest.TempPathFactory, kb: KnowledgeBase) -> None:
    model = AutoEncoder(holdout=0).fit(kb)
    path = tmp_path_factory.mktemp("model") / "model.alp"
    model.save(path)
    loaded = AutoEncoder.load(path)
    assert loaded.stack() == model.stack()
    assert loaded.transform(kb) == model.transform(kb)
    assert loaded.encode_losslessly(kb).bits == model.encode_losslessly(kb).bits


def shuffled(kb: KnowledgeBase, seed: int) -> KnowledgeBase:
    facts = list(kb)
    random.Random(seed).shuffle(facts)  # noqa: S311
    return KnowledgeBase.from_facts(facts, schema=kb.schema)


def closures() -> KnowledgeBase:
    """Friends, classes of equals, and a tree with all its paths."""
    rng = random.Random(0)  # noqa: S311
    facts: set[tuple[str, str, str]] = set()
    for _ in range(120):
        x, y = rng.sample(range(40), 2)
        facts |= {("friend", f"e{x}", f"e{y}"), ("friend", f"e{y}", f"e{x}")}
    for x in range(40):
        facts |= {("same", f"e{x}", f"e{y}") for y in range(40) if x % 5 == y % 5 and x != y}
        facts |= {("above", f"e{x}", f"e{y}") for y in range(x + 1, 40)}
    return KnowledgeBase.from_facts(sorted(facts))


def test_closures_are_kept_as_their_bases_whatever_the_order_of_facts() -> None:
    kb = closures()
    model = AutoEncoder().fit(kb)
    assert {base.predicate: base.form for base in model.bases_} == {
        "friend": "symmetric",
        "same": "equivalence",
        "above": "transitive",
    }
    assert model.loss_ == 0
    latent = model.transform(kb)
    assert latent.count("friend_base") == kb.count("friend") / 2
    assert latent.count("same_base") == 40 - 5
    assert latent.count("above_base") == 39
    assert facts_of(AutoEncoder().fit(shuffled(kb, 1)).transform(shuffled(kb, 2))) == facts_of(latent)


def test_a_family_is_said_by_few_of_its_relations() -> None:
    kb = family(3, 4, seed=1)
    model = AutoEncoder().fit(kb)
    assert len(model.kept_) <= 4
    assert 8 * model.latent_facts_ < len(kb)
    assert model.bits_ < 0.3 * model.plain_bits_
    grown = family(3, 4, seed=2)
    assert model.reconstruct(grown).loss < 0.3 * len(grown)


def test_random_data_are_kept_as_they_are() -> None:
    rng = random.Random(3)  # noqa: S311
    facts = {
        (f"r{i}", f"e{rng.randrange(60)}", f"e{rng.randrange(60)}") for i in range(3) for _ in range(200)
    }
    model = AutoEncoder().fit(KnowledgeBase.from_facts(sorted(facts)))
    assert model.kept_ == ("r0", "r1", "r2")
    assert (model.loss_, model.exceptions_, model.latent_facts_) == (0, 0, len(facts))


def test_explanations_tell_what_is_kept() -> None:
    kb = closures()
    model = AutoEncoder().fit(kb)
    explained = model.explain(kb, "same(e7,e12)")
    assert explained.answers[0].verdict == "reconstructed"
    assert "same_base(e12,e7)" in str(explained) or "same_base(e2,e7)" in str(explained)
    kept = AutoEncoder().fit(KnowledgeBase.from_facts([("p", "a"), ("q", "b", "c")]))
    one = kept.explain(KnowledgeBase.from_facts([("p", "a"), ("q", "b", "c")]), "p(a)")
    assert str(one) == "p(a): a fact, kept as it is"


def test_facts_that_were_held_out_are_judged_by_what_the_others_say() -> None:
    kb = family(4, 4, seed=4)
    model = AutoEncoder(holdout="10%").fit(kb)
    unseen = model.unseen_
    assert unseen is not None
    assert unseen["facts"] == len(kb) // 10
    assert unseen["bits"] < unseen["plain_bits"]
    assert unseen["missing"] < unseen["facts"] / 2
    assert AutoEncoder().fit(kb).unseen_ is None


def test_interpretations_are_held_out_unless_they_are_many_facts() -> None:
    worlds = KnowledgeBase.union(
        KnowledgeBase.from_facts(list(family(2, 3, seed=seed)), interpretation=f"w{seed}")
        for seed in range(5)
    )
    unseen = AutoEncoder().fit(worlds).unseen_
    assert unseen is not None
    assert unseen["held_out"] == "interpretations"
    assert unseen["bits"] < 0.8 * unseen["plain_bits"]
    assert AutoEncoder(holdout=0).fit(worlds).unseen_ is None


def test_other_data_are_said_by_the_same_plan() -> None:
    model = AutoEncoder().fit(family(3, 4, seed=1))
    other = family(3, 4, seed=5)
    encoding = model.encode_losslessly(other)
    assert model.decode_losslessly(encoding.latent, encoding.exceptions) == other
    assert encoding.bits.saved > 0.5 * encoding.bits.plain


def test_settings_of_the_selection_choose_the_solver() -> None:
    kb = KnowledgeBase.from_facts([("p", "a", "b"), ("q", "b", "a")])
    assert AutoEncoder().fit(kb).goal_ == "bits"
    assert AutoEncoder(compression=2).fit(kb).goal_ == "lexicographic"
    assert AutoEncoder(recursion=True).fit(kb).goal_ == "lexicographic"
    assert AutoEncoder(objective="bits", compression=2).fit(kb).goal_ == "bits"
    with pytest.raises(UsageError, match="stored does not support compression"):
        AutoEncoder(objective="stored", compression=2).fit(kb)


def test_no_facts_are_refused() -> None:
    with pytest.raises(InputError, match="no facts"):
        AutoEncoder().fit(KnowledgeBase.from_facts([]))


def test_background_facts_that_clauses_use_are_kept() -> None:
    rng = random.Random(1)  # noqa: S311
    pairs = sorted({(f"e{rng.randrange(30)}", f"e{rng.randrange(30)}") for _ in range(150)})
    kb = KnowledgeBase.from_facts([("p", *pair) for pair in pairs])
    model = AutoEncoder(background="\n".join(f"known({y},{x})." for x, y in pairs)).fit(kb)
    assert model.kept_ == ("known",)
    assert [str(clause) for clause in model.decoder_] == ["p(X,Y) :- known(Y,X)."]
    assert model.inverse_transform(model.transform(kb)) == kb.with_schema(model.schema_.restricted(["p"]))


def test_damaged_plans_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.alp"
    AutoEncoder().fit(closures()).save(path)
    text = path.read_text()
    for old, new in (('"form": "equivalence"', '"form": "strange"'), ('"kept": [', '"kept": 3, "was": [')):
        assert old in text
        path.write_text(text.replace(old, new, 1))
        with pytest.raises(InputError, match="damaged"):
            AutoEncoder.load(path)


def test_a_checkpoint_is_taken_up(tmp_path: Path) -> None:
    kb = family(2, 3, seed=1)
    whole = AutoEncoder(checkpoint=tmp_path / "state").fit(kb)
    stop = StopToken()
    stop.stop("interrupted")
    resumed = AutoEncoder(checkpoint=tmp_path / "state", resume=True).fit(kb, stop=stop)
    assert resumed.stopped_ == "interrupted"
    fresh = AutoEncoder().fit(kb, stop=stop)
    assert fresh.bits_ > whole.bits_
    again = AutoEncoder(checkpoint=tmp_path / "state", resume=True).fit(kb)
    assert again.bits_ <= whole.bits_ + 1e-6
    with pytest.raises(InputError, match="belongs to other data"):
        AutoEncoder(checkpoint=tmp_path / "state", resume=True).fit(family(2, 3, seed=2))


@TIMES
@given(knowledge_bases())
def test_a_plan_that_is_taken_up_costs_what_it_did(kb: KnowledgeBase) -> None:
    found = Compressor(kb).run()
    told: list[float] = []
    stop = StopToken()
    stopped = Compressor(
        kb, Effort(stop=stop), best=lambda one: _stop(one, told, stop), start=found.plan
    ).run()
    assert stopped.bits == pytest.approx(found.bits, abs=1e-3)


def _stop(found: Compressed, told: list[float], stop: StopToken) -> None:
    """Stop as soon as there is more than the data themselves."""
    told.append(found.bits)
    if len(told) == 2:
        stop.stop("interrupted")
