"""Small random worlds for the tests of structure learning."""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st

from logicoder import KnowledgeBase
from logicoder.kb import Predicate, Schema
from logicoder.mln.worlds import World, worlds_of

SCHEMA = Schema.of(
    Predicate("p", ("t",)), Predicate("q", ("t", "t")), Predicate("r", ("t", "u")), Predicate("s", ("u",))
)
DOMAINS = {"t": ("a", "b", "c"), "u": ("x", "y")}


def ground_atoms(schema: Schema = SCHEMA) -> list[tuple[str, ...]]:
    return [
        (name, *values)
        for name, predicate in schema.items()
        for values in product(*(DOMAINS[kind] for kind in predicate.types))
    ]


@st.composite
def knowledge_bases(draw: st.DrawFn) -> KnowledgeBase:
    """One interpretation over three and two constants."""
    facts = draw(st.lists(st.sampled_from(ground_atoms()), min_size=1, max_size=14, unique=True))
    return KnowledgeBase.from_facts(facts, schema=SCHEMA)


def world_of(kb: KnowledgeBase) -> World:
    [world] = worlds_of(kb, DOMAINS)
    return world
