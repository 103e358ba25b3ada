"""The whole learner against a second, independent one that starts from the raw facts.

There are two settings: the paper's (mean size of latents, no decoder of which half is false) and the default
one (latent facts in all, every decoder that rebuilds something). The oracle knows nothing of dominance: that
the learner, which leaves out dominated decoders by default, has the same optimum shows that it loses none.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.base.errors import InfeasibleError
from logicoder.kb import Predicate, Schema
from oracle import Oracle
from tiny_data import COMPRESSIONS, REPEATABLE, SETTINGS, SIGNATURES, both_settings, knowledge_bases

if TYPE_CHECKING:
    from collections.abc import Sequence


def check(
    kb: KnowledgeBase,
    encoder_length: int,
    decoder_length: int,
    compressions: Sequence[str],
    reconstruct_all: bool = True,
    setting: str = "paper",
    generality: bool = True,
    disjunctive: bool = False,
    appendix: bool = False,
) -> list[int | None]:
    """Compare learner and oracle for some compressions, and return the least losses."""
    oracle = Oracle(
        kb,
        encoder_length,
        decoder_length,
        pruned=setting == "paper",
        disjunctive=disjunctive,
        repeats=not appendix,
        widest=min(2, max(len(predicate.types) for predicate in kb.schema.values())) if appendix else None,
    )
    losses: list[int | None] = []
    for compression in compressions:
        best = oracle.optimum(
            Fraction(compression),
            reconstruct_all=reconstruct_all,
            bottleneck="average" if setting == "paper" else "total",
            generality=generality,
        )
        losses.append(best and best[0])
        estimator = AutoEncoder(
            encoder_length,
            decoder_length,
            compression,
            reconstruct_all=reconstruct_all,
            generality=generality,
            disjunctive_decoders=disjunctive,
            **({"max_latent_arity": 2, "repeated_variables": False} if appendix else {}),
            jobs=1,  # threads cost more than they save on data this small
            **SETTINGS[setting],
        )
        if best is None:
            with pytest.raises(InfeasibleError):
                estimator.fit(kb)
            continue
        loss, size = best
        learned = estimator.fit(kb)
        assert (learned.loss_, learned.bound_, learned.gap_, learned.status_) == (loss, loss, 0, "optimal")
        if setting == "default":
            # Nothing that could matter was left out; a loss of zero is the least for anybody.
            assert learned.bound_scope_ == ("enumerated" if loss else "language")
        assert (learned.size_, learned.size_bound_, learned.stopped_) == (size, size, None)
        outcome = learned.reconstruct(kb)
        assert (outcome.loss, outcome.latent_facts) == (loss, learned.latent_facts_)
    return losses


def note(losses: list[int | None]) -> None:
    for loss in losses:
        event("infeasible" if loss is None else "loss 0" if loss == 0 else "loss above 0")


def several_compressions(data, setting: str) -> list[str]:
    choices = st.sampled_from(COMPRESSIONS[setting])
    return data.draw(st.lists(choices, min_size=2, max_size=3, unique=True))


@both_settings
@pytest.mark.parametrize("lengths", [(1, 1), (2, 1), (1, 2)])
@settings(REPEATABLE, max_examples=24)
@given(kb=knowledge_bases(SIGNATURES), reconstruct_all=st.booleans(), data=st.data())
def test_a_literal_on_one_side(lengths, setting, kb, reconstruct_all, data) -> None:
    note(check(kb, *lengths, several_compressions(data, setting), reconstruct_all, setting))


@settings(REPEATABLE, max_examples=20)
@given(kb=knowledge_bases(SIGNATURES), reconstruct_all=st.booleans(), data=st.data())
def test_without_generality(kb, reconstruct_all, data) -> None:
    compressions = several_compressions(data, "default")
    note(check(kb, 1, 2, compressions, reconstruct_all, "default", generality=False))


@both_settings
@settings(REPEATABLE, max_examples=6)
@given(kb=knowledge_bases(SIGNATURES), data=st.data())
def test_two_literals_on_both_sides(setting, kb, data) -> None:
    note(check(kb, 2, 2, several_compressions(data, setting), setting=setting))


@both_settings
@pytest.mark.parametrize("lengths", [(2, 1), (1, 2)])
@settings(REPEATABLE, max_examples=15)
@given(kb=knowledge_bases(SIGNATURES, background="p1"), data=st.data())
def test_background_predicates_are_used_but_not_reconstructed(lengths, setting, kb, data) -> None:
    note(check(kb, *lengths, several_compressions(data, setting), setting=setting))


@both_settings
@pytest.mark.parametrize("lengths", [(3, 1), (1, 3)])
@settings(REPEATABLE, max_examples=10)
@given(kb=knowledge_bases([[("person",), ("person", "place")]]), data=st.data())
def test_three_literals(lengths, setting, kb, data) -> None:
    note(check(kb, *lengths, several_compressions(data, setting), setting=setting))


@both_settings
@pytest.mark.parametrize("lengths", [(1, 1), (1, 2)])
@settings(REPEATABLE, max_examples=10)
@given(kb=knowledge_bases([[("person", "person", "place"), ("person", "place")]]), data=st.data())
def test_three_arguments(lengths, setting, kb, data) -> None:
    note(check(kb, *lengths, several_compressions(data, setting), setting=setting))


@both_settings
@settings(REPEATABLE, max_examples=20)
@given(kb=knowledge_bases(SIGNATURES), reconstruct_all=st.booleans(), data=st.data())
def test_disjunctive_decoders(setting, kb, reconstruct_all, data) -> None:
    compressions = several_compressions(data, setting)
    note(check(kb, 1, 2, compressions, reconstruct_all, setting, disjunctive=True))


@settings(REPEATABLE, max_examples=8)
@given(kb=knowledge_bases([[("person",), ("person",), ("person", "place")]]), data=st.data())
def test_disjunctions_of_three(kb, data) -> None:
    note(check(kb, 1, 3, several_compressions(data, "paper"), disjunctive=True))


@pytest.mark.parametrize("lengths", [(2, 1), (1, 2)])
@settings(REPEATABLE, max_examples=10)
@given(
    kb=knowledge_bases([*SIGNATURES, [("person", "person", "place"), ("person", "place")]]), data=st.data()
)
def test_the_language_of_the_appendix(lengths, kb, data) -> None:
    note(check(kb, *lengths, several_compressions(data, "paper"), disjunctive=True, appendix=True))


def test_a_disjunction_has_room_for_the_mistakes_of_a_part() -> None:
    """`b :- a` is false in half of its atoms and left out; `b :- p ; a` is false in two of seven."""
    rows = {"p": "stuvw", "a": "stxy", "b": "uvwxy"}
    kb = KnowledgeBase.from_facts([(name, value) for name, values in rows.items() for value in values])
    assert check(kb, 1, 2, ["0.97"]) == [4]
    assert check(kb, 1, 2, ["0.97"], disjunctive=True) == [2]
    learned = AutoEncoder.from_preset("paper", encoder_length=1, compression="0.97").fit(kb)
    texts = {str(clause) for clause in learned.decoder_}
    assert learned.loss_ == 2
    assert texts & {"b(X) :- a_copy(X) ; p_copy(X).", "b(X) :- p_copy(X) ; a_copy(X)."}


def test_a_family_by_hand() -> None:
    """G is 6/4: with γ = 1/2 no latent may have more than 3/4 of a fact on average, which none has."""
    kb = KnowledgeBase.from_facts(
        [
            ("mother", "padme", "luke"),
            ("mother", "padme", "leia"),
            ("father", "vader", "luke"),
            ("father", "vader", "leia"),
            ("woman", "padme"),
            ("man", "vader"),
        ]
    )
    assert check(kb, 2, 2, ["0.5", "0.6", "0.8", "1"]) == [None, None, 0, 0]
    assert check(kb, 1, 1, ["0.8", "1"]) == [None, 0]
    # Both parents have both children, so that `mother` and `man` tell the rest: three latent facts in all.
    assert check(kb, 2, 2, ["0.4", "0.5"], setting="default") == [None, 0]


def test_a_bound_for_all_enumerated_clauses_holds_for_all_of_them() -> None:
    """Without pruning, `p2(X) :- latent(X)` over the place of `p0` costs one false atom and makes room."""
    schema = Schema.of(
        Predicate("p0", ("person", "place")), Predicate("p1", ("person",)), Predicate("p2", ("place",))
    )
    facts = [("p0", "a", "c"), ("p1", "a"), ("p1", "b"), ("p1", "c"), ("p2", "d")]
    kb = KnowledgeBase.from_facts(facts, schema=schema)
    learned = AutoEncoder(1, 1, "0.9", bottlenecks=("average",)).fit(kb)
    best = Oracle(kb, 1, 1, pruned=False, idle=True).optimum(Fraction("0.9"), reconstruct_all=True)
    assert learned.bound_scope_ != "enumerated" or learned.bound_ <= best[0]
