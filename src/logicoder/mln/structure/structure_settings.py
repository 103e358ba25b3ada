"""The settings of structure learning, declared."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from logicoder.base.kinds import Choice, Number, Switch, Whole
from logicoder.base.setting import Adjustable, documented, setting, settings_of
from logicoder.mln.weight_parameters import OPTIONS, SEED, WEIGHT, WeightParameters

STRUCTURE = "Structure"

_SHARE = Number(0, 1)
_COST = Number(0)


@documented
@dataclass(frozen=True)
class Settings(Adjustable):
    """What a run of structure learning does.

    Attributes:
        {settings}
    """

    method: str = setting(
        "busl",
        Choice(("busl", "exhaustive")),
        "how to find clauses: busl (bottom-up from the data) or exhaustive (all within the limits, screened)",
        more="busl follows Mihalkova and Mooney (2007); exhaustive screens by the gradient and considers "
        "clauses that repeat a predicate last",
        group=STRUCTURE,
    )
    max_literals: int = setting(3, Whole(1, 64), "maximum number of literals of a clause", group=STRUCTURE)
    max_variables: int = setting(3, Whole(1, 64), "maximum number of variables of a clause", group=STRUCTURE)
    constants: int = setting(
        0,
        Whole(0),
        "for exhaustive: name constants of types that have at most this many",
        group=STRUCTURE,
    )
    sigma: float = setting(
        WeightParameters.sigma,
        settings_of(WeightParameters)["sigma"].kind,
        "standard deviation of the Gaussian prior of the weights",
        group=WEIGHT,
    )
    length_penalty: float = setting(0.01, _COST, "cost of each literal of a clause", group=STRUCTURE)
    min_gain: float = setting(0.0, _COST, "minimum gain of a clause beyond its cost", group=STRUCTURE)
    min_support: float = setting(
        0.0, _SHARE, "share of its groundings that a clause must satisfy", group=STRUCTURE
    )
    independence_level: float = setting(
        0.15,
        _SHARE,
        "for busl: p-value below which two columns count as dependent",
        group=STRUCTURE,
    )
    tnode_atoms: int = setting(
        2,
        Whole(1, 2),
        "for busl: 1 for single atoms around the head, 2 also for chains of two",
        group=STRUCTURE,
    )
    free_variables: int = setting(
        1,
        Whole(0, 64),
        "for busl: maximum number of variables that occur in only one atom of a chain",
        group=STRUCTURE,
    )
    symmetry: str = setting(
        "either",
        Choice(("either", "both")),
        "for busl: two columns are neighbours if either one or both are in the other's blanket",
        group=STRUCTURE,
    )
    cliques: bool = setting(
        False,
        Switch(),
        "for busl: all members of a clause must be neighbours, as in the paper",
        group=STRUCTURE,
    )
    in_order: bool = setting(
        False,
        Switch(),
        "add candidates in the order of their gain alone, not of their remaining gain",
        option="--in-order/--best-first",
        group=STRUCTURE,
    )
    selection: str = setting(
        "greedy",
        Choice(("greedy", "l1")),
        "which candidates to add: greedy (any with a gain) or l1 (those that an L1 penalty keeps)",
        group=STRUCTURE,
    )
    max_rows: int = setting(
        2_000_000,
        Whole(1),
        "for busl: maximum number of ground atoms per predicate and world; larger ones are sampled",
        group=STRUCTURE,
    )
    max_candidates: int = setting(
        1000,
        Whole(1),
        "for exhaustive: number of clauses of each length scored after screening",
        group=STRUCTURE,
    )
    seed: int = setting(0, SEED, "seed of the random numbers", group=OPTIONS)

    def __post_init__(self) -> None:
        self.checked()

    def to_json(self) -> dict[str, Any]:
        """Return the settings as plain data."""
        return asdict(self)
