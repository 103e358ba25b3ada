"""All solvers agree, whatever they are made of: on the optimum, on its proof, and on what is impossible."""

from __future__ import annotations

import re
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder.base.errors import InfeasibleError, MissingExtraError, SearchError, UsageError
from logicoder.base.stopping import StopToken
from logicoder.problem import violations
from logicoder.selection import OBJECTIVES, BackendSolver, solver_named
from logicoder.selection.backends import highs
from logicoder.selection.backends.clingo import ClingoSolver
from logicoder.selection.backends.highs import HighsSolver
from logicoder.selection.backends.highs_process import solved
from logicoder.selection.backends.rc2 import Rc2Solver
from logicoder.selection.cp_sat import run
from logicoder.selection.formulation import (
    AnyOf,
    AtMost,
    AtMostOne,
    Equals,
    ExactlyOne,
    Formulation,
    Implies,
    Sum,
)
from logicoder.selection.outcome import Outcome

from .random_problems import REPEATABLE, worlds

BACKENDS = {"highs": HighsSolver(), "rc2": Rc2Solver(), "clingo": ClingoSolver()}


@contextmanager
def in_this_process():
    """HiGHS without a process for each of many small problems."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(highs, "_run", lambda arrays, _: solved(arrays))
        yield


def literals(variables: int, least: int = 0):
    return st.lists(st.integers(-variables, variables - 1), min_size=least, max_size=4)


@st.composite
def sums(draw, variables: int):
    chosen = draw(literals(variables))
    coefficients = draw(st.lists(st.integers(-5, 9), min_size=len(chosen), max_size=len(chosen)))
    return Sum(chosen, coefficients, draw(st.integers(-3, 3)))


@st.composite
def formulations(draw) -> Formulation:
    """Return any formulation of few variables, such as no problem may give."""
    variables = draw(st.integers(1, 6))
    several = literals(variables, 1)
    one = st.integers(-variables, variables - 1)
    constraint = st.one_of(
        st.builds(AnyOf, several),
        st.builds(Implies, one, several),
        st.builds(AtMostOne, st.lists(one, max_size=4, unique=True)),
        st.builds(ExactlyOne, st.lists(one, min_size=1, max_size=4, unique=True)),
        st.builds(Equals, one, several),
        st.builds(AtMost, sums(variables), st.integers(-3, 8)),
    )
    found = Formulation(variables, draw(st.lists(one, max_size=1)), draw(st.lists(constraint, max_size=6)))
    found.decoders = {number: number for number in range(variables)}
    total = draw(sums(variables))
    # A bound below zero is not told: losses, sizes and bits never are.
    found.objective = total._replace(constant=50)
    return found


def holds(formulation: Formulation, values: tuple[bool, ...]) -> bool:
    """Whether values satisfy a formulation, by the meaning of its words."""

    def true(literal: int) -> bool:
        return values[literal] if literal >= 0 else not values[-1 - literal]

    def satisfied(item) -> bool:
        match item:
            case AnyOf(several):
                return any(map(true, several))
            case Implies(premise, conclusions):
                return not true(premise) or all(map(true, conclusions))
            case AtMostOne(several):
                return sum(map(true, several)) <= 1
            case ExactlyOne(several):
                return sum(map(true, several)) == 1
            case Equals(target, several):
                return true(target) == any(map(true, several))
            case AtMost(total, bound):
                return total.constant + sum(c * true(x) for x, c in zip(*total[:2], strict=True)) <= bound

    return all(map(true, formulation.fixed)) and all(map(satisfied, formulation.constraints))


@settings(REPEATABLE, max_examples=100)
@given(formulations())
def test_every_backend_finds_the_least_value_of_any_formulation(formulation) -> None:
    worlds = product((False, True), repeat=formulation.variables)
    values = [formulation.objective.value(world) for world in worlds if holds(formulation, world)]
    least = min(values, default=None)
    outcomes = {"CP-SAT": run(formulation, seed=0, effort=10.0, stop=StopToken())}
    with in_this_process():
        for name, backend in BACKENDS.items():
            outcomes[name] = backend.minimise(formulation, seed=0, stop=StopToken(), improved=lambda *_: None)
    event("feasible" if values else "infeasible")
    for name, outcome in outcomes.items():
        assert outcome.value == least, name
        assert outcome.status == ("infeasible" if least is None else "optimal"), name
        if least is not None:
            assert outcome.bound == least, name
            chosen = tuple(number in outcome.decoders for number in range(formulation.variables))
            assert holds(formulation, chosen), name


@settings(REPEATABLE, max_examples=40)
@given(worlds(wishes=True), st.sampled_from(sorted(OBJECTIVES)))
def test_every_solver_finds_the_same_optimum(world, objective) -> None:
    problem = world.problem()

    def answer(name: str):
        solver = solver_named(name, alpha=0.5, beta=0.9, effort=20.0, objective=objective)
        try:
            found = solver.solve(problem, explain=False)
        except InfeasibleError:
            return None
        assert violations(problem, found.decoders) == []
        assert found.status == "optimal"
        assert found.stopped is None
        return [found.value(goal) for goal in OBJECTIVES[objective]], found.size_bound

    exact = answer("exact")
    event("feasible" if exact else "infeasible")
    with in_this_process():
        for name in BACKENDS:
            assert answer(name) == exact, name


@pytest.mark.parametrize(
    ("name", "module", "wanted"),
    [("rc2", "pysat.examples.rc2", "python-sat[pb]>="), ("clingo", "clingo", "clingo>=")],
)
def test_a_missing_package_is_named_as_pip_takes_it(name, module, wanted, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=re.escape(f"pip install '{wanted}")):
        BACKENDS[name].minimise(Formulation(1), seed=0, stop=StopToken(), improved=lambda *_: None)


def hard(variables: int = 70) -> Formulation:
    """Return a formulation that takes long: a market split, for which bounds say nothing."""
    found = Formulation(variables)
    found.decoders = {number: number for number in range(variables)}
    costs = []
    for row in range(6):
        numbers = [(7919 * (row + 1) * (column + 3) ** 2) % 100 for column in range(variables)]
        over, under = found.variables, found.variables + 8
        found.variables += 16
        slack = [2**power for power in range(8)]
        left = [*range(variables), *range(over, over + 8), *range(under, under + 8)]
        half = sum(numbers) // 2
        found.add(AtMost(Sum(left, [*numbers, *(-s for s in slack), *slack]), half))
        found.add(AtMost(Sum(left, [*(-n for n in numbers), *slack, *(-s for s in slack)]), -half))
        costs += [
            (v, s) for start in (over, under) for v, s in zip(range(start, start + 8), slack, strict=True)
        ]
    found.objective = Sum([v for v, _ in costs], [s for _, s in costs])
    return found


@pytest.mark.parametrize("name", BACKENDS)
def test_a_time_limit_is_kept(name) -> None:
    stop = StopToken(1.0)
    outcome = BACKENDS[name].minimise(hard(), seed=0, stop=stop, improved=lambda *_: None)
    assert outcome.status in ("feasible", "unknown")
    assert outcome.effort < 8
    assert stop.reason == "time limit"


@pytest.mark.parametrize("name", BACKENDS)
def test_whoever_says_stop_is_heard(name) -> None:
    stop = StopToken()
    timer = threading.Timer(1.0, stop.stop, ["interrupted"])
    timer.start()
    outcome = BACKENDS[name].minimise(hard(), seed=0, stop=stop, improved=lambda *_: None)
    assert outcome.status in ("feasible", "unknown")
    assert outcome.effort < 8
    assert stop.reason == "interrupted"


def test_highs_in_a_process_of_its_own() -> None:
    found = Formulation(
        2, constraints=[AnyOf([0, 1])], objective=Sum([0, 1], [3, 2], 1), decoders={0: 0, 1: 1}
    )
    outcome = BACKENDS["highs"].minimise(found, seed=0, stop=StopToken(), improved=lambda *_: None)
    assert (outcome.status, outcome.decoders, outcome.value, outcome.bound) == ("optimal", (1,), 3, 3)


def test_numbers_that_clingo_cannot_hold() -> None:
    found = Formulation(2, constraints=[AtMost(Sum([0, 1], [2**31, 1]), 5)])
    with pytest.raises(UsageError, match="as large as"):
        BACKENDS["clingo"].minimise(found, seed=0, stop=StopToken(), improved=lambda *_: None)


@dataclass(frozen=True)
class Careless(BackendSolver):
    """A solver that selects everything."""

    name: ClassVar[str] = "careless"

    def minimise(self, formulation, *, seed, stop, improved):
        del seed, stop, improved
        return Outcome("optimal", tuple(formulation.decoders), 0, 0.0, 0)


@settings(REPEATABLE, max_examples=30)
@given(worlds())
def test_the_answer_of_a_backend_is_checked(world) -> None:
    problem = world.problem()
    if violations(problem, range(len(problem.decoders))):
        with pytest.raises(SearchError, match="careless returned an invalid selection"):
            Careless().solve(problem)
    else:
        assert Careless().solve(problem).decoders == tuple(range(len(problem.decoders)))
