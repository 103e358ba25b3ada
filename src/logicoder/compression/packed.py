"""Messages as bytes: the plan, then every subset that it says, within a byte or so of the bits counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from logicoder.compression.arithmetic_coder import ArithmeticDecoder, ArithmeticEncoder
from logicoder.compression.codec import InOrder, Relations, walked
from logicoder.compression.functional import Functional
from logicoder.compression.message import Message
from logicoder.compression.packed_plan import Reader, Vocabulary, Writer, carried, in_order
from logicoder.compression.packed_sets import read_members, read_set, write_set
from logicoder.compression.plan import Plan, Step
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.relation import Keys, Relation
from logicoder.engine.arrays.rules.ranks import AtomRanks
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase, Truth

_TURNED = "turned"
"""The subset of which nothing is to be expected: a bit for each element of the known set."""


class _PackedSender:
    """Writes subsets."""

    def __init__(self, encoder: ArithmeticEncoder) -> None:
        self._encoder = encoder

    def subset(
        self,
        predicate: str,  # noqa: ARG002
        role: str,
        total: int,
        universe: InOrder,
        members: Callable[[], Keys],
        functional: Functional | None = None,
    ) -> Keys:
        chosen = members()
        if functional is not None and functional.pays(len(chosen), total):
            self._encoder.choose(len(chosen), total + 1)
            options = functional.options(len(chosen))
            for number in functional.numbers(chosen):
                self._encoder.choose(number, options)
            return chosen
        ranks = [int(rank) for rank in universe().ranks(chosen)] if len(chosen) else []
        if role == _TURNED:
            inside = set(ranks)
            for number in range(total):
                self._encoder.choose(int(number in inside), 2)
        else:
            write_set(self._encoder, total, ranks)
        return chosen


class _PackedReceiver:
    """Reads subsets.

    Args:
        decoder: where from.
        functions: whether what has one fact for each value of a place is written as such.
    """

    def __init__(self, decoder: ArithmeticDecoder, *, functions: bool) -> None:
        self._decoder, self._functions = decoder, functions

    def subset(
        self,
        predicate: str,  # noqa: ARG002
        role: str,
        total: int,
        universe: InOrder,
        members: Callable[[], Keys],  # noqa: ARG002
        functional: Functional | None = None,
    ) -> Keys:
        if role == _TURNED:
            ranks = [number for number in range(total) if self._decoder.choose(2)]
        else:
            size = self._decoder.choose(total + 1)
            if self._functions and functional is not None and functional.pays(size, total):
                options = functional.options(size)
                return functional.keys([self._decoder.choose(options) for _ in range(size)])
            ranks = read_members(self._decoder, total, size)
        kind = object if total >= 2**62 else np.int64
        return universe().keys(np.array(ranks, kind))


def vocabulary_of(database: Database) -> Vocabulary:
    """Return what a receiver knows who knows the predicates, their types, and all constants."""
    kb = database.kb
    types = {name: database.relation(name).types for name in sorted(kb.schema)}
    said = [name for name in types if not kb.schema[name].background]
    constants = {
        kind: sorted({database.symbols[i] for i in database.symbol_of[kind].tolist()})
        for kind in range(len(database.sizes))
    }
    return Vocabulary(types, said, constants)


def packed(message: Message) -> bytes:
    """Return a message as bytes, and after it the atoms that the data list as false or unknown."""
    encoder = ArithmeticEncoder()
    database, vocabulary = message.database, vocabulary_of(message.database)
    said = {step.predicate for step in message.plan}
    absent = (Step(name) for name in vocabulary.said if name not in said)
    plan = Plan((*message.plan, *absent), message.plan.latents)
    plain = message.bits >= message.plain_bits
    encoder.choose(int(plain), 2)
    plan = _plain(vocabulary) if plain else carried(Writer(encoder), vocabulary, in_order(plan))
    relations = message.relations
    background = {name: relations[name] for name in vocabulary.types if name not in set(vocabulary.said)}
    walked(plan, database, background, vocabulary.types, _PackedSender(encoder), relations)
    for name, truth in doubtful(database.kb):
        ranks = _ranks(database, vocabulary.types[name])
        numbers = ranks.ranks(database.relation(name, truth).columns)
        write_set(encoder, ranks.total, sorted(map(int, numbers)))
    return encoder.finished()


def unpacked(
    data: bytes,
    database: Database,
    background: Relations,
    listed: Iterable[tuple[str, Truth]],
    *,
    functions: bool = True,
) -> dict[Truth, dict[str, Relation]]:
    """Return what a message says.

    Args:
        data: the bytes.
        database: predicates, types and entities; of its facts none is used.
        background: facts of background predicates.
        listed: predicates of which false or unknown atoms are listed.
        functions: whether what has one fact for each value of a place is written as such.
    """
    decoder = ArithmeticDecoder(data)
    vocabulary = vocabulary_of(database)
    plan = _plain(vocabulary) if decoder.choose(2) else carried(Reader(decoder), vocabulary, None)
    receiver = _PackedReceiver(decoder, functions=functions)
    found: dict[Truth, dict[str, Relation]] = {truth: {} for truth in TRUTHS}
    found["true"] = walked(plan, database, background, vocabulary.types, receiver)
    for name, truth in listed:
        ranks = _ranks(database, vocabulary.types[name])
        kind = object if ranks.total >= 2**62 else np.int64
        columns = ranks.columns(np.array(read_set(decoder, ranks.total), kind))
        found[truth][name] = Relation(vocabulary.types[name], tuple(c.astype(np.int32) for c in columns))
    return found


def doubtful(kb: KnowledgeBase) -> list[tuple[str, Truth]]:
    """Return the predicates of which false or unknown atoms are listed."""
    return [(name, truth) for name in sorted(kb.schema) for truth in TRUTHS[1:] if kb.count(name, truth)]


def _ranks(database: Database, types: tuple[int, ...]) -> AtomRanks:
    return AtomRanks(database, types, [None] * len(types))


def _plain(vocabulary: Vocabulary) -> Plan:
    return Plan(tuple(Step(name) for name in vocabulary.said))
