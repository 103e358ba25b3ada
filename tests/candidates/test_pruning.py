"""The pruning rules of decoders: what each leaves, each switchable, and counts that add up."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder.kb import KnowledgeBase, Predicate, Schema

from .naive import DecoderClause, Evaluation, Outcome
from .random_data import REPEATABLE, data_with_latents
from .test_decoders import HALF, candidates, outcomes_of

thresholds = st.sampled_from((None, HALF, Fraction(1, 3)))


def outcomes(kb: KnowledgeBase, max_corruption: Fraction | None, **rules):
    found, statistics = candidates(kb, 2, max_corruption, **rules)
    return list(outcomes_of(found, kb)), statistics


def signature(found: Outcome) -> tuple[object, ...]:
    """What signature variants have in common: head predicate, atoms, and the set of body predicates."""
    return found.clause.predicate, found.atoms, frozenset(name for name, _ in found.clause.body)


def add_up(statistics, accepted: int) -> None:
    assert accepted == (
        statistics.extensions + statistics.limit + statistics.signature_variants + statistics.decoders
    )
    assert statistics.decoders_evaluated == statistics.unsupported + statistics.corruption + accepted


@settings(REPEATABLE, max_examples=120)
@given(data_with_latents(), thresholds)
def test_one_of_each_signature_stays_with_fewest_literals(kb, max_corruption) -> None:
    every, _ = outcomes(kb, max_corruption)
    kept, statistics = outcomes(kb, max_corruption, merge_signature_variants=True)
    shortest: dict[object, int] = {}
    for found in every:
        shortest.setdefault(signature(found), len(found.clause.body))
        shortest[signature(found)] = min(shortest[signature(found)], len(found.clause.body))
    event("merged some" if len(kept) < len(every) else "merged none")
    assert set(kept) <= set(every)
    assert Counter((signature(found), len(found.clause.body)) for found in kept) == Counter(shortest.items())
    assert statistics.signature_variants == len(every) - len(kept)
    add_up(statistics, len(every))


def part_without_more_errors(found: Outcome, known: Evaluation) -> bool:
    """Whether one literal of the body binds the whole head, has no more false atoms, and can stand for it.

    It cannot where it is false in half of its atoms or more and rebuilds more: it might exclude others.
    """
    if len(found.clause.body) == 1:
        return False
    for literal in found.clause.body:
        if set(found.clause.head) <= set(literal[1]):
            alone = known.outcome(DecoderClause.of(found.clause.predicate, found.clause.head, [literal]))
            if alone.false == found.false and (alone.true > alone.false or alone.true == found.true):
                return True
    return False


@settings(REPEATABLE, max_examples=120)
@given(data_with_latents(), thresholds)
def test_extensions_that_remove_no_error_are_dropped_on_demand(kb, max_corruption) -> None:
    every, _ = outcomes(kb, max_corruption)
    kept, statistics = outcomes(kb, max_corruption, drop_extensions=True)
    known = Evaluation(kb)
    assert Counter(kept) == Counter(found for found in every if not part_without_more_errors(found, known))
    event("dropped some" if statistics.extensions else "dropped none")
    assert statistics.extensions == len(every) - len(kept)
    add_up(statistics, len(every))


@settings(REPEATABLE, max_examples=80)
@given(
    data_with_latents(), thresholds, st.integers(1, 12), st.sampled_from((None, False, True)), st.booleans()
)
def test_the_greatest_number_of_decoders_is_kept_to(kb, max_corruption, most, extensions, signatures) -> None:
    every, _ = outcomes(kb, max_corruption)
    kept, statistics = outcomes(
        kb,
        max_corruption,
        most=most,
        drop_extensions=extensions,
        merge_signature_variants=signatures,
    )
    assert set(kept) <= set(every)
    assert len(kept) <= most
    if len(every) <= most:
        assert statistics.limit == 0
        assert extensions or statistics.extensions == 0
    add_up(statistics, len(every))


def gain(found: Outcome) -> int:
    return found.true - found.false


@settings(REPEATABLE, max_examples=60)
@given(data_with_latents(), st.integers(1, 6))
def test_beyond_the_limit_the_predicates_take_turns_and_the_best_come_first(kb, most) -> None:
    every, _ = outcomes(kb, None)
    kept, _ = outcomes(kb, None, most=most, drop_extensions=False)
    if len(every) <= most:
        return
    names = {found.clause.predicate for found in every}
    for name in names:
        gains = sorted((gain(found) for found in every if found.clause.predicate == name), reverse=True)
        mine = [gain(found) for found in kept if found.clause.predicate == name]
        if mine:
            assert max(mine) == gains[0]
    if len(kept) == most >= len(names):
        assert {found.clause.predicate for found in kept} == names


class TestCorruption:
    """Corruption is the share of false atoms among those rebuilt; a clause at the threshold goes."""

    def kept(self, false: int, true: int, max_corruption: Fraction | None) -> bool:
        people = [f"x{i}" for i in range(true + false)]
        kb = KnowledgeBase.from_facts(
            [("p", x) for x in people[:true]] + [("l0", x) for x in people],
            schema=Schema.of(Predicate("p", ("t",)), Predicate("l0", ("t",), background=True)),
        )
        found, statistics = candidates(kb, 1, max_corruption)
        assert statistics.corruption == 1 - len(found)
        return bool(found)

    @pytest.mark.parametrize(
        ("true", "false", "kept"),
        [(1, 0, True), (2, 1, True), (1, 1, False), (50, 49, True), (50, 50, False)],
    )
    def test_half_is_too_much(self, true, false, kept) -> None:
        assert self.kept(false, true, HALF) == kept

    def test_the_threshold_is_an_exact_fraction(self) -> None:
        assert self.kept(1, 3, Fraction(3, 10))
        assert not self.kept(3, 7, Fraction(3, 10))
        assert self.kept(2, 1, Fraction(7, 10))

    def test_without_it_everything_that_rebuilds_a_fact_stays(self) -> None:
        assert self.kept(99, 1, None)

    def test_what_rebuilds_no_fact_is_never_a_candidate(self) -> None:
        kb = KnowledgeBase.from_facts(
            [("p", "a"), ("l0", "b")],
            schema=Schema.of(Predicate("p", ("t",)), Predicate("l0", ("t",), background=True)),
        )
        found, statistics = candidates(kb, 2, None)
        assert not found
        assert statistics.unsupported == statistics.decoders_evaluated == 1


def test_nothing_is_corrupt_without_a_threshold() -> None:
    kb = KnowledgeBase.from_facts(
        [("p", "a", "b"), ("l0", "b", "c"), ("l0", "c", "d")],
        schema=Schema.of(Predicate("p", ("t", "t")), Predicate("l0", ("t", "t"), background=True)),
    )
    _, statistics = candidates(kb, 2, None)
    assert statistics.corruption == 0
    assert statistics.unsupported == statistics.decoders_evaluated


def test_dropping_extensions_where_there_is_no_candidate_at_all() -> None:
    kb = KnowledgeBase.from_facts(
        [("p", "a", "b"), ("l0", "a")],
        schema=Schema.of(Predicate("p", ("t", "t")), Predicate("l0", ("t",), background=True)),
    )
    found, _ = candidates(kb, 1, HALF, drop_extensions=True)
    assert found == []
