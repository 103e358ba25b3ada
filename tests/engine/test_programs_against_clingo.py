"""The engine derives exactly what clingo derives."""

from __future__ import annotations

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder.engine import run_program
from logicoder.kb import KnowledgeBase, Predicate, Schema
from logicoder.logic import Program

from .asp import Ground, derived
from .random_programs import REPEATABLE, knowledge_bases, programs


def atoms_of(kb: KnowledgeBase) -> set[Ground]:
    found = [(fact.interpretation, fact.predicate, tuple(map(str, fact.arguments))) for fact in kb]
    assert len(found) == len(set(found)) == len(kb), "every atom is listed once"
    return set(found)


@settings(REPEATABLE, max_examples=1500)
@given(st.data())
def test_random_programs_derive_what_clingo_derives(data: st.DataObject) -> None:
    kb = data.draw(knowledge_bases())
    program, declared = data.draw(programs(kb))
    outputs = data.draw(st.sampled_from((declared, None)))
    event("types declared" if outputs else "types inferred")
    expected = derived(program, kb)
    event("derives something" if expected else "derives nothing")
    assert atoms_of(run_program(program, kb, outputs)) == expected


CHAIN = [("edge", f"n{i}", f"n{i + 1}") for i in range(9)] + [("edge", "n5", "n2"), ("start", "n7")]
GRAPH = KnowledgeBase.union(
    [
        KnowledgeBase.from_facts(CHAIN, types="one", interpretation="chain"),
        KnowledgeBase.from_facts(
            [("edge", "n3", "n1"), ("edge", "n1", "n1"), ("start", "n3")], types="one", interpretation="loop"
        ),
    ]
)


@pytest.mark.parametrize(
    "text",
    [
        "path(X,Y) :- edge(X,Y). path(X,Z) :- edge(X,Y), path(Y,Z).",
        "path(X,Y) :- edge(X,Y). path(X,Z) :- path(X,Y), path(Y,Z).",
        "path(X,Y) :- edge(X,Y) ; path(X,Z), path(Z,Y).",
        "even(X) :- start(X). even(Y) :- odd(X), edge(X,Y). odd(Y) :- even(X), edge(X,Y).",
        r"""reached(X) :- start(X). reached(Y) :- reached(X), edge(X,Y).
            lost(X) :- edge(X,_), \+ reached(X). back(Y) :- edge(X,Y), lost(X).
            lonely(X) :- lost(X), \+ back(X).""",
        r"loop(X) :- edge(X,X). free :- \+ loop(n1). bound(X,Y) :- free, edge(X,Y), \+ edge(Y,X).",
        "sames(X,Y) :- edge(X,Z), edge(Y,Z). triple(X,Y,Z) :- sames(X,Y), sames(Y,Z), sames(X,Z).",
    ],
)
def test_recursion_over_many_rounds(text: str) -> None:
    program = Program.parse(text)
    assert atoms_of(run_program(program, GRAPH)) == derived(program, GRAPH)


def test_joins_never_cross_interpretations_even_without_a_shared_variable() -> None:
    parts = [
        KnowledgeBase.from_facts([("p", "a")], interpretation="one", schema=Schema.of(*SHARED)),
        KnowledgeBase.from_facts([("q", "a"), ("q", "b")], interpretation="two", schema=Schema.of(*SHARED)),
    ]
    program = Program.parse("both(X,Y) :- p(X), q(Y). same(X) :- p(X), q(X). said :- p(a), q(b).")
    assert len(run_program(program, KnowledgeBase.union(parts))) == 0


SHARED = (Predicate("p", ("thing",)), Predicate("q", ("thing",)))


class TestNegation:
    """Atoms are true, false, or unknown; a literal, negated or not, never matches an unknown atom."""

    schema = Schema.of(
        Predicate("item", ("thing",)),
        Predicate("closed", ("thing",)),
        Predicate("open", ("thing",), open_world=True),
    )
    kb = KnowledgeBase.from_facts(
        [*(("item", x) for x in "tfun"), ("closed", "t"), ("open", "t")],
        negatives=[("closed", "f"), ("open", "f")],
        unknown=[("closed", "u"), ("open", "u")],
        schema=schema,
    )

    def answers(self, text: str) -> set[str]:
        return {str(row[0]) for row in self.kb.query(text).rows}

    def test_a_positive_literal_matches_true_atoms_only(self) -> None:
        assert self.answers("item(X), closed(X)") == {"t"}
        assert self.answers("item(X), open(X)") == {"t"}

    def test_atoms_that_are_not_listed_are_false_where_the_predicate_is_closed(self) -> None:
        assert self.answers(r"item(X), \+ closed(X)") == {"f", "n"}

    def test_only_explicit_negatives_are_false_where_it_is_open(self) -> None:
        assert self.answers(r"item(X), \+ open(X)") == {"f"}

    def test_what_is_derived_is_closed(self) -> None:
        program = Program.parse(r"some(X) :- open(X). none(X) :- item(X), \+ some(X).")
        assert {str(f) for f in run_program(program, self.kb).facts("none")} == {
            "none(f)",
            "none(u)",
            "none(n)",
        }


@pytest.mark.parametrize(
    "text",
    [
        "p(c). q(X) :- p(X).",
        "p(c). q(X) :- p(X), r(X).",
        "p(c). q(X) :- r(X), p(X).",
        r"p(c). q(X) :- r(X), \+ p(X).",
    ],
)
def test_facts_of_a_program_meet_the_data(text: str) -> None:
    kb = KnowledgeBase.from_facts([("r", "a"), ("r", "b"), ("r", "c")])
    program = Program.parse(text)
    assert atoms_of(run_program(program, kb)) == derived(program, kb)
