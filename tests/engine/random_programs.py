"""Random typed knowledge bases, and random stratified programs and queries over them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from logicoder.kb import KnowledgeBase, Predicate, Schema
from logicoder.kb.builder import KnowledgeBaseBuilder
from logicoder.logic import Atom, Clause, Constant, Literal, Program, Variable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from logicoder.logic import Term
    from logicoder.logic.terms import Body

    Draw = Callable[[st.SearchStrategy], object]

REPEATABLE = settings(
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)

# `b` is a person and a place: two entities. `stranger` is in no fact.
CONSTANTS = {"person": ("a", "b", "c"), "place": ("b", "d")}
STRANGER = "stranger"
WORLDS = ("earth", "mars", "moon")


@dataclass(frozen=True)
class Language:
    """What clauses may speak of: predicates by name, and those that may be negated."""

    readable: dict[str, Predicate]
    negatable: tuple[str, ...]


@st.composite
def types(draw: Draw, largest: int = 3) -> tuple[str, ...]:
    return tuple(draw(st.lists(st.sampled_from(sorted(CONSTANTS)), max_size=largest)))


@st.composite
def knowledge_bases(
    draw: Draw,
    *,
    negatives: bool = True,
    most_facts: int = 6,
    most_predicates: int = 3,
) -> KnowledgeBase:
    """Predicates of arity 0 to 3, some open; up to three interpretations that share their constants."""
    predicates = [
        Predicate(f"p{i}", draw(types()), open_world=negatives and draw(st.integers(0, 3)) == 0)
        for i in range(draw(st.integers(1, most_predicates)))
    ]
    builder = KnowledgeBaseBuilder(Schema.of(*predicates))
    worlds = [builder.interpretation(name) for name in WORLDS[: draw(st.integers(1, 3))]]
    truths = st.sampled_from(("true", "true", "true", "false", "unknown") if negatives else ("true",))
    for predicate in predicates:
        atoms = [
            (world, arguments)
            for world in worlds
            for arguments in product(*(CONSTANTS[kind] for kind in predicate.types))
        ]
        chosen = draw(st.lists(st.sampled_from(atoms), unique=True, max_size=most_facts))
        for world, arguments in chosen:
            builder.add(predicate.name, arguments, world, draw(truths))
    return builder.build()


def variables_of(kind: str) -> tuple[Variable, ...]:
    return tuple(Variable(f"{kind[:2].title()}{i}") for i in range(3))


@st.composite
def arguments(draw: Draw, kinds: Iterable[str], known: Iterable[Variable] | None = None) -> tuple[Term, ...]:
    """Variables of the right types, or constants; with `known`, only variables among these."""
    found: list[Term] = []
    for kind in kinds:
        usable = [v for v in variables_of(kind) if known is None or v in known]
        if usable and draw(st.integers(0, 5)):
            found.append(draw(st.sampled_from(usable)))
        else:
            found.append(Constant.of(draw(st.sampled_from((*CONSTANTS[kind], STRANGER)))))
    return tuple(found)


def bound_variables(body: Body) -> list[Variable]:
    return sorted({v for literal in body if literal.binds for v in literal.atom.variables()})


@st.composite
def bodies(draw: Draw, language: Language, least: int = 0) -> Body:
    """Up to three positive literals, up to two negated ones and an inequality over their variables."""
    names = sorted(language.readable)
    body = []
    for name in draw(st.lists(st.sampled_from(names), min_size=least, max_size=3)) if names else []:
        body.append(Literal(Atom(name, draw(arguments(language.readable[name].types)))))
    bound = bound_variables(tuple(body))
    if language.negatable:
        for name in draw(st.lists(st.sampled_from(language.negatable), max_size=2)):
            kinds = language.readable[name].types
            body.append(Literal(Atom(name, draw(arguments(kinds, bound))), positive=False))
    kind = draw(st.sampled_from(sorted(CONSTANTS)))
    usable = [v for v in variables_of(kind) if v in bound]
    if usable and draw(st.integers(0, 3)) == 0:
        terms = (*usable, *map(Constant.of, (*CONSTANTS[kind], STRANGER)))
        body.append(Literal.unequal(draw(st.sampled_from(usable)), draw(st.sampled_from(terms))))
    return tuple(draw(st.permutations(body)))


@st.composite
def programs(draw: Draw, kb: KnowledgeBase) -> tuple[Program, Schema]:
    """A stratified program with recursion within its strata, and the types of what it defines."""
    readable = dict(kb.schema)
    heads: dict[str, Predicate] = {}
    clauses: list[Clause] = []
    for stratum in range(draw(st.integers(1, 2))):
        names = [f"d{stratum}{i}" for i in range(draw(st.integers(1, 2)))]
        lower = tuple(sorted(readable))
        for name in names:
            heads[name] = readable[name] = Predicate(name, draw(types()))
        language = Language(dict(readable), lower)
        for name in names:
            for _ in range(draw(st.integers(1, 2))):
                clauses.append(draw(clause_of(heads[name], language)))
    order = draw(st.permutations(clauses))
    return Program(tuple(order)), Schema(heads)


@st.composite
def clause_of(draw: Draw, head: Predicate, language: Language) -> Clause:
    alternatives = tuple(draw(st.lists(bodies(language), min_size=1, max_size=2)))
    bound = set.intersection(*(set(bound_variables(body)) for body in alternatives))
    return Clause(Atom(head.name, draw(arguments(head.types, bound))), alternatives)
