"""Lossless encoding: latent facts, and beside them the exceptions that make the data come back exactly.

Predicates are rebuilt one after the other, each from latent facts and from predicates that are right already.
With R for what is kept or derived so, the exceptions of a knowledge base list

    missing    facts that are not in R (background predicates and such as the model does not know included)
    false      atoms of R that the data does not list at all
    negative   atoms that the data lists as false, in R or not
    unknown    atoms that the data lists as unknown, in R or not

so that its facts are R and the missing ones, without the false, negative and unknown ones.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from logicoder.autoencoder.encoding_forms import EXCEPTIONS_FILE, refuse_other_forms
from logicoder.autoencoder.exact_decoding import decode_exactly
from logicoder.autoencoder.exceptions_file import Exceptions, place_of, read_exceptions
from logicoder.autoencoder.layer import Layer, decode_through, encode_through
from logicoder.autoencoder.lossless_bits import Bits, bits_of_encoding, bits_of_plan
from logicoder.base.errors import InputError, location_of
from logicoder.base.files import staged_folder
from logicoder.engine.arrays.difference import aligned, rows_inside
from logicoder.kb.formats.text import refuse_other_data
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.kb.table import FactTable
from logicoder.kb.writer import write_knowledge_base
from logicoder.logic.symbols import symbol_of

LATENT_FOLDER = "latent"
REMARK = "latent facts of a lossless encoding by logicoder: they are decoded together with its exceptions"


@dataclass(frozen=True)
class LosslessEncoding:
    """Latent facts and the exceptions that belong to them.

    Attributes:
        latent: the latent facts.
        exceptions: what the decoder gets wrong, and what it cannot know.
        data: the facts that were encoded.
        layers: the programs that encoded them.
    """

    latent: KnowledgeBase
    exceptions: Exceptions
    data: KnowledgeBase = field(repr=False)
    layers: tuple[Layer, ...] = field(repr=False)

    @cached_property
    def bits(self) -> Bits:
        """What this costs, compared with the plain facts."""
        plan = self.layers[0].plan
        if plan is not None and len(self.layers) == 1:
            return bits_of_plan(plan, self.layers[0].with_known(self.data))
        programs = [(layer.encoder, layer.decoder) for layer in self.layers]
        return bits_of_encoding(self.data, self.latent, self.exceptions, programs)

    def save(self, folder: str | Path) -> None:
        """Write the latent facts into `latent/`, a file per interpretation, and `exceptions.pl` beside it."""
        folder = Path(folder)
        refuse_other_forms(folder, EXCEPTIONS_FILE)
        with staged_folder(folder) as stage:
            write_knowledge_base(self.latent, stage / LATENT_FOLDER, "prolog", remark=REMARK)
            self.exceptions.save(stage / EXCEPTIONS_FILE)
            written = (stage / LATENT_FOLDER).iterdir()
            refuse_other_data(folder / LATENT_FOLDER, [file.name for file in written])


def needs_exceptions(path: Path) -> bool:
    """Whether a file holds latent facts of a lossless encoding, as its first line says."""
    if not path.is_file():  # what comes through a pipe can be read only once
        return False
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8", errors="replace") as stream:
            return bool(stream.readline().rstrip() == f"% {REMARK}")
    except (OSError, EOFError, zlib.error):
        return False


def encode_losslessly(layers: Sequence[Layer], kb: KnowledgeBase, *, signed: bool = True) -> LosslessEncoding:
    """Return latent facts and exceptions from which `decode_losslessly` makes the same knowledge base.

    Args:
        layers: the programs.
        kb: the facts.
        signed: whether exceptions know their latent facts by a sum, so that others are refused: it takes
            longest of all, and only who keeps exceptions needs it.
    """
    latent = encode_through(layers, layers[0].known_part(kb))[-1]
    below = decode_through(layers[1:], latent) if len(layers) > 1 else latent
    symbols, derived = decode_exactly(layers[0], below, kb, lambda name, _, __: kb.table(name))
    missing, false = {}, {}
    for name, rebuilt in derived.items():
        facts = kb.table(name)
        missing[name] = facts.select(~rows_inside(facts, rebuilt))
        listed = [rows_inside(rebuilt, kb.table(name, truth)) for truth in TRUTHS]
        false[name] = rebuilt.select(~np.logical_or.reduce(listed))
    others = {truth: {name: kb.table(name, truth) for name in kb.schema} for truth in TRUTHS[1:]}
    exceptions = Exceptions(
        listed=KnowledgeBase(kb.schema, symbols, kb.interpretations, {"true": missing, **others}),
        false=KnowledgeBase(kb.schema, symbols, kb.interpretations, {"true": false}),
        latent_schema=latent.schema,
        model_hash=fingerprint(layers),
        latent_hash=facts_hash(latent) if signed else "",
    )
    return LosslessEncoding(latent, exceptions, kb, tuple(layers))


def decode_losslessly(
    layers: Sequence[Layer], latent: KnowledgeBase, exceptions: Exceptions | str | Path
) -> KnowledgeBase:
    """Return the knowledge base that was encoded; refuse what does not belong together."""
    if not isinstance(exceptions, Exceptions):
        exceptions = read_exceptions(exceptions)
    where = None if exceptions.source is None else location_of(exceptions.source)
    if exceptions.model_hash != fingerprint(layers):
        raise InputError("these exceptions belong to another model", where, "pass the model that made them")
    if exceptions.latent_hash != facts_hash(latent):
        raise InputError(
            "these exceptions belong to other latent facts",
            where,
            "decode the latent facts that were written together with them, unchanged",
        )
    listed = exceptions.listed
    latent = _in_interpretations(latent.with_schema(exceptions.latent_schema), listed.interpretations)
    correct = _Correction(exceptions)
    if exceptions.stepwise:
        below = decode_through(layers[1:], latent) if len(layers) > 1 else latent
        symbols, derived = decode_exactly(layers[0], below, correct.frame, correct)
    else:  # files of version 0.1: what all decoders derived at once was corrected in the end
        symbols, derived = aligned(correct.frame, decode_through(layers, latent))
    facts = {name: correct(name, rebuilt, symbols) for name, rebuilt in derived.items()}
    others = {truth: {name: listed.table(name, truth) for name in listed.schema} for truth in TRUTHS[1:]}
    return KnowledgeBase(listed.schema, symbols, listed.interpretations, {"true": facts, **others})


class _Correction:
    """Makes right what was derived of a predicate.

    Attributes:
        frame: predicates, interpretations and symbols of the data, those of false atoms after the others.
    """

    def __init__(self, exceptions: Exceptions) -> None:
        self._exceptions = exceptions
        listed = exceptions.listed
        symbols, self._false = aligned(listed, exceptions.false)
        self.frame = KnowledgeBase(listed.schema, symbols, listed.interpretations, {})

    def __call__(self, name: str, derived: FactTable, symbols: Sequence[str]) -> FactTable:
        listed = self._exceptions.listed
        missing, false = listed.table(name), self._false[name]
        own, declared = derived.arguments.shape[1], missing.arguments.shape[1]
        if own != declared:
            source = self._exceptions.source
            raise InputError(
                f"these exceptions declare {name} with arity {declared}, and the model with {own}",
                None if source is None else location_of(source),
            )
        _refuse(self._exceptions, "missing", name, symbols, missing.select(rows_inside(missing, derived)))
        _refuse(self._exceptions, "false", name, symbols, false.select(~rows_inside(false, derived)))
        wrong = [rows_inside(derived, other) for other in (false, *_doubtful(listed, name))]
        right = derived.select(~np.logical_or.reduce(wrong))
        return FactTable(
            np.concatenate([right.worlds, missing.worlds]),
            np.concatenate([right.arguments, missing.arguments]),
        )


def fingerprint(layers: Sequence[Layer]) -> str:
    """Return a SHA-256 sum of the programs and of what is kept."""
    return _hash(str(part) for layer in layers for part in _parts(layer))


def _parts(layer: Layer) -> Iterator[object]:
    yield layer.encoder
    yield layer.decoder
    yield from sorted(layer.kept)
    yield from layer.bases
    yield "%"


def _refuse(exceptions: Exceptions, kind: str, name: str, symbols: Sequence[str], rows: FactTable) -> None:
    """Refuse an exception that says of an atom what is not so."""
    if not len(rows):
        return
    part = KnowledgeBase(
        exceptions.listed.schema, symbols, exceptions.listed.interpretations, {"true": {name: rows}}
    )
    fact = next(iter(part))
    says = "and the decoder derives it" if kind == "missing" else "and the decoder does not derive it"
    raise InputError(
        f"{fact} is listed as {kind} in {fact.interpretation}, {says}",
        place_of(exceptions, kind, fact),
        "the exceptions file was modified",
    )


def _doubtful(kb: KnowledgeBase, name: str) -> list[FactTable]:
    """Return the atoms of a predicate that are listed as false or unknown."""
    return [kb.table(name, truth) for truth in TRUTHS[1:]]


def _in_interpretations(kb: KnowledgeBase, interpretations: Sequence[str]) -> KnowledgeBase:
    """Return the same facts among these interpretations, of which some may hold none."""
    strangers = [name for name in kb.interpretations if name not in set(interpretations)]
    if strangers:
        raise InputError(f"the exceptions do not know the interpretation {strangers[0]} of the latent facts")
    symbols, tables = aligned(KnowledgeBase(kb.schema, kb.symbols, interpretations, {}), kb)
    return KnowledgeBase(kb.schema, symbols, interpretations, {"true": tables})


def facts_hash(kb: KnowledgeBase) -> str:
    """Return a SHA-256 sum of the facts, whatever their order, their types, and empty interpretations."""
    return _hash(sorted(f"{symbol_of(fact.interpretation)} {fact}" for fact in kb))


def _hash(lines: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode("utf-8", "surrogatepass"))
        digest.update(b"\n")
    return digest.hexdigest()
