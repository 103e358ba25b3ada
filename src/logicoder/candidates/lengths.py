"""Description lengths of candidates: what the code needs to know of the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

import numpy as np

from logicoder.engine.database import WORLD, Database
from logicoder.logic.terms import Clause
from logicoder.problem.bits import ProgramCode, exception_bits, millibits, table_bits


@dataclass(frozen=True)
class Lengths:
    """Measures clauses and tables over a database, in millibits.

    Attributes:
        database: the data.
        code: the code of clauses.
    """

    database: Database
    code: ProgramCode
    _atoms: dict[tuple[int, ...], int] = field(default_factory=dict)

    @classmethod
    def of(cls, database: Database, inputs: int, outputs: int) -> Lengths:
        """Return the measure for a number of predicates that encoders use and that are reconstructed."""
        world = database.types[WORLD]
        used = [symbols for kind, symbols in enumerate(database.symbol_of) if kind != world]
        constants = len(np.unique(np.concatenate(used))) if used else 0
        return cls(database, ProgramCode.of(inputs, outputs, constants))

    def possible_atoms(self, types: Sequence[int]) -> int:
        """Return how many atoms there could be: in each world, any constants of the types."""
        key = tuple(sorted(types))
        if key not in self._atoms:
            worlds = self.database.worlds
            # Python's numbers: products of many domains leave 64 bits.
            counts = [np.bincount(self.database.world_of[kind], minlength=worlds).tolist() for kind in key]
            self._atoms[key] = sum(prod(sizes) for sizes in zip(*counts, strict=True))
        return self._atoms[key]

    def encoder(self, clauses: Sequence[Clause], types: Sequence[int], facts: int) -> int:
        """Return the length of a latent predicate: its definition and its facts."""
        return millibits(self.code.encoder(clauses) + table_bits(self.possible_atoms(types), facts))

    def decoder(self, clauses: Sequence[Clause]) -> int:
        """Return the length of decoder clauses."""
        return millibits(self.code.decoder(clauses))

    def table(self, types: Sequence[int], facts: int) -> int:
        """Return the length of facts as they are."""
        return millibits(table_bits(self.possible_atoms(types), facts))

    def exception(self, types: Sequence[int]) -> int:
        """Return the length of one exception."""
        return millibits(exception_bits(self.possible_atoms(types)))
