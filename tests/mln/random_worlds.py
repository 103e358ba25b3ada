"""Random worlds and clauses of all kinds, by a seed."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np

from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.terms import Atom, Constant, Literal, Term, Variable
from logicoder.mln.formulas import Literals
from logicoder.mln.worlds import World

SCHEMA = Schema.of(
    Predicate("z", ()),
    Predicate("p", ("a",)),
    Predicate("u", ("b",)),
    Predicate("q", ("a", "b")),
    Predicate("r", ("a", "a")),
    Predicate("t", ("a", "b", "a")),
)
BINARY = Schema.of(*(p for p in SCHEMA.values() if p.arity < 3))
SYMBOLS = ("c0", "c1", "c2", "c3")  # Types share symbols, so that equations between them say something.


def seeded(seed: int) -> Random:
    """Return random numbers that depend on the seed alone."""
    return Random(seed)  # noqa: S311  (no secret depends on it)


def random_world(rng: Random, schema: Schema = SCHEMA, sizes: tuple[int, ...] = (0, 1, 2, 2, 3, 3)) -> World:
    """Return a world of a few constants, possibly none, and relations from empty to full."""
    domains = {kind: tuple(sorted(rng.sample(SYMBOLS, rng.choice(sizes)))) for kind in schema.types()}
    relations = {}
    for name, predicate in schema.items():
        density = rng.random()
        every = product(*(range(len(domains[kind])) for kind in predicate.types))
        rows = [row for row in every if rng.random() < density]
        relations[name] = np.array(rows, np.int32).reshape(len(rows), predicate.arity)
    return World("world", schema, domains, relations)


def random_clause(rng: Random, schema: Schema = SCHEMA) -> Literals:
    """Return a clause with repeated predicates and variables, constants (also unknown ones) and equations."""
    literals: list[Literal] = []
    used: list[Variable] = []
    for _ in range(rng.choice((1, 2, 2, 3, 3, 4))):
        again = literals and rng.random() < 0.3
        name = literals[-1].atom.predicate if again else rng.choice(list(schema))
        arguments: list[Term] = []
        for kind in schema[name].types:
            if rng.random() < 0.12:
                arguments.append(Constant(rng.choice(("c0", "c1", "unknown"))))
            else:
                used.append(Variable(f"{kind.upper()}{rng.randrange(3)}"))
                arguments.append(used[-1])
        literals.append(Literal(Atom(name, tuple(arguments)), rng.random() < 0.5))
    if used and rng.random() < 0.4:
        sides: list[Term] = [rng.choice(used), rng.choice([*used, Constant("c0"), Constant("unknown")])]
        rng.shuffle(sides)
        equation = Literal(Atom("\\=", tuple(sides)), rng.random() < 0.5, inequality=True)
        literals.insert(rng.randrange(len(literals) + 1), equation)
    return tuple(literals)
