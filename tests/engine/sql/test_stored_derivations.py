"""Derivations by queries are those that arrays find: the same instances, counts and near misses."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.random_programs import REPEATABLE, knowledge_bases, programs

from logicoder import KnowledgeBase, Program
from logicoder.engine.arrays.array_derivations import Derivations
from logicoder.engine.sql.stored_data import StoredData
from logicoder.engine.sql.stored_derivations import StoredDerivations
from logicoder.logic.symbols import symbol_of
from logicoder.logic.terms import Atom, Constant

EXAMPLES = {"duckdb": 12, "postgresql": 6, "spark": 1}
ATOMS = {"duckdb": 8, "postgresql": 8, "spark": 1}
"""Atoms of each example that are asked about."""


def atom_of(fact):
    return Atom(fact.predicate, tuple(Constant(symbol_of(value)) for value in fact.arguments))


def told(instances):
    return {(str(one.clause), tuple(map(str, one.body)), one.holds) for one in instances}


def agrees(program, kb, session, most):
    here = Derivations(program, kb)
    data = StoredData.of(kb, session)
    there = StoredDerivations(program, data, data.relations, here.outputs.schema)
    worlds = {name: number for number, name in enumerate(kb.interpretations)}
    for fact in list(here.outputs)[:most]:
        atom, world = atom_of(fact), worlds[fact.interpretation]
        assert there.worlds_of(atom) == here.worlds_of(atom)
        assert told(there.instances(atom, world)) == told(here.instances(atom, world))
        assert there.count(atom, world) == here.count(atom, world)
        for other in range(len(worlds)):
            if not here.holds(atom, other):
                near = [one.fulfilled for one in there.near_misses(atom, other)]
                assert near == [one.fulfilled for one in here.near_misses(atom, other)]
    session.clear()


def test_random_programs_have_the_same_derivations(session):
    @settings(REPEATABLE, max_examples=EXAMPLES[session.system])
    @given(st.data())
    def check(drawn):
        kb = drawn.draw(knowledge_bases(negatives=False))
        program, _ = drawn.draw(programs(kb))
        agrees(program, kb, session, ATOMS[session.system])

    check()


def test_no_fact_of_a_recursion_supports_itself(session):
    number = 4 if session.system != "spark" else 2
    edges = [("edge", f"n{i}", f"n{(i + 1) % number}") for i in range(number)]
    program = Program.parse("path(X,Y) :- edge(X,Y). path(X,Z) :- path(X,Y), edge(Y,Z).")
    agrees(program, KnowledgeBase.from_facts(edges), session, 16 if session.system != "spark" else 1)
