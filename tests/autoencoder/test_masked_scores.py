"""Masked reconstruction from end to end: what is left of a predicate when its facts are really gone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder import AutoEncoder, KnowledgeBase, Program, StackedAutoEncoder
from logicoder.datasets import star_wars_figure
from logicoder.engine.programs import run_program
from logicoder.kb.schema import Predicate, Schema

SCHEMA = Schema.of(Predicate("p", ("thing",)), Predicate("q", ("thing",)), Predicate("r", ("thing", "thing")))


def without(kb: KnowledgeBase, predicate: str) -> KnowledgeBase:
    """Return the knowledge base without any fact of a predicate."""
    facts = [(f.predicate, *f.arguments, f.interpretation) for f in kb.facts() if f.predicate != predicate]
    parts = []
    for world in kb.interpretations:
        own = [fact[:-1] for fact in facts if fact[-1] == world]
        parts.append(KnowledgeBase.from_facts(own, schema=kb.schema, interpretation=world))
    return KnowledgeBase.union(parts)


def depends(program: Program, name: str, predicate: str) -> bool:
    """Whether a predicate can be reached from another, one clause after the other."""
    seen: set[str] = set()
    open_ = [name]
    while open_:
        at = open_.pop()
        if at == predicate:
            return True
        if at not in seen:
            seen.add(at)
            open_ += [
                x for clause in program if clause.head.predicate == at for x in clause.body_predicates()
            ]
    return False


def masked_by_hand(kb: KnowledgeBase, encoders: Program, decoder: Program) -> int:
    """Take the facts of each predicate away, encode the rest, and decode with what does not need them."""
    missing = 0
    for predicate in kb.learnable:
        rest = run_program(encoders, without(kb, predicate))
        known = {name for name in encoders.defined() if not depends(encoders, name, predicate)}
        own = Program(
            tuple(
                clause
                for clause in decoder
                if clause.head.predicate == predicate and clause.body_predicates() <= known | {predicate}
            )
        )
        facts = {(f.interpretation, f.arguments) for f in kb.facts(predicate)}
        rebuilt = run_program(own, rest.restricted(known), kb.schema.restricted([predicate]))
        if predicate in rebuilt.schema:
            facts -= {(f.interpretation, f.arguments) for f in rebuilt.facts(predicate)}
        missing += len(facts)
    return missing


@st.composite
def data(draw):
    thing = st.sampled_from("abcd")
    facts = [("p", x) for x in draw(st.sets(thing))] + [("q", x) for x in draw(st.sets(thing))]
    facts += [("r", *pair) for pair in draw(st.sets(st.tuples(thing, thing), max_size=6))]
    return KnowledgeBase.from_facts(facts or [("p", "a")], schema=SCHEMA)


@given(data(), st.sampled_from(["masked", "loss-then-masked", "lexicographic"]), st.booleans())
@settings(deadline=None, derandomize=True, max_examples=25)
def test_as_if_the_facts_were_gone(kb, objective, negation) -> None:
    model = AutoEncoder(
        compression=2, objective=objective, negation=negation, reconstruct_all=False, effort=5, jobs=1
    ).fit(kb)
    scores = model.masked(kb)
    assert [score.predicate for score in scores] == list(kb.learnable)
    assert sum(score.missing for score in scores) == model.masked_
    assert model.masked_ == masked_by_hand(kb, model.encoder_, model.decoder_)


def test_masking_finds_what_others_tell() -> None:
    facts = [f"{kind}({name})" for kind, names in TEAM.items() for name in names]
    kb = KnowledgeBase.from_facts([*facts, *(f"person({n})" for names in TEAM.values() for n in names)])
    plain = AutoEncoder(compression=1).fit(kb)
    masked = AutoEncoder(compression=1, objective="loss-then-masked").fit(kb)
    assert plain.loss_ == masked.loss_ == 0
    # `person` is told by the two others, without looking at it; they are not told by anything.
    assert masked.masked_ == 4
    assert plain.masked_ >= masked.masked_
    assert {s.predicate: s.missing for s in masked.masked(kb)} == {"chief": 1, "clerk": 3, "person": 0}


TEAM = {"chief": ("ann",), "clerk": ("bob", "cid", "dan")}


def test_background_counts_as_what_it_is_made_of() -> None:
    kb = KnowledgeBase.from_facts(["p(a)", "p(b)", "q(a)", "q(b)"])
    model = AutoEncoder(compression=1, objective="masked", background="b(X) :- p(X).").fit(kb)
    # p is told by q alone: whatever is defined by way of b looks at p.
    program = Program((*model.background_program(), *model.encoder_))
    for clause in model.decoder_:
        if (
            clause.head.predicate == "p"
            and "q" not in model.encoder_.mentions()[min(clause.body_predicates())]
        ):
            assert all(depends(program, name, "p") for name in clause.body_predicates())
    assert masked_by_hand(kb, program, model.decoder_) == 0


@pytest.mark.parametrize("objective", ["masked", "lexicographic"])
def test_through_layers(objective) -> None:
    kb = star_wars_figure()
    stack = StackedAutoEncoder(2, compression=1, objective=objective, effort=5).fit(kb)
    encoders = Program(tuple(clause for layer in stack.layers_ for clause in layer.encoder_))
    assert stack.masked_ == sum(score.missing for score in stack.masked(kb))
    assert stack.masked_ == masked_by_hand(kb, encoders, stack.decoder_)


def test_generality_compares_only_clauses_of_equal_eligibility() -> None:
    # q holds wherever p does. Both ways to tell p, by itself (exact) and by q, are needed: the first for
    # the loss, the second when p is masked.
    kb = KnowledgeBase.from_facts(["p(a)", "p(b)", "q(a)", "q(b)", "s(a)"])
    model = AutoEncoder(1, 1, compression=2, objective="masked").fit(kb)
    assert (model.loss_, model.masked_) == (0, 1)
