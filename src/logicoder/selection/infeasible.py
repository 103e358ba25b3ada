"""Why no selection satisfies the constraints, in words, with a setting that would work."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil

from logicoder.base.errors import InfeasibleError
from logicoder.base.stopping import StopToken
from logicoder.problem.model import Problem
from logicoder.selection.model import RELAXABLE, SelectionModel, Structure
from logicoder.selection.running import run

_EFFORT = 5.0


def explain_infeasible(problem: Problem, seed: int = 0, stop: StopToken | None = None) -> InfeasibleError:
    """Return an error that names the constraint families that cannot hold together and what to change."""
    stop = stop or StopToken()
    culprits = [family for family in RELAXABLE if _feasible(problem, seed, [family], stop)]
    lines = ["no program satisfies all constraints."]
    if "bottleneck" in culprits:
        lines.append(_bottleneck_advice(problem, seed, stop))
    if "reconstruction" in culprits:
        lines.append(
            "It would work without the demand that every predicate is reconstructed: "
            "pass reconstruct_all=False (--no-reconstruct-all)."
        )
    if "generality" in culprits:
        lines.append(
            "It would work if comparable clauses could be selected together: "
            "pass generality=False (--no-generality)."
        )
    if not culprits:
        lines.append(
            "More than one of bottleneck, generality and reconstruction stands in the way; "
            "start with a larger compression (--compression) and longer clauses."
        )
    return InfeasibleError("\n  ".join(lines))


def _feasible(problem: Problem, seed: int, without: list[str], stop: StopToken) -> bool:
    model = SelectionModel(Structure(problem), without=without)
    # The empty program satisfies everything but the demand for reconstruction: it is no way out.
    model.cp.add_bool_or(list(model.decoders.values()))
    return run(model, 0, seed=seed, effort=_EFFORT, stop=stop).decoders is not None


def _bottleneck_advice(problem: Problem, seed: int, stop: StopToken) -> str:
    names = "; ".join(constraint.name for constraint in problem.bottlenecks)
    text = f"The bottleneck cannot hold ({names}), given the other constraints."
    least = least_mean(problem, seed, stop)
    if least is None:
        return text + " Raise compression (--compression)."
    needed = ceil(least * problem.predicates * 1000 / problem.facts) / 1000
    return (
        f"{text} The fewest latent facts per latent predicate that any program reaches here is "
        f"{float(least):.4g}: raise compression (--compression) to {needed:g} or more, "
        "or allow longer clauses."
    )


def least_mean(problem: Problem, seed: int = 0, stop: StopToken | None = None) -> Fraction | None:
    """Return the smallest mean size of latent predicates (Dinkelbach's method), or None if unknown."""
    stop = stop or StopToken()
    weights = [encoder.weight for encoder in problem.encoders]
    structure = Structure(replace(problem, bottlenecks=()))
    mean: Fraction | None = None
    for _ in range(30):
        model = SelectionModel(structure)
        objective = 0
        if mean is not None:
            # A selection with a smaller mean makes this sum negative; the most negative one comes first.
            a, b = mean.numerator, mean.denominator
            objective = sum((w * b - a) * model.encoders[i] for i, w in enumerate(weights))
        outcome = run(model, objective, seed=seed, effort=_EFFORT, stop=stop)
        if outcome.decoders is None:
            return mean
        chosen = {latent for d in outcome.decoders for latent in problem.decoders[d].latents}
        if not chosen:
            return mean
        found = Fraction(sum(weights[e] for e in chosen), len(chosen))
        if mean is not None and found >= mean:
            return mean
        mean = found
    return mean
