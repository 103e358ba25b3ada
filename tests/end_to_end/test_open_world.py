"""Explicit negatives cost, unknown atoms do not: the optimum of partly known data, by exhaustive search."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder import AutoEncoder, InfeasibleError, KnowledgeBase, Predicate, Schema
from logicoder.kb.builder import KnowledgeBaseBuilder
from oracle import Oracle, more_true_than_false
from tiny_data import COMPRESSIONS, CONSTANTS, REPEATABLE, SETTINGS, SIGNATURES, both_settings


class PartlyKnownOracle(Oracle):
    """Leaves atoms out of account that are unknown, in loss, corruption and generality.

    Args:
        kb: the data.
        encoder_length: greatest number of literals of an encoder.
        decoder_length: greatest number of literals of a decoder.
        halves: leave out decoders of which half or more is false.
    """

    def __init__(self, kb: KnowledgeBase, encoder_length: int, decoder_length: int, *, halves: bool) -> None:
        self._halves = halves
        rows = {
            truth: {
                name: {(f.interpretation, *map(str, f.arguments)) for f in kb.facts(name, truth)}
                for name in kb.schema
            }
            for truth in ("false", "unknown")
        }
        self._false, self._unknown = rows["false"], rows["unknown"]
        self._open = {name for name, predicate in kb.schema.items() if predicate.open_world}
        super().__init__(kb, encoder_length, decoder_length, pruned=False)

    def _known(self, name, atoms):
        if name in self._open:
            return atoms & (self.targets[name].rows | self._false[name])
        return atoms - self._unknown[name]

    def _decoders(self, length):
        found = {}
        for name, latents, atoms, size in super()._decoders(length):
            key = (name, latents, self._known(name, atoms))
            if not self._halves or more_true_than_false(key[2], self.targets[name]):
                found[key] = min(found.get(key, size), size)
        return [(*key, size) for key, size in found.items()]


@st.composite
def partly_known(draw):
    """Each atom of some predicates is true, false, unknown or not listed; predicates may be open."""
    signature = draw(st.sampled_from(SIGNATURES))
    schema = Schema.of(
        *(Predicate(f"p{i}", types, open_world=draw(st.booleans())) for i, types in enumerate(signature))
    )
    builder = KnowledgeBaseBuilder(schema)
    worlds = [builder.interpretation(name) for name in draw(st.sampled_from((("earth",), ("earth", "mars"))))]
    for predicate in schema.values():
        every = [(w, row) for w in worlds for row in product(*(CONSTANTS[kind] for kind in predicate.types))]
        chosen = draw(st.lists(st.sampled_from(every), unique=True, min_size=2, max_size=5))
        for number, (world, row) in enumerate(chosen):
            truth = draw(st.sampled_from(("true", "false", "unknown"))) if number > 1 else "true"
            builder.add(predicate.name, row, world, truth)
    return builder.build()


@pytest.mark.parametrize("lengths", [(1, 1), (2, 1), (1, 2)])
@both_settings
@settings(REPEATABLE, max_examples=15)
@given(kb=partly_known(), data=st.data())
def test_the_optimum(lengths, setting, kb, data) -> None:
    compression = data.draw(st.sampled_from(COMPRESSIONS[setting]))
    oracle = PartlyKnownOracle(kb, *lengths, halves=setting == "paper")
    bottleneck = "average" if setting == "paper" else "total"
    best = oracle.optimum(Fraction(compression), reconstruct_all=True, bottleneck=bottleneck)
    estimator = AutoEncoder(*lengths, compression, jobs=1, **SETTINGS[setting])
    if best is None:
        event("infeasible")
        with pytest.raises(InfeasibleError):
            estimator.fit(kb)
        return
    learned = estimator.fit(kb)
    event("loss above 0" if best[0] else "loss 0")
    assert (learned.loss_, learned.size_, learned.status_) == (*best, "optimal")
    assert learned.reconstruct(kb).loss == best[0]


def test_a_negative_costs_and_an_unknown_atom_does_not() -> None:
    """`q` follows from `p` but for `q(c)`: listed as false it is a false atom, as unknown it is none."""
    facts = [("p", "a"), ("p", "b"), ("p", "c"), ("q", "a"), ("q", "b")]
    model = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X). q(X) :- l(X).")
    schema = Schema.of(Predicate("p", ("t",)), Predicate("q", ("t",), open_world=True))
    cases = [
        (KnowledgeBase.from_facts(facts), 1),
        (KnowledgeBase.from_facts(facts, negatives=[("q", "c")]), 1),
        (KnowledgeBase.from_facts(facts, unknown=[("q", "c")]), 0),
        (KnowledgeBase.from_facts(facts, schema=schema), 0),
        (KnowledgeBase.from_facts(facts, schema=schema, negatives=[("q", "c")]), 1),
        (KnowledgeBase.from_facts(facts, schema=schema, unknown=[("q", "c")]), 0),
    ]
    for kb, false in cases:
        outcome = model.reconstruct(kb)
        assert (outcome.loss, len(outcome.false), outcome.facts) == (false, false, 5)
        # One latent of three facts suffices where q(c) costs nothing; γG is three for γ = 6/5.
        learned = AutoEncoder(1, 1, "6/5", generality=False).fit(kb)
        assert (learned.loss_, learned.latent_facts_, learned.facts_) == (0, 5 if false else 3, 5)


def test_unknown_atoms_match_no_literal() -> None:
    kb = KnowledgeBase.from_facts([("p", "a"), ("q", "a"), ("q", "b"), ("q", "c")], unknown=[("p", "b")])
    model = AutoEncoder.from_programs(r"yes(X) :- q(X), p(X).  no(X) :- q(X), \+ p(X).", "q(X) :- yes(X).")
    assert sorted(map(str, model.transform(kb))) == ["no(c)", "yes(a)"]
