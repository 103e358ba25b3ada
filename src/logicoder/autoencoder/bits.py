"""What an encoding saves against the plain facts, in bits; `problem.bits` has the code.

Sender and receiver know the schema, the interpretations and their constants. A predicate has as many possible
atoms as its argument types have tuples of constants, summed over the interpretations.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass


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
