"""Weights, limits, demands, exclusive decoders, bottlenecks and objectives, by exhaustive search."""

from __future__ import annotations

import re
from fractions import Fraction
from math import ceil, log2

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder.base.errors import InfeasibleError, UsageError
from logicoder.base.stopping import StopToken
from logicoder.problem import (
    AverageFacts,
    DescriptionLength,
    LargestLatent,
    MaxLatents,
    Problem,
    TotalFacts,
    bits_of,
    violations,
)
from logicoder.problem.bottlenecks import bottlenecks_of, parse_bottleneck, with_bottlenecks
from logicoder.problem.limits import limits_of
from logicoder.problem.weights import weights_of, with_weights
from logicoder.selection import AutoSolver, ExactSolver, LnsSolver, Solution, in_units
from logicoder.selection.infeasible import explain_infeasible

from .random_problems import CAP, REPEATABLE, Rules, World, worlds


@settings(REPEATABLE, max_examples=200)
@given(worlds(most_decoders=5, wishes=True))
def test_the_checker_agrees_with_brute_force(world) -> None:
    problem = world.problem()
    for selection in world.selections():
        assert {violation.family for violation in violations(problem, selection)} == world.broken(selection)
        solution = Solution.of(problem, selection, 0, "test")
        assert in_units(problem, "loss", solution.weighted) == pytest.approx(float(world.weighted(selection)))
        extra, used = 0.0, len(world.used(selection))
        if used > CAP:  # their number, then longer names: 4 latents are 00101, 5 are 00110
            literals = sum(1 + d % 2 for d in selection)
            extra = 5000 + 1000 * literals * log2((used + 1) / (CAP + 1))
        assert bits_of(problem, selection) == world.bits(selection) + ceil(extra)


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


@pytest.mark.parametrize("objective", ["loss", "lexicographic", "bits"])
@pytest.mark.parametrize("kind", [ExactSolver, LnsSolver, AutoSolver])
@settings(REPEATABLE, max_examples=120)
@given(world=worlds(wishes=True))
def test_every_objective_finds_the_optimum(kind, objective, world) -> None:
    problem = world.problem()
    best = world.optimum()
    event("infeasible" if best is None else "feasible")
    solver = kind(objective=objective)
    if objective == "bits":
        found = solved(problem, solver, world.least_bits(), 1)
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


# -- texts -----------------------------------------------------------------------------------------------


def test_texts_of_bottlenecks() -> None:
    assert bottlenecks_of(("average", "total=0.8")) == (AverageFacts(), TotalFacts(Fraction(4, 5)))
    assert bottlenecks_of("bits=9/10") == (DescriptionLength("0.9"),)
    assert bottlenecks_of(["latents=10", LargestLatent(200)]) == (MaxLatents(10), LargestLatent(200))
    assert bottlenecks_of("none") == bottlenecks_of(()) == ()
    assert AverageFacts().at(Fraction(1, 3)) == AverageFacts("1/3")
    assert TotalFacts("0.5").at(Fraction(1, 3)) == TotalFacts("0.5")
    for text in ("average", "total=4/5", "latents=10", "largest=200", "bits=9/10"):
        assert str(parse_bottleneck(text)) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mean", "there is no bottleneck 'mean'"),
        ("total=", "write total=0.5"),
        ("total=much", "must be a number"),
        ("total=0", "greater than 0"),
        ("bits=-1", "greater than 0"),
        ("latents", "such as latents=10"),
        ("latents=2.5", "such as latents=10"),
        ("largest=0", "at least 1"),
        (["none", "total"], "goes with no other"),
        ([3], "not 3"),
    ],
)
def test_wrong_bottlenecks_are_refused(text, said) -> None:
    with pytest.raises(UsageError, match=said):
        bottlenecks_of(text)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("advisedby", "PREDICATE:KIND=NUMBER"),
        ("advisedby:size=3", "of no known kind"),
        ("advisedby:loss=-1", "whole number of at least 0"),
        ("advisedby:loss=0.5", "whole number of at least 0"),
        ("advisedby:clauses=10%", "counts clauses"),
        ({"advisedby": 3}, "must be a mapping"),
        ({"advisedby": {"loss": True}}, "whole number"),
    ],
)
def test_wrong_limits_are_refused(given, said) -> None:
    with pytest.raises(UsageError, match=said):
        limits_of(given)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("advisedby", "PREDICATE=NUMBER"),
        ("advisedby=0", "greater than 0"),
        ({"advisedby": "much"}, "must be a number"),
        (["balanced", "p=2"], "not both"),
        (7, "mapping"),
    ],
)
def test_wrong_weights_are_refused(given, said) -> None:
    with pytest.raises(UsageError, match=said):
        weights_of(given)


def test_balanced_weights_are_inverse_to_the_facts() -> None:
    world = World(
        truth=(frozenset({0, 1, 2, 3}), frozenset({0}), frozenset({1, 2, 3})),
        latents=(frozenset({0}),),
        decoders=(),
        rules=Rules(None, None, True, True),
    )
    problem = with_weights(world.problem(), "balanced")
    assert [Fraction(t.weight, problem.weight_unit) for t in problem.targets] == [
        1,
        4,
        Fraction(1333, 1000),  # four thirds, to thousandths
    ]
    exact = with_weights(world.problem(), weights_of({"p0": "1/3", "p1": 2.5}))
    assert [Fraction(t.weight, exact.weight_unit) for t in exact.targets] == [
        Fraction(1, 3),
        Fraction(5, 2),
        1,
    ]
    with pytest.raises(UsageError, match="no predicate to be reconstructed; these are: p0, p1, p2"):
        with_weights(world.problem(), weights_of({"q": 2}))
    with pytest.raises(UsageError, match="too far apart"):
        with_weights(world.problem(), weights_of({"p0": 10**13}))
