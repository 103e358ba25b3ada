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


def bits_of_encoding(
    kb: KnowledgeBase,
    latent: KnowledgeBase,
    exceptions: Exceptions,
    programs: Sequence[tuple[Program, Program]],
) -> Bits:
    """Return what a lossless encoding costs, beside the plain facts."""
    space, whole = AtomSpace([kb]), AtomSpace([kb, latent, exceptions.false])
    decoded = {name for _, decoder in programs for name in decoder.defined()}
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
