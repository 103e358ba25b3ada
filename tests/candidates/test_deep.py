"""Decoder candidates of three literals against a slow evaluation of all clauses."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder.engine.arrays.array_engine import ArrayEngine
from logicoder.kb import KnowledgeBase, Predicate, Schema

from .asking import chosen, data_and_latents, deep_counted, question_of
from .naive import Outcome
from .random_data import REPEATABLE, data_with_latents
from .test_decoders import HALF, as_outcome, reference


def deep(kb: KnowledgeBase, max_corruption: Fraction | None, *, drop_extensions=False, max_bodies=None):
    """Return the decoders of exactly three literals."""
    engine = ArrayEngine(kb)
    question = question_of(engine, kb, 3, max_corruption)
    counted = deep_counted(engine, question, max_bodies=max_bodies, drop_extensions=drop_extensions)
    return chosen(engine, question, counted), question.statistics


def slow(kb: KnowledgeBase, max_corruption: Fraction | None) -> set[Outcome]:
    return reference(kb, 3, max_corruption) - reference(kb, 2, max_corruption)


def small(kb: KnowledgeBase) -> bool:
    """Whether evaluating all clauses of three literals one by one ends soon."""
    data, latents = data_and_latents(kb)
    return sum(kb.schema[n].arity for n in data) <= 3 and sum(kb.schema[n].arity for n in latents) <= 3


@settings(REPEATABLE, max_examples=60)
@given(data_with_latents().filter(small), st.sampled_from((None, HALF)))
def test_random_data(kb, max_corruption) -> None:
    found, _ = deep(kb, max_corruption)
    assert Counter(as_outcome(decoder, kb) for decoder in found) == Counter(slow(kb, max_corruption))


@settings(REPEATABLE, max_examples=10)
@given(data_with_latents().filter(small))
def test_bodies_with_a_part_without_false_atoms_are_dropped_on_demand(kb) -> None:
    everything = {as_outcome(d, kb) for d in deep(kb, None)[0]}
    kept = {as_outcome(d, kb) for d in deep(kb, None, drop_extensions=True)[0]}
    assert kept <= everything
    best = {found.atoms for found in everything | reference(kb, 2, None) if not found.false}
    for found in everything - kept:
        assert any(found.atoms <= atoms for atoms in best)


CHAIN = KnowledgeBase.from_facts(
    [
        ("far", "a", "d"),
        ("far", "b", "e"),
        ("l0", "a", "b"),
        ("l0", "b", "c"),
        ("l0", "c", "d"),
        ("l0", "d", "e"),
    ],
    schema=Schema.of(Predicate("far", ("t", "t")), Predicate("l0", ("t", "t"), background=True)),
)


def test_a_chain_of_three_is_found() -> None:
    found, _ = deep(CHAIN, HALF)
    best = max(found, key=lambda decoder: decoder.true - decoder.false)
    assert (best.true, best.false) == (2, 0)


@pytest.mark.parametrize("limit", [1])
def test_the_limit_on_bodies_is_counted(limit) -> None:
    everything, none = deep(CHAIN, None)
    some, statistics = deep(CHAIN, None, max_bodies=limit)
    assert none.limit == 0
    assert statistics.limit > 0
    assert len(some) < len(everything)
