"""What is compared in predicting links, and all that determines the results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

from logicoder.base.kinds import Whole
from logicoder.base.setting import Adjustable, documented, setting
from logicoder.evaluation.configuration import (
    COMPRESSIONS,
    EFFORT,
    GRID,
    HYBRID,
    LATENT,
    LENGTHS,
    MASK_WEIGHT,
    MODELS,
    PLAIN,
    POSITIVE,
    SECONDS,
    SEED,
    SIGMAS,
    Cell,
    plain_data,
)

FREQUENCY, RULE, RULES = "frequency", "rule", "rules"
BASELINES = (FREQUENCY, RULE, RULES)
APART = "apart"
"""Networks that also use other facts of the relation they are about."""

MEASURES = ("mrr", "hits@1", "hits@3", "hits@10")


@documented
@dataclass(frozen=True)
class LinkConfiguration(Adjustable):
    """Everything that determines the results, except the speed of the machine.

    Attributes:
        {settings}
    """

    grid: tuple[str, ...] = setting(
        ("1x1", "1x2", "2x1"),
        LENGTHS,
        "encoder and decoder lengths; 1x2c10 also names constants",
        group=GRID,
    )
    compressions: tuple[str, ...] = setting(
        ("0.7", "1.5"), COMPRESSIONS, "values of the compression", group=GRID
    )
    sigmas: tuple[float, ...] = setting(
        (0.1, 0.3, 1.0, 3.0), SIGMAS, "priors: standard deviations of weights", group=GRID
    )
    mask_weight: float = setting(
        5.0,
        MASK_WEIGHT,
        "how much a fact that is missing when masked counts; a mistake counts 1",
        group=MODELS,
    )
    formula_constants: int = setting(
        0, Whole(0), "formulas name entities if there are at most this many", group=MODELS
    )
    body_literals: int = setting(
        1, Whole(1, 64), "maximum number of literals of a body over the data", group=MODELS
    )
    most_features: int = setting(
        150, Whole(1), "maximum number of features per relation, before pairs of the best", group=MODELS
    )
    effort: float = setting(
        10.0, POSITIVE, "effort of each selection, in the solver's deterministic seconds", group=EFFORT
    )
    selection_seconds: float = setting(
        600.0, SECONDS, "time limit of each selection", option="--selection-time", group=EFFORT
    )
    seed: int = setting(0, SEED, "seed of the random numbers", group=EFFORT)

    def __post_init__(self) -> None:
        self.checked()

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
