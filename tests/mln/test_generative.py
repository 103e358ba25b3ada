"""Networks on latents, asked for a predicate: against the enumeration of all worlds by hand."""

from __future__ import annotations

from itertools import product
from math import exp

import numpy as np
import pytest

from logicoder import KnowledgeBase, Program
from logicoder.kb.schema import Predicate, Schema
from logicoder.mln import Formula, MarkovLogicNetwork, worlds_of
from logicoder.mln.generative import GenerativeModel, affordable_part, ground_clauses, work_of
from logicoder.mln.predicate_questions import question_of

SCHEMA = Schema.of(*(Predicate(name, ("thing",)) for name in "pqr"))
LATENTS = Schema.of(Predicate("either", ("thing",)), Predicate("both", ("thing",)))
ENCODER = Program.parse("either(X) :- p(X) ; q(X).  both(X) :- q(X), r(X).")
DECODER = Program.parse("p(X) :- either(X), both(X).  q(X) :- both(X).")
FACTS = ["p(a)", "p(b)", "q(b)", "q(c)", "r(b)", "r(d)"]
NETWORK = MarkovLogicNetwork.parse(
    "either(thing)\nboth(thing)\n-0.7 either(x)\n1.3 !both(x) v either(x)\n0.4 either(x) v either(y)"
)


def by_hand() -> dict[str, float]:
    """Return P(p(x)), over all truth values of p and of the atoms of `either` that are open."""
    things = "abcd"
    q, r = set("bc"), set("bd")
    both = q & r
    total, true = 0.0, dict.fromkeys(things, 0.0)
    for values in product((False, True), repeat=8):
        p = {x for x, value in zip(things, values[:4], strict=True) if value}
        either = {x for x, value in zip(things, values[4:], strict=True) if value}
        if not q <= either:  # what q derives is known
            continue
        if not (either & both) <= p or not both <= q:  # the decoder
            continue
        weight = -0.7 * len(either)
        weight += 1.3 * sum(x not in both or x in either for x in things)
        weight += 0.4 * sum(x in either or y in either for x in things for y in things)
        total += exp(weight)
        for x in p:
            true[x] += exp(weight)
    return {x: value / total for x, value in true.items()}


def test_latents_that_depend_on_the_query_are_open():
    fold = KnowledgeBase.from_facts(FACTS, schema=SCHEMA)
    model = GenerativeModel(NETWORK, ENCODER, DECODER)
    found = model.answer(question_of(fold, "p"))
    assert found.probabilities.tolist() == pytest.approx(list(by_hand().values()))
    assert found.notes["open"] == 1
    assert found.notes["exact"]


def known_by_hand() -> dict[str, float]:
    """Return P(r(x)), over all truth values of r and of `both`, which is open, while `either` is known."""
    things = "abcd"
    p, q = set("ab"), set("bc")
    either = p | q
    total, true = 0.0, dict.fromkeys(things, 0.0)
    for values in product((False, True), repeat=8):
        r = {x for x, value in zip(things, values[:4], strict=True) if value}
        both = {x for x, value in zip(things, values[4:], strict=True) if value}
        if not (either & both) <= r:  # the decoder
            continue
        weight = 0.9 * len(both) + 1.3 * sum(x not in both or x in either for x in things)
        total += exp(weight)
        for x in r:
            true[x] += exp(weight)
    return {x: value / total for x, value in true.items()}


def test_latents_that_do_not_depend_on_it_are_known():
    fold = KnowledgeBase.from_facts(FACTS, schema=SCHEMA)
    network = MarkovLogicNetwork.parse(
        "either(thing)\nboth(thing)\n0.9 both(x)\n1.3 !both(x) v either(x)", LATENTS
    )
    decoder = Program.parse("r(X) :- either(X), both(X).")
    found = GenerativeModel(network, ENCODER, decoder).answer(question_of(fold, "r"))
    expected = known_by_hand()
    assert found.probabilities.tolist() == pytest.approx(list(expected.values()))
    # Of d it is known that `either` does not hold, so that no clause speaks of r(d).
    assert expected["d"] == pytest.approx(0.5)
    assert expected["a"] > 0.7
    assert found.notes["open"] == 1


def test_bounds_on_ground_clauses_hold():
    rng = np.random.default_rng(1)
    schema = Schema.of(
        Predicate("q", ("thing", "thing")), Predicate("r", ("thing",)), Predicate("o", ("thing", "thing"))
    )
    things = "abcd"
    clauses = [
        "o(x,y) v !q(x,y)",
        "o(x,y) v !q(y,z) v !r(z)",
        "o(x,y) v q(x,y) v !o(y,z)",
        "!o(x,x) v !r(x)",
        "o(x,y) v !o(z,x1)",
        "q(x,y) v !r(x)",
    ]
    for text in clauses:
        formula = Formula.parse(text, schema)
        for _ in range(10):
            q = {(x, y) for x, y in product(things, repeat=2) if rng.random() < 0.2}
            r = {x for x in things if rng.random() < 0.5}
            facts = [("q", *pair) for pair in sorted(q)] + [("r", x) for x in sorted(r)]
            world = worlds_of(KnowledgeBase.from_facts(facts, schema=schema), {"thing": list(things)})[0]
            left = set()
            names = formula.variables()
            for values in product(things, repeat=len(names)):
                binding = dict(zip(names, values, strict=True))
                ground = []
                for literal in formula.literals:
                    atom = (literal.atom.predicate, *(binding[v] for v in literal.atom.arguments))
                    if atom[0] == "o":
                        ground.append((atom, literal.positive))
                    elif ((atom[1:] in q) if atom[0] == "q" else (atom[1] in r)) == literal.positive:
                        break
                else:
                    left.add(frozenset(ground))
            left.discard(frozenset())
            assert len(left) <= ground_clauses(formula, world, {"o"})


def test_the_largest_formulas_are_left_out():
    worlds = worlds_of(KnowledgeBase.from_facts(FACTS, schema=SCHEMA))
    network = MarkovLogicNetwork(
        SCHEMA, (Formula.parse("1 p(x) v p(y)", SCHEMA), Formula.parse("2 p(x)", SCHEMA))
    )
    for most, kept in ((20, 2), (19, 1), (3, 0)):
        found, left_out = affordable_part(network, worlds, "p", [], most)
        assert (len(found), left_out) == (kept, 2 - kept)
    assert found.formulas == ()


def test_many_bodies_of_a_head_are_much_work():
    pairs = Schema.of(Predicate("p", ("thing", "thing")), Predicate("l", ("thing", "thing")))
    facts = [("l", x, "a") for x in "abcde"]
    world = worlds_of(KnowledgeBase.from_facts(facts, schema=pairs))[0]
    soft, hard = (Formula.parse(text, pairs) for text in ("1 p(x,y) v !l(x,z)", "p(x,y) v !l(x,z)."))
    assert work_of(soft, world, "p", {"l"}) == 125
    assert work_of(hard, world, "p", {"l"}) == 125 * 5
    assert work_of(hard, world, "p", ()) == 25
