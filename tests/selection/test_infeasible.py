"""Where no selection is allowed, the error names who stands in the way and what would help."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.base.errors import InfeasibleError
from logicoder.datasets import star_wars, star_wars_figure, university
from logicoder.learner.presets import PRESETS
from logicoder.problem import Problem
from logicoder.selection import AutoSolver, ExactSolver, LnsSolver
from logicoder.selection.infeasible import explain_infeasible, least_mean

from .random_problems import REPEATABLE, Rules, World, worlds

# What the text says when leaving out one family of constraints would help.
WORDS = {
    "bottleneck": "The bottleneck cannot hold",
    "generality": "pass `generality=False`",
    "reconstruction": "pass `reconstruct_all=False`",
}


@st.composite
def impossible_worlds(draw) -> World:
    """Worlds with all families of constraints, of which no selection satisfies all."""
    world = draw(worlds())
    mean = draw(st.sampled_from([Fraction(n, 3) for n in (2, 3, 4, 5, 7)]))
    return replace(world, rules=Rules(mean, None, generality=draw(st.booleans()), requirements=True))


def helping(world: World) -> set[str]:
    """Return the families without which something is allowed; the empty selection is no way out."""
    broken = [world.broken(selection) for selection in world.selections() if selection]
    return {family for family in WORDS if any(found <= {family} for found in broken)}


@settings(REPEATABLE, max_examples=300)
@given(impossible_worlds())
def test_the_text_names_exactly_the_constraints_that_could_be_dropped(world) -> None:
    assume(world.optimum() is None)
    with pytest.raises(InfeasibleError) as caught:
        ExactSolver().solve(world.problem())
    text = str(caught.value)
    expected = helping(world)
    event(", ".join(sorted(expected)) or "more than one")
    assert {family for family, words in WORDS.items() if words in text} == expected
    assert ("More than one of" in text) == (not expected)


def least_mean_by_brute_force(world: World) -> Fraction | None:
    """Return the smallest mean size of latents over all selections that satisfy everything else."""
    free = replace(world, rules=replace(world.rules, mean=None, total=None))
    return min((world.mean(s) for s in free.selections() if s and not free.broken(s)), default=None)


@settings(REPEATABLE, max_examples=300)
@given(impossible_worlds())
def test_the_least_mean_is_that_of_brute_force(world) -> None:
    expected = least_mean_by_brute_force(world)
    # Where the empty selection is allowed no bottleneck is in its way: nobody asks for a mean then.
    assume(any(world.good(p) for p in range(len(world.truth))))
    assert least_mean(world.problem()) == expected


@settings(REPEATABLE, max_examples=300)
@given(impossible_worlds())
def test_the_advised_compression_works_and_no_smaller_one_does(world) -> None:
    """The problem gives F and P: a compression γ allows a mean of γF/P."""
    assume(world.optimum() is None)
    assume("bottleneck" in helping(world))
    problem = world.problem()
    text = str(explain_infeasible(problem))
    advised = Fraction(re.search(r"`compression` to ([0-9.e+]+) or more", text)[1])
    average = Fraction(problem.facts, problem.predicates)
    allowed = replace(world, rules=replace(world.rules, mean=advised * average))
    assert allowed.optimum() is not None
    slightly_less = replace(world, rules=replace(world.rules, mean=(advised - Fraction(2, 1000)) * average))
    assert slightly_less.optimum() is None


@pytest.mark.parametrize("solver", [ExactSolver(), LnsSolver(), AutoSolver()])
def test_every_solver_says_so(solver) -> None:
    world = World(
        truth=(frozenset({0, 1}),),
        latents=(frozenset({0, 1}),),
        decoders=((0, (0,), frozenset({0, 1})),),
        rules=Rules(Fraction(3, 2), None, generality=True, requirements=True),
    )
    with pytest.raises(InfeasibleError, match="bottleneck cannot hold"):
        solver.solve(world.problem())


@pytest.mark.parametrize(
    ("data", "lengths"),
    [
        (star_wars_figure, (1, 1)),
        (star_wars_figure, (2, 2)),
        (star_wars, (1, 1)),
        (star_wars, (1, 2)),
        (lambda: university(people=20).kb, (2, 1)),
    ],
)
@pytest.mark.parametrize(
    ("setting", "words"),
    [(PRESETS["paper"], "average facts per latent predicate"), ({}, "latent facts")],
    ids=["paper", "default"],
)
def test_following_the_advice_succeeds_on_real_data(data, lengths, setting, words) -> None:
    kb = data()

    def fitted(compression: str) -> AutoEncoder:
        given = {"encoder_length": lengths[0], "decoder_length": lengths[1], "compression": compression}
        return AutoEncoder(**{**setting, **given}, effort=1.0).fit(kb)

    with pytest.raises(InfeasibleError) as caught:
        fitted("0.05")
    text = str(caught.value)
    assert f"({words} <= 1/20" in text
    advised = re.search(r"`compression` to ([0-9.]+) or more", text)[1]
    learned = fitted(advised)
    assert learned.reconstruct(kb).loss == learned.loss_
    with pytest.raises(InfeasibleError):
        fitted(str(Fraction(advised) - Fraction(2, 1000)))


def test_without_requirements_nothing_is_infeasible() -> None:
    """The empty program satisfies every bottleneck."""
    learned = AutoEncoder(1, 1, compression="0.05", reconstruct_all=False).fit(star_wars_figure())
    assert learned.loss_ == 9
    assert len(learned.encoder_) == len(learned.decoder_) == 0


def test_a_requirement_that_nobody_can_meet_is_a_culprit() -> None:
    problem: Problem = World(
        truth=(frozenset({0}), frozenset({0})),
        latents=(frozenset({0}), frozenset({0})),
        decoders=((0, (0,), frozenset({0})), (1, (1,), frozenset({0}))),
        rules=Rules(None, None, generality=True, requirements=True),
    ).problem()
    text = str(explain_infeasible(problem))
    assert WORDS["generality"] in text
    assert WORDS["reconstruction"] in text
    assert WORDS["bottleneck"] not in text


def test_clauses_that_do_not_count_as_reconstruction_are_named() -> None:
    """`p1(X,X) :- l(X)` is true and false in one atom each: there is a program, though not of this demand."""
    kb = KnowledgeBase.from_facts(
        ["p0(s0,t0)", "p0(s0,t1)", "p0(s1,t0)", "p0(s1,t1)", "p1(s0,s1)", "p1(s1,s1)"]
    )
    with pytest.raises(InfeasibleError, match="p1 are false in half of their atoms or more") as caught:
        AutoEncoder(1, 1, compression="0.7", bottlenecks=("total",)).fit(kb)
    assert "any program" not in str(caught.value)
    assert "left out" not in str(caught.value)


def test_candidates_that_were_left_out_are_told() -> None:
    with pytest.raises(InfeasibleError, match=r"left out \([0-9,]+ by `max_decoders`, `max_bodies`\)"):
        AutoEncoder(1, 2, compression="0.05", max_decoders=20).fit(star_wars())
