"""What bottlenecks demand, against their definitions in fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from tests.selection.random_problems import REPEATABLE, worlds

from logicoder.base.errors import UsageError
from logicoder.problem import (
    AverageFacts,
    DescriptionLength,
    LargestLatent,
    MaxLatents,
    TotalFacts,
    encoders_of,
    violations,
)
from logicoder.problem.bottlenecks import BOTTLENECKS, bottlenecks_of, parse_bottleneck, with_bottlenecks
from logicoder.problem.evaluate import bits_of, masked_of

from .choices import SHARES, bare, choices


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
        ("latents=x", "such as latents=10"),
        ("masked", "write masked=0.5"),
        ("total=", "write total=0.5"),
        ("total=much", "must be a number"),
        ("total=0", "greater than 0"),
        ("bits=-1", "greater than 0"),
        ("latents", "such as latents=10"),
        ("latents=2.5", "such as latents=10"),
        ("largest=0", "at least 1"),
        (["none", "total"], "cannot be combined"),
        ([3], "not 3"),
    ],
)
def test_wrong_bottlenecks_are_refused(text, said) -> None:
    with pytest.raises(UsageError, match=said):
        bottlenecks_of(text)
