"""Two models compared, on known pairs."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings

from logicoder import AutoEncoder, KnowledgeBase, Predicate, Program, Schema, UsageError
from logicoder.logic.canonical import meanings

from .naive import derived, world_of
from .test_explainer import DECODER, ENCODER, REPEATABLE, SCHEMA, families

FIRST = AutoEncoder.from_programs(ENCODER, DECODER, schema=SCHEMA)
RENAMED = AutoEncoder.from_programs(
    r"""
    red_one :- male(B), saber(B,red).
    a(V,U) :- mother(U,V) ; father(U,V).
    b(A,B) :- a(B,A).
    b(A,C) :- b(B,C), b(A,B).
    c(Q) :- male(Q).
    e(A) :- B \= A, male(B), male(A).
    d(X) :- \+ jedi(X), male(X), \+ father(X,X).
    """,
    r"""
    saber(P,red) :- red_one, c(P).
    father(A,B) :- c(A), a(B,A).
    mother(A,B) :- a(B,A), \+ c(A).
    male(X) :- d(X).
    male(X) :- X \= bob, e(X).
    male(X) :- c(X).
    jedi(X) :- c(X), \+ d(X).
    jedi(X) :- b(X,Y), b(Y,X).
    """,
    schema=SCHEMA,
)
OTHER = AutoEncoder.from_programs(
    r"parent(X,Y) :- father(X,Y). everybody(X) :- male(X) ; jedi(X).",
    "father(X,Y) :- parent(X,Y). male(X) :- everybody(X). mother(X,X) :- everybody(X).",
    schema=SCHEMA,
)


def test_a_model_is_the_same_under_other_names():
    found = FIRST.diff(RENAMED)
    assert found.same_programs
    assert len(found.encoder.common) == 6
    assert len(found.decoder.common) == 8
    assert ("man(X) :- male(X).", "c(Q) :- male(Q).") in found.encoder.common
    assert not FIRST.diff(OTHER).same_programs


def test_what_only_one_has():
    found = FIRST.diff(OTHER)
    assert not found.encoder.common
    assert "parent(X,Y) :- father(X,Y)." in found.encoder.only_second
    # The clause is written alike, but its latent means something else.
    assert "father(X,Y) :- parent(X,Y)." in found.decoder.only_second
    back = OTHER.diff(FIRST)
    assert back.encoder.only_first == found.encoder.only_second


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("l(X,Y) :- p(X,Z), p(Z,Y).", "l(B,A) :- p(C,A), p(B,C).", True),
        ("l(X,Y) :- p(X,Z), p(Z,Y).", "l(X,Y) :- p(X,Z), p(Y,Z).", False),
        ("l(X,Y) :- p(X,Y).", "l(X,Y) :- p(Y,X).", True),
        ("l(X) :- p(X,Y).", "l(X) :- p(Y,X).", False),
        ("l(X) :- p(X,a).", "l(X) :- p(X,b).", False),
        (r"l(X) :- p(X,Y), p(X,Z), Y \= Z.", r"l(A) :- C \= B, p(A,C), p(A,B).", True),
        (r"l(X) :- p(X,Y), q(Z), Y \= Z.", r"l(X) :- p(X,Y), q(Z), X \= Z.", False),
        (r"l(X) :- p(X,X), \+ q(X).", "l(X) :- p(X,X), q(X).", False),
        ("l(X) :- p(X,Y) ; q(X).", "l(X) :- q(X). l(Z) :- p(Z,Y).", True),
        ("l(X,Y) :- e(X,Y). l(X,Z) :- e(X,Y), l(Y,Z).", "m(B,A) :- e(A,B). m(C,A) :- e(A,B), m(C,B).", True),
        ("l(X,Y) :- e(X,Y). l(X,Z) :- e(X,Y), l(Y,Z).", "l(X,Y) :- e(X,Y). l(X,Z) :- l(X,Y), e(Y,Z).", False),
    ],
)
def test_meanings(first, second, same):
    texts = [next(iter(meanings(Program.parse(text)).values())).text for text in (first, second)]
    assert (texts[0] == texts[1]) is same


@settings(REPEATABLE, max_examples=15)
@given(families())
def test_on_data(kb):
    found = FIRST.diff(OTHER, kb).data
    extensions = []
    for model in (FIRST, OTHER):
        atoms = {}
        for name in kb.interpretations:
            for predicate, row in derived(model.encoder_, world_of(kb, name)):
                atoms.setdefault(predicate, set()).add((name, *row))
        extensions.append(atoms)
    for match in found.latents:
        mine = extensions[0][match.first]
        theirs = {(row[0], *(row[i] for i in _inverse(match.columns))) for row in extensions[1][match.second]}
        assert match.sizes == (len(mine), len(theirs))
        assert {"equal": mine == theirs, "within": mine < theirs, "contains": mine > theirs}[match.relation]
    related = {
        (first, second)
        for first, mine in extensions[0].items()
        for second, theirs in extensions[1].items()
        if len(next(iter(mine))) == len(next(iter(theirs)))
        if any(mine <= turned or mine >= turned for turned in _turned(theirs))
    }
    assert {match.first for match in found.latents} == {first for first, _ in related}
    assert {match.second for match in found.latents} == {second for _, second in related}
    assert set(found.unmatched_first) == set(FIRST.encoder_.defined()) - {first for first, _ in related}
    assert set(found.unmatched_second) == set(OTHER.encoder_.defined()) - {second for _, second in related}

    outcomes = FIRST.reconstruct(kb), OTHER.reconstruct(kb)
    facts = {(f.interpretation, str(f)) for f in kb}
    first, second = ({(f.interpretation, str(f)) for f in o.rebuilt} & facts for o in outcomes)
    assert (found.facts.both, found.facts.only_first, found.facts.only_second, found.facts.neither) == (
        len(first & second),
        len(first - second),
        len(second - first),
        len(facts - first - second),
    )
    assert found.loss == (outcomes[0].loss, outcomes[1].loss)
    assert found.false.both + found.false.only_second == len(outcomes[1].false)
    assert found.facts.both + found.facts.only_first == found.size - found.missing[0]


def _inverse(columns):
    """Places in a row of the second model, in the order of the first; the world stands before them."""
    return [columns.index(place + 1) + 1 for place in range(len(columns))]


def _turned(rows):
    width = len(next(iter(rows))) - 1
    for order in permutations(range(width)):
        yield {(row[0], *(row[i + 1] for i in order)) for row in rows}


def test_text():
    kb = KnowledgeBase.from_facts(["p(a,b)", "p(b,c)", "q(a)"])
    one = AutoEncoder.from_programs("l(X,Y) :- p(X,Y).", "p(X,Y) :- l(X,Y).")
    two = AutoEncoder.from_programs("m(Y,X) :- p(X,Y). n(X) :- q(X).", "q(X) :- n(X). p(X,Y) :- m(X,Y).")
    text = str(one.diff(two, kb))
    assert "l = m (columns 2, 1), 2 and 2 facts" in text
    assert "  > n" in text
    assert [line.split()[-2:] for line in text.splitlines() if line.startswith("loss")] == [["1", "4"]]
    start = text.index("Latent predicates")
    assert text[start:].splitlines()[4:] == [
        "                  both  only 1st  only 2nd  neither",
        "facts rebuilt        0         2         1        0",
        "false atoms          0         0         2",
        "",
        "                   1st       2nd",
        "loss                 1         4",
        "missing              1         2",
        "latent facts         2         3",
    ]


def test_latents_of_equal_extension_are_paired_once():
    kb = KnowledgeBase.from_facts(["p(a)", "q(a)", "r(b)"])
    one = AutoEncoder.from_programs("l1(X) :- p(X). l2(X) :- q(X).", "p(X) :- l1(X).")
    two = AutoEncoder.from_programs("m1(X) :- q(X). m2(X) :- p(X). m3(X) :- r(X).", "p(X) :- m1(X).")
    found = one.diff(two, kb).data
    assert [(m.first, m.second, m.relation) for m in found.latents] == [
        ("l1", "m1", "equal"),
        ("l2", "m2", "equal"),
    ]
    assert found.unmatched_second == ("m3",)


TYPED = Schema.of(
    Predicate("advises", ("person", "person")),
    Predicate("takes", ("person", "course")),
    Predicate("hard", ("course",)),
)
RENAMED_TYPES = Schema.of(
    Predicate("advises", ("who", "who")), Predicate("takes", ("who", "what")), Predicate("hard", ("what",))
)


@pytest.mark.parametrize("other", [RENAMED_TYPES, None])
def test_models_of_differently_typed_schemas(other):
    """What one model calls a person has another name, or no name of its own, in the other."""
    programs = (
        "l(X,Y) :- advises(X,Y). m(Y,X) :- takes(X,Y), hard(Y). n(X) :- hard(X).",
        "advises(X,Y) :- l(X,Y). takes(X,Y) :- m(Y,X). hard(X) :- n(X).",
    )
    one = AutoEncoder.from_programs(*programs, schema=TYPED)
    two = AutoEncoder.from_programs(*programs, schema=other)
    facts = ["advises(ann,bob)", "takes(bob,logic)", "takes(ann,sets)", "hard(logic)", "hard(sets)"]
    kb = KnowledgeBase.from_facts(facts)
    for found in (one.diff(two, kb), two.diff(one, kb)):
        assert len(found.encoder.common) == 3
        assert [(m.first, m.second, m.relation, m.columns) for m in found.data.latents] == [
            ("n", "n", "equal", (1,)),
            ("l", "l", "equal", (1, 2)),
            ("m", "m", "equal", (1, 2)),
        ]
        assert (found.data.unmatched_first, found.data.unmatched_second) == ((), ())


def test_constants_that_only_the_background_mentions_have_a_type_too():
    programs = "l(X) :- big(X). m(X) :- p(X).", "p(X) :- m(X)."
    one, two = (AutoEncoder.from_programs(*programs, background="big(nine).") for _ in range(2))
    found = one.diff(two, KnowledgeBase.from_facts(["p(a)"])).data
    assert [(m.first, m.second) for m in found.latents] == [("l", "l"), ("m", "m")]


def test_types_still_keep_latents_apart():
    """The latents have the same constants, but speak of persons in one model and of courses in the other."""
    schema = Schema.of(Predicate("person", ("person",)), Predicate("course", ("course",)))
    kb = KnowledgeBase.from_facts(["person(a)", "course(a)"], schema=schema)
    one = AutoEncoder.from_programs("l(X) :- person(X).", "person(X) :- l(X).", schema=schema)
    two = AutoEncoder.from_programs("m(X) :- course(X).", "course(X) :- m(X).", schema=schema)
    found = one.diff(two, kb).data
    assert (found.latents, found.unmatched_first, found.unmatched_second) == ((), ("l",), ("m",))


def test_a_model_without_programs():
    with pytest.raises(UsageError, match="no programs yet"):
        FIRST.diff(AutoEncoder())
