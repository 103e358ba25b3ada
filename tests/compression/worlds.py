"""Data with something to find, or nothing, for tests of compression."""

from __future__ import annotations

import random
from itertools import product

from hypothesis import strategies as st

from logicoder import KnowledgeBase
from logicoder.compression.codec import say, understand
from logicoder.compression.compressed import Compressed
from logicoder.compression.learned_plan import Compressor
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
            values = [[f"{kind}{i}" for i in range(size)] for kind in predicate.types]
            if len(values) > 1 and rng.random() < 0.3:  # one fact for each value of a place
                place = rng.randrange(len(values))
                own = (v for v in values[place] if rng.random() < share)
                rows = [tuple(v if p == place else rng.choice(o) for p, o in enumerate(values)) for v in own]
            else:
                rows = [row for row in product(*values) if rng.random() < share]
            facts += [(name, *row) for row in rows]
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


def family(seed: int, *, families: int = 8) -> set[tuple[str, ...]]:
    """Four generations: fathers and mothers, and what follows from being a parent."""
    rng = random.Random(seed)  # noqa: S311
    facts: set[tuple[str, ...]] = set()
    parents: dict[str, tuple[str, str]] = {}
    number = 0

    def person(kind: str) -> str:
        nonlocal number
        number += 1
        facts.add((kind, f"p{number}"))
        return f"p{number}"

    couples = [(person("man"), person("woman")) for _ in range(families)]
    for _ in range(4):
        children: dict[str, list[str]] = {"man": [], "woman": []}
        for father, mother in couples:
            for _ in range(rng.choice((1, 2, 3))):
                kind = rng.choice(("man", "woman"))
                child = person(kind)
                children[kind].append(child)
                parents[child] = father, mother
                facts |= {("father", father, child), ("mother", mother, child)}
        for some in children.values():
            rng.shuffle(some)
        couples = list(zip(children["man"], children["woman"], strict=False))
    for child, own in parents.items():
        grand = [q for p in own for q in parents.get(p, ())]
        facts |= {("grandparent", q, child) for q in grand}
        facts |= {("grandfather", q, child) for q in grand if ("man", q) in facts}
        facts |= {("sibling", other, child) for other in parents if other != child and parents[other] == own}
    facts |= {
        ("uncle_or_aunt", x, child)
        for _, x, p in {fact for fact in facts if fact[0] == "sibling"}
        for child, own in parents.items()
        if p in own
    }
    return facts


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
