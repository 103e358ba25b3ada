"""Latent predicates as shorthands: found where they were planted, evaluated and unfolded."""

from __future__ import annotations

import random

import pytest

from compression.test_lossless import program_bits
from compression.worlds import comes_back, family, pairs, rows, shuffled
from logicoder import KnowledgeBase
from logicoder.compression.codec import say
from logicoder.compression.definitions import relation_of
from logicoder.compression.learned_plan import Compressor
from logicoder.compression.plan import Definition
from logicoder.compression.suggested_latents import LATENT, Suggestions
from logicoder.logic.rules import Literal, Rule


@pytest.mark.parametrize("seed", range(3))
def test_parents_are_found_in_families(seed: int) -> None:
    compressor = Compressor(shuffled(family(seed), seed))
    found = compressor.run()
    couples, parents = found.latents
    assert [str(clause) for clause in parents.clauses()] == [
        "father_or_mother(X,Y) :- father(X,Y).",
        "father_or_mother(X,Y) :- mother(X,Y).",
    ]
    # Who has children with whom is a table of its own: with it, mothers follow from fathers or the other way.
    assert (couples.stored, parents.stored) == (True, False)
    assert [str(clause) for clause in couples.clauses()] == [
        "father_mother(X,Y) :- father(X,Z), mother(Y,Z)."
    ]
    clauses = {str(clause) for step in found.plan for clause in step.clauses()}
    assert "grandparent(X,Y) :- father_or_mother(X,Z), father_or_mother(Z,Y)." in clauses
    assert comes_back(compressor, found)


@pytest.mark.parametrize("goal", ["bits", "stored"])
def test_a_message_with_latents_is_as_long_as_it_says(goal: str) -> None:
    kb = shuffled(family(5), 0)
    compressor = Compressor(kb, goal=goal)
    found = compressor.run()
    assert found.latents
    relations = {name: compressor.database.relation(name) for name in kb.predicates}
    said = sum(part.bits for part in say(found.plan, compressor.database, relations))
    assert found.bits == pytest.approx(said + program_bits(compressor, found.plan), abs=1e-3)
    assert found.bound_scope == "pruned"
    assert compressor.search is not None
    assert compressor.search.heads.floor < found.bound <= found.cost
    assert found.bound < found.bits
    assert comes_back(compressor, found)


def test_a_relation_and_its_inverse_make_one() -> None:
    rng = random.Random(2)  # noqa: S311
    knows = pairs("knows", 70, 120, rng)
    both = {(x, y) for _, a, b in knows for x, y in ((a, b), (b, a))}
    likes = pairs("likes", 70, 90, rng)
    met = {("met", x, z) for x, y in both for _, y2, z in likes if y == y2}
    seen = {("seen", z, x) for x, y in both for _, z, y2 in likes if y == y2}
    found = Compressor(shuffled(knows | likes | met | seen, 0)).run()
    (latent,) = found.latents
    assert {str(clause).partition(":- ")[2] for clause in latent.clauses()} == {
        "knows(X,Y).",
        "knows(Y,X).",
    }


def test_nothing_to_shorten_gives_no_latents() -> None:
    rng = random.Random(3)  # noqa: S311
    facts = set().union(*(pairs(f"p{i}", 25, 60, rng) for i in range(4)))
    assert Compressor(shuffled(facts, 0)).run().latents == ()


def test_a_join_of_two_literals_is_unfolded_to_what_it_was() -> None:
    rng = random.Random(4)  # noqa: S311
    kb = KnowledgeBase.from_facts(sorted(pairs("a", 9, 20, rng) | pairs("b", 9, 20, rng) | {("c", "e1")}))
    compressor = Compressor(kb)
    database, tables = compressor.database, compressor.tables
    relations = {name: tables.relation(name) for name in tables.names}
    rule = Rule((0, 1), (Literal("b", (2, 0)), Literal("a", (3, 2)), Literal("b", (1, 3))))
    suggestions = Suggestions(relations)
    suggestions.joins("p", [rule])
    found = suggestions.ranked()
    assert len(found) == 2
    for suggestion in found:
        known = {**relations, LATENT: relation_of(Definition(LATENT, suggestion.rules), database, relations)}
        (use,) = suggestion.uses["p"]
        assert len(use.body) == 2
        again = relation_of(Definition("q", (use,)), database, known)
        assert rows(again) == rows(relation_of(Definition("q", (rule,)), database, relations))
