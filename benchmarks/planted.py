"""Planted programs under noise, and data with nothing to find: how often the right program comes back.

    python benchmarks/planted.py [NAME ...] [--seeds N]

Every world has a predicate that is defined by one clause over random relations; then a share of its facts is
taken away, and as many false ones are added. A program is right if the planted clause is among the clauses of
its head, or one that derives as much (within the domains of its places a shorter one may). Of random data
every rule is wrong. The rates come with the number of seeds they are from.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

from common import parser_of, require_known, say, table

from logicoder import KnowledgeBase
from logicoder.compression.compressed import Compressed
from logicoder.compression.learned_plan import Compressor

Facts = set[tuple[str, ...]]
World = tuple[Facts, Facts, str]
"""What is known, what is defined, and by which clause."""

NOISE = (0.0, 0.01, 0.05, 0.2)


def _pairs(name: str, size: int, count: int, rng: random.Random) -> Facts:
    return {(name, f"e{rng.randrange(size)}", f"e{rng.randrange(size)}") for _ in range(count)}


def inverse(rng: random.Random) -> World:
    """A relation turned round."""
    owns = _pairs("owns", 80, 200, rng) | _pairs("likes", 80, 150, rng)
    return owns, {("p", y, x) for n, x, y in owns if n == "owns"}, "p(X,Y) :- owns(Y,X)."


def chain(rng: random.Random) -> World:
    """A chain of two."""
    a, b = _pairs("a", 80, 150, rng), _pairs("b", 80, 150, rng)
    joined = {("p", x, z) for _, x, y in a for _, y2, z in b if y == y2}
    return a | b | _pairs("c", 80, 150, rng), joined, "p(X,Y) :- a(X,Z), b(Z,Y)."


def guarded(rng: random.Random) -> World:
    """A relation of those of one kind."""
    a = _pairs("a", 80, 300, rng)
    kind = {("kind", f"e{i}") for i in range(80) if rng.random() < 0.5}
    other = {("other", f"e{i}") for i in range(80) if rng.random() < 0.5}
    return (
        a | kind | other,
        {("p", x, y) for _, x, y in a if ("kind", x) in kind},
        "p(X,Y) :- a(X,Y), kind(X).",
    )


def constant(rng: random.Random) -> World:
    """All with one value."""
    colour = {("colour", f"x{i}", rng.choice(("red", "green", "blue", "grey"))) for i in range(200)}
    return colour, {("p", x) for _, x, c in colour if c == "red"}, "p(X) :- colour(X,red)."


def exception(rng: random.Random) -> World:
    """All but some."""
    sold = _pairs("sold", 60, 900, rng)
    paid = {("paid", x, y) for _, x, y in sold if rng.random() < 0.4} | _pairs("paid", 60, 200, rng)
    owed = {("p", x, y) for _, x, y in sold if ("paid", x, y) not in paid}
    return sold | paid, owed, r"p(X,Y) :- sold(X,Y), \+ paid(X,Y)."


def shared(rng: random.Random) -> World:
    """A value that another one of the same row tells, by a table that is nowhere."""
    city = {f"x{i}": rng.randrange(25) for i in range(300)}
    country = {c: rng.randrange(6) for c in range(25)}
    known = {("city", x, f"c{c}") for x, c in city.items()} | {
        ("age", x, f"a{rng.randrange(9)}") for x in city
    }
    return known, {("p", x, f"l{country[c]}") for x, c in city.items()}, "p(X,Y) :- city(X,Z), city_p(Z,Y)."


def steps(rng: random.Random) -> World:
    """What goes on along another relation."""
    up = {c: rng.randrange(max(0, c - 6), c) for c in range(1, 40)}
    found: Facts = set()
    for i in range(80):
        at: int | None = rng.randrange(40)
        while at is not None:
            found.add(("p", f"x{i}", f"c{at}"))
            at = up.get(at)
    return {("sub", f"c{c}", f"c{p}") for c, p in up.items()}, found, "p(X,Y) :- p(X,Z), sub(Z,Y)."


WORLDS: dict[str, Callable[[random.Random], World]] = {
    "inverse": inverse,
    "chain": chain,
    "guarded": guarded,
    "constant": constant,
    "exception": exception,
    "shared": shared,
    "steps": steps,
}


def noisy(known: Facts, defined: Facts, noise: float, rng: random.Random) -> Facts:
    """Return the defined facts with some taken away and as many others of the same constants added."""
    places = [sorted({row[i] for row in defined}) for i in range(1, len(next(iter(defined))))]
    if len(places) == 1:
        places = [sorted({row[1] for row in known})]
    others = sorted({("p", *row) for row in product(*places)} - defined)
    number = round(noise * len(defined))
    gone = set(rng.sample(sorted(defined), number))
    return (defined - gone) | set(rng.sample(others, min(number, len(others))))


def learned(facts: Facts) -> Compressed:
    """Return what is found in some facts."""
    return Compressor(KnowledgeBase.from_facts(sorted(facts))).run()


def is_right(name: str, noise: float, seed: int) -> bool:
    """Whether the planted clause comes back, or one that derives the same."""
    rng = random.Random(f"{name} {seed}")  # noqa: S311
    known, defined, clause = WORLDS[name](rng)
    facts = noisy(known, defined, noise, rng)
    found = learned(known | facts)
    planted = len(defined), len(defined & facts)
    layers = found.choices["p"].layers
    return any((layer.derived, layer.true) == planted for layer in layers) or clause in {
        str(c) for step in found.plan if step.predicate == "p" for c in step.clauses()
    }


def is_wrong(seed: int) -> bool:
    """Whether random data are said by rules or closures."""
    rng = random.Random(seed)  # noqa: S311
    found = learned(set().union(*(_pairs(f"p{i}", 30, 80, rng) for i in range(5))))
    return any(step.layers or step.form not in ("plain", "apart") for step in found.plan)


def main() -> None:
    """Print the rates."""
    parser = parser_of(__doc__)
    parser.add_argument("--seeds", type=int, default=20, help="worlds of each kind")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these kinds")
    options = parser.parse_args()
    require_known(options.names, tuple(WORLDS))
    seeds = range(options.seeds)
    rows = []
    for name in options.names or WORLDS:
        say(name)
        right = [sum(is_right(name, noise, seed) for seed in seeds) for noise in NOISE]
        rows.append([name, *(f"{number} of {len(seeds)}" for number in right)])
    print(table(("planted", *(f"noise {noise:.0%}" for noise in NOISE)), rows))
    wrong = sum(is_wrong(seed) for seed in seeds)
    print(f"random data with a rule or closure: {wrong} of {len(seeds)}")


if __name__ == "__main__":
    main()
