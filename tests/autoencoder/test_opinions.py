"""What rules say together: fitted as by a general optimiser, and more from more sides."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize

from logicoder import KnowledgeBase, Program
from logicoder.autoencoder import opinions
from logicoder.autoencoder.base_rates import BaseRates
from logicoder.autoencoder.claims import Expected
from logicoder.autoencoder.opinions import opinion_of
from logicoder.autoencoder.short_rules import ShortRules
from logicoder.base.effort import Effort
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.rules.rule_tables import RuleTables
from logicoder.engine.arrays.rules.spaces import sorted_keys
from logicoder.engine.programs import run_beside


def tables_of(kb):
    database = Database(kb)
    return RuleTables(database, {name: database.relation(name) for name in kb.schema})


def opinion(kb, predicate):
    tables = tables_of(kb)
    relation = tables.relation(predicate)
    sizes = tuple(tables.database.sizes[kind] for kind in relation.types)
    facts = sorted_keys(relation, sizes)
    rates = BaseRates(facts, sizes, [tables.database.symbol_of[kind] for kind in relation.types])
    expected = Expected(predicate, sizes, facts, (), rates)
    rules = list(ShortRules(tables, [predicate], Effort()).of(predicate))
    return tables, opinion_of(expected, rules, tables)


@pytest.mark.parametrize("seed", range(3))
def test_weights_are_those_of_a_general_optimiser(seed):
    rng = np.random.default_rng(seed)
    signs = [rng.random(400) < share for share in (0.5, 0.2, 0.8)]
    facts = rng.random(400) < 1 / (1 + np.exp(1 - 2 * signs[0] + 1.5 * signs[2]))
    table = np.column_stack([np.ones(400), *signs])
    prior = np.array([opinions._RIDGE / 100, *[opinions._RIDGE] * 3])

    def cost(weights):
        odds = table @ weights
        return np.logaddexp(0, np.where(facts, -odds, odds)).sum() + (prior * weights**2).sum() / 2

    best = minimize(cost, np.zeros(4), tol=1e-10).x
    assert opinions._fitted(signs, facts) == pytest.approx(table @ best, abs=1e-3)


@pytest.mark.parametrize("columns", [1, 8, 63, 64, 65, 130])
def test_kinds_of_rows_are_those_of_numpy(columns):
    rng = np.random.default_rng(columns)
    table = (rng.random((12, columns)) < 0.5)[rng.integers(0, 12, 300)]  # most kinds occur several times
    table[:40, -1] ^= True
    first, kind = opinions._kinds(table)
    _, expected, inverse = np.unique(
        np.packbits(table, axis=1), axis=0, return_index=True, return_inverse=True
    )
    assert (table[first] == table[expected]).all()
    assert kind.tolist() == inverse.ravel().tolist()


def test_an_atom_that_more_speaks_for_is_likelier():
    rng = random.Random(0)  # noqa: S311
    people = [f"p{i}" for i in range(300)]
    rows = [(name, p) for name in ("old", "tall") for p in people if rng.random() < 0.5]
    known = {name: {row[1] for row in rows if row[0] == name} for name in ("old", "tall")}
    chances = {p: 0.05 + 0.4 * (p in known["old"]) + 0.4 * (p in known["tall"]) for p in people}
    rows += [("wise", p) for p, chance in chances.items() if rng.random() < chance]
    kb = KnowledgeBase.from_facts(rows + [("near", p, q) for p, q in pairwise(people)])
    tables, found = opinion(kb, "wise")
    kind = tables.relation("wise").types[0]
    symbols = [tables.database.symbols[n] for n in tables.database.symbol_of[kind].tolist()]
    mean = {}
    for key, chance in zip(found.atoms.tolist(), found.chance.tolist(), strict=True):
        sides = (symbols[key] in known["old"]) + (symbols[key] in known["tall"])
        mean.setdefault(sides, []).append(chance)
    assert np.mean(mean[2]) > np.mean(mean[1]) + 0.2 > np.mean(mean[0]) + 0.3


def test_nothing_speaks_for_itself():
    """A fact p(a,a) is neither its own converse nor a step of its own derivation."""
    rng = random.Random(1)  # noqa: S311
    pairs = {(f"e{rng.randrange(20)}", f"e{rng.randrange(20)}") for _ in range(90)}
    rows = sorted(pairs | {("e1", "e1"), ("e2", "e2")})
    kb = KnowledgeBase.from_facts({"p": rows, "q": rows[::2]})
    facts = set(map(str, kb.facts("p")))
    tables = tables_of(kb)
    rules = list(ShortRules(tables, ["p"], Effort()).of("p"))
    assert {"p(X,Y) :- p(Y,X), X \\= Y.", "p(X,Y) :- q(X,Y)."} <= {rule.text for rule in rules}
    for rule in rules:
        (clause,) = Program.parse(rule.text)
        derived = set(map(str, run_beside(Program((clause,)), kb)))
        assert len(derived) == len(rule.atoms)
        if "p" not in clause.body_predicates():
            continue
        for fact in sorted(derived & facts)[:5]:
            left = KnowledgeBase.from_facts([f for f in kb if str(f) != fact], schema=kb.schema)
            assert fact in set(map(str, run_beside(Program((clause,)), left)))
