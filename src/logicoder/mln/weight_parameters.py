"""The settings of learning weights and of inference: nothing but declarations, as of the learner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from logicoder.base.kinds import Choice, Names, Number, Switch, Whole
from logicoder.base.setting import Adjustable, setting

WEIGHT, KNOWN, SAMPLING, OPTIONS = "Weights", "What is asked and known", "Sampling", "Options"

SEED = Whole(0, 2**63 - 1)
SECONDS = Number(0, above=True, metavar="S")


@dataclass(frozen=True)
class WeightParameters(Adjustable):
    """What weights are learned for, and what is thought of them before; see `learn_weights`."""

    objective: Any = setting(
        "wpll",
        Choice(("wpll", "pll", "cll")),
        "what to maximise: wpll (mean over each predicate's atoms), pll (sum over all) or cll (query only)",
        group=WEIGHT,
    )
    query: Sequence[str] | None = setting(
        None, Names(), "predicates that the network should predict", unset="all", group=WEIGHT
    )
    prior: Any = setting("gaussian", Choice(("gaussian", "l1", "none")), "prior of the weights", group=WEIGHT)
    sigma: float = setting(
        100.0,
        Number(1e-9),
        "standard deviation of the prior of the weights, or scale of l1",
        group=WEIGHT,
    )
    mean: float = setting(0.0, Number(-1e9), "mean of the prior", group=WEIGHT)
    unit_clauses: bool = setting(
        False,
        Switch(),
        "add a unit clause for every predicate without one, as Alchemy does",
        group=WEIGHT,
    )


@dataclass(frozen=True)
class InferenceParameters(Adjustable):
    """What is known, and how long is sampled; see `infer`."""

    open: Sequence[str] = setting(
        (),
        Names(),
        "further predicates whose unlisted atoms are unknown",
        group=KNOWN,
    )
    closed: Sequence[str] = setting(
        (),
        Names(),
        "predicates whose unlisted atoms are false although they are declared open",
        group=KNOWN,
    )
    hide: bool = setting(
        True,
        Switch(),
        "hide the facts of the query predicates; otherwise they are evidence",
        group=KNOWN,
    )
    method: str = setting(
        "auto",
        Choice(("auto", "exact", "gibbs", "mc-sat")),
        "how to answer: auto (exactly if possible, otherwise by sampling), exact, gibbs or mc-sat",
        group=SAMPLING,
    )
    samples: int = setting(1000, Whole(1), "maximum number of states of each chain", group=SAMPLING)
    burn_in: int = setting(
        100, Whole(0), "maximum number of initial states of each chain to discard", group=SAMPLING
    )
    chains: int = setting(8, Whole(1, 4096), "independent chains, whose agreement is checked", group=SAMPLING)
    precision: float = setting(
        0.01,
        Number(0, 1),
        "end sampling once at least four chains agree and all standard errors are at most this; 0 draws all "
        "states",
        group=SAMPLING,
    )
    seed: int = setting(0, SEED, "seed of the random numbers", group=OPTIONS)
    time_limit: float | None = setting(
        None,
        SECONDS,
        "stop after this many seconds and keep the best result so far",
        unset="no limit",
        group=OPTIONS,
    )


WEIGHTS, INFERENCE = WeightParameters(), InferenceParameters()
"""The defaults."""
