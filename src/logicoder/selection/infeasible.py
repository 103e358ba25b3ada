"""Why no selection satisfies the constraints, in words, with a setting that would work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import ceil

from logicoder.base.errors import InfeasibleError
from logicoder.base.stopping import StopToken
from logicoder.problem.evaluate import encoders_of
from logicoder.problem.model import LinearConstraint, Problem
from logicoder.selection.cp_sat import run
from logicoder.selection.formulation import AnyOf, Implies, Sum
from logicoder.selection.outcome import Outcome
from logicoder.selection.selection_model import RELAXABLE, SelectionModel
from logicoder.selection.structure import Structure

_EFFORT = 5.0

_ADVICE = {
    "generality": "It would work if comparable clauses could be selected together: pass `generality=False`.",
}
_OPTIONS = {
    "bottleneck": "bottleneck",
    "generality": "generality",
    "reconstruction": "reconstruction",
    "limit": "limits (`limits`)",
    "required": "required clauses (`require`)",
}


def explain_infeasible(problem: Problem, seed: int = 0, stop: StopToken | None = None) -> InfeasibleError:
    """Return an error that names the constraint families that cannot hold together and what to change."""
    stop = stop or StopToken()
    present = {
        "bottleneck": bool(problem.bottlenecks),
        "generality": problem.encoder_generality is not None or problem.decoder_generality is not None,
        "reconstruction": bool(problem.requirements),
        "limit": any(c.family == "limit" for c in problem.constraints),
        "required": bool(problem.demands),
    }
    families = [family for family in RELAXABLE if present[family]]
    helps = {family: _feasible(problem, seed, [family], stop) for family in families}
    lines = ["no program of these candidates satisfies all constraints."]
    if helps.get("bottleneck"):
        lines.append(_bottleneck_advice(problem, seed, stop))
    if helps.get("limit"):
        names = "; ".join(c.name for c in problem.constraints if c.family == "limit")
        lines.append(
            f"The limits cannot hold ({names}), given the other constraints: loosen them (`limits`)."
        )
    if helps.get("required"):
        names = "; ".join(demand.name for demand in problem.demands)
        lines.append(
            f"What is required cannot be selected ({names}), given the other constraints (`require`)."
        )
    if helps.get("reconstruction"):
        lines.append(_reconstruction_advice(problem, seed, stop))
    lines.extend(text for family, text in _ADVICE.items() if helps.get(family))
    if not any(helps.values()):
        lines.append(_unknown(families, helps, stop))
    return InfeasibleError("\n  ".join(lines))


def _unknown(families: Sequence[str], helps: dict[str, bool | None], stop: StopToken) -> str:
    names = [_OPTIONS[family] for family in families]
    told = ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else "".join(names)
    if None in helps.values():
        reason = f"the search was stopped ({stop.reason})" if stop.stopped else "that would take too long"
        return (
            f"It is not known which of {told} stands in the way, since {reason}; "
            "start with a larger `compression` and longer clauses."
        )
    return f"More than one of {told} stands in the way; start with a larger `compression` and longer clauses."


def _feasible(problem: Problem, seed: int, without: list[str], stop: StopToken) -> bool | None:
    """Whether there is a program without some families of constraints; None where that was not found out."""
    outcome = None if stop.stopped else _outcome(problem, seed, without, stop)
    if outcome is None:
        return None
    if outcome.decoders is not None:
        return True
    return False if outcome.status == "infeasible" else None


def _outcome(problem: Problem, seed: int, without: list[str], stop: StopToken) -> Outcome:
    """Look for any program without some families of constraints."""
    model = SelectionModel(Structure(problem), without=without)
    # The empty program satisfies everything but the demand for reconstruction: it is no way out.
    model.add(AnyOf(list(model.decoders.values())))
    return run(model, seed=seed, effort=_EFFORT, stop=stop)


def _reconstruction_advice(problem: Problem, seed: int, stop: StopToken) -> str:
    """Say that predicates could be given up, or rebuilt by clauses that do not count as reconstruction."""
    without = "pass `reconstruct_all=False`."
    wider = tuple(
        replace(r, decoders=tuple(i for i, d in enumerate(problem.decoders) if d.predicate == r.predicate))
        for r in problem.requirements
    )
    chosen = None if stop.stopped else _outcome(replace(problem, requirements=wider), seed, [], stop).decoders
    if chosen is None:
        return f"It would work without the demand that every predicate is reconstructed: {without}"
    poor = ", ".join(r.predicate for r in problem.requirements if not set(r.decoders) & set(chosen))
    return (
        f"There are programs with a clause for every predicate; but those for {poor} are false in half of "
        f"their atoms or more, and do not count as reconstruction. To allow them, {without}"
    )


# -- what a bottleneck would have to be ------------------------------------------------------------------


def _bottleneck_advice(problem: Problem, seed: int, stop: StopToken) -> str:
    """Say which bottlenecks cannot hold and, for each that would do alone, which value would work."""
    bottlenecks = problem.bottlenecks
    found = []
    for constraint in bottlenecks:
        others = replace(problem, constraints=tuple(c for c in problem.constraints if c is not constraint))
        if len(bottlenecks) == 1 or _feasible(others, seed, [], stop):
            text = f"The bottleneck cannot hold ({constraint.name}), given the other constraints."
            found.append(f"{text} {_value_advice(others, constraint, seed, stop)}")
    if found:
        return "\n  ".join(found)
    names = "; ".join(constraint.name for constraint in bottlenecks)
    return f"The bottlenecks cannot hold ({names}), given the other constraints: loosen more than one."


def _value_advice(others: Problem, constraint: LinearConstraint, seed: int, stop: StopToken) -> str:
    """Say which value of a bottleneck would work, given the other constraints."""
    find = _FINDERS.get(constraint.kind)
    if find is None:
        return "Loosen it (`bottlenecks`)."
    text = find(others, seed, stop)
    if text is None:
        return f'Raise it (`bottlenecks=["{constraint.kind}=..."]`).'
    return f"{text}, or allow longer clauses."


def _raised(kind: str, value: Fraction) -> str:
    """Say which compression would work, rounded up to thousandths."""
    needed = ceil(value * 1000) / 1000
    return f'raise `compression` to {needed:g} or more (`bottlenecks=["{kind}={needed:g}"]`)'


def _average(problem: Problem, seed: int, stop: StopToken) -> str | None:
    least = least_mean(problem, seed, stop)
    if least is None:
        return None
    return (
        "The fewest latent facts per latent predicate of a program of these candidates are "
        f"{float(least):.4g}: {_raised('average', least * problem.predicates / problem.facts)}"
    )


def _total(problem: Problem, seed: int, stop: StopToken) -> str | None:
    weights = [encoder.weight for encoder in problem.encoders]
    least = _least(problem, lambda model: model.total(weights), seed, stop)
    if least is None:
        return None
    told = f"The fewest latent facts of a program of these candidates are {least:,}"
    return f"{told}: {_raised('total', Fraction(least, problem.facts))}"


def _bits(problem: Problem, seed: int, stop: StopToken) -> str | None:
    least = _least(problem, lambda model: model.goal("bits"), seed, stop)
    if least is None:
        return None
    told = f"The least description length of a program of these candidates is {least / 1000:,.1f} bits"
    return f"{told}: {_raised('bits', Fraction(least, problem.plain_bits))}"


def _latents(problem: Problem, seed: int, stop: StopToken) -> str | None:
    ones = [1] * len(problem.encoders)
    least = _least(problem, lambda model: model.total(ones), seed, stop)
    if least is None:
        return None
    return f'All programs of these candidates need {least} of them: `bottlenecks=["latents={least}"]`'


def _largest(problem: Problem, seed: int, stop: StopToken) -> str | None:
    weights = [encoder.weight for encoder in problem.encoders]

    def largest(model: SelectionModel) -> Sum:
        # One variable per size: whether some selected latent predicate has it, or more.
        sizes = sorted(set(weights))
        reached = {size: model.new() for size in sizes}
        for smaller, larger in pairwise(sizes):
            model.add(Implies(reached[larger], [reached[smaller]]))
        for index, variable in model.encoders.items():
            model.add(Implies(variable, [reached[weights[index]]]))
        return Sum(list(reached.values()), [b - a for a, b in pairwise([0, *sizes])])

    least = _least(problem, largest, seed, stop)
    return (
        None
        if least is None
        else f'All programs of these candidates need one of {least} facts: `bottlenecks=["largest={least}"]`'
    )


_FINDERS: dict[str, Callable[[Problem, int, StopToken], str | None]] = {
    "average": _average,
    "total": _total,
    "bits": _bits,
    "latents": _latents,
    "largest": _largest,
}


def _least(problem: Problem, goal: Callable[[SelectionModel], Sum], seed: int, stop: StopToken) -> int | None:
    """Return the value of a goal that some program reaches, the least one if that is soon found."""
    if stop.stopped:
        return None
    model = SelectionModel(Structure(problem))
    model.add(AnyOf(list(model.decoders.values())))
    model.objective = goal(model)
    outcome = run(model, seed=seed, effort=_EFFORT, stop=stop)
    return outcome.value


def least_mean(problem: Problem, seed: int = 0, stop: StopToken | None = None) -> Fraction | None:
    """Return the smallest mean size of latent predicates (Dinkelbach's method), or None if unknown.

    The problem's own bottlenecks on the mean are left out, all other constraints hold.
    """
    stop = stop or StopToken()
    weights = [encoder.weight for encoder in problem.encoders]
    structure = Structure(
        replace(problem, constraints=tuple(c for c in problem.constraints if c.kind != "average"))
    )
    mean: Fraction | None = None
    for _ in range(30):
        model = SelectionModel(structure)
        if mean is not None:
            # A selection with a smaller mean makes this sum negative; the most negative one comes first.
            a, b = mean.numerator, mean.denominator
            model.objective = model.total([w * b - a for w in weights])
        outcome = run(model, seed=seed, effort=_EFFORT, stop=stop)
        if outcome.decoders is None:
            return mean
        chosen = encoders_of(problem, outcome.decoders)
        if not chosen:
            return mean
        found = Fraction(sum(weights[e] for e in chosen), len(chosen))
        if mean is not None and found >= mean:
            return mean
        mean = found
    return mean
