"""Every solver finds the optimum that clingo and brute force find, and its bound never lies."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import event, given, note, settings
from hypothesis import strategies as st

from logicoder.autoencoder import AutoEncoder
from logicoder.base.errors import InfeasibleError
from logicoder.datasets import star_wars, star_wars_figure, university
from logicoder.problem import (
    CoverageClass,
    DecoderItem,
    EncoderItem,
    Inclusion,
    LinearConstraint,
    PredicateItem,
    Problem,
    Requirement,
    encoders_of,
    loss_of,
    size_of,
    violations,
)
from logicoder.selection import AutoSolver, ExactSolver, LnsSolver, Solution, Solver

from .oracle import optimum
from .random_problems import REPEATABLE, worlds

SOLVERS = {
    "exact": ExactSolver,
    "lns": LnsSolver,
    "auto": AutoSolver,
    # A first stage without effort hands over to the neighbourhood search.
    "auto, later stages": lambda **options: AutoSolver(first=1e-9, **options),
}


def check(
    problem: Problem, solver: Solver, best: tuple[int, int] | None, proves: bool = True
) -> Solution | None:
    """Solve a problem whose least loss and size are known."""
    kept: list[Solution] = []
    if best is None:
        with pytest.raises(InfeasibleError):
            solver.solve(problem, keep=kept.append)
        assert not kept
        return None
    found = solver.solve(problem, keep=kept.append)
    assert violations(problem, found.decoders) == []
    assert found.encoders == encoders_of(problem, found.decoders)
    assert (found.missing, found.false) == loss_of(problem, found.decoders)
    assert found.size == size_of(problem, found.decoders)
    assert found.bound <= best[0] == found.loss
    assert (found.status == "optimal") == (found.bound == found.loss)
    if proves:
        assert found.status == "optimal"
        assert found.gap == 0
    if solver.objective == "lexicographic" and proves:
        assert found.size_bound == found.size == best[1]
        assert found.stopped is None
    else:
        assert found.size_bound <= best[1] <= found.size
    assert all(violations(problem, solution.decoders) == [] for solution in kept)
    assert [(s.loss, s.size) for s in kept] == sorted(((s.loss, s.size) for s in kept), reverse=True)
    return found


def test_clingo_agrees_with_brute_force() -> None:
    """The two oracles have nothing in common but the sets that the problem is made of."""
    seen: Counter[str] = Counter()

    @settings(REPEATABLE, max_examples=1000)
    @given(worlds())
    def compare(world) -> None:
        best = world.optimum()
        seen["infeasible" if best is None else "loss 0" if best[0] == 0 else "loss"] += 1
        assert optimum(world.problem(), size=True) == best
        assert optimum(world.problem()) == (best and best[:1])

    compare()
    assert min(seen.values()) >= 20, seen


@settings(REPEATABLE, max_examples=150)
@given(world=worlds())
def test_random_problems(world) -> None:
    best, problem = world.optimum(), world.problem()
    event("infeasible" if best is None else "feasible")
    for name, objective in product(SOLVERS, ("loss", "lexicographic")):
        note(f"solver {name}, objective {objective}")
        check(problem, SOLVERS[name](objective=objective), best, name in ("exact", "auto"))


REAL = {
    "figure, decoders of two": (star_wars_figure, (1, 2, "0.85"), {}),
    "figure, encoders of two": (star_wars_figure, (2, 1, "0.7"), {}),
    "figure, without generality": (star_wars_figure, (1, 2, "0.85"), {"generality": False}),
    "figure, not every predicate": (star_wars_figure, (1, 2, "0.6"), {"reconstruct_all": False}),
    "figure, corrupt decoders": (star_wars_figure, (1, 2, "0.85"), {"max_corruption": None}),
    "star wars, tight": (star_wars, (1, 1, "0.7"), {}),
    "star wars": (star_wars, (1, 1, "0.85"), {}),
    "star wars, not every predicate": (star_wars, (1, 1, "0.4"), {"reconstruct_all": False}),
    "university": (lambda: university(people=20).kb, (2, 1, "0.5"), {}),
    "university with noise": (lambda: university(people=20, noise=0.1, seed=2).kb, (2, 1, "0.5"), {}),
}


@pytest.mark.parametrize(("data", "lengths_and_compression", "options"), REAL.values(), ids=REAL.keys())
def test_problems_of_real_candidates(data, lengths_and_compression, options) -> None:
    problem = AutoEncoder(*lengths_and_compression, **options).fit(data()).problem_
    best = optimum(problem, size=True)
    for solver in (ExactSolver, AutoSolver, LnsSolver):
        for objective in ("loss", "lexicographic"):
            check(problem, solver(objective=objective), best, proves=solver is not LnsSolver)


@settings(REPEATABLE, max_examples=150)
@given(worlds(most_decoders=16, most_latents=9), st.sampled_from(("loss", "lexicographic")))
def test_larger_random_problems(world, objective) -> None:
    problem = world.problem()
    best = optimum(problem, size=True)
    check(problem, AutoSolver(objective=objective), best)
    check(problem, LnsSolver(objective=objective), best, proves=False)


def test_only_the_nodes_say_which_clauses_are_comparable() -> None:
    """Both decoders rebuild the same fact; only together are their latents small enough on average."""
    problem = Problem(
        targets=(PredicateItem("p", 1),),
        encoders=(
            EncoderItem("latent1(X) :- p(X).", 3, 1, ("p",)),
            EncoderItem("latent2(X) :- q(X).", 1, 1, ("q",)),
        ),
        decoders=(
            DecoderItem("p(X) :- latent1(X).", "p", (0,), 1, 1, 0),
            DecoderItem("p(X) :- latent2(X).", "p", (1,), 1, 1, 0),
        ),
        families={"ordinary": (CoverageClass(True, 1, (0, 1), 0),)},
        constraints=(LinearConstraint("average <= 2", 0, (1, -1)),),
        decoder_generality=Inclusion((0, 1), ()),
        requirements=(Requirement("p", (0,)),),
    )
    assert violations(problem, [0, 1]) == []
    assert optimum(problem) == (0,)
    assert ExactSolver().solve(problem).loss == 0
