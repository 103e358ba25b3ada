"""Constants, negation and inequality: the optimum of tiny languages against the oracle of the whole learner.

Encoders have one literal, in which constants may stand. Decoders have one or two: a literal and another, or a
literal that binds the whole head and, beside it, a negated literal over head variables or the statement that
the two head variables differ. Their heads may have constants.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder import AutoEncoder, InfeasibleError, KnowledgeBase
from oracle import Frame, Oracle, Relation, Row, Types, equalities, frames
from tiny_data import COMPRESSIONS, REPEATABLE, knowledge_bases

if TYPE_CHECKING:
    from collections.abc import Iterator

SIGNATURES = [
    [("person",), ("person", "person")],
    [("person", "place"), ("person",)],
    [("person", "person"), ("place",)],
]


class RicherOracle(Oracle):
    """The oracle with more candidates.

    Args:
        kb: the data.
        decoder_length: greatest number of literals of a decoder.
        constants: name those of types that have at most so many.
        negation: whether decoders may have a negated literal.
        inequality: whether decoders may say that their head variables differ.
    """

    def __init__(
        self, kb: KnowledgeBase, decoder_length: int, constants: int, *, negation: bool, inequality: bool
    ) -> None:
        self._named = {kind: names for kind, names in kb.constants().items() if len(names) <= constants}
        self._negation, self._inequality = negation, inequality
        super().__init__(kb, 1, decoder_length, pruned=False)

    def _latents(self, length: int) -> list[Relation]:
        """Take `p(X,c)` for one more relation, of the constants that `X` may be."""
        plain = self.inputs
        self.inputs = dict(plain)
        for name, relation in plain.items():
            for constants in self._fillings(relation.types):
                kept = [i for i, constant in enumerate(constants) if constant is None]
                rows = frozenset(
                    (world, *(row[i] for i in kept))
                    for world, *row in relation.rows
                    if all(c is None or c == value for c, value in zip(constants, row, strict=True))
                )
                self.inputs[f"{name}{constants}"] = Relation(tuple(relation.types[i] for i in kept), rows)
        found = super()._latents(length)
        self.inputs = plain
        return found

    def _fillings(self, types: Types) -> Iterator[tuple[str | None, ...]]:
        """Return the ways to write constants into some arguments, not into all of them."""
        for constants in product(*((None, *self._named.get(kind, ())) for kind in types)):
            if 0 < constants.count(None) < len(constants):
                yield constants

    def _decoders(self, length: int) -> list[tuple[str, frozenset[int], frozenset[Row], int]]:
        found = {(name, latents, atoms): size for name, latents, atoms, size in super()._decoders(length)}
        for name, target in self.targets.items():
            for constants in ((None,) * len(target.types), *self._fillings(target.types)):
                types = tuple(k for k, c in zip(target.types, constants, strict=True) if c is None)
                for pattern, head in equalities(types):
                    for latents, rows, size in self._richer(head, length):
                        atoms = frozenset(written(row, pattern, constants) for row in rows)
                        if self._considered(atoms, target):
                            key = (name, latents, atoms)
                            found[key] = min(found.get(key, size), size)
        return [(*key, size) for key, size in found.items()]

    def _richer(self, head: Types, length: int) -> Iterator[tuple[frozenset[int], frozenset[Row], int]]:
        """Return latents, bindings of the head variables and length of bodies."""
        widest = max(len(latent.types) for latent in self.latents)
        variables = range(len(head))
        for types in frames(list(self.constants), length * widest - (length - 1), head):
            for latents, satisfied, frame, size in self._bodies(types, length):
                yield latents, frame.projected(satisfied, variables), size
        if length < 2:
            return
        for types in frames(list(self.constants), max(widest, len(head)), head):
            frame = Frame(types, self.constants, self.worlds)
            literals = [
                (n, *found)
                for n, latent in enumerate(self.latents)
                for found in frame.literals(latent, repeats=True)
            ]
            whole = [(n, bits) for n, used, bits in literals if used == set(range(len(types)))]
            if self._negation:
                for (first, holds), (second, used, fails) in product(whole, literals):
                    if used <= set(variables) and holds & ~fails:
                        yield frozenset({first, second}), frame.projected(holds & ~fails, variables), 2
            if self._inequality and len(head) == 2 and head[0] == head[1]:
                for number, holds in whole:
                    rows = frame.projected(holds, variables)
                    yield frozenset({number}), frozenset(row for row in rows if row[1] != row[2]), 2


def written(row: Row, pattern: tuple[int, ...], constants: tuple[str | None, ...]) -> Row:
    """Return the atom of a binding of the head variables."""
    world, *values = row
    places = iter(pattern)
    return (world, *(values[next(places)] if constant is None else constant for constant in constants))


LANGUAGES = {
    "constants": {"constants": 3},
    "negation": {"negation": True},
    "inequality": {"inequality": True},
    "all": {"constants": 2, "negation": True, "inequality": True},
}


@pytest.mark.parametrize("decoder_length", [1, 2])
@pytest.mark.parametrize("language", LANGUAGES)
@settings(REPEATABLE, max_examples=20)
@given(
    kb=knowledge_bases(SIGNATURES, most_facts=8),
    compression=st.sampled_from(COMPRESSIONS["default"]),
    generality=st.booleans(),
)
def test_the_optimum(decoder_length, language, kb, compression, generality) -> None:
    switches = {"constants": 0, "negation": False, "inequality": False} | LANGUAGES[language]
    oracle = RicherOracle(kb, decoder_length, **switches)
    best = oracle.optimum(
        Fraction(compression), reconstruct_all=True, bottleneck="total", generality=generality
    )
    settings = {"generality": generality, "max_decoders": None, "jobs": 1}
    model = AutoEncoder(1, decoder_length, compression, **settings, **switches)
    if best is None:
        event("infeasible")
        with pytest.raises(InfeasibleError):
            model.fit(kb)
        return
    model.fit(kb)
    event("loss above 0" if best[0] else "loss 0")
    assert (model.loss_, model.size_, model.status_) == (*best, "optimal")
    assert model.bound_scope_ == ("enumerated" if best[0] else "language")
    assert model.reconstruct(kb).loss == best[0]
