"""What a choice of decoders is worth and which constraints it violates, against the sets it was made from."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, log2

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.selection.random_problems import CAP, REPEATABLE, worlds

from logicoder.problem import DecoderItem, Inclusion, PredicateItem, Problem, encoders_of, violations
from logicoder.problem.evaluate import bits_of, loss_of, mistakes_of, size_of, weighted_loss_of


@settings(REPEATABLE, max_examples=600)
@given(st.booleans().flatmap(lambda wishes: worlds(most_decoders=5, wishes=wishes)))
def test_all_choices(world) -> None:
    problem = world.problem()
    for chosen in world.selections():
        assert {violation.family for violation in violations(problem, chosen)} == world.broken(chosen)
        mistakes = mistakes_of(problem, chosen)
        assert list(zip(*mistakes, strict=True)) == world.mistakes(chosen)
        assert sum(loss_of(problem, chosen)) == world.loss(chosen)
        assert Fraction(weighted_loss_of(problem, mistakes), problem.weight_unit) == world.weighted(chosen)
        assert set(encoders_of(problem, chosen)) == world.used(chosen)
        assert size_of(problem, chosen) == world.size(chosen)
        extra, used = 0.0, len(world.used(chosen))
        if used > CAP:  # their number, then longer names: 4 latents are 00101, 5 are 00110
            literals = sum(1 + d % 2 for d in chosen)
            extra = 5000 + 1000 * literals * log2((used + 1) / (CAP + 1))
        assert bits_of(problem, chosen) == bits_of(problem, chosen, mistakes)
        assert bits_of(problem, chosen) == world.bits(chosen) + ceil(extra)


def test_everything_more_general_is_named() -> None:
    """Not only what is next in the order."""
    items = tuple(DecoderItem(f"p(X) :- latent{n}(X).", "p", (), 1, 1, 0) for n in range(4))
    order = Inclusion((0, 1, 2, 2), ((0, 1), (1, 2)))
    problem = Problem((PredicateItem("p", 1),), (), items, {"ordinary": ()}, decoder_generality=order)
    assert [violation.text for violation in violations(problem, {0, 2, 3})] == [
        "decoders [2, 3] are equal",
        "decoders [0] are more general than [2, 3]",
    ]
    assert not violations(problem, {1})
