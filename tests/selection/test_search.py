"""Searching: neighbourhoods, seeds, known starts, limits and stopping."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder.autoencoder import AutoEncoder
from logicoder.base.errors import InfeasibleError, SearchError, UsageError
from logicoder.base.progress import Improved
from logicoder.base.stopping import StopToken
from logicoder.datasets import star_wars, university
from logicoder.kb import KnowledgeBase
from logicoder.problem import PredicateItem, Problem, violations
from logicoder.selection import AutoSolver, ExactSolver, LnsSolver, Solution, Solver, solver_named
from logicoder.selection.neighbourhoods import Neighbourhood
from logicoder.selection.paper_search import PaperSolver, by_degree
from logicoder.selection.selection_model import SelectionModel
from logicoder.selection.structure import Structure

from .oracle import optimum, worst
from .random_problems import REPEATABLE, worlds


def _problem(kb: KnowledgeBase, *lengths_and_compression: object) -> Problem:
    return AutoEncoder(*lengths_and_compression, effort=1.0).fit(kb).problem_


@pytest.fixture(scope="module")
def tight() -> Problem:
    """Few candidates and a tight bottleneck."""
    return _problem(star_wars(), 1, 1, "0.7")


@pytest.fixture(scope="module")
def noisy() -> Problem:
    """More encoders than are of use, and facts that fit no rule."""
    return _problem(university(people=20, noise=0.1, seed=1).kb, 2, 1, "0.45")


@pytest.fixture(scope="module")
def family() -> Problem:
    """More than a thousand decoders."""
    return _problem(star_wars(), 1, 2, "0.7")


@pytest.fixture(scope="module")
def least(tight, noisy, family) -> dict[int, int]:
    """The least losses, proved by exact search; clingo agrees where it is quick."""
    found = {}
    for problem in (tight, noisy, family):
        solution = ExactSolver().solve(problem)
        assert solution.status == "optimal"
        found[id(problem)] = solution.loss
    assert optimum(tight) == (found[id(tight)],)
    assert optimum(noisy) == (found[id(noisy)],)
    assert min(found.values()) > 0
    return found


@pytest.fixture(scope="module")
def bad_start(tight, noisy) -> dict[int, tuple[int, ...]]:
    """Allowed selections with the greatest losses."""
    return {id(problem): worst(problem) for problem in (tight, noisy)}


# Without α nothing selected is kept, without β nothing unselected is forbidden: then a round is exact.
SHARES = [(0.0, 0.0), (0.0, 0.85), (0.3, 0.5), (0.5, 0.85), (0.9, 0.85), (1.0, 0.0), (1.0, 0.9)]


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize(("alpha", "beta"), SHARES)
def test_neighbourhood_search_reaches_the_optimum(tight, least, bad_start, alpha, beta, seed) -> None:
    solver = LnsSolver(neighbourhood=Neighbourhood(alpha, beta, guided=seed == 1))
    found = solver.solve(tight, seed=seed, start=bad_start[id(tight)])
    assert violations(tight, found.decoders) == []
    assert found.bound <= found.loss == least[id(tight)]


@pytest.mark.parametrize(("seed", "alpha", "beta"), [(0, 0.5, 0.85), (1, 0.2, 0.5), (2, 0.9, 0.85)])
def test_neighbourhood_search_among_many_candidates(noisy, family, least, seed, alpha, beta) -> None:
    for problem in (noisy, family) if seed == 0 else (noisy,):
        found = LnsSolver(neighbourhood=Neighbourhood(alpha, beta)).solve(problem, seed=seed)
        assert violations(problem, found.decoders) == []
        assert found.bound <= found.loss == least[id(problem)]


@pytest.mark.parametrize("alpha", [0.0, 0.5, 1.0])
def test_with_all_unselected_encoders_forbidden_something_valid_comes(tight, least, bad_start, alpha) -> None:
    solver = LnsSolver(neighbourhood=Neighbourhood(alpha, 1.0))
    found = solver.solve(tight, start=bad_start[id(tight)])
    assert violations(tight, found.decoders) == []
    assert found.bound <= least[id(tight)] <= found.loss


@settings(REPEATABLE, max_examples=200)
@given(worlds(), st.sampled_from(SHARES), st.integers(0, 2**31 - 1), st.booleans())
def test_neighbourhood_search_on_random_problems(world, shares, seed, guided) -> None:
    best = world.optimum()
    solver = LnsSolver(neighbourhood=Neighbourhood(*shares, guided=guided))
    if best is None:
        with pytest.raises(InfeasibleError):
            solver.solve(world.problem(), seed=seed)
    else:
        found = solver.solve(world.problem(), seed=seed)
        assert violations(world.problem(), found.decoders) == []
        assert found.bound <= found.loss == best[0]


@settings(REPEATABLE, max_examples=60)
@given(worlds(), st.integers(0, 2**31 - 1))
def test_the_search_of_the_paper_on_random_problems(world, seed) -> None:
    """With everything free in each round it is exact; with the paper's shares it finds what is allowed."""
    best = world.optimum()
    for shares in ((0.0, 0.0), (0.5, 0.5)):
        solver = PaperSolver(neighbourhood=Neighbourhood(*shares, patience=5))
        if best is None:
            with pytest.raises(InfeasibleError):
                solver.solve(world.problem(), seed=seed)
            continue
        found = solver.solve(world.problem(), seed=seed)
        assert violations(world.problem(), found.decoders) == []
        assert found.bound <= best[0] <= found.loss
        assert shares != (0.0, 0.0) or found.loss == best[0]


