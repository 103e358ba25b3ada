"""Lossless encoding: latent facts, and beside them the exceptions that make the data come back exactly.

With R for what the decoder derives from the latent facts, the exceptions of a knowledge base list

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
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from logicoder.autoencoder.bits import AtomSpace, Bits
from logicoder.autoencoder.exceptions_file import EXCEPTIONS_FILE, Exceptions, place_of, read_exceptions
from logicoder.base.errors import InputError, location_of
from logicoder.engine.arrays.difference import aligned, rows_inside
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.kb.table import FactTable
from logicoder.kb.writing import write_knowledge_base
from logicoder.logic.symbols import symbol_of
from logicoder.logic.terms import Program
from logicoder.problem.bits import ProgramCode, exception_bits, table_bits

LATENT_FOLDER = "latent"
REMARK = "latent facts of a lossless encoding by logicoder: they are decoded together with its exceptions"


@dataclass(frozen=True)
class LosslessEncoding:
    """Latent facts and the exceptions that belong to them.

    Attributes:
        latent: the latent facts.
        exceptions: what the decoder gets wrong, and what it cannot know.
        bits: what this costs, beside the plain facts.
    """

    latent: KnowledgeBase
    exceptions: Exceptions
    bits: Bits

    def save(self, folder: str | Path) -> None:
        """Write the latent facts into `latent/`, a file per interpretation, and `exceptions.pl` beside it."""
        folder = Path(folder)
        # The exceptions come last: where they are, everything that belongs to them is there too.
        (folder / EXCEPTIONS_FILE).unlink(missing_ok=True)
        write_knowledge_base(self.latent, folder / LATENT_FOLDER, "prolog", remark=REMARK)
        self.exceptions.save(folder / EXCEPTIONS_FILE)


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


class LosslessCoding(ABC):
    """What models share that encode and decode without any loss."""

    @abstractmethod
    def transform(self, X: Any) -> KnowledgeBase:  # noqa: N803
        """Return the latent facts of a knowledge base."""

    @abstractmethod
    def inverse_transform(self, X: KnowledgeBase) -> KnowledgeBase:  # noqa: N803
        """Return the facts that the decoder derives from latent facts."""

    @abstractmethod
    def programs(self) -> list[tuple[Program, Program]]:
        """Return the encoder and the decoder of each layer, from the data upwards."""

    @abstractmethod
    def known_part(self, kb: KnowledgeBase) -> KnowledgeBase:
        """Return the knowledge base without the predicates that the model does not know."""

    def encode_losslessly(self, kb: KnowledgeBase) -> LosslessEncoding:
        """Return latent facts and exceptions from which `decode_losslessly` makes the same knowledge base.

        Predicates that the model does not know are kept among the exceptions.

        Raises:
            InputError: for data that `transform` refuses as well.
        """
        latent = self.transform(self.known_part(kb))
        symbols, derived = aligned(kb, self.inverse_transform(latent))
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
            model_hash=self.fingerprint(),
            latent_hash=facts_hash(latent),
        )
        return LosslessEncoding(latent, exceptions, self._bits(kb, latent, exceptions))

    def decode_losslessly(self, latent: KnowledgeBase, exceptions: Exceptions | str | Path) -> KnowledgeBase:
        """Return the knowledge base that was encoded.

        Args:
            latent: the latent facts.
            exceptions: what belongs to them, or the file that holds it.

        Raises:
            InputError: if model, latent facts and exceptions do not belong together.
        """
        if not isinstance(exceptions, Exceptions):
            exceptions = read_exceptions(exceptions)
        where = None if exceptions.source is None else location_of(exceptions.source)
        if exceptions.model_hash != self.fingerprint():
            raise InputError(
                "these exceptions belong to another model", where, "name the model that made them"
            )
        if exceptions.latent_hash != facts_hash(latent):
            raise InputError(
                "these exceptions belong to other latent facts",
                where,
                "decode the latent facts that were written together with them, unchanged",
            )
        listed = exceptions.listed
        latent = _in_interpretations(latent.with_schema(exceptions.latent_schema), listed.interpretations)
        symbols, derived = aligned(listed, self.inverse_transform(latent))
        frame = KnowledgeBase(listed.schema, symbols, listed.interpretations, {})
        symbols, surplus = aligned(frame, exceptions.false)
        facts = {}
        for name, rebuilt in derived.items():
            missing, false = listed.table(name), surplus[name]
            self._refuse(exceptions, "missing", name, symbols, missing.select(rows_inside(missing, rebuilt)))
            self._refuse(exceptions, "false", name, symbols, false.select(~rows_inside(false, rebuilt)))
            wrong = [rows_inside(rebuilt, other) for other in (false, *_doubtful(listed, name))]
            right = rebuilt.select(~np.logical_or.reduce(wrong))
            facts[name] = FactTable(
                np.concatenate([right.worlds, missing.worlds]),
                np.concatenate([right.arguments, missing.arguments]),
            )
        others = {truth: {name: listed.table(name, truth) for name in listed.schema} for truth in TRUTHS[1:]}
        return KnowledgeBase(listed.schema, symbols, listed.interpretations, {"true": facts, **others})

    def fingerprint(self) -> str:
        """Return a SHA-256 sum of the programs."""
        return _hash(str(program) for pair in self.programs() for program in (*pair, "%"))

    def _refuse(
        self, exceptions: Exceptions, kind: str, name: str, symbols: Sequence[str], rows: FactTable
    ) -> None:
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
            "the exceptions were changed after they were written",
        )

    def _bits(self, kb: KnowledgeBase, latent: KnowledgeBase, exceptions: Exceptions) -> Bits:
        space = AtomSpace([kb, latent, exceptions.false])
        decoded = {name for _, decoder in self.programs() for name in decoder.defined()}
        plain = corrections = 0.0
        for name, predicate in kb.schema.items():
            possible = space.possible(predicate)
            # Atoms that are listed as false or unknown cost the same in both.
            both = sum(table_bits(possible, n) for n in (kb.count(name, t) for t in TRUTHS[1:]) if n)
            plain += both + table_bits(possible, kb.count(name))
            corrections += both
            if name in decoded:
                number = exceptions.listed.count(name) + exceptions.false.count(name)
                corrections += number * exception_bits(possible)
            else:
                corrections += table_bits(possible, exceptions.listed.count(name))
        below = len(kb.schema)
        program = 0.0
        for encoder, decoder in self.programs():
            code = ProgramCode.of(below, len(decoder.defined()), space.constants)
            code = replace(code, latents=max(code.latents, len(encoder.defined())))
            program += code.fixed + code.encoder(encoder) + code.decoder(decoder)
            below = len(encoder.defined())
        return Bits(
            plain=plain,
            latent=sum(table_bits(space.possible(p), latent.count(n)) for n, p in latent.schema.items()),
            exceptions=corrections,
            program=program,
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


def _hash(lines: Any) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode("utf-8", "surrogatepass"))
        digest.update(b"\n")
    return digest.hexdigest()
