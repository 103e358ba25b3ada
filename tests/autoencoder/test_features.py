"""The propositional view of a model, against the answers of plain queries."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from logicoder import AutoEncoder, KnowledgeBase, Predicate, Schema
from logicoder.autoencoder.features import Features
from logicoder.base.errors import UsageError

SCHEMA = Schema.of(
    Predicate("advises", ("person", "person")),
    Predicate("wrote", ("person", "title")),
    Predicate("famous", ("person",)),
)
WORLDS = {
    "one": [
        ("advises", "ann", "bob"),
        ("advises", "bob", "bob"),
        ("wrote", "ann", "t"),
        ("wrote", "bob", "t"),
        ("famous", "ann"),
    ],
    "two": [("advises", "bob", "ann"), ("wrote", "cat", "s"), ("famous", "cat")],
}


@pytest.fixture(scope="module")
def kb():
    parts = [KnowledgeBase.from_facts(facts, schema=SCHEMA, interpretation=w) for w, facts in WORLDS.items()]
    return KnowledgeBase.union(parts)


def asked(kb: KnowledgeBase, types: tuple[str, ...], body: str) -> list[bool]:
    """Say for all typed tuples, world by world, whether a body over A, B holds."""
    found = []
    for part in kb.split():
        answers = part.query(body)
        names = [v for v in "AB" if v in answers.variables]
        order = [answers.variables.index(v) for v in names]
        true = {tuple(row[i] for i in order) for row in answers.rows}
        constants = part.constants()
        for values in product(*(constants[kind] for kind in types)):
            found.append(tuple(values["AB".index(v)] for v in names) in true)
    return found


NONE = AutoEncoder.from_programs("nothing(X) :- famous(X).", "famous(X) :- nothing(X).", schema=SCHEMA)
PAIR = ("person", "person")


def columns(found: Features) -> dict[str, list[bool]]:
    dense = found.matrix.toarray().astype(bool)
    return {name: dense[:, number].tolist() for number, name in enumerate(found.names)}


def test_literals_of_other_relations_are_features_in_every_place(kb):
    found = NONE.features(kb, "advises", original=True)
    assert found.truth.tolist() == asked(kb, PAIR, "advises(A,B)")
    bodies = ["wrote(A,_)", "wrote(B,_)", "famous(A)", "famous(B)"]
    latent = {"nothing(A)": "famous(A)", "nothing(B)": "famous(B)"}
    expected = {body: asked(kb, PAIR, latent.get(body, body)) for body in [*latent, *bodies]}
    own = columns(found)
    same = own.pop("A = B")
    assert own == expected
    assert (sum(same), len(same)) == (2 + 3, 2 * 2 + 3 * 3)  # two people in one world, three in the other


def test_a_place_may_repeat_an_argument_and_leave_others_open(kb):
    found = NONE.features(kb, "famous", original=True)
    bodies = ["advises(A,A)", "advises(A,_)", "advises(_,A)", "wrote(A,_)"]
    assert columns(found) == {body: asked(kb, ("person",), body) for body in bodies}


MODEL = AutoEncoder.from_programs(
    "coauthor(X,Y) :- wrote(X,T), wrote(Y,T). star(X) :- famous(X), advises(X,Y).",
    "advises(X,Y) :- coauthor(X,Y). advises(X,Y) :- coauthor(X,Y), star(X).",
    schema=SCHEMA,
)


def test_latents_and_clauses_that_depend_on_the_predicate_are_left_out(kb):
    found = columns(MODEL.features(kb, "advises"))
    pairs = asked(kb, PAIR, "wrote(A,T), wrote(B,T)")
    assert found["coauthor(A,B)"] == found["advises(X,Y) :- coauthor(X,Y)."] == pairs
    assert not any("star" in name for name in found)
    famous = MODEL.features(kb, "famous").names
    assert famous == ("coauthor(_,A)", "coauthor(A,_)", "coauthor(A,A)")


def test_the_facts_of_the_predicate_are_not_looked_at(kb):
    """Without its facts, but with the constants that vanish with them, the features are the same."""
    parts = [
        KnowledgeBase.from_facts(
            [fact for fact in facts if fact[0] != "advises"], schema=SCHEMA, interpretation=world
        )
        for world, facts in WORLDS.items()
    ]
    gone = KnowledgeBase.union(parts)
    people = {"person": ["ann", "bob", "cat"]}
    settings = {"original": True, "constants": 3, "domains": people}
    full, less = (MODEL.features(data, "advises", **settings) for data in (kb, gone))
    assert (full.matrix != less.matrix).nnz == 0
    assert full.names == less.names
    assert list(full.atoms.facts()) == list(less.atoms.facts())
    assert full.truth.any()
    assert not less.truth.any()


def test_constants_alone_and_with_each_feature(kb):
    train = MODEL.features(kb, "wrote", original=True, constants=2)
    names = train.constants
    assert names == ("B = s", "B = t")  # there are three people
    own = columns(train)
    for name in train.names:
        if " = " in name and ", " in name:
            feature, constant = name.rsplit(", ", 1)
            both = [a and b for a, b in zip(own[feature], own[constant], strict=True)]
            assert own[name] == both
    assert len(train.names) == 2 + 3 * (len(train.names) - 2) // 3
    other = KnowledgeBase.from_facts(
        [("wrote", "dan", "t"), ("wrote", "dan", "u"), ("famous", "dan")], schema=SCHEMA
    )
    test = MODEL.features(other, "wrote", original=True, like=train)
    assert test.names == train.names
    assert columns(test)["famous(A), B = t"] == [True, False]
    assert columns(test)["B = s"] == [False, False]


def test_rows_stand_for_the_atoms(kb):
    found = MODEL.features(kb, "advises", original=True)
    matrix, truth, counts, row = found.rows()
    assert counts.sum() == len(found) == len(row)
    assert (matrix[row] != found.matrix).nnz == 0
    assert (truth[row] == found.truth).all()
    dense = np.column_stack([found.truth, found.matrix.toarray()])
    distinct = set(map(tuple, dense.tolist()))
    assert len(counts) == len(distinct)


def test_some_columns(kb):
    found = MODEL.features(kb, "advises", original=True, constants=3)
    chosen = ("coauthor(A,B)", "A = bob", "coauthor(A,B), A = bob", "advises(X,Y) :- coauthor(X,Y).")
    less = found.select(lambda name: name in chosen)
    assert set(less.names) == set(chosen)
    assert len(less.names) == less.matrix.shape[1] == 4
    # The order is that of all columns, and of the constants only the chosen one is left.
    assert less.names == tuple(name for name in found.names if name in chosen)
    assert found.constants == ("A = ann", "A = bob", "A = cat", "B = ann", "B = bob", "B = cat")
    assert less.constants == ("A = bob",)
    assert less.truth.tolist() == asked(kb, PAIR, "advises(A,B)")
    pairs = asked(kb, PAIR, "wrote(A,T), wrote(B,T)")
    bob = [fact.arguments[0] == "bob" for fact in less.atoms.facts()]
    assert any(pairs)
    assert columns(less) == {
        "coauthor(A,B)": pairs,
        "A = bob": bob,
        "coauthor(A,B), A = bob": [a and b for a, b in zip(pairs, bob, strict=True)],
        "advises(X,Y) :- coauthor(X,Y).": pairs,
    }


def test_the_atoms_are_named_by_their_own_constants_and_worlds(kb):
    atoms = list(MODEL.features(kb, "wrote").atoms.facts())
    expected = [
        (person, title, part.interpretations[0])
        for part in kb.split()
        for person, title in product(part.constants()["person"], part.constants()["title"])
    ]
    assert [(*fact.arguments, fact.interpretation) for fact in atoms] == expected
    assert {fact.predicate for fact in atoms} == {"wrote"}


def test_only_arguments_of_the_same_type_can_be_equal(kb):
    found = MODEL.features(kb, "wrote", original=True)
    assert "A = B" not in found.names
    assert repr(found) == f"<Features of wrote: 5 atoms, {len(found.names)} columns>"


def test_a_model_of_scikit_learn_learns_from_them():
    """A planted rule is found again on new data."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415

    numbers = np.random.Generator(np.random.PCG64(1))
    sides = []
    for _ in range(2):
        wrote = {("wrote", f"p{a}", f"t{t}") for a, t in numbers.integers(0, 12, (25, 2)).tolist()}
        pairs = {(a, b) for _, a, s in wrote for _, b, t in wrote if s == t and a < b}
        facts = [*wrote, *(("advises", a, b) for a, b in pairs)]
        sides.append(KnowledgeBase.from_facts(facts, schema=SCHEMA))
    train = MODEL.features(sides[0], "advises")
    test = MODEL.features(sides[1], "advises", like=train)
    model = LogisticRegression(C=100).fit(train.matrix, train.truth)
    chance = model.predict_proba(test.matrix)[:, 1]
    coauthors = np.array(columns(test)["coauthor(A,B)"])
    assert chance[coauthors & ~np.array(columns(test)["A = B"])].min() > chance[~coauthors].max()


@pytest.mark.parametrize("predicate", ["nobody", "star"])
def test_unknown_predicates(kb, predicate):
    with pytest.raises(UsageError, match=f"no predicate {predicate} to predict; choose from: advises"):
        MODEL.features(kb, predicate)
