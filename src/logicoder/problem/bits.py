"""Description length: how many bits a program, its latent facts and its exceptions take.

The code is one that could be decoded by whoever knows the schema and the constants;
`docs/explanation/semantics.md` writes it out. Lengths are rounded up to whole millibits, item by item,
so that a solver can add them exactly.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, fsum, lgamma, log, log1p, log2

from logicoder.logic.terms import Atom, Clause, Constant

_TINY = 1e-6
"""What floating-point numbers may err, in millibits."""


def millibits(bits: float) -> int:
    """Return bits as millibits, rounded up.

    >>> millibits(3.0), millibits(1.58496)
    (3000, 1585)
    """
    return ceil(1000 * bits - _TINY)


def table_bits(atoms: int, facts: int) -> float:
    """Return the bits of a table with so many facts among so many possible atoms.

    log2(N + 1) for the number of facts, log2 C(N, w) for which they are.

    >>> table_bits(3, 0), round(table_bits(3, 1), 3)
    (2.0, 3.585)
    """
    return log2(atoms + 1) + log2_choose(atoms, facts)


def log2_choose(total: int, chosen: int) -> float:
    """Return the binary logarithm of a binomial coefficient.

    >>> round(log2_choose(10, 3), 6) == round(log2(120), 6)
    True
    """
    few = min(chosen, total - chosen)
    if few < 1000:
        return fsum(log2((total - i) / (i + 1)) for i in range(few))
    # Stirling's formula for total! / (total - few)!: the difference of two huge logarithms would lose
    # all digits.
    rest = total - few
    falling = few * log(total) - (rest + 0.5) * log1p(-few / total) - few
    return (falling + 1 / (12 * total) - 1 / (12 * rest) - lgamma(few + 1)) / log(2)


def exception_bits(atoms: int) -> float:
    """Return the bits of one exception: that there is one more, and which atom it is."""
    return 1 + log2(max(1, atoms))


def number_bits(number: int) -> int:
    """Return the bits of a whole number from zero on, which nothing limits (Elias' gamma code of n + 1).

    >>> [number_bits(n) for n in (0, 1, 2, 3, 7)]
    [1, 3, 3, 5, 7]
    """
    return 2 * (number + 1).bit_length() - 1


def surplus_bits(latents: int, cap: int, literals: int) -> float:
    """Return what it costs to have more latents than a code provides for: their number, and longer names."""
    return number_bits(latents) + literals * log2((latents + 1) / (cap + 1)) if latents > cap else 0.0


@dataclass(frozen=True)
class ProgramCode:
    """The code of clauses over one schema.

    Attributes:
        inputs: number of predicates that encoders may use.
        outputs: number of predicates to be reconstructed.
        latents: number of latent predicates that the code provides for.
        constants: number of constants in the data.
    """

    inputs: int
    outputs: int
    latents: int
    constants: int

    @classmethod
    def of(cls, inputs: int, outputs: int, constants: int) -> ProgramCode:
        """Return the code for a schema; it provides for four latent predicates per output, at least 16."""
        return cls(inputs, outputs, max(16, 4 * outputs), constants)

    @property
    def fixed(self) -> float:
        """Bits that every program takes: the number of latents, and that clauses and exceptions end.

        The number is one of 0 .. N, or "more than that": see `surplus_bits`.
        """
        return log2(self.latents + 2) + 1 + self.outputs

    def encoder(self, clauses: Iterable[Clause]) -> float:
        """Return the bits of the definition of one latent predicate."""
        # One more than the inputs: the latent predicate itself, for recursion.
        return sum(
            number_bits(clause.head.arity) + self._clause(clause, log2(self.inputs + 1)) for clause in clauses
        )

    def decoder(self, clauses: Iterable[Clause]) -> float:
        """Return the bits of decoder clauses."""
        return sum(log2(self.outputs) + self._clause(clause, log2(self.latents + 1)) for clause in clauses)

    def _clause(self, clause: Clause, symbol: float) -> float:
        """Return the bits of a clause without the name and arity of its head.

        One bit says whether it is the last one. Before each literal, two bits say which of four things
        follows: a literal, a negated literal, another alternative, or the end.
        """
        atoms = [clause.head, *(literal.atom for literal in clause.literals())]
        variables = len({variable for atom in atoms for variable in atom.variables()})
        total = 1.0 + number_bits(variables) + 2 * (len(clause.alternatives) - 1) + 2
        total += sum((2 + symbol) for _ in clause.literals())
        return total + sum(self._arguments(atom, variables) for atom in atoms)

    def _arguments(self, atom: Atom, variables: int) -> float:
        """An argument is one of the variables, or "a constant", which is then named."""
        constants = sum(isinstance(argument, Constant) for argument in atom.arguments)
        return atom.arity * log2(variables + 1) + constants * log2(max(1, self.constants))
