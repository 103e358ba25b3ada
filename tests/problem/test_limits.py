"""Limits of single predicates, against counting."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from tests.selection.random_problems import REPEATABLE, worlds

from logicoder.base.errors import UsageError
from logicoder.problem import violations
from logicoder.problem.evaluate import masked_of, mistakes_of
from logicoder.problem.limits import LIMITS, Limit, limits_of, with_limits

from .choices import bare, choices


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


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("advisedby", "PREDICATE:KIND=NUMBER"),
        ("advisedby:size=3", "an unknown kind"),
        ("advisedby:loss=-1", "whole number of at least 0"),
        ("advisedby:loss=0.5", "whole number of at least 0"),
        ("advisedby:clauses=10%", "counts clauses"),
        ({"advisedby": 3}, "must be a mapping"),
        ({"advisedby": {"loss": True}}, "whole number"),
    ],
)
def test_wrong_limits_are_refused(given, said) -> None:
    with pytest.raises(UsageError, match=said):
        limits_of(given)
