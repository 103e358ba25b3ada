"""Description lengths of candidates: what the code needs to know of the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from logicoder.engine.interface import Engine
from logicoder.logic.terms import Clause
from logicoder.problem.bits import ProgramCode, exception_bits, millibits, table_bits


@dataclass(frozen=True)
class Lengths:
    """Measures clauses and tables over the data of an engine, in millibits.

    Attributes:
        engine: holds the data.
        code: the code of clauses.
    """

    engine: Engine
    code: ProgramCode

    @classmethod
    def of(cls, engine: Engine, inputs: int, outputs: int) -> Lengths:
        """Return the measure for a number of predicates that encoders use and that are reconstructed."""
        return cls(engine, ProgramCode.of(inputs, outputs, engine.constants()))

    def encoder(self, clauses: Sequence[Clause], types: Sequence[int], facts: int) -> int:
        """Return the length of a latent predicate: its definition and its facts."""
        return millibits(self.code.encoder(clauses) + table_bits(self.engine.possible_atoms(types), facts))

    def decoder(self, clauses: Sequence[Clause]) -> int:
        """Return the length of decoder clauses."""
        return millibits(self.code.decoder(clauses))

    def table(self, types: Sequence[int], facts: int) -> int:
        """Return the length of facts as they are."""
        return millibits(table_bits(self.engine.possible_atoms(types), facts))

    def exception(self, types: Sequence[int]) -> int:
        """Return the length of one exception."""
        return millibits(exception_bits(self.engine.possible_atoms(types)))
