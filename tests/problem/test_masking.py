"""Masked losses, against the sets that decoders were made from."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.selection.masked_worlds import masked, masked_worlds, problem_of
from tests.selection.random_problems import REPEATABLE

from logicoder.problem.evaluate import masked_of
from logicoder.problem.masking import with_masking


@given(masked_worlds(), st.data())
@REPEATABLE
def test_masked_facts_of_any_selection(pair, data) -> None:
    world, dependencies = pair
    problem = with_masking(problem_of(world, dependencies))
    selection = frozenset(
        data.draw(st.sets(st.integers(0, len(world.decoders) - 1))) if world.decoders else ()
    )
    assert masked_of(problem, selection) == masked(world, dependencies, selection)
    unmasked = replace(problem, families={"ordinary": problem.classes})
    assert masked_of(unmasked, selection) == [0] * len(world.truth)
