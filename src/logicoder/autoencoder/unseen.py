"""What a program makes of facts that it was not learned from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import md5
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from logicoder.autoencoder.layer import Layer, encode_through, reconstruct_through
from logicoder.autoencoder.predicate_scores import Totals
from logicoder.compression.code import set_bits
from logicoder.compression.message import Message
from logicoder.engine.arrays.difference import aligned, rows_inside
from logicoder.engine.programs import run_beside, with_derived
from logicoder.kb.atom_space import AtomSpace
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase, Truth
from logicoder.kb.table import FactTable
from logicoder.logic.plain_constants import plain_constant

if TYPE_CHECKING:
    from logicoder.compression.stored_message import StoredMessage

MOST_FACTS = 20_000
"""Data with several interpretations and at most so many facts are held out without being asked."""

_SHARE = Fraction(1, 5)

SEPARATOR = "|"
"""Between the texts of which a hash is made."""


@dataclass(frozen=True)
class Split:
    """Data in two parts.

    Attributes:
        seen: to learn from.
        held_out: to be told afterwards.
        by_facts: whether single facts are held out; otherwise whole interpretations.
    """

    seen: KnowledgeBase
    held_out: KnowledgeBase
    by_facts: bool


def split_of(kb: KnowledgeBase, share: Fraction | None, seed: int) -> Split | None:
    """Return data in two parts: whole interpretations where there are several, otherwise single facts.

    What is held out depends on hashes alone, so that stored data are split into the same parts.

    Args:
        kb: the data.
        share: of the facts or interpretations that are held out; None for a fifth of several
            interpretations of moderate size, and nothing else.
        seed: chooses them.
    """
    share = share_held_out(share, kb.size, several=len(kb.interpretations) > 1)
    if len(kb.interpretations) > 1:
        chosen = worlds_held_out(kb.interpretations, share, seed)
        if not chosen:
            return None
        parts = [
            [w for w in kb.split() if (w.interpretations[0] in chosen) == held] for held in (False, True)
        ]
        return Split(KnowledgeBase.union(parts[0]), KnowledgeBase.union(parts[1]), by_facts=False)
    count = int(share * kb.size)
    if count == 0:
        return None
    texts = [plain_constant(symbol) for symbol in kb.symbols]
    hashes = {
        name: [
            hash_of([str(seed), name, *(texts[argument] for argument in row)])
            for row in kb.table(name).arguments.tolist()
        ]
        for name in kb.learnable
    }
    last = sorted(one for own in hashes.values() for one in own)[count - 1]
    tables: dict[bool, dict[Truth, dict[str, FactTable]]] = {
        part: {truth: {name: kb.table(name, truth) for name in kb.schema} for truth in TRUTHS}
        for part in (False, True)
    }
    for name in kb.learnable:
        held = np.array([one <= last for one in hashes[name]], np.bool_)
        tables[False]["true"][name] = kb.table(name).select(~held)
        tables[True]["true"][name] = kb.table(name).select(held)
    seen, held_out = (
        KnowledgeBase(kb.schema, kb.symbols, kb.interpretations, tables[part]) for part in (False, True)
    )
    return Split(seen, held_out, by_facts=True)


def share_held_out(share: Fraction | None, facts: int, *, several: bool) -> Fraction:
    """Return the share that is held out: as asked for, or unless somebody does."""
    if share is not None:
        return share
    return _SHARE if several and facts <= MOST_FACTS else Fraction(0)


def worlds_held_out(names: Sequence[str], share: Fraction, seed: int) -> set[str]:
    """Return the interpretations that are held out: those with the smallest hashes, but never all."""
    count = min(len(names) - 1, ceil(share * len(names)))
    return set(sorted(names, key=lambda name: hash_of([str(seed), name]))[:count])


def hash_of(texts: Sequence[str]) -> str:
    """Return a hash of texts that every system computes as well: MD5, in hexadecimal digits."""
    return md5(SEPARATOR.join(texts).encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def unseen_of(layer: Layer, split: Split) -> dict[str, Any]:
    """Return what a layer that was learned from one part of data makes of the other.

    Of interpretations that were held out, the bits are those of the message that says them. Of single facts
    they are those of a message to somebody who knows the others: which of the atoms that the decoder derives
    are facts, and which of all others.
    """
    return _facts(layer, split) if split.by_facts else _interpretations(layer, split.held_out)


def _interpretations(layer: Layer, kb: KnowledgeBase) -> dict[str, Any]:
    levels = encode_through([layer], kb)
    message = None if layer.plan is None else Message.of(layer.plan, levels[0])
    return unseen_worlds(reconstruct_through([layer], kb, levels).totals, message)


def unseen_worlds(totals: Totals, message: Message | StoredMessage | None) -> dict[str, Any]:
    """Return what came back of interpretations that were held out, and the bits of the message about them."""
    return {
        "held_out": "interpretations",
        "facts": totals.facts,
        "bits": None if message is None else message.bits,
        "plain_bits": None if message is None else message.plain_bits,
        "loss": totals.loss,
        "missing": totals.missing,
        "false": totals.false,
    }


def _facts(layer: Layer, split: Split) -> dict[str, Any]:
    seen, latent = layer.encoded(split.seen)
    # Whoever is told knows the other facts, and need not rebuild them: clauses read those.
    _, rebuilt = aligned(split.held_out, run_beside(layer.decoder, with_derived(seen, latent)))
    space = AtomSpace([split.seen, split.held_out])
    total = Unseen()
    for name in split.seen.learnable:
        held, before = split.held_out.table(name), split.seen.table(name)
        atoms = rebuilt[name].select(~rows_inside(rebuilt[name], before))
        right = int(rows_inside(atoms, held).sum())
        total.add(space.possible(split.seen.schema[name]) - len(before), len(held), len(atoms), right)
    return total.result()


@dataclass
class Unseen:
    """Adds up what clauses say about facts that were held out, predicate by predicate."""

    _bits: float = 0.0
    _plain: float = 0.0
    _facts: int = 0
    _missing: int = 0
    _false: int = 0

    def add(self, possible: int, held: int, derived: int, right: int) -> None:
        """Add a predicate.

        Args:
            possible: atoms that could be facts, those that are known left out.
            held: facts among them: those that were held out.
            derived: how many of these atoms clauses derive.
            right: facts among the derived ones.
        """
        self._plain += float(set_bits(possible, held))
        self._bits += float(set_bits([derived, possible - derived], [right, held - right]).sum())
        self._facts += held
        self._missing += held - right
        self._false += derived - right

    def result(self) -> dict[str, Any]:
        """Return all of it as plain data."""
        return {
            "held_out": "facts",
            "facts": self._facts,
            "bits": min(self._bits, self._plain),
            "plain_bits": self._plain,
            "loss": self._missing + self._false,
            "missing": self._missing,
            "false": self._false,
        }
