"""Background knowledge: evaluated once, used by encoders, not reconstructed, not part of F, P and G."""

from __future__ import annotations

import pytest

import logicoder.learner.background
from logicoder import AutoEncoder, InputError, KnowledgeBase, Predicate, Program, Schema
from logicoder.engine import run_program
from logicoder.engine.arrays import fixpoint

FACTS = [
    ("parent", "a", "b"),
    ("parent", "b", "c"),
    ("parent", "c", "d"),
    ("elder", "a", "b"),
    ("elder", "a", "c"),
    ("elder", "a", "d"),
    ("elder", "b", "c"),
    ("elder", "b", "d"),
    ("elder", "c", "d"),
]
ANCESTOR = "ancestor(X,Y) :- parent(X,Y). ancestor(X,Z) :- ancestor(X,Y), parent(Y,Z)."


def learned(**options):
    return AutoEncoder(2, 1, compression=2, **options).fit(KnowledgeBase.from_facts(FACTS))


def test_recursive_clauses_are_usable_and_not_counted() -> None:
    with_it, without = learned(background=ANCESTOR), learned()
    assert with_it.facts_ == without.facts_ == 9
    assert (with_it.problem_.facts, with_it.problem_.predicates) == (9, 2)
    assert set(with_it.decoder_.defined()) <= {"parent", "elder"}
    assert {score.predicate for score in with_it.reconstruct(KnowledgeBase.from_facts(FACTS)).predicates} == {
        "parent",
        "elder",
    }
    assert any("ancestor" in encoder.clause for encoder in with_it.problem_.encoders)


def test_encoders_see_what_the_program_derives() -> None:
    """A latent over the closure holds of exactly the pairs of the closure."""
    model = AutoEncoder.from_programs(
        "l(X,Y) :- ancestor(X,Y).", "elder(X,Y) :- l(X,Y).", background=ANCESTOR
    )
    kb = KnowledgeBase.from_facts(FACTS)
    elders = {fact.arguments for fact in kb.facts("elder")}
    assert {fact.arguments for fact in model.transform(kb)} == elders
    assert len(model.reconstruct(kb).missing) == 3


def test_facts_hold_in_every_interpretation() -> None:
    parts = [
        KnowledgeBase.from_facts([("p", c)], interpretation=w) for w, c in (("earth", "a"), ("mars", "b"))
    ]
    model = AutoEncoder.from_programs(
        "l(X) :- p(X), good(X).", "p(X) :- l(X).", background="good(a). good(b)."
    )
    found = model.transform(parts)
    assert [(f.interpretation, str(f)) for f in found] == [("earth", "l(a)"), ("mars", "l(b)")]


def test_it_is_evaluated_once(monkeypatch) -> None:
    calls = []

    def counted(*arguments):
        calls.append(arguments)
        return run_program(*arguments)

    monkeypatch.setattr(logicoder.learner.background, "run_program", counted)
    model = learned(background=ANCESTOR)
    assert len(calls) == 1
    model.transform(KnowledgeBase.from_facts(FACTS))
    assert len(calls) == 2


@pytest.mark.parametrize(
    ("background", "complaint"),
    [
        ("parent(a,b).", "which is a predicate of the data"),
        ("good(X) :- unheard(X).", "there is no predicate unheard"),
        (r"odd(X) :- parent(X,Y), \+ odd(Y).", "odd depends on its own negation"),
    ],
)
def test_what_makes_no_sense_is_refused(background, complaint) -> None:
    with pytest.raises(InputError, match=complaint):
        learned(background=background)


def test_background_facts_within_the_data_are_the_same_as_declared_ones() -> None:
    schema = Schema.of(
        Predicate("p", ("t",)), Predicate("q", ("t",)), Predicate("good", ("t",), background=True)
    )
    facts = [("p", "a"), ("p", "b"), ("q", "b"), ("q", "c")]
    inside = KnowledgeBase.from_facts([*facts, ("good", "a"), ("good", "c")], schema=schema)
    outside = KnowledgeBase.from_facts(facts, schema=schema.restricted(("p", "q")))
    one = AutoEncoder(2, 2, compression=1).fit(inside)
    other = AutoEncoder(2, 2, compression=1, background="good(a). good(c).").fit(outside)
    assert (one.facts_, one.loss_, one.size_) == (other.facts_, other.loss_, other.size_)
    assert one.encoder_ == other.encoder_
    assert one.decoder_ == other.decoder_


def test_literals_that_share_nothing_take_no_memory():
    """Thirty of them over two facts: 2 to the 30 combinations, of which one variable counts."""
    kb = KnowledgeBase.from_facts(["q(a)", "q(b)"])
    body = ", ".join(f"q(X{number})" for number in range(30))
    assert run_program(Program.parse(f"p(X3) :- {body}."), kb).size == 2
    assert run_program(Program.parse(f"p :- {body}."), kb).size == 1
    assert run_program(Program.parse(f"p(X1) :- {body}, X1 \\= X2."), kb).size == 2


def test_combinations_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(fixpoint, "available_memory", lambda: 1 << 28)
    kb = KnowledgeBase.from_facts(["q(a)", "q(b)"])
    names = [f"X{number}" for number in range(30)]
    body = ", ".join(f"q({name})" for name in names)
    with pytest.raises(InputError, match="combinations of values"):
        run_program(Program.parse(f"p({','.join(names)}) :- {body}."), kb)
