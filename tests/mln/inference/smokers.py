"""Friends and smokers, as networks with facts."""

from __future__ import annotations

import numpy as np

from logicoder import KnowledgeBase
from logicoder.mln import MarkovLogicNetwork

FRIENDS = """
    smokes(person)
    cancer(person)
    friends(person,person)
    -1.4 smokes(x)
    -2.3 cancer(x)
    1.5 smokes(x) => cancer(x)
    1.1 friends(x,y) ^ smokes(x) => smokes(y)
"""


def of(text: str, facts: list[str], **options) -> tuple[MarkovLogicNetwork, KnowledgeBase]:
    network = MarkovLogicNetwork.parse(text)
    return network, KnowledgeBase.from_facts(facts, schema=network.schema, **options)


def ring(people: int) -> tuple[MarkovLogicNetwork, KnowledgeBase]:
    """Return people with so many friends, each others, that nothing is left but sampling."""
    numbers = np.random.default_rng(0)
    names = [f"p{i}" for i in range(people)]
    pairs = [(a, b) for a in names for b in names if a < b and numbers.random() < 0.5]
    facts = [f"friends({a},{b})" for a, b in pairs]
    return of(FRIENDS.replace("1.1 ", "0.1 "), facts)
