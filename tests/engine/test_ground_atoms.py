"""All ground atoms of a predicate, and what relations say of them, against sets of tuples."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from logicoder.base.errors import UsageError
from logicoder.engine.arrays.ground_atoms import GroundAtoms
from logicoder.kb import KnowledgeBase, Predicate, Schema
from logicoder.kb.builder import KnowledgeBaseBuilder

from .random_programs import REPEATABLE, STRANGER, knowledge_bases


def entities(kb: KnowledgeBase, further: str | None) -> set[tuple[str, str, object]]:
    """Return interpretation, type and name of what there is."""
    found: set[tuple[str, str, object]] = set()
    for fact in kb:
        kinds = kb.schema[fact.predicate].types
        found |= {(fact.interpretation, kind, a) for kind, a in zip(kinds, fact.arguments, strict=True)}
    return found | {(world, further, STRANGER) for world in kb.interpretations if further}


def tuples(kb: KnowledgeBase, name: str) -> set[tuple[str, tuple[object, ...]]]:
    return {(fact.interpretation, fact.arguments) for fact in kb.facts(name)}


def some_of(kb: KnowledgeBase, keep: set[str]) -> KnowledgeBase:
    """Return the facts of some predicates, with the same schema and interpretations."""
    builder = KnowledgeBaseBuilder(kb.schema)
    worlds = {name: builder.interpretation(name) for name in kb.interpretations}
    for fact in kb:
        if fact.predicate in keep:
            builder.add(fact.predicate, fact.arguments, worlds[fact.interpretation])
    return builder.build()


@settings(REPEATABLE, max_examples=200)
@given(knowledge_bases(negatives=False), st.sampled_from(["person", "place", None]), st.data())
def test_random_data(kb, further, data) -> None:
    names = [name for name in kb.predicates if kb.schema[name].types]
    assume(names)
    predicate, other = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))
    known = some_of(kb, data.draw(st.sets(st.sampled_from(names))))
    atoms = GroundAtoms(known, predicate, {further: [STRANGER]} if further else None)
    present = entities(known, further)
    kinds = kb.schema[predicate].types
    expected = [
        (world, arguments)
        for world in kb.interpretations
        for arguments in product(
            *(sorted(a for w, k, a in present if (w, k) == (world, kind)) for kind in kinds)
        )
    ]
    listed = [(fact.interpretation, fact.arguments) for fact in atoms.facts()]
    assert sorted(listed) == sorted(expected)
    assert len(atoms) == len(listed)
    assert {atom for atom, true in zip(listed, atoms.truth, strict=True) if true} == tuples(known, predicate)

    types = kb.schema[other].types
    relation = atoms.relation(kb, other)
    there = {
        (world, arguments)
        for world, arguments in tuples(kb, other)
        if all((world, kind, a) in present for kind, a in zip(types, arguments, strict=True))
    }
    event(f"constants that do not exist: {len(there) < len(tuples(kb, other))}")
    assert len(relation) == len(there)
    places = [
        data.draw(st.sampled_from([None, *(p for p, k in enumerate(kinds) if k == kind)])) for kind in types
    ]
    assume(any(place is not None for place in places))
    bound = [(column, place) for column, place in enumerate(places) if place is not None]
    holding = {(world, tuple(arguments[column] for column, _ in bound)) for world, arguments in there}
    assert atoms.holds(relation, places).tolist() == [
        (world, tuple(arguments[place] for _, place in bound)) in holding for world, arguments in listed
    ]


def test_a_proposition_has_no_atoms() -> None:
    kb = KnowledgeBase.from_facts(["rainy"], schema=Schema.of(Predicate("rainy", ())))
    with pytest.raises(UsageError, match="rainy has no arguments"):
        GroundAtoms(kb, "rainy")
