"""Random knowledge bases of a few facts, small enough for oracles, and the settings they are learned in."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.kb import Predicate, Schema
from oracle import Types

REPEATABLE = settings(
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def zero_scope(model: AutoEncoder, otherwise: str) -> str:
    """Return the scope of a bound of zero, which is one of everything or of nothing, or another one."""
    return otherwise if model.bound_ else "none" if model.objective_ else "language"


CONSTANTS = {"person": ("a", "b", "c"), "place": ("c", "d")}
SIGNATURES = [
    [("person",), ("person", "person")],
    [("person",), ("person",), ("person", "person")],
    [("person", "person"), ("person", "person")],
    [("person", "place"), ("person",), ("place",)],
    [("person", "place"), ("person", "person")],
    [("person", "place"), ("place", "person"), ("person",)],
]
SETTINGS = {
    "paper": {"bottlenecks": ("average",), "max_corruption": 0.5, "dominance": False},
    "default": {},
}
COMPRESSIONS = {
    "paper": ("0.5", "0.6", "0.75", "0.9", "1", "4/3"),
    "default": ("0.3", "0.5", "0.6", "0.7", "0.8", "0.9", "1"),
}
both_settings = pytest.mark.parametrize("setting", SETTINGS)


@st.composite
def knowledge_bases(
    draw, signatures: list[list[Types]], most_facts: int = 10, background: str | None = None
) -> KnowledgeBase:
    """At most ten facts over two or three predicates, in one interpretation or two."""
    signature = draw(st.sampled_from(signatures))
    schema = Schema.of(
        *(Predicate(f"p{i}", types, background=f"p{i}" == background) for i, types in enumerate(signature))
    )
    worlds = draw(st.sampled_from((("earth",), ("earth",), ("earth", "mars"))))
    share = most_facts // len(signature)
    parts = {world: [] for world in worlds}
    for predicate in schema.values():
        every = [(w, row) for w in worlds for row in product(*(CONSTANTS[kind] for kind in predicate.types))]
        for world, row in draw(st.lists(st.sampled_from(every), unique=True, min_size=2, max_size=share)):
            parts[world].append((predicate.name, *row))
    return KnowledgeBase.union(
        KnowledgeBase.from_facts(facts, schema=schema, interpretation=world) for world, facts in parts.items()
    )
