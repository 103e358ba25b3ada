"""The masked loss as a goal, in limits and as a bottleneck, against all selections by brute force."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from logicoder.base.errors import InfeasibleError, UsageError
from logicoder.problem import load_problem, save_problem
from logicoder.problem.bottlenecks import parse_bottleneck, with_bottlenecks
from logicoder.problem.evaluate import violations
from logicoder.problem.limits import limits_of, with_limits
from logicoder.problem.masking import with_masking
from logicoder.selection import ExactSolver, LnsSolver

from .masked_worlds import masked, masked_worlds, problem_of
from .random_problems import REPEATABLE, Rules, Selection, World


@given(masked_worlds(), st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1), Fraction(5, 2)]))
@REPEATABLE
def test_the_sum_of_both_losses_is_least(pair, weight) -> None:
    world, dependencies = pair
    problem = with_masking(problem_of(world, dependencies), weight)

    def value(selection: Selection):
        return world.loss(selection) + weight * sum(masked(world, dependencies, selection))

    allowed = [s for s in world.selections() if not world.broken(s)]
    best = min(((value(s), world.size(s)) for s in allowed), default=None)
    for solver in (ExactSolver, LnsSolver):
        note(solver.__name__)
        try:
            found = solver(objective="masked").solve(problem, explain=False)
        except InfeasibleError:
            assert best is None
            continue
        assert best is not None
        chosen = frozenset(found.decoders)
        assert not violations(problem, chosen)
        assert found.masked == sum(masked(world, dependencies, chosen))
        assert Fraction(found.objective, weight.denominator) == value(chosen)
        assert Fraction(found.bound, weight.denominator) <= best[0]
        if solver is ExactSolver:
            assert (value(chosen), found.size) == best
            assert found.status == "optimal"
            assert found.size_bound == found.size


@given(masked_worlds())
@REPEATABLE
def test_one_loss_after_the_other(pair) -> None:
    world, dependencies = pair
    allowed = [s for s in world.selections() if not world.broken(s)]
    best = min(
        ((world.loss(s), sum(masked(world, dependencies, s)), world.size(s)) for s in allowed), default=None
    )
    try:
        # The family of masked classes is made where an objective needs it.
        found = ExactSolver(objective="loss-then-masked").solve(
            problem_of(world, dependencies), explain=False
        )
    except InfeasibleError:
        assert best is None
        return
    assert (found.loss, found.masked, found.size) == best


@given(masked_worlds(), st.integers(0, 4), st.integers(0, 10))
@REPEATABLE
def test_limits_and_bottleneck(pair, most, tenths) -> None:
    world, dependencies = pair
    problem = with_masking(problem_of(world, dependencies))
    problem = with_limits(problem, limits_of([f"p0:masked={most}"]))
    share = Fraction(max(tenths, 1), 10)
    own = [c for c in problem.constraints if c.family == "bottleneck"]
    problem = with_bottlenecks(problem, [parse_bottleneck(f"masked={share}")])
    problem = replace(problem, constraints=(*own, *problem.constraints))

    def allowed(selection: Selection) -> bool:
        missing = masked(world, dependencies, selection)
        facts = sum(map(len, world.truth))
        return not world.broken(selection) and missing[0] <= most and sum(missing) <= share * facts

    best = min((world.loss(s) for s in world.selections() if allowed(s)), default=None)
    try:
        found = ExactSolver().solve(problem, explain=False)
    except InfeasibleError:
        assert best is None
        return
    assert found.loss == best
    assert allowed(frozenset(found.decoders))


def test_problem_files_keep_it(tmp_path) -> None:
    rules = Rules(None, None, generality=True, requirements=False)
    world = World((frozenset({1, 2}),), (frozenset({1}),), ((0, (0,), frozenset({1})),), rules)
    problem = with_masking(problem_of(world, (frozenset({0}),)), Fraction(2, 3))
    problem = with_limits(problem, limits_of(["p0:masked=50%"]))
    save_problem(problem, tmp_path / "problem.json")
    assert load_problem(tmp_path / "problem.json") == problem


def test_the_bottleneck_needs_a_value() -> None:
    with pytest.raises(UsageError, match="masked needs a value; write masked"):
        parse_bottleneck("masked")
