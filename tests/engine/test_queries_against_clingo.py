"""`kb.query` gives the answers that clingo gives."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder.kb import KnowledgeBase
from logicoder.logic import Atom, Clause, Literal, Program, Variable

from .asp import derived
from .random_programs import REPEATABLE, Language, bodies, knowledge_bases


def hidden(body: tuple[Literal, ...], variables: set[Variable]) -> tuple[Literal, ...]:
    """Rename some variables so that they begin with an underscore."""

    def renamed(atom: Atom) -> Atom:
        return Atom(atom.predicate, tuple(Variable(f"_{a}") if a in variables else a for a in atom.arguments))

    return tuple(replace(literal, atom=renamed(literal.atom)) for literal in body)


@settings(REPEATABLE, max_examples=700)
@given(st.data())
def test_random_queries(data: st.DataObject) -> None:
    kb = data.draw(knowledge_bases())
    language = Language(dict(kb.schema), tuple(kb.schema))
    alternatives = data.draw(st.lists(bodies(language, least=1), min_size=1, max_size=2))
    everything = sorted({v for body in alternatives for literal in body for v in literal.atom.variables()})
    unseen = set(data.draw(st.lists(st.sampled_from(everything), unique=True)) if everything else ())
    alternatives = [hidden(body, unseen) for body in alternatives]
    text = " ; ".join(", ".join(map(str, body)) for body in alternatives)

    answers = kb.query(text)

    # The answers are about the visible variables that every alternative mentions.
    common = [
        v
        for v in everything
        if v not in unseen
        and all(v in {x for lit in body for x in lit.atom.variables()} for body in alternatives)
    ]
    assert sorted(answers.variables) == [v.name for v in common]
    head = Atom("answer", tuple(map(Variable, answers.variables)))
    expected = derived(Program((Clause(head, tuple(alternatives)),)), kb)
    rows = zip(answers.interpretations, answers.rows, strict=True)
    found = Counter((world, "answer", tuple(map(str, row))) for world, row in rows)
    assert found == Counter(expected)
    assert bool(answers) == bool(expected)


def test_anonymous_variables_are_all_different_and_not_part_of_the_answers() -> None:
    kb = KnowledgeBase.from_facts([("p", "a", "b"), ("p", "b", "c")], types="one")
    assert kb.query("p(X,_), p(_,X)").rows == [("b",)]
    assert kb.query("p(_,_)").rows == [()]
    assert kb.query("p(c,_)").rows == []
    assert list(kb.query("p(X,Y), p(Y,_)")) == [{"X": "a", "Y": "b"}]


def test_a_query_may_meet_a_predicate_that_is_called_answer() -> None:
    kb = KnowledgeBase.from_facts([("answer", "a"), ("answer_", "a"), ("answer_", "b")])
    assert kb.query("answer(X), answer_(X)").rows == [("a",)]
