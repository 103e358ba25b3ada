"""Decoder candidates of three literals against a slow evaluation of all clauses."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder.candidates.batches import Acceptance, DecoderStatistics
from logicoder.candidates.deep import DeepEnumeration
from logicoder.candidates.pruning import chosen_decoders
from logicoder.engine import Database
from logicoder.kb import KnowledgeBase, Predicate, Schema

from .naive import DecoderClause, Outcome, _bodies, _own_renamed, fillings, outcome
from .random_data import REPEATABLE, data_with_latents
from .test_decoders import HALF, as_outcome, data_and_latents, reference


def deep(kb: KnowledgeBase, max_corruption: Fraction | None, *, drop_extensions=False, max_bodies=None):
    """Return the decoders of exactly three literals."""
    database = Database(kb)
    data, latents = data_and_latents(kb)
    relations = [database.relation(name) for name in latents]
    statistics = DecoderStatistics()
    enumeration = DeepEnumeration(
        database,
        data,
        relations,
        3,
        Acceptance(max_corruption),
        statistics,
        max_bodies,
        None,
        drop_extensions,
    )
    batches = list(enumeration.run(lambda *_: None))
    weights = [len(r) for r in relations]
    found = chosen_decoders(
        batches, weights, statistics, merge_signature_variants=False, drop_extensions=False, max_decoders=None
    )
    return found, statistics


def clauses_of_three(predicate: str, types, latents) -> set[DecoderClause]:
    """Return all connected bodies of three literals no two of which say the same."""
    found = set()
    for head, kinds in fillings(types, {}):
        for choice in product(latents, repeat=3):
            for body in _bodies(choice, latents, kinds):
                used = [set(arguments) for _, arguments in body]
                uses = Counter(v for variables in used for v in variables)
                common = set(kinds) | {v for v, count in uses.items() if count > 1}
                different = {(name, _own_renamed(arguments, common)) for name, arguments in body}
                if set(kinds) <= set(uses) and len(different) == 3 and _connected(used):
                    found.add(DecoderClause.of(predicate, head, body))
    return found


def _connected(used: list[set[int]]) -> bool:
    reached, rest = set(used[0]), used[1:]
    while near := [variables for variables in rest if variables & reached]:
        reached |= set.union(*near)
        rest = [variables for variables in rest if not variables & reached]
    return not rest


def slow(kb: KnowledgeBase, max_corruption: Fraction | None) -> set[Outcome]:
    data, latents = data_and_latents(kb)
    kinds = {name: kb.schema[name].types for name in latents}
    outcomes = (outcome(c, kb) for name in data for c in clauses_of_three(name, kb.schema[name].types, kinds))
    return {
        found
        for found in outcomes
        if found.true
        and (max_corruption is None or Fraction(found.false, found.true + found.false) < max_corruption)
    }


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


@pytest.mark.parametrize("limit", [1, 5])
def test_the_limit_on_bodies_is_counted(limit) -> None:
    everything, none = deep(CHAIN, None)
    some, statistics = deep(CHAIN, None, max_bodies=limit)
    assert none.limit == 0
    assert statistics.limit > 0
    assert len(some) < len(everything)
