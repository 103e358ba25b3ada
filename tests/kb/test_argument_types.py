"""Types of undeclared data: places that share values have one type, strong evidence tells others apart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.random_programs import REPEATABLE

from logicoder import KnowledgeBase, Predicate, Schema
from logicoder.base.errors import InputError, UsageError


def types_of(kb):
    return {name: predicate.types for name, predicate in kb.schema.items()}


def rows(first, second, number):
    return [(first(i), second(i)) for i in range(number)]


def test_numbers_dates_and_names_tell_types_apart():
    kb = KnowledgeBase.from_facts(
        {
            "advised_by": rows(lambda i: f"person{i}", lambda i: f"person{i // 3}", 60),
            "takes": rows(lambda i: f"person{i}", lambda i: f"course_{i % 7}", 60),
            "age": rows(lambda i: f"person{i}", lambda i: 20 + i % 30, 60),
            "born": rows(lambda i: f"person{i}", lambda i: f"1990-01-{1 + i % 28:02}", 60),
        }
    )
    assert types_of(kb) == {
        "advised_by": ("person", "person"),
        "takes": ("person", "course"),
        "age": ("person", "number"),
        "born": ("person", "date"),
    }
    assert "60 facts, as age(_,*)" in kb.schema.evidence["number"]


def test_values_that_are_only_ever_said_of_others_have_a_type_of_their_own():
    words = [a + b for a in "abcdefghij" for b in "klmnopqrst"]
    facts = {
        "knows": rows(lambda i: words[i], lambda i: words[-i], 80),
        "colour": rows(lambda i: words[i], lambda i: ("red", "blue", "green")[i % 3], 80),
    }
    assert types_of(KnowledgeBase.from_facts(facts))["colour"] == ("thing", "colour")
    # The same with one fact about a colour: it is a thing like any other.
    facts["warm"] = [("red",)]
    assert types_of(KnowledgeBase.from_facts(facts))["colour"] == ("thing", "thing")


def test_parents_of_two_generations_are_of_one_type():
    facts = {
        "mother": rows(
            lambda i: f"Ma{'abcdefghij'[i % 10]}{'klmnop'[i // 10]}", lambda i: f"Kid {chr(97 + i)}", 20
        ),
        "father": rows(
            lambda i: f"Pa{'abcdefghij'[i % 10]}{'klmnop'[i // 10]}", lambda i: f"Kid {chr(97 + i)}", 20
        ),
    }
    assert types_of(KnowledgeBase.from_facts(facts)) == dict.fromkeys(facts, ("thing", "thing"))


def test_little_evidence_is_none():
    kb = KnowledgeBase.from_facts({"age": rows(lambda i: f"person{i}", lambda i: i, 8)})
    assert types_of(kb) == {"age": ("thing", "thing")}


def test_numbers_that_stand_for_things_stay_with_them():
    kb = KnowledgeBase.from_facts(
        {
            "edge": rows(lambda i: i, lambda i: i + 1, 100),
            "start": [(3,)],
            "label": rows(lambda i: i, lambda i: f"node{i % 4}", 100),
        }
    )
    assert types_of(kb)["edge"] == ("thing", "thing")
    assert types_of(kb)["label"] == ("thing", "node")


@st.composite
def facts_of_several_sorts(draw):
    numbers = np.random.default_rng(draw(st.integers(0, 10_000)))
    sorts = [lambda i: f"person{i}", int, lambda i: f"w{'abcdefgh'[i % 8]}{'xyz'[i // 8 % 3]}"]
    found = []
    for name in "pqrs":
        left, right = (sorts[draw(st.integers(0, 2))] for _ in range(2))
        found += [
            (name, left(a), right(b))
            for a, b in numbers.integers(0, draw(st.integers(2, 60)), (60, 2)).tolist()
        ]
    return found


@settings(REPEATABLE, max_examples=60)
@given(facts=facts_of_several_sorts(), seed=st.integers(0, 100))
def test_places_that_share_values_share_a_type_whatever_the_order_of_facts(facts, seed):
    kb = KnowledgeBase.from_facts(facts)
    values = {
        (name, i): {fact[i + 1] for fact in facts if fact[0] == name} for name in "pqrs" for i in range(2)
    }
    for (one, i), these in values.items():
        for (other, j), those in values.items():
            if these & those:
                assert kb.schema[one].types[i] == kb.schema[other].types[j], (one, i, other, j)
    again = KnowledgeBase.from_facts([facts[i] for i in np.random.default_rng(seed).permutation(len(facts))])
    pairs = {(a, b) for n in "pqrs" for a, b in zip(kb.schema[n].types, again.schema[n].types, strict=True)}
    assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)


def numbered(kind, number):
    return KnowledgeBase.from_facts({"has": rows(lambda i: f"person{i}", kind, number)})


def test_a_union_guesses_again_where_its_parts_differ():
    one, other = numbered(lambda i: i, 10), numbered(lambda i: i, 100)
    assert types_of(one) != types_of(other)
    assert types_of(KnowledgeBase.union([one, other])) == {"has": ("person", "number")}
    declared = [one.with_schema(Schema.of(Predicate("has", ("a", kind)))) for kind in "ab"]
    with pytest.raises(UsageError, match="declared as"):
        KnowledgeBase.union(declared)


def test_declared_types_win_and_questions_know_no_guessed_ones():
    schema = Schema.of(Predicate("has", ("person", "person")))
    kb = KnowledgeBase.from_facts(list(numbered(lambda i: i, 100)), schema=schema)
    assert types_of(kb) == {"has": ("person", "person")}
    assert kb.schema.evidence == {}
    guessed = numbered(lambda i: i, 100)
    assert guessed.query("has(X,Y), has(Y,Z)").rows == []
    with pytest.raises(InputError, match="of type"):
        guessed.with_schema(Schema(guessed.schema.predicates)).query("has(X,Y), has(Y,Z)")