def test_clauses_in_many_constraints_are_decided_first(family) -> None:
    model = by_degree(SelectionModel(Structure(family)))
    degrees = model.degrees()
    clauses = {*model.decoders.values(), *model.encoders.values()}
    rows = [set(row) for row, _, _ in model.rows()]
    assert set(model.order) == clauses
    assert [degrees[v] for v in model.order] == sorted((degrees[v] for v in clauses), reverse=True)
    assert len({degrees[v] for v in clauses}) > 1
    for variable in model.order[:20]:
        # An implication or equality is one constraint, and as many rows as it has conclusions.
        assert 0 < degrees[variable] <= sum(variable in row for row in rows)


@pytest.mark.parametrize("objective", ["loss", "lexicographic"])
@pytest.mark.parametrize("name", ["exact", "lns", "paper", "auto"])
def test_the_same_seed_gives_the_same_selection(noisy, name, objective) -> None:
    """Even where the effort ends the search."""
    solver = solver_named(name, alpha=0.5, beta=0.85, effort=0.5, objective=objective)
    assert solver.solve(noisy, seed=7) == solver.solve(noisy, seed=7)


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
def test_a_known_selection_is_improved_on(noisy, least, bad_start, solver) -> None:
    start = bad_start[id(noisy)]
    kept: list[Solution] = []
    found = solver.solve(noisy, start=start, keep=kept.append)
    assert kept[0].decoders == start
    assert kept[0].loss > found.loss == least[id(noisy)]


class TestStopping:
    """Who stops a search early gets the best selection so far, or hears that there is none."""

    solvers = pytest.mark.parametrize("solver", [ExactSolver(), LnsSolver(), AutoSolver()])

    @staticmethod
    def solved(solver: Solver, problem: Problem, reason: str, **options: object) -> Solution | None:
        """Return the selection, or None where the error says that there is none and why."""
        try:
            return solver.solve(problem, **options)
        except SearchError as error:
            message = str(error)
        assert re.search(f"no program was found before the search ended {reason}", message)
        return None

    @solvers
    def test_before_the_first_selection_there_is_a_clear_error(self, family, solver) -> None:
        stop = StopToken()
        stop.stop("interrupted")
        with pytest.raises(
            SearchError, match=r"no program was found before the search ended \(interrupted\)"
        ):
            solver.solve(family, stop=stop)

    @solvers
    def test_a_known_selection_comes_back(self, noisy, least, bad_start, solver) -> None:
        start = bad_start[id(noisy)]
        stop = StopToken()
        stop.stop("interrupted")
        found = solver.solve(noisy, stop=stop, start=start)
        assert found.decoders == start
        assert found.stopped == "interrupted"
        assert found.bound <= least[id(noisy)]

    @solvers
    @pytest.mark.parametrize("seconds", [1e-6, 0.02, 0.2])
    def test_a_time_limit_gives_the_best_so_far_or_a_clear_error(
        self, family, least, solver, seconds
    ) -> None:
        found = self.solved(solver, family, r"\((time limit|effort)\)", stop=StopToken(seconds))
        if found is not None:
            assert violations(family, found.decoders) == []
            assert found.bound <= least[id(family)] <= found.loss
            assert found.status == "optimal" or found.stopped is not None

    def test_the_time_limit_is_named_even_if_the_solver_stops_a_moment_early(
        self, family, monkeypatch
    ) -> None:
        monkeypatch.setattr("logicoder.base.stopping.time.monotonic", lambda: 0.0)
        with pytest.raises(SearchError, match=r"before the search ended \(time limit\)"):
            ExactSolver(effort=1e6).solve(family, stop=StopToken(0.01))

    @solvers
    def test_stopping_at_the_first_improvement(self, family, least, solver) -> None:
        stop = StopToken()
        found = solver.solve(family, stop=stop, report=lambda _: stop.stop("interrupted"))
        assert violations(family, found.decoders) == []
        # A solver may be done before it is told.
        assert found.stopped == "interrupted" or (found.stopped is None and found.status == "optimal")
        assert found.bound <= least[id(family)] <= found.loss

    @solvers
    def test_an_error_of_the_reporter_is_not_swallowed(self, family, solver) -> None:
        def fail(_: object) -> None:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            solver.solve(family, report=fail)

    @pytest.mark.parametrize("effort", [1e-9, 1e-4, 1e-2])
    @pytest.mark.parametrize("kind", [ExactSolver, LnsSolver, AutoSolver])
    def test_little_effort_gives_a_valid_selection_or_a_clear_error(
        self, family, least, kind, effort
    ) -> None:
        found = self.solved(kind(effort=effort), family, r"\(effort\)")
        if found is not None:
            assert violations(family, found.decoders) == []
            assert found.bound <= least[id(family)] <= found.loss
            assert found.status == "optimal" or found.stopped == "effort"


EMPTY = Problem(targets=(PredicateItem("p", 3, 3),), encoders=(), decoders=(), families={"ordinary": ()})


def test_nothing_to_choose_from() -> None:
    for solver in (ExactSolver(), LnsSolver(), AutoSolver(objective="lexicographic")):
        found = solver.solve(EMPTY)
        assert (found.decoders, found.loss, found.status) == ((), 3, "optimal")


def test_unknown_names_are_refused() -> None:
    with pytest.raises(UsageError, match="exact"):
        solver_named("quantum", alpha=0.5, beta=0.5, effort=1.0)
    with pytest.raises(UsageError, match="lexicographic"):
        ExactSolver(objective="beauty").solve(EMPTY)
