"""Networks on latents, asked for a predicate: against the enumeration of all worlds by hand."""

from __future__ import annotations

from itertools import product
from math import exp

import pytest

from logicoder import KnowledgeBase, Program
from logicoder.evaluation.generative import GenerativeModel
from logicoder.evaluation.questions import question_of
from logicoder.kb.schema import Predicate, Schema
from logicoder.mln import MarkovLogicNetwork

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


def test_latents_that_do_not_depend_on_it_are_known():
    fold = KnowledgeBase.from_facts(FACTS, schema=SCHEMA)
    network = MarkovLogicNetwork(LATENTS)
    found = GenerativeModel(network, ENCODER, DECODER).answer(question_of(fold, "r"))
    # Nothing rebuilds r, so nothing is known of it.
    assert found.probabilities.tolist() == pytest.approx([0.5] * 4)
    assert found.notes["open"] == 1
