"""The features of the downstream benchmark, against the answers of plain queries."""

from __future__ import annotations

import importlib
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from logicoder import AutoEncoder, KnowledgeBase, Predicate, Program, Schema

BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
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
def downstream():
    if not (BENCHMARKS / "downstream.py").exists():
        pytest.skip("there are no benchmarks beside the tests")
    sys.path.insert(0, str(BENCHMARKS))
    yield importlib.import_module("downstream")
    sys.path.remove(str(BENCHMARKS))


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


def test_literals_of_other_relations_are_features_in_every_place(downstream, kb):
    atoms = downstream.Atoms(kb, "advises")
    types = ("person", "person")
    assert atoms.truth.tolist() == asked(kb, types, "advises(A,B)")
    bodies = ["wrote(A,_)", "wrote(B,_)", "famous(A)", "famous(B)"]
    expected = sorted(asked(kb, types, body) for body in bodies)
    assert sorted(f.tolist() for f in atoms.literals(downstream.original(kb))) == expected
    (same,) = atoms.equalities()
    assert (same.sum(), len(same)) == (2 + 3, 2 * 2 + 3 * 3)  # two people in one world, three in the other


def test_a_place_may_repeat_an_argument_and_leave_others_open(downstream, kb):
    atoms = downstream.Atoms(kb, "famous")
    bodies = [
        "advises(A,A)",
        "advises(A,_)",
        "advises(_,A)",
        "wrote(A,_)",
    ]
    expected = sorted(asked(kb, ("person",), body) for body in bodies)
    assert sorted(f.tolist() for f in atoms.literals(downstream.original(kb))) == expected


def test_latents_and_clauses_that_depend_on_the_predicate_are_left_out(downstream, kb):
    model = AutoEncoder.from_programs(
        "coauthor(X,Y) :- wrote(X,T), wrote(Y,T). star(X) :- famous(X), advises(X,Y).",
        "advises(X,Y) :- coauthor(X,Y). advises(X,Y) :- coauthor(X,Y), star(X).",
        schema=SCHEMA,
    )
    source = downstream.latent(model, kb)
    atoms = downstream.Atoms(kb, "advises")
    pairs = "wrote(A,T), wrote(B,T)"
    assert [f.tolist() for f in atoms.clauses(model, source)] == [asked(kb, ("person", "person"), pairs)]
    literals = {tuple(f.tolist()) for f in atoms.literals(source)}
    assert tuple(asked(kb, ("person", "person"), pairs)) in literals
    assert tuple(asked(kb, ("person", "person"), "famous(A), advises(A,_)")) not in literals
    famous = downstream.Atoms(kb, "famous")
    assert len(famous.literals(source)) == 3  # coauthor(A,A), (A,_) and (_,A)


def test_a_definition_mentions_what_its_parts_mention(downstream):
    program = Program.parse("a(X) :- b(X), p(X). b(X) :- q(X). b(X) :- c(X). c(X) :- b(X), r(X).")
    found = downstream.mentions(program)
    assert found["a"] == {"b", "c", "p", "q", "r"}
    assert found["c"] == {"b", "c", "q", "r"}


def test_weighted_rows_score_as_the_atoms_themselves(downstream):
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415
    from sklearn.metrics import average_precision_score  # noqa: PLC0415

    numbers = np.random.Generator(np.random.PCG64(1))
    sides = []
    for _ in range(2):
        features = numbers.random((400, 3)) < 0.4
        truth = numbers.random(400) < 0.1 + 0.5 * (features[:, 0] & features[:, 1])
        sides.append((features, truth))
    rows = [downstream.Rows.of(list(features.T), truth) for features, truth in sides]
    assert rows[0].weights.sum() == 400
    assert len(rows[0].weights) <= 16
    plain = LogisticRegression(C=downstream.C, max_iter=5000).fit(*sides[0])
    scores = plain.decision_function(sides[1][0]).round(3)
    assert downstream.precision(*rows) == pytest.approx(
        average_precision_score(sides[1][1], scores), abs=1e-3
    )
