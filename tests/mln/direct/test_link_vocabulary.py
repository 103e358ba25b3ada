"""Bodies about other facts of a relation."""

from __future__ import annotations

from itertools import product

import pytest
from tests.evaluation.links import graphs

from logicoder import KnowledgeBase
from logicoder.engine.programs import run_program
from logicoder.logic.terms import Program
from logicoder.mln.direct.link_vocabulary import bodies_apart


@pytest.mark.parametrize("seed", range(3))
def test_bodies_apart_never_look_at_the_atom(seed):
    graph = graphs.random_graph(seed, entities=4, relations=2, share=0.5)
    kb = graph.train
    bodies = bodies_apart("r0", ["r1"], "thing")
    program = Program(tuple(body.definition for body in bodies))
    for pair in product(graph.entities, repeat=2):
        others = [(f.predicate, *f.arguments) for f in kb if (f.predicate, *f.arguments) != ("r0", *pair)]
        outcomes = []
        for facts in (others, [*others, ("r0", *pair)]):
            found = run_program(program, KnowledgeBase.from_facts(facts))
            outcomes.append({f.predicate for f in found if tuple(f.arguments) == pair})
        assert outcomes[0] == outcomes[1]


def test_bodies_apart_say_what_they_should():
    kb = KnowledgeBase.from_facts([("r", "a", "b"), ("r", "b", "c"), ("s", "c", "d"), ("r", "d", "d")])
    bodies = bodies_apart("r", ["s"], "thing")
    found = run_program(Program(tuple(body.definition for body in bodies)), kb)
    texts = {body.name: str(body.definition).split(" :- ")[1] for body in bodies}
    held = {(texts[f.predicate], f.arguments) for f in found}
    assert ("r(B,A), A \\= B.", ("b", "a")) in held
    assert ("r(A,Z), r(Z,B), Z \\= A, Z \\= B.", ("a", "c")) in held
    assert ("r(A,Z), s(Z,B), Z \\= A, Z \\= B.", ("b", "d")) in held
    assert not any(pair == ("d", "d") for text, pair in held if "s(" not in text)  # only by itself
