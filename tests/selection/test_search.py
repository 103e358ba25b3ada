"""Searching: neighbourhoods, seeds, known starts, limits and stopping."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder.autoencoder import AutoEncoder
from logicoder.base.errors import InfeasibleError, UsageError
from logicoder.base.progress import Improved
from logicoder.base.stopping import StopToken
from logicoder.datasets import star_wars, university
from logicoder.problem import Problem, violations
from logicoder.selection import AutoSolver, ExactSolver, LnsSolver, Solution, solver_named
from logicoder.selection.search import Neighbourhood

from .oracle import optimum
from .random_problems import REPEATABLE, worlds


@pytest.fixture(scope="module")
def family() -> Problem:
    """A problem with 28 encoders and more than a thousand decoders whose optimum is above zero."""
    return AutoEncoder(1, 2, "0.7").fit(star_wars()).problem_


@pytest.fixture(scope="module")
def noisy() -> Problem:
    return AutoEncoder(2, 1, "0.45").fit(university(people=20, noise=0.1, seed=1).kb).problem_


@pytest.fixture(scope="module")
def least(family, noisy) -> dict[int, int]:
    """The least losses, proved by exact search; clingo agrees where it is quick."""
    found = {}
    for problem in (family, noisy):
        solution = ExactSolver().solve(problem)
        assert solution.status == "optimal"
        found[id(problem)] = solution.loss
    assert optimum(noisy) == (found[id(noisy)],)
    assert min(found.values()) > 0
    return found


# Without α nothing selected is kept, without β nothing unselected is forbidden: then a round is exact.
SHARES = [(0.0, 0.0), (0.0, 0.85), (0.3, 0.5), (0.5, 0.85), (0.9, 0.85), (1.0, 0.0), (1.0, 0.9)]


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(("alpha", "beta"), SHARES)
def test_neighbourhood_search_reaches_the_optimum(family, noisy, least, alpha, beta, seed) -> None:
    for problem in (family, noisy):
        found = LnsSolver(neighbourhood=Neighbourhood(alpha, beta)).solve(problem, seed=seed)
        assert violations(problem, found.decoders) == []
        assert found.bound <= found.loss == least[id(problem)]


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
def test_with_all_unselected_encoders_forbidden_it_still_returns_something_valid(noisy, least, alpha) -> None:
    found = LnsSolver(neighbourhood=Neighbourhood(alpha, 1.0)).solve(noisy)
    assert violations(noisy, found.decoders) == []
    assert found.bound <= least[id(noisy)] <= found.loss


@settings(REPEATABLE, max_examples=200)
@given(worlds(), st.sampled_from(SHARES), st.integers(0, 2**31 - 1))
def test_neighbourhood_search_on_random_problems(world, shares, seed) -> None:
    best = world.optimum()
    solver = LnsSolver(neighbourhood=Neighbourhood(*shares))
    if best is None:
        with pytest.raises(InfeasibleError):
            solver.solve(world.problem(), seed=seed)
    else:
        found = solver.solve(world.problem(), seed=seed)
        assert violations(world.problem(), found.decoders) == []
        assert found.bound <= found.loss == best[0]


@pytest.mark.parametrize("name", ["exact", "lns", "auto"])
@pytest.mark.parametrize("objective", ["loss", "lexicographic"])
def test_the_same_seed_gives_the_same_selection(family, name, objective) -> None:
    def solve() -> Solution:
        solver = solver_named(name, alpha=0.5, beta=0.85, effort=3.0, objective=objective)
        return solver.solve(family, seed=7)

    first, second = solve(), solve()
    assert first == second


def test_improvements_are_reported_in_order(family) -> None:
    events: list[Improved] = []
    found = AutoSolver().solve(family, report=events.append)
    assert events[-1].loss == found.loss
    assert events[-1].bound == found.bound
    for before, after in pairwise(events):
        assert after.loss <= before.loss
        assert after.bound >= before.bound or after.loss < before.loss
        assert after.bound <= found.loss <= after.loss


@pytest.mark.parametrize("solver", [ExactSolver(), LnsSolver(), AutoSolver()])
def test_a_known_selection_is_improved_on(family, least, solver) -> None:
    start = LnsSolver(effort=1e-9).solve(family).decoders
    kept: list[Solution] = []
    found = solver.solve(family, start=start, keep=kept.append)
    assert kept[0].decoders == tuple(start)
    assert found.loss == least[id(family)]


class TestStopping:
    """Who stops a search early gets the best selection so far, or hears that there is none."""

    solvers = pytest.mark.parametrize("solver", [ExactSolver(), LnsSolver(), AutoSolver()])

    @solvers
    def test_before_the_first_selection_there_is_a_clear_error(self, family, solver) -> None:
        stop = StopToken()
        stop.stop("interrupted")
        with pytest.raises(UsageError, match=r"no program was found before the search ended \(interrupted\)"):
            solver.solve(family, stop=stop)

    @solvers
    def test_a_known_selection_comes_back(self, family, least, solver) -> None:
        start = LnsSolver(effort=1e-9).solve(family).decoders
        stop = StopToken()
        stop.stop("interrupted")
        found = solver.solve(family, stop=stop, start=start)
        assert found.decoders == tuple(start)
        assert found.stopped == "interrupted"
        assert found.bound <= least[id(family)]

    @solvers
    @pytest.mark.parametrize("seconds", [1e-6, 0.02, 0.2])
    def test_a_time_limit_gives_the_best_so_far_or_a_clear_error(self, family, least, solver, seconds) -> None:
        try:
            found = solver.solve(family, stop=StopToken(seconds))
        except UsageError as error:
            assert "time limit" in str(error)
        else:
            assert violations(family, found.decoders) == []
            assert found.bound <= least[id(family)] <= found.loss
            assert found.status == "optimal" or found.stopped == "time limit"

    @solvers
    def test_stopping_at_the_first_improvement(self, family, least, solver) -> None:
        stop = StopToken()
        found = solver.solve(family, stop=stop, report=lambda event: stop.stop("interrupted"))
        assert violations(family, found.decoders) == []
        assert found.stopped == "interrupted"
        assert found.bound <= least[id(family)] <= found.loss

    @solvers
    def test_an_error_of_the_reporter_is_not_swallowed(self, family, solver) -> None:
        def fail(event: object) -> None:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            solver.solve(family, report=fail)

    @pytest.mark.parametrize("effort", [1e-9, 1e-4, 1e-2])
    @pytest.mark.parametrize("kind", [ExactSolver, LnsSolver, AutoSolver])
    def test_little_effort_gives_a_valid_selection_or_a_clear_error(self, family, least, kind, effort) -> None:
        try:
            found = kind(effort=effort).solve(family)
        except UsageError as error:
            assert "(effort)" in str(error)
        else:
            assert violations(family, found.decoders) == []
            assert found.bound <= least[id(family)] <= found.loss
            assert found.status == "optimal" or found.stopped == "effort"


def test_nothing_to_choose_from() -> None:
    empty = Problem(facts=3, encoders=(), decoders=(), families={"ordinary": ()}, unreachable=3)
    for solver in (ExactSolver(), LnsSolver(), AutoSolver(objective="lexicographic")):
        found = solver.solve(empty)
        assert (found.decoders, found.loss, found.status) == ((), 3, "optimal")


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UsageError, match="exact"):
        solver_named("quantum", alpha=0.5, beta=0.5, effort=1.0)
    with pytest.raises(UsageError, match="lexicographic"):
        ExactSolver(objective="beauty").solve(worlds_without_decoders())


def worlds_without_decoders() -> Problem:
    return Problem(facts=0, encoders=(), decoders=(), families={"ordinary": ()}, unreachable=0)
