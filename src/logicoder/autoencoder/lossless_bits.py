"""What an encoding saves against the plain facts, in bits; `problem.bits` has the code.

Sender and receiver know the schema, the interpretations and their constants. A predicate has as many possible
atoms as its argument types have tuples of constants, summed over the interpretations. An atom with a constant
that the data of its interpretation do not mention, which a program may derive, is known to be false: an
exception for it costs no more than any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from logicoder.autoencoder.exceptions_file import Exceptions
from logicoder.compression.message import Message
from logicoder.compression.plan import Plan
from logicoder.kb.atom_space import AtomSpace
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.logic.terms import Program
from logicoder.problem.bits import ProgramCode, exception_bits, table_bits


@dataclass(frozen=True)
class Bits:
    """What an encoding costs, part by part, and the plain facts beside it.

    >>> Bits(plain=100, latent=40, exceptions=10, program=20).saved
    30
    """

    plain: float
    latent: float
    exceptions: float
    program: float

    @property
    def saved(self) -> float:
        """Bits of the plain facts minus those of the encoding; negative where it does not pay."""
        return self.plain - self.latent - self.exceptions - self.program

    def as_dict(self) -> dict[str, float]:
        """Return the bits as plain data."""
        return {name: round(bits, 3) for name, bits in {**asdict(self), "saved": self.saved}.items()}


def bits_of_plan(plan: Plan, kb: KnowledgeBase) -> Bits:
    """Return what a message takes that says the data by a plan; see `compression.message`.

    Tables of kept predicates and bases count as latent facts, what corrects the others as exceptions.
    """
    message = Message.of(plan, kb)
    doubtful = doubtful_bits(kb)
    decoded = {step.predicate for step in message.plan if step.layers}
    said = {"latent": 0.0, "exceptions": 0.0}
    for part in message.parts:
        kept = part.role == "base" or part.role.startswith("domain") or part.predicate not in decoded
        said["latent" if kept else "exceptions"] += part.bits
    whole = message.program_bits + sum(said.values())
    if whole > message.plain_bits:  # then the facts themselves are the shorter message
        return Bits(message.plain_bits + doubtful, message.plain_bits + doubtful, 0.0, 0.0)
    return Bits(
        plain=message.plain_bits + doubtful,
        latent=said["latent"],
        exceptions=said["exceptions"] + doubtful,
        program=message.program_bits,
    )


def doubtful_bits(kb: KnowledgeBase) -> float:
    """Return the bits of atoms that are listed as false or unknown: they cost the same in every encoding."""
    space = AtomSpace([kb])
    counts = ((p, kb.count(name, truth)) for name, p in kb.schema.items() for truth in TRUTHS[1:])
    return sum(table_bits(space.possible(predicate), number) for predicate, number in counts if number)


def bits_of_encoding(
    kb: KnowledgeBase,
    latent: KnowledgeBase,
    exceptions: Exceptions,
    programs: Sequence[tuple[Program, Program]],
) -> Bits:
    """Return what a lossless encoding costs, beside the plain facts."""
    space, whole = AtomSpace([kb]), AtomSpace([kb, latent, exceptions.false])
    decoded = {name for _, decoder in programs for name in decoder.defined()}
    plain = corrections = doubtful_bits(kb)
    for name, predicate in kb.schema.items():
        possible = space.possible(predicate)
        plain += table_bits(possible, kb.count(name))
        if name in decoded:
            number = exceptions.listed.count(name) + exceptions.false.count(name)
            corrections += number * exception_bits(possible)
        else:
            corrections += table_bits(possible, exceptions.listed.count(name))
    below = len(kb.schema)
    program = 0.0
    for encoder, decoder in programs:
        code = ProgramCode.of(below, len(decoder.defined()), whole.constants)
        code = replace(code, latents=max(code.latents, len(encoder.defined())))
        program += code.fixed + code.encoder(encoder) + code.decoder(decoder)
        below = len(encoder.defined())
    return Bits(
        plain=plain,
        latent=sum(table_bits(whole.possible(p), latent.count(n)) for n, p in latent.schema.items()),
        exceptions=corrections,
        program=program,
    )
