"""Data with something to find, or nothing, for tests of compression."""

from __future__ import annotations

import random
from itertools import product

from hypothesis import strategies as st

from logicoder import KnowledgeBase
from logicoder.compression.codec import say, understand
from logicoder.compression.compressed import Compressed
from logicoder.compression.learn import Compressor
from logicoder.engine.arrays.relation import Relation
from logicoder.kb import Predicate, Schema

SIGNATURES = [
    [("a",), ("a", "a"), ("a", "a")],
    [("a", "b"), ("b", "a"), ("a",), ("b",)],
    [("a", "b", "a"), ("a", "b"), ("b",)],
    [("a", "a"), ("a", "a"), ("a", "a"), ()],
]


@st.composite
def knowledge_bases(draw) -> KnowledgeBase:
    """Up to forty facts over a few predicates, in one interpretation or two, dense enough for rules."""
    signature = draw(st.sampled_from(SIGNATURES))
    size = draw(st.integers(3, 7))
    schema = Schema.of(*(Predicate(f"p{i}", types) for i, types in enumerate(signature)))
    parts = []
    for world in draw(st.sampled_from((("earth",), ("earth", "mars")))):
        rng = random.Random(draw(st.integers(0, 2**32)))  # noqa: S311
        facts = []
        for name, predicate in schema.items():
            share = rng.choice((0.1, 0.3, 0.6, 1.0))
            every = product(*([f"{kind}{i}" for i in range(size)] for kind in predicate.types))
            facts += [(name, *row) for row in every if rng.random() < share]
        parts.append(KnowledgeBase.from_facts(facts, schema=schema, interpretation=world))
    return KnowledgeBase.union(parts)


def people(number: int) -> list[str]:
    """Names of entities."""
    return [f"e{i}" for i in range(number)]


def shuffled(facts: set[tuple[str, ...]], seed: int) -> KnowledgeBase:
    """The facts in a random order."""
    rows = sorted(facts)
    random.Random(seed).shuffle(rows)  # noqa: S311
    return KnowledgeBase.from_facts(rows)


def pairs(name: str, number: int, count: int, rng: random.Random, space: int = 10**9) -> set[tuple[str, ...]]:
    """Random facts of a binary predicate."""
    names = people(min(number, space))
    found: set[tuple[str, ...]] = set()
    while len(found) < count:
        found.add((name, rng.choice(names), rng.choice(names)))
    return found


def comes_back(compressor: Compressor, found: Compressed) -> bool:
    """Whether all facts can be understood from what is said by a plan."""
    names = (*compressor.names, *compressor.background)
    relations = {name: compressor.database.relation(name) for name in names}
    parts = say(found.plan, compressor.database, relations)
    types = {name: relation.types for name, relation in relations.items()}
    background = {name: relations[name] for name in compressor.background}
    back = understand(found.plan, compressor.database, background, types, parts)
    return all(rows(relations[name]) == rows(back[name]) for name in names)


def rows(relation: Relation) -> set[tuple[int, ...]]:
    """The tuples of a relation."""
    return set(zip(*(column.tolist() for column in relation.columns), strict=True))
