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
from logicoder.compression.learned_plan import Compressor
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


def test_two_columns_of_a_wide_table_that_tell_a_third() -> None:
    rng = random.Random(9)  # noqa: S311
    fee = {(a, b): rng.randrange(9) for a in range(10) for b in range(10)}
    facts: Facts = set()
    for i in range(800):
        a, b = rng.randrange(10), rng.randrange(10)
        facts.add(("trip", f"t{i}", f"from{a}", f"to{b}", f"fee{fee[a, b]}"))
    model = decoded(shuffled(facts, 0))
    assert [str(clause) for clause in model.decoder_] == [
        "trip(X,Y,Z,U) :- trip_123(X,Y,Z), trip_234(Y,Z,U)."
    ]
    assert model.loss_ == 0


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
        if choice.space.predicate == "country" and "city_country" in known:
            asked.append(known)
            yield Rule((0, "l1"), (Literal("city", (0, 1)), Literal("city_country", (1, "l1"))))

    data = shuffled(people(0), 0)
    expected = Compressor(data).run().cost
    monkeypatch.setattr(RuleTests, "further", further)
    assert Compressor(data).run().cost == pytest.approx(expected)
    assert asked


def flights(seed: int, noise: float = 0.0) -> Facts:
    """Flights from somewhere to somewhere: both together tell how far it is, none of them does."""
    rng = random.Random(seed)  # noqa: S311
    far = {(a, b): rng.randrange(40) for a in range(8) for b in range(8)}
    found: Facts = set()
    for i in range(600):
        a, b = rng.randrange(8), rng.randrange(8)
        distance = far[a, b] if rng.random() >= noise else rng.randrange(40)
        found |= {
            ("origin", f"f{i}", f"a{a}"),
            ("goal", f"f{i}", f"b{b}"),
            ("distance", f"f{i}", f"d{distance}"),
        }
        found.add(("plane", f"f{i}", f"p{rng.randrange(9)}"))
    return found


@pytest.mark.parametrize("noise", [0.0, 0.03])
def test_two_columns_tell_a_third_one_together(noise: float) -> None:
    kb = shuffled(flights(1, noise), 1)
    model = AutoEncoder().fit(kb) if noise else decoded(kb)
    assert "distance(X,Y) :- goal(X,Z), origin(X,U), distance_goal_origin" in str(model.decoder_)
    assert (model.loss_ == 0) == (not noise)
    compressor = Compressor(kb)
    found = compressor.run()
    assert comes_back(compressor, found)
    assert {len(one.rules[0].body) for one in found.latents} == {7 if noise else 3}


@pytest.mark.parametrize("turned", [False, True])
def test_a_value_that_nearly_all_have(turned: bool) -> None:
    """No other predicate tells which things have a state; of those, nearly all have the same."""
    rng = random.Random(1)  # noqa: S311
    facts: Facts = {("other", f"y{i}", f"y{i + 1}") for i in range(200)}
    for i in range(400):
        pair = f"x{i}", "ok" if rng.random() < 0.95 else f"s{rng.randrange(5)}"
        facts.add(("state", *(pair[::-1] if turned else pair)))
    kb = shuffled(facts, 1)
    compressor = Compressor(kb)
    found = compressor.run()
    assert comes_back(compressor, found)
    (latent,) = found.latents
    (layer,) = found.choices["state"].layers
    assert (latent.stored, layer.derived) == (True, 400)
    model = AutoEncoder().fit(kb)
    encoding = model.encode_losslessly(kb)
    assert model.decode_losslessly(encoding.latent, encoding.exceptions) == kb
    text = "state(ok,X) :- state_2(X)." if turned else "state(X,ok) :- state_1(X)."
    assert text in map(str, model.decoder_)


def test_no_value_is_taken_for_that_of_all() -> None:
    """Two values of about the same frequency: a clause for one of them would not pay."""
    rng = random.Random(2)  # noqa: S311
    kb = shuffled({("state", f"x{i}", f"s{rng.randrange(2)}") for i in range(400)}, 2)
    assert not Compressor(kb).run().latents
