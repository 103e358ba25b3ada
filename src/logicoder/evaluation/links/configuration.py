"""What is compared in predicting links, and all that determines the results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

from logicoder.base.errors import UsageError
from logicoder.evaluation.configuration import HYBRID, LATENT, PLAIN, Cell, plain_data

FREQUENCY, RULE, RULES = "frequency", "rule", "rules"
BASELINES = (FREQUENCY, RULE, RULES)
APART = "apart"
"""Networks that also use other facts of the relation they are about."""

MEASURES = ("mrr", "hits@1", "hits@3", "hits@10")


@dataclass(frozen=True)
class LinkConfiguration:
    """All that determines the results, but for the speed of the machine.

    Attributes:
        grid: lengths of clauses, as texts; see `logicoder.evaluation.configuration.Lengths`.
        compressions: values of γ, as text.
        sigmas: priors: standard deviations of weights.
        mask_weight: what a fact that is missing when masked counts, beside 1 for an ordinary mistake.
        formula_constants: formulas may name entities if there are at most so many.
        body_literals: the most literals of a body over the data.
        most_features: the most features of a relation, before pairs of the best.
        effort: of each selection, in deterministic seconds.
        selection_seconds: the most time of each selection.
        seed: of everything.
    """

    grid: tuple[str, ...] = ("1x1", "1x2", "2x1")
    compressions: tuple[str, ...] = ("0.7", "1.5")
    sigmas: tuple[float, ...] = (0.1, 0.3, 1.0, 3.0)
    mask_weight: float = 5.0
    formula_constants: int = 0
    body_literals: int = 1
    most_features: int = 150
    effort: float = 10.0
    selection_seconds: float = 600.0
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("grid", "compressions", "sigmas"):
            if not getattr(self, name):
                raise UsageError(f"{name} must not be empty")

    def cells(self) -> Iterator[Cell]:
        """Yield the cells among which the validation facts choose, for each variant."""
        for name in BASELINES:
            yield Cell(name)
        for learner in (None, APART):
            for sigma in self.sigmas:
                yield Cell(PLAIN, learner, sigma=sigma)
            for name in (LATENT, HYBRID):
                for lengths, compression, sigma in product(self.grid, self.compressions, self.sigmas):
                    yield Cell(name, learner, lengths, compression, self.mask_weight, sigma)

    def as_dict(self) -> dict[str, Any]:
        """Return the configuration as plain data."""
        return plain_data(asdict(self))
