"""Views: what clauses derive is added step by step, and derived anew where recursion may lose something."""

from __future__ import annotations

import random

import pytest

from logicoder import KnowledgeBase, Program
from logicoder.autoencoder.following.derived_predicates import views_of
from logicoder.autoencoder.following.fact_store import FactStore
from logicoder.engine.programs import run_program

PROGRAM = Program.parse(
    r"""reach(X,Y) :- edge(X,Y). reach(X,Z) :- reach(X,Y), edge(Y,Z).
    stuck(X) :- node(X), \+ reach(X,goal). far(X,Y) :- reach(X,Y), \+ edge(X,Y), X \= Y."""
)
NODES = [*(f"n{i}" for i in range(7)), "goal"]


def rows_of(kb, numbers):
    return {
        name: {(0, *(numbers[str(value)] for value in fact.arguments)) for fact in kb.facts(name)}
        for name in kb.schema
    }


@pytest.mark.parametrize("seed", range(5))
def test_views_are_what_running_the_program_gives(seed):
    rng = random.Random(seed)  # noqa: S311
    numbers = {text: place for place, text in enumerate(NODES)}
    edges = {(rng.choice(NODES), rng.choice(NODES)) for _ in range(9)}
    again = []

    def kb():
        return KnowledgeBase.from_facts({"edge": sorted(edges), "node": [(node,) for node in NODES]})

    def run(program):
        again.append(program)
        derived = run_program(PROGRAM, kb())
        return {name: rows_of(derived, numbers)[name] for name in program.defined()}

    store = FactStore(NODES)
    views = views_of(PROGRAM, numbers.__getitem__)
    for name, rows in {**rows_of(kb(), numbers), **rows_of(run_program(PROGRAM, kb()), numbers)}.items():
        store.load(name, rows)
    for _ in range(12):
        edge = (rng.choice(NODES), rng.choice(NODES))
        there = edge not in edges
        edges ^= {edge}
        store.put("edge", (0, *(numbers[node] for node in edge)), there)
        before = len(again)
        for view in views:
            view.update(store, run)
        assert not there or len(again) == before  # what comes needs no program to be run
        store.settle()
        expected = rows_of(run_program(PROGRAM, kb()), numbers)
        for name in PROGRAM.defined():
            assert set(store.rows(name)) == expected[name], name
