"""What bottlenecks, limits and weights demand, against their definitions in fractions."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from tests.selection.random_problems import REPEATABLE, worlds

from logicoder.base.errors import UsageError
from logicoder.problem import encoders_of, violations
from logicoder.problem.bottlenecks import BOTTLENECKS, parse_bottleneck, with_bottlenecks
from logicoder.problem.evaluate import bits_of, masked_of, mistakes_of, weighted_loss_of
from logicoder.problem.limits import LIMITS, Limit, with_limits
from logicoder.problem.masking import MASKED, is_eligible, with_masking
from logicoder.problem.weights import with_weights

SHARES = st.fractions(Fraction(1, 20), 3, max_denominator=20)


def bare(problem):
    """Return a problem without any constraint."""
    return with_masking(
        replace(
            problem,
            constraints=(),
            requirements=(),
            demands=(),
            encoder_generality=None,
            decoder_generality=None,
            decoders=tuple(replace(decoder, exclusive=False) for decoder in problem.decoders),
        )
    )


def choices(problem):
    """Any choice of decoders."""
    return st.sets(st.sampled_from(range(len(problem.decoders)))) if problem.decoders else st.just(set())


def allowed(kind, value, problem, chosen) -> bool:
    """Whether a choice keeps to a bottleneck, by what the bottleneck is said to be."""
    encoders = encoders_of(problem, chosen)
    weights = [problem.encoders[e].weight for e in encoders]
    match kind:
        case "average":
            return sum(weights) * problem.predicates <= value * problem.facts * len(encoders)
        case "total":
            return sum(weights) <= value * problem.facts
        case "bits":
            return (
                bits_of(problem, chosen) <= value * problem.plain_bits and len(encoders) <= problem.latent_cap
            )
        case "latents":
            return len(encoders) <= value
        case "largest":
            return max(weights, default=0) <= value
        case "masked":
            return sum(masked_of(problem, chosen)) <= value * problem.facts
    raise AssertionError(kind)


@settings(REPEATABLE, max_examples=200)
@given(worlds(), st.sampled_from(sorted(BOTTLENECKS.built_in)), SHARES, st.integers(1, 12), st.data())
def test_a_choice_is_allowed_exactly_where_the_definition_says_so(world, kind, share, number, data) -> None:
    problem = bare(world.problem())
    chosen = data.draw(choices(problem))
    value = number if kind in ("latents", "largest") else share
    tight = with_bottlenecks(problem, [parse_bottleneck(f"{kind}={value}")])
    keeps = allowed(kind, value, problem, chosen)
    event(f"{kind}: {keeps}")
    assert (not violations(tight, chosen)) == keeps


@settings(REPEATABLE, max_examples=150)
@given(worlds(), st.sampled_from(LIMITS), st.integers(0, 6), st.booleans(), st.data())
def test_a_limit_of_one_predicate(world, kind, number, share, data) -> None:
    problem = bare(world.problem())
    chosen = data.draw(choices(problem))
    place = data.draw(st.sampled_from(range(len(problem.targets))))
    target = problem.targets[place]
    share = share and kind != "clauses"
    limit = Limit.of(target.name, kind, f"{10 * number}%" if share else number)
    missing, false = mistakes_of(problem, chosen)
    found = {
        "clauses": sum(problem.decoders[d].predicate == target.name for d in chosen),
        "loss": missing[place] + false[place],
        "missing": missing[place],
        "false": false[place],
        "masked": masked_of(problem, chosen)[place],
    }[kind]
    keeps = found <= (Fraction(number, 10) * target.facts if share else number)
    event(f"{kind}: {keeps}")
    assert (not violations(with_limits(problem, [limit]), chosen)) == keeps


@settings(REPEATABLE, max_examples=100)
@given(worlds(), st.data())
def test_weighted_losses_are_in_proportion(world, data) -> None:
    problem = bare(world.problem())
    chosen = data.draw(choices(problem))
    names = [target.name for target in problem.targets]
    weights = {name: data.draw(SHARES) for name in data.draw(st.sets(st.sampled_from(names)))}
    weighted = with_weights(problem, weights)
    mistakes = mistakes_of(problem, chosen)
    expected = sum(weights.get(n, Fraction(1)) * (m + f) for n, m, f in zip(names, *mistakes, strict=True))
    assert Fraction(weighted_loss_of(weighted, mistakes), weighted.weight_unit) == expected


@settings(REPEATABLE, max_examples=100)
@given(worlds(), st.data())
def test_masked_mistakes_are_those_without_ineligible_decoders(world, data) -> None:
    problem = bare(world.problem())
    chosen = data.draw(choices(problem))
    eligible = {d for d in chosen if is_eligible(problem.decoders[d], problem.encoders)}
    assert masked_of(problem, chosen) == mistakes_of(problem, eligible)[0]
    assert masked_of(replace(problem, families={"ordinary": problem.classes}), chosen) == [0] * len(
        problem.targets
    )
    assert MASKED in problem.families


@pytest.mark.parametrize(
    "text", ["nothing", "latents", "latents=x", "latents=0", "total=", "masked", "total=-1"]
)
def test_what_is_no_bottleneck(text) -> None:
    with pytest.raises(UsageError, match="bottleneck"):
        parse_bottleneck(text)
