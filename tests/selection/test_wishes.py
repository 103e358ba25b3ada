"""Weights, limits, demands, exclusive decoders, bottlenecks and objectives, by exhaustive search."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import event, given, note, settings
from hypothesis import strategies as st

from logicoder.base.errors import InfeasibleError
from logicoder.base.stopping import StopToken
from logicoder.problem import (
    Problem,
    violations,
)
from logicoder.problem.bottlenecks import bottlenecks_of, parse_bottleneck, with_bottlenecks
from logicoder.selection import AutoSolver, ExactSolver, LnsSolver, Solution
from logicoder.selection.infeasible import explain_infeasible

from .random_problems import REPEATABLE, Rules, World, worlds


def solved(problem: Problem, solver, expected: Fraction | int | None, unit: int) -> Solution | None:
    """Solve a problem and compare with the known least value of the first goal."""
    if expected is None:
        with pytest.raises(InfeasibleError):
            solver.solve(problem, explain=False)
        return None
    found = solver.solve(problem)
    assert violations(problem, found.decoders) == []
    assert Fraction(found.bound, unit) <= expected == Fraction(found.objective, unit)
    assert (found.status == "optimal") == (found.bound == found.objective)
    assert found.gap == pytest.approx((found.objective - found.bound) / max(1, found.objective))
    return found


@settings(REPEATABLE, max_examples=120)
@given(world=worlds(wishes=True))
def test_every_objective_finds_the_optimum(world) -> None:
    problem = world.problem()
    best, bits = world.optimum(), world.least_bits()
    event("infeasible" if best is None else "feasible")
    for kind, objective in product((ExactSolver, LnsSolver, AutoSolver), ("loss", "lexicographic", "bits")):
        note(f"{kind.__name__}, objective {objective}")
        solver = kind(objective=objective)
        if objective == "bits":
            found = solved(problem, solver, bits, 1)
        else:
            found = solved(problem, solver, best and best[0], problem.weight_unit)
            if found is not None and objective == "lexicographic":
                assert found.size_bound <= best[1] <= found.size
                if kind is ExactSolver:
                    assert found.size == best[1] == found.size_bound
        if found is not None and kind is ExactSolver:
            assert found.status == "optimal"


@settings(REPEATABLE, max_examples=60)
@given(worlds(wishes=True), st.sampled_from((1e-9, 1e-4, 1e-3)))
def test_bounds_hold_with_hardly_any_effort(world, effort) -> None:
    problem = world.problem()
    best = world.optimum()
    if best is not None:
        start = min((s for s in world.selections() if not world.broken(s)), key=sorted)
        found = ExactSolver(effort).solve(problem, start=start)
        assert Fraction(found.bound, problem.weight_unit) <= best[0]
        assert best[0] <= Fraction(found.objective, problem.weight_unit)


# -- explanations ----------------------------------------------------------------------------------------

ADVICE = {
    "total": (r"`bottlenecks=..total=([0-9.]+)", "total"),
    "latents": (r"`bottlenecks=..latents=(\d+)", "latents"),
    "largest": (r"`bottlenecks=..largest=(\d+)", "largest"),
    "bits": (r"`bottlenecks=..bits=([0-9.]+)", "bits"),
}


@pytest.mark.parametrize("kind", ADVICE)
@settings(REPEATABLE, max_examples=60)
@given(world=worlds())
def test_the_advised_value_works_and_a_smaller_one_does_not(kind, world) -> None:
    world = World(world.truth, world.latents, world.decoders, Rules(None, None, True, True))
    if not any(world.good(p) for p in range(len(world.truth))) or world.optimum() is None:
        return
    tight = {"total": "total=0.001", "latents": "latents=1", "largest": "largest=1", "bits": "bits=0.017"}
    problem = world.problem()
    try:
        ExactSolver().solve(with_bottlenecks(problem, bottlenecks_of(tight[kind])))
    except InfeasibleError as error:
        text = str(error)
    else:
        return
    event("infeasible")
    value = Fraction(re.search(ADVICE[kind][0], text)[1])
    step = Fraction(2, 1000) if kind in ("total", "bits") else 1
    advised = parse_bottleneck(f"{kind}={value}")
    ExactSolver().solve(with_bottlenecks(problem, [advised]))
    if value - step > 0:
        with pytest.raises(InfeasibleError):
            ExactSolver().solve(with_bottlenecks(problem, [parse_bottleneck(f"{kind}={value - step}")]))


def one_decoder(**rules: object) -> World:
    return World(
        truth=(frozenset({0, 1}),),
        latents=(frozenset({0, 1}),),
        decoders=((0, (0,), frozenset({0})),),
        rules=Rules(None, None, True, True, **rules),
    )


def test_limits_and_demands_are_named() -> None:
    with pytest.raises(InfeasibleError, match=r"(?s)limits cannot hold \(loss of p0 <= 0\).*`limits`"):
        ExactSolver().solve(one_decoder(limits=((0, "loss", 0),)).problem())
    with pytest.raises(InfeasibleError, match=r"(?s)required cannot be selected \(demand 0\).*`require`"):
        ExactSolver().solve(one_decoder(demands=(((), ()),)).problem())


def test_who_stops_the_explanation_hears_so() -> None:
    stop = StopToken()
    stop.stop("interrupted")
    text = str(explain_infeasible(one_decoder(limits=((0, "loss", 0),)).problem(), stop=stop))
    assert "It is not known which of generality, reconstruction and limits (`limits`)" in text
    assert "the search was stopped (interrupted)" in text
