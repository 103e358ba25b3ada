"""How numbers were found, and how sure they are."""

from __future__ import annotations

import math
from dataclasses import dataclass

from logicoder.mln.inference.estimates import AGREEMENT

SAMPLED = ("gibbs", "mc-sat")
SOLVED = "cp-sat"


@dataclass(frozen=True)
class Method:
    """How some atoms were dealt with: name, number of components, number of atoms.

    `unproved` says that a search ended before its proof.
    """

    name: str
    components: int
    atoms: int
    unproved: bool = False

    @property
    def exact(self) -> bool:
        """Whether its numbers are exact, up to rounding."""
        return self.name not in SAMPLED and not self.unproved

    def __str__(self) -> str:
        exact = ", exact" if self.exact else ""
        return f"  {self.name}: {self.atoms:,} atoms in {self.components:,} components{exact}"


@dataclass(frozen=True)
class Sureness:
    """How sure sampled probabilities are.

    Attributes:
        samples: states drawn, over all chains.
        least_effective: the smallest effective sample size of an atom: as many independent draws of truth
            values have the same error. It may be larger than `samples`, as probabilities are averaged.
        median_effective: the median over sampled atoms.
        largest_error: the largest standard error of a probability.
        largest_spread: the largest R̂ of an atom: far above 1 where chains do not agree.
        failures: steps of MC-SAT in which SampleSAT found no state for a component, whose atoms then moved by
            single flips only.
    """

    samples: int
    least_effective: float
    median_effective: float
    largest_error: float
    largest_spread: float
    failures: int = 0

    @property
    def agree(self) -> bool:
        """Whether the chains agree; where they do not, neither probabilities nor errors are to be trusted.

        Neither are they where there is one chain only, or too few states to tell.
        """
        return self.largest_spread <= AGREEMENT

    @property
    def doubt(self) -> str | None:
        """Why not to trust the numbers, in words."""
        if self.agree:
            return None
        if math.isnan(self.largest_spread):
            return "whether chains agree cannot be told: take more samples, and several chains"
        return "the chains do not agree: take more samples, or the method mc-sat"

    def as_dict(self) -> dict[str, float | int | bool | None]:
        """Return all this for JSON, which has no NaN: None stands for what is not known."""
        found = {name: None if math.isnan(value) else value for name, value in vars(self).items()}
        return {**found, "agree": self.agree}

    def __str__(self) -> str:
        return (
            f"{self.samples:,} samples; "
            f"effective sample size at least {_text(self.least_effective, ',.0f')}, "
            f"median {_text(self.median_effective, ',.0f')}; "
            f"standard error at most {_text(self.largest_error, '.4f')}; "
            f"R̂ at most {_text(self.largest_spread, '.3f')}"
        )


def _text(value: float, form: str) -> str:
    return "unknown" if math.isnan(value) else format(value, form)
