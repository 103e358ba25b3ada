"""What a program makes of facts that it was not learned from."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from logicoder.autoencoder.layer import Layer, encode_through, reconstruct_through
from logicoder.compression.code import set_bits
from logicoder.compression.message import Message
from logicoder.engine.arrays.difference import aligned, rows_inside
from logicoder.engine.programs import run_beside, with_derived
from logicoder.kb.atom_space import AtomSpace
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase, Truth
from logicoder.kb.table import FactTable

MOST_FACTS = 20_000
"""Data with several interpretations and at most so many facts are held out without being asked."""

_SHARE = Fraction(1, 5)


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

    Args:
        kb: the data.
        share: of the facts or interpretations that are held out; None for a fifth of several
            interpretations of moderate size, and nothing else.
        seed: chooses them.
    """
    several = len(kb.interpretations) > 1
    if share is None:
        share = _SHARE if several and kb.size <= MOST_FACTS else Fraction(0)
    rng = random.Random(seed)  # noqa: S311  (no secret)
    if several:
        count = min(len(kb.interpretations) - 1, ceil(share * len(kb.interpretations)))
        if count == 0:
            return None
        chosen = set(rng.sample(range(len(kb.interpretations)), count))
        worlds = kb.split()
        parts = [[w for i, w in enumerate(worlds) if (i in chosen) == held] for held in (False, True)]
        return Split(KnowledgeBase.union(parts[0]), KnowledgeBase.union(parts[1]), by_facts=False)
    count = int(share * kb.size)
    if count == 0:
        return None
    held = np.zeros(kb.size, np.bool_)
    held[rng.sample(range(kb.size), count)] = True
    tables: dict[bool, dict[Truth, dict[str, FactTable]]] = {
        part: {truth: {name: kb.table(name, truth) for name in kb.schema} for truth in TRUTHS}
        for part in (False, True)
    }
    start = 0
    for name in kb.learnable:
        table = kb.table(name)
        own = held[start : start + len(table)]
        start += len(table)
        tables[False]["true"][name] = table.select(~own)
        tables[True]["true"][name] = table.select(own)
    seen, held_out = (
        KnowledgeBase(kb.schema, kb.symbols, kb.interpretations, tables[part]) for part in (False, True)
    )
    return Split(seen, held_out, by_facts=True)


def unseen_of(layer: Layer, split: Split) -> dict[str, Any]:
    """Return what a layer that was learned from one part of data makes of the other.

    Of interpretations that were held out, the bits are those of the message that says them. Of single facts
    they are those of a message to somebody who knows the others: which of the atoms that the decoder derives
    are facts, and which of all others.
    """
    return _facts(layer, split) if split.by_facts else _interpretations(layer, split.held_out)


def _interpretations(layer: Layer, kb: KnowledgeBase) -> dict[str, Any]:
    levels = encode_through([layer], kb)
    outcome = reconstruct_through([layer], kb, levels)
    bits = plain = None
    if layer.plan is not None:
        message = Message.of(layer.plan, levels[0])
        bits, plain = message.bits, message.plain_bits
    return {
        "held_out": "interpretations",
        "facts": outcome.facts,
        "bits": bits,
        "plain_bits": plain,
        "loss": outcome.loss,
        "missing": len(outcome.missing),
        "false": len(outcome.false),
    }


def _facts(layer: Layer, split: Split) -> dict[str, Any]:
    seen, latent = layer.encoded(split.seen)
    # Whoever is told knows the other facts, and need not rebuild them: clauses read those.
    _, rebuilt = aligned(split.held_out, run_beside(layer.decoder, with_derived(seen, latent)))
    space = AtomSpace([split.seen, split.held_out])
    bits = plain = 0.0
    hit = false = total = 0
    for name in split.seen.learnable:
        held, before = split.held_out.table(name), split.seen.table(name)
        atoms = rebuilt[name].select(~rows_inside(rebuilt[name], before))
        right = int(rows_inside(atoms, held).sum())
        possible = space.possible(split.seen.schema[name]) - len(before)
        plain += float(set_bits(possible, len(held)))
        bits += float(set_bits([len(atoms), possible - len(atoms)], [right, len(held) - right]).sum())
        hit, false, total = hit + right, false + len(atoms) - right, total + len(held)
    return {
        "held_out": "facts",
        "facts": total,
        "bits": min(bits, plain),
        "plain_bits": plain,
        "loss": total - hit + false,
        "missing": total - hit,
        "false": false,
    }
