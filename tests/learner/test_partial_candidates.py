"""Where only part of the candidates is enumerated at once, what is needed is found all the same."""

from __future__ import annotations

import pytest

from logicoder import AutoEncoder, InfeasibleError, KnowledgeBase

LINE = KnowledgeBase.from_facts(
    [("next", f"c{i}", f"c{i + 1}") for i in range(11)] + [("third", f"c{i}", f"c{i + 3}") for i in range(9)]
)
"""A third is three steps away: a body of three literals over a single latent predicate rebuilds it."""


@pytest.mark.parametrize("options", [{"reconstruct_all": False}, {}, {"working_set": 2}])
def test_a_chain_of_three_is_found_among_many_latents(options) -> None:
    alp = AutoEncoder(2, 3, 0.55, effort=10, **options).fit(LINE)
    assert alp.statistics_["candidates"]["after_naming_variants"] > 24
    assert (alp.loss_, alp.latent_facts_, alp.bound_scope_) == (0, 11, "language")


def test_latents_that_do_not_suffice_alone_are_no_proof_that_nothing_does() -> None:
    circle = [str(i) for i in range(5)]
    facts = [(f"shift{k}", a, circle[(i + k) % 5]) for k in range(1, 5) for i, a in enumerate(circle)]
    kb = KnowledgeBase.from_facts(facts)
    whole = AutoEncoder(1, 3, "0.5").fit(kb)
    part = AutoEncoder(1, 3, "0.5", working_set=1).fit(kb)
    assert part.loss_ == whole.loss_ == 0


def test_an_infeasible_part_says_that_it_is_a_part() -> None:
    with pytest.raises(InfeasibleError, match="only some of the candidates"):
        AutoEncoder(2, 3, "0.1", effort=2, rounds=1).fit(LINE)


def test_a_recursion_whose_first_steps_are_unknown_is_found() -> None:
    pairs = [(i, j) for i in range(7) for j in range(i + 1, 7)]
    kb = KnowledgeBase.from_facts(
        [("next", str(i), str(i + 1)) for i in range(6)]
        + [("reach", str(i), str(j)) for i, j in pairs if (j - i) % 2],
        unknown=[("reach", str(i), str(j)) for i, j in pairs if (j - i) % 2 == 0],
    )
    alp = AutoEncoder(1, 1, 0.5, recursion=True).fit(kb)
    assert (alp.loss_, alp.latent_facts_) == (0, 6)


def test_recursive_definitions_that_are_not_tried_are_counted() -> None:
    alp = AutoEncoder(1, 1, 0.3, recursion=True, reconstruct_all=False, max_bodies=1).fit(LINE)
    assert alp.bound_ > 0
    assert alp.statistics_["candidates"]["pruned"]["limit"]
    assert alp.bound_scope_ == "pruned"
