"""Random small knowledge bases: data predicates p0, p1, ... and latent predicates l0, l1, ... beside them."""

from __future__ import annotations

from itertools import product

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from logicoder.kb import KnowledgeBase, Predicate, Schema
from logicoder.kb.builder import KnowledgeBaseBuilder

REPEATABLE = settings(
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)

CONSTANTS = {"person": ("a", "b", "c"), "place": ("b", "d")}
WORLDS = ("earth", "mars")


@st.composite
def predicates(draw, letter: str, most: int, arities: list[int], **options) -> list[Predicate]:
    chosen = draw(st.lists(st.sampled_from(arities), min_size=1, max_size=most))
    kinds = st.sampled_from(("person", "person", "place"))
    return [
        Predicate(f"{letter}{i}", tuple(draw(kinds) for _ in range(arity)), **options)
        for i, arity in enumerate(chosen)
    ]


@st.composite
def data_with_latents(draw) -> KnowledgeBase:
    """Data with false and unknown atoms, some of it open, and latent relations that are unrelated to it."""
    data = [
        Predicate(p.name, p.types, open_world=draw(st.integers(0, 3)) == 0)
        for p in draw(predicates("p", 2, [1, 2, 2, 3]))
    ]
    latents = draw(predicates("l", 3, [1, 2, 2, 3], background=True))
    return draw(filled(Schema.of(*data, *latents), most_facts=8, least_facts=2))


@st.composite
def smaller_data_with_latents(draw) -> KnowledgeBase:
    """One data predicate and one or two latents, of one or two arguments: little enough for long bodies."""
    (data,) = draw(predicates("p", 1, [1, 2]))
    data = Predicate(data.name, data.types, open_world=draw(st.integers(0, 3)) == 0)
    latents = draw(predicates("l", 2, [1, 2], background=True))
    return draw(filled(Schema.of(data, *latents), most_facts=5, least_facts=2))


@st.composite
def plain_data(draw, most_predicates: int = 3, arities: tuple[int, ...] = (1, 2, 2, 3)) -> KnowledgeBase:
    """Closed data without negatives; every predicate has a fact."""
    chosen = draw(predicates("p", most_predicates, list(arities)))
    return draw(filled(Schema.of(*chosen), most_facts=6, truths=("true",), least_facts=1))


@st.composite
def filled(
    draw,
    schema: Schema,
    most_facts: int,
    truths: tuple[str, ...] = ("true", "true", "true", "false", "unknown"),
    least_facts: int = 0,
) -> KnowledgeBase:
    builder = KnowledgeBaseBuilder(schema)
    worlds = [builder.interpretation(name) for name in WORLDS[: draw(st.integers(1, len(WORLDS)))]]
    for predicate in schema.values():
        every = [(w, row) for w in worlds for row in product(*(CONSTANTS[kind] for kind in predicate.types))]
        chosen = st.lists(st.sampled_from(every), unique=True, min_size=least_facts, max_size=most_facts)
        for number, (world, row) in enumerate(draw(chosen)):
            always = predicate.background or number < least_facts
            builder.add(predicate.name, row, world, "true" if always else draw(st.sampled_from(truths)))
    return builder.build()
