"""Encodings that follow their data are what encoding anew gives, after every change."""

from __future__ import annotations

import random

import pytest

from logicoder import AutoEncoder, InputError, KnowledgeBase, Program
from logicoder.autoencoder.following.followed import Followed
from logicoder.datasets import family
from logicoder.engine.programs import run_program

from .worlds import check_same, facts_of, random_case, random_change


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_random_plans_and_changes(first):
    """`benchmarks/following.py --property` does the same with thousands."""
    for seed in range(first, first + 10):
        case = random_case(seed)
        if case is None:
            continue
        rng, layer, kb, size, worlds = case
        followed = Followed(layer, kb)
        check_same(followed, layer)
        facts = {(fact.interpretation, str(fact)) for fact in kb}
        for _ in range(4):
            added, removed = random_change(rng, followed.data(), size, worlds)
            come, gone = facts_of(added), facts_of(removed)
            followed.update(come, gone)
            facts -= {(f.interpretation, str(f)) for f in gone or ()}
            facts |= {(f.interpretation, str(f)) for f in come or ()}
            assert {(fact.interpretation, str(fact)) for fact in followed.data()} == facts
            check_same(followed, layer)


def test_learned_models():
    kb = family(2, 2, seed=1)
    model = AutoEncoder().fit(kb)
    followed = model.follow(kb)
    assert followed.counts is not None
    saved = model.encode_losslessly(kb).bits.saved
    assert followed.bits.saved == pytest.approx(saved)
    some = list(kb)[::7]
    gone = KnowledgeBase.from_facts(some, schema=kb.schema)
    change = followed.update(remove=gone)
    assert (change.added, change.removed, change.ignored) == (0, len(some), 0)
    check_same(followed, model.stack()[0])
    change = followed.update(add=gone, remove=gone)
    assert (change.added, change.removed, change.ignored) == (len(some), 0, len(some))
    assert set(map(str, followed.data())) == set(map(str, kb))
    assert followed.bits.saved == pytest.approx(saved)
    back = model.decode_losslessly(followed.encoding().latent, followed.encoding().exceptions)
    assert set(map(str, back)) == set(map(str, kb))


def ontology(rng):
    """Things with all classes of their kind: only the lowest need to be said."""
    above = {f"c{i}": f"c{(i - 1) // 3}" for i in range(1, 30)}
    rows = [("subclass", *pair) for pair in above.items()]
    for thing in range(100):
        kind = f"c{rng.randrange(30)}"
        while kind is not None:
            rows.append(("type", f"x{thing}", kind))
            kind = above.get(kind)
    return KnowledgeBase.from_facts(rows), AutoEncoder(holdout="0", effort=5)


def orders(rng):
    """Cities, and the countries that they tell: a table of its own says which is where."""
    rows = []
    for order in range(150):
        city = rng.randrange(12)
        rows += [("city", f"o{order}", f"t{city}"), ("country", f"o{order}", f"l{city % 5}")]
    return KnowledgeBase.from_facts(rows), AutoEncoder(holdout="0", effort=5)


def bosses(rng):
    """Who is above whom, which a background program tells."""
    below = [(f"p{rng.randrange(i)}", f"p{i}") for i in range(1, 40)]
    background = "above(X,Y) :- parent(X,Y). above(X,Z) :- parent(X,Y), above(Y,Z). first(p0)."
    kb = KnowledgeBase.from_facts({"parent": below})
    over = run_program(Program.parse(background.replace("above", "boss")), kb)
    rows = [*kb, *(("boss", *fact.arguments) for fact in over.facts("boss"))]
    return KnowledgeBase.from_facts(rows), AutoEncoder(holdout="0", effort=5, background=background)


@pytest.mark.parametrize(
    ("made", "holds"),
    [
        (ontology, lambda layer: [base.form for base in layer.bases] == ["recursive"]),
        (orders, lambda layer: layer.plan.stored),
        (bosses, lambda layer: "above" in {n for c in layer.decoder for n in c.body_predicates()}),
    ],
)
def test_learned_models_with_recursion_tables_and_background(made, holds):
    rng = random.Random(3)  # noqa: S311
    kb, model = made(rng)
    layer = model.fit(kb).stack()[0]
    assert holds(layer)
    followed = model.follow(kb)
    check_same(followed, layer)
    for _ in range(3):
        some = KnowledgeBase.from_facts(rng.sample(list(kb), 4), schema=kb.schema)
        followed.update(remove=some)
        check_same(followed, layer)
        followed.update(add=some)
        check_same(followed, layer)
    assert set(map(str, followed.data())) == set(map(str, kb))


def test_models_that_are_encoded_anew():
    kb = KnowledgeBase.from_facts(["p(a)", "p(b)", "q(a)"])
    model = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X). q(X) :- l(X).", schema=kb.schema)
    followed = model.follow(kb)
    assert followed.counts is None
    followed.update(add=KnowledgeBase.from_facts(["q(b)", "p(c)"]))
    assert followed.encoding().exceptions.counts()["false"] == 1
    assert len(followed.encoding().latent) == 3


def test_new_interpretations():
    kb = KnowledgeBase.union([family(2, 2, seed=1)])
    model = AutoEncoder().fit(kb)
    followed = model.follow(kb)
    followed.update(add=KnowledgeBase.from_facts([("mother", "eve", "abel")], interpretation="elsewhere"))
    assert len(followed.data().interpretations) == 2
    check_same(followed, model.stack()[0])


def test_what_is_not_known_is_refused_and_changes_nothing():
    kb = family(2, 2, seed=1)
    model = AutoEncoder().fit(kb)
    followed = model.follow(kb)
    with pytest.raises(InputError, match="boss"):
        model.follow(KnowledgeBase.from_facts([("boss", "a", "b")]))
    for add, remove, words in (
        (KnowledgeBase.from_facts([("mother", "a")]), None, "mother/1"),
        (KnowledgeBase.from_facts([("boss", "a", "b")]), None, "boss/2"),
        (None, KnowledgeBase.from_facts([("mother", "a", "b")], interpretation="mars"), "mars"),
    ):
        with pytest.raises(InputError, match=words):
            followed.update(add, remove)
        assert len(followed.data()) == len(kb)
