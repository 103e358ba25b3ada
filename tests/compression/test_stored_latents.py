"""Latent predicates with tables of their own: found, said, understood, and made into programs."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest

from compression.test_lossless import program_bits
from compression.worlds import comes_back, shuffled
from logicoder import AutoEncoder, KnowledgeBase
from logicoder.compression.codec import say
from logicoder.compression.learn import Compressor
from logicoder.compression.message import Message
from logicoder.compression.packed import packed, unpacked
from logicoder.compression.tests_of_rules import RuleTests
from logicoder.logic.rules import Literal, Rule

Facts = set[tuple[str, ...]]


def people(seed: int, noise: float = 0.0) -> Facts:
    """Where people live, and in which country that is."""
    rng = random.Random(seed)  # noqa: S311
    country = {c: rng.randrange(8) for c in range(30)}
    found: Facts = set()
    for i in range(400):
        city = rng.randrange(30)
        land = country[city] if rng.random() >= noise else rng.randrange(8)
        found |= {("city", f"p{i}", f"c{city}"), ("country", f"p{i}", f"l{land}")}
        found.add(("likes", f"p{i}", f"x{rng.randrange(9)}"))
    return found


def rows(seed: int) -> Facts:
    """A table whose third column follows from the second, and the fifth from the fourth."""
    rng = random.Random(seed)  # noqa: S311
    city, brand = ({i: rng.randrange(n) for i in range(40)} for n in (12, 9))
    found: Facts = set()
    for i in range(500):
        z, p = rng.randrange(40), rng.randrange(40)
        found.add(("sale", f"r{i}", f"z{z}", f"c{city[z]}", f"p{p}", f"b{brand[p]}"))
    return found


def decoded(kb: KnowledgeBase) -> AutoEncoder:
    """Return a model after it was saved, loaded, and seen to give back the data."""
    with tempfile.TemporaryDirectory() as folder:
        AutoEncoder().fit(kb).save(Path(folder) / "model.alp")
        model = AutoEncoder.load(Path(folder) / "model.alp")
    back = model.inverse_transform(model.transform(kb))
    assert set(map(str, back)) == set(map(str, kb))
    return model


@pytest.mark.parametrize("seed", range(2))
def test_a_column_that_follows_from_another_has_a_table_of_its_own(seed: int) -> None:
    model = decoded(shuffled(people(seed), seed))
    assert [str(clause) for clause in model.encoder_] == ["city_country(X,Y) :- city(Z,X), country(Z,Y)."]
    assert "country(X,Y) :- city(X,Z), city_country(Z,Y)." in map(str, model.decoder_)
    assert model.loss_ == 0


def test_pairs_that_occur_once_are_no_part_of_a_noisy_table() -> None:
    compressor = Compressor(shuffled(people(0, noise=0.03), 0))
    found = compressor.run()
    (latent,) = found.latents
    (rule,) = latent.rules
    assert latent.stored
    assert rule.tested  # the pair occurs with two different people
    assert comes_back(compressor, found)


def test_a_wide_table_falls_apart() -> None:
    model = decoded(shuffled(rows(0), 0))
    assert {str(clause) for clause in model.encoder_} == {
        "sale_124(X,Y,Z) :- sale(X,Y,_,Z,_).",
        "sale_23(X,Y) :- sale(_,X,Y,_,_).",
        "sale_45(X,Y) :- sale(_,_,_,X,Y).",
    }
    (clause,) = model.decoder_
    assert {literal.atom.predicate for body in clause.alternatives for literal in body} == {
        *("sale_124", "sale_23", "sale_45")
    }
    assert model.kept_ == ()


@pytest.mark.parametrize(("make", "goal"), [(people, "bits"), (people, "stored"), (rows, "bits")])
def test_a_message_with_tables_is_as_long_as_it_says(make: object, goal: str) -> None:
    kb = shuffled(make(1), 1)  # type: ignore[operator]
    compressor = Compressor(kb, goal=goal)
    found = compressor.run()
    assert any(latent.stored for latent in found.latents)
    relations = {name: compressor.database.relation(name) for name in kb.predicates}
    said = sum(part.bits for part in say(found.plan, compressor.database, relations))
    assert found.bits == pytest.approx(said + program_bits(compressor, found.plan), abs=1e-3)
    message = Message.of(found.plan, kb)
    assert message.bits == pytest.approx(found.bits, abs=1e-3)
    data = packed(message)
    assert 8 * len(data) <= found.bits * 1.01 + 16
    back = unpacked(data, compressor.database, {}, ())["true"]
    for name, relation in relations.items():
        every = [set(zip(*(c.tolist() for c in r.columns), strict=True)) for r in (relation, back[name])]
        assert every[0] == every[1]


def test_columns_that_tell_nothing_have_no_table() -> None:
    rng = random.Random(5)  # noqa: S311
    facts = {(f"a{k}", f"r{i}", f"v{k}_{rng.randrange(9)}") for i in range(300) for k in range(4)}
    assert Compressor(shuffled(facts, 0)).run().latents == ()


def test_a_table_too_wide_for_numbers_falls_apart_too() -> None:
    rng = random.Random(6)  # noqa: S311
    follows = {i: rng.randrange(300) for i in range(300)}
    facts: Facts = set()
    for _ in range(900):
        row = [rng.randrange(300) for _ in range(9)]
        facts.add(("wide", *(f"c{k}_{v}" for k, v in enumerate([*row, follows[row[2]]]))))
    kb = shuffled(facts, 0)
    compressor = Compressor(kb)
    assert not compressor.run().choices["wide"].space.packed
    model = decoded(kb)
    assert {str(clause) for clause in model.encoder_} == {
        "wide_123456789(X,Y,Z,U,V,W,X6,X7,X8) :- wide(X,Y,Z,U,V,W,X6,X7,X8,_).",
        "wide_310(X,Y) :- wide(_,_,X,_,_,_,_,_,_,Y).",
    }
    message = Message.of(model.plan_, kb)
    back = unpacked(packed(message), compressor.database, {}, ())["true"]["wide"]
    relation = compressor.database.relation("wide")
    assert set(zip(*map(list, back.columns), strict=True)) == set(
        zip(*map(list, relation.columns), strict=True)
    )


def test_tests_may_name_values_of_latent_predicates(monkeypatch: pytest.MonkeyPatch) -> None:
    """What such a rule costs is asked while nobody knows yet which latent predicates will stay."""
    asked = []
    without = RuleTests.further

    def further(self, choice, known):  # type: ignore[no-untyped-def]
        yield from without(self, choice, known)
        for latent in set(self._tables.names) - {"city", "country", "likes"}:
            if choice.space.predicate == "country":
                asked.append(latent)
                yield Rule((0, "l1"), (Literal("city", (0, 1)), Literal(latent, (1, "l1"))))

    data = shuffled(people(0), 0)
    expected = Compressor(data).run().cost
    monkeypatch.setattr(RuleTests, "further", further)
    assert Compressor(data).run().cost == pytest.approx(expected)
    assert asked
