"""Decoders that are mostly false can help: where false atoms overlap, they count once."""

from __future__ import annotations

from itertools import combinations

from logicoder import AutoEncoder, KnowledgeBase, Predicate, Schema

FACTS = "123456789"
SETS = {"a": "1234xyz", "b": "56xyz", "c": "78xyz"}
"""Of `a` three sevenths are false, of `b` and `c` three fifths."""


def kb() -> KnowledgeBase:
    """`p` itself has nine facts, more than any latent may have."""
    background = (Predicate(name, ("t",), background=True) for name in SETS)
    rows = [("p", fact) for fact in FACTS] + [(name, row) for name, rows in SETS.items() for row in rows]
    return KnowledgeBase.from_facts(rows, schema=Schema.of(Predicate("p", ("t",)), *background))


def loss(names: tuple[str, ...]) -> int:
    derived = set().union(*(SETS[name] for name in names))
    return len(derived ^ set(FACTS))


def test_mostly_false_clauses_halve_the_loss() -> None:
    """With `a` alone 5 facts are missing and 3 atoms false; with `b` and `c` too, 1 and the same 3."""
    choices = [names for count in range(4) for names in combinations(SETS, count)]
    allowed = {name for name, rows in SETS.items() if 2 * len(set(rows) - set(FACTS)) < len(rows)}
    assert allowed == {"a"}
    assert (loss(("a",)), loss(("a", "b", "c")), min(map(loss, choices))) == (8, 4, 4)

    options = {"encoder_length": 1, "decoder_length": 1, "bottlenecks": ("largest=7",)}
    halves = AutoEncoder(**options, max_corruption=0.5).fit(kb())
    assert (halves.loss_, halves.status_, halves.bound_scope_) == (8, "optimal", "pruned")
    every = AutoEncoder(**options).fit(kb())
    assert (every.loss_, every.missing_, every.false_) == (4, 1, 3)
    assert (every.bound_, every.gap_, every.status_, every.bound_scope_) == (4, 0, "optimal", "enumerated")
    assert every.reconstruct(kb()).loss == 4
    assert {clause.head.predicate for clause in every.decoder_} == {"p"}
    assert len(every.decoder_) == 3
