"""Data of shapes that are hard to search: wide, dense, full of hubs or of predicates, or nearly empty.

Each maker takes how large the data are to be, 1 being the size that once broke a search, and gives the same
facts every time.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

from logicoder import KnowledgeBase
from logicoder.kb import Predicate, Schema

Facts = set[tuple[str, ...]]
Maker = Callable[[float], KnowledgeBase]


def _made(make: Callable[[random.Random, float], Facts]) -> Maker:
    return lambda size: KnowledgeBase.from_facts(sorted(make(random.Random(0), size)))  # noqa: S311


def _wide(arity: int, rows: int) -> Callable[[random.Random, float], Facts]:
    """One table, the last column of which follows from the first."""

    def make(rng: random.Random, size: float) -> Facts:
        values = max(3, round(60 * size))
        found = set()
        for _ in range(round(rows * size)):
            row = [rng.randrange(values) for _ in range(arity)]
            row[-1] = row[0] * 7 % values
            found.add(("row", *(f"c{i}_{value}" for i, value in enumerate(row))))
        return found

    return make


def _hub(rng: random.Random, size: float) -> Facts:
    """One constant in every fact: what is joined through it is everything."""
    sides = ((f"e{i}", "hub")[::way] for i in range(round(20_000 * size)) for way in (1, -1))
    return {(f"r{rng.randrange(12)}", *pair) for pair in sides if rng.random() < 0.6}


def _dense(rng: random.Random, size: float) -> Facts:
    """A million facts over six hundred constants."""
    names = [f"e{i}" for i in range(round(600 * size**0.5))]
    return {(f"r{i}", x, y) for i in range(4) for x in names for y in names if rng.random() < 0.7}


def _predicates(rng: random.Random, size: float) -> Facts:
    """Five thousand predicates of a few facts; some are others turned round."""
    found: Facts = set()
    for i in range(round(5000 * size)):
        rows = {(f"e{rng.randrange(2000)}", f"e{rng.randrange(2000)}") for _ in range(8)}
        found |= {(f"p{i}", *row) for row in rows}
        if i % 10 == 0:
            found |= {(f"t{i}", y, x) for x, y in rows}
    return found


def _single(_: random.Random, __: float) -> Facts:
    return {("p", "a", "b")}


def _few_values(rng: random.Random, size: float) -> Facts:
    """Tables of four places, of which some have few values."""
    found: Facts = set()
    for _ in range(round(8000 * size)):
        x, y = f"x{rng.randrange(400)}", f"y{rng.randrange(300)}"
        kind, label = rng.randrange(3), f"l{rng.randrange(5)}"
        found.add(("sold", x, y, f"k{kind}", label))
        if kind == 1:
            found.add(("dear", x, y, label, f"k{kind}"))
    return found


def _typed(rng: random.Random, size: float) -> Facts:
    """A dense symmetric graph: those of one of six kinds mostly know each other."""
    kind = {i: rng.randrange(6) for i in range(round(400 * size**0.5))}
    found = {("kind", f"e{i}", f"k{k}") for i, k in kind.items()}
    found |= {(f"kind{k}", f"e{i}") for i, k in kind.items()}
    for i, j in product(kind, kind):
        if i < j and rng.random() < (0.9 if kind[i] == kind[j] else 0.05):
            found |= {("knows", f"e{i}", f"e{j}"), ("knows", f"e{j}", f"e{i}")}
    return found


def _propositions(_: random.Random, size: float) -> Facts:
    return {(f"p{i}",) for i in range(round(40 * size))} | {("q", f"e{i}") for i in range(20)}


def _table_rows(rng: random.Random, size: float) -> Facts:
    """Three hundred rows of a table, whose thirty columns are predicates."""
    found: Facts = set()
    for i, column in product(range(round(300 * size)), range(30)):
        value = rng.randrange(4 + column) if column % 3 == 0 else i * column % 17
        found.add((f"column{column}", f"row{i}", f"v{column}_{value}"))
    return found


def _classes(rng: random.Random, size: float) -> Facts:
    """A class hierarchy and its closure, more than fifty thousand facts."""
    up = {i: rng.randrange(max(0, i - 150), i) for i in range(1, round(2600 * size))}
    found: Facts = {("subclass", f"e{c}", f"e{p}") for c, p in up.items()}
    for child in up:
        at = child
        while at in up:
            at = up[at]
            found.add(("is_a", f"e{child}", f"e{at}"))
    return found


def _worlds(size: float) -> KnowledgeBase:
    """Many small interpretations."""
    rng = random.Random(0)  # noqa: S311
    parts = []
    for i in range(round(400 * size)):
        names = [f"e{j}" for j in range(rng.randrange(3, 9))]
        edges = {("a", x, y) for x, y in product(names, names) if rng.random() < 0.3}
        facts = edges | {("b", y, x) for _, x, y in edges} | {("big",)}
        facts |= {("c", x) for x in names if rng.random() < 0.5}
        parts.append(KnowledgeBase.from_facts(sorted(facts), interpretation=f"w{i}"))
    return KnowledgeBase.union(parts)


def _empty(_: float) -> KnowledgeBase:
    """Predicates without facts."""
    signatures = {"p": ("t", "t"), "q": ("t",), "none": ("t", "u"), "rain": ()}
    schema = Schema.of(*(Predicate(name, types) for name, types in signatures.items()))
    return KnowledgeBase.from_facts([("p", "a", "b"), ("p", "b", "a")], schema=schema)


SHAPES: dict[str, Maker] = {
    "six places": _made(_wide(6, 10_000)),
    "twelve places": _made(_wide(12, 5_000)),
    "hub": _made(_hub),
    "dense": _made(_dense),
    "many predicates": _made(_predicates),
    "single fact": _made(_single),
    "few values": _made(_few_values),
    "typed graph": _made(_typed),
    "propositions": _made(_propositions),
    "table rows": _made(_table_rows),
    "classes": _made(_classes),
    "worlds": _worlds,
    "empty": _empty,
}
