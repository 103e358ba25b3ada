"""Decoder candidates of one, two and three literals against a slow evaluation of all clauses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import event, given, note, settings
from hypothesis import strategies as st

from logicoder.candidates.candidate_clauses import decoder_clause
from logicoder.candidates.language import Switches
from logicoder.engine.arrays import (
    chains,
    filters,
    pairs,
    product_pairs,
    products,
    ranking,
    supports,
)
from logicoder.engine.arrays.array_engine import ArrayEngine
from logicoder.engine.arrays.array_handles import ArrayExtension, atoms_of
from logicoder.engine.arrays.relation import Relation
from logicoder.engine.handles import Decoder
from logicoder.engine.questions import DecoderStatistics
from logicoder.kb import KnowledgeBase, Predicate, Schema

from .asking import chosen, data_and_latents, deep_counted, ignore, question_of
from .naive import DecoderClause, Evaluation, Outcome, decoder_clauses
from .random_data import REPEATABLE, data_with_latents, smaller_data_with_latents

HALF = Fraction(1, 2)


def candidates(
    kb: KnowledgeBase, length: int, max_corruption: Fraction | None, **rules
) -> tuple[list[Decoder], DecoderStatistics]:
    """Return the decoders over the background predicates, with no rule applied unless given."""
    engine = ArrayEngine(kb)
    question = question_of(engine, kb, length, max_corruption)
    counted = list(engine.count(question, ignore))
    if length > 2:
        counted += deep_counted(engine, question)
    return chosen(engine, question, counted, **rules), question.statistics


def outcomes_of(decoders: list[Decoder], kb: KnowledgeBase) -> Iterator[Outcome]:
    """Read candidates back through their clauses and through the symbols of their atoms."""
    engine = ArrayEngine(kb)
    latents = dict(enumerate(data_and_latents(kb)[1]))
    for decoder in decoders:
        clause = decoder_clause(decoder.head, decoder.body, latents)
        types = engine.database.type_ids(kb.schema[decoder.predicate].types)
        atoms = engine.materialise(ArrayExtension.of(Relation(types, atoms_of(decoder))))
        assert len(atoms) == len(set(atoms))
        yield Outcome(DecoderClause.of_clause(clause), frozenset(atoms), decoder.true, decoder.false)


def as_outcome(decoder: Decoder, kb: KnowledgeBase) -> Outcome:
    """Read one candidate back."""
    (found,) = outcomes_of([decoder], kb)
    return found


def reference(kb: KnowledgeBase, length: int, max_corruption: Fraction | None) -> set[Outcome]:
    """Evaluate every clause; keep those that rebuild a fact and are not too corrupt."""
    data, latents = data_and_latents(kb)
    types = {name: kb.schema[name].types for name in latents}
    evaluation = Evaluation(kb)
    outcomes = (
        evaluation.outcome(clause)
        for name in data
        for clause in decoder_clauses(name, kb.schema[name].types, types, length)
    )
    return {
        found
        for found in outcomes
        if found.true
        and (max_corruption is None or Fraction(found.false, found.true + found.false) < max_corruption)
    }


def check(kb: KnowledgeBase, length: int, max_corruption: Fraction | None) -> int:
    found, statistics = candidates(kb, length, max_corruption)
    outcomes = Counter(outcomes_of(found, kb))
    assert outcomes == Counter(reference(kb, length, max_corruption))
    assert statistics.decoders == len(found)
    dropped = statistics.unsupported + statistics.corruption + statistics.repeated
    assert statistics.decoders_evaluated == dropped + len(found)
    return len(found)


@settings(REPEATABLE, max_examples=400)
@given(data_with_latents(), st.sampled_from((1, 2, 2, 2)), st.sampled_from((None, HALF, Fraction(1, 3))))
def test_random_data(kb, length, max_corruption) -> None:
    event(f"{'some' if check(kb, length, max_corruption) else 'no'} candidates")


@settings(REPEATABLE, max_examples=100)
@given(smaller_data_with_latents(), st.sampled_from((None, HALF)))
def test_three_literals(kb, max_corruption) -> None:
    event(f"{'some' if check(kb, 3, max_corruption) else 'no'} candidates")


TIGHT = {
    "joins instead of bit tables": (chains, "_TABLE_WORDS", 0),
    "few bit tables at a time": (chains, "_TABLE_WORDS", 64),
    "one partner at a time": (chains, "_BATCH_WORDS", 1),
    "one view at a time": (products, "_BLOCK", 1),
    "always dense": (products, "_FEW_MEETINGS", -1),
    "always filters": (chains, "filtering_cost", lambda *_: 0),
    "never filters": (chains, "filtering_cost", lambda *_: 1 << 62),
    "filters for few views at a time": (filters, "_PORTION", 1),
    "one pair listed at a time": (pairs, "_CHUNK", 1),
    "keys searched for": (pairs, "_LEAST_TABLE", -1),
    "common facts not kept": (supports, "_KEPT", 0),
    "one candidate examined at a time": (ranking, "_PORTION", 1),
}


@settings(REPEATABLE, max_examples=40)
@given(kb=data_with_latents(), max_corruption=st.sampled_from((None, HALF)))
def test_small_memory_gives_the_same_candidates(kb, max_corruption) -> None:
    """The same in every detail as with memory for everything, which is compared with the reference above."""

    def found() -> tuple[object, DecoderStatistics]:
        decoders, statistics = candidates(kb, 2, max_corruption)
        atoms = (frozenset(zip(*(c.tolist() for c in atoms_of(d)), strict=True)) for d in decoders)
        return Counter(
            (d.head, d.body, d.true, d.false, a) for d, a in zip(decoders, atoms, strict=True)
        ), statistics

    check(kb, 2, max_corruption)
    expected = found()
    for name, tight in TIGHT.items():
        note(name)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(*tight)
            assert found() == expected


@pytest.mark.parametrize("chunk", [1 << 20, 1])
@settings(REPEATABLE, max_examples=100)
@given(
    data_with_latents(),
    st.builds(Switches, constants=st.sampled_from((0, 2)), negation=st.booleans(), inequality=st.booleans()),
)
def test_fingerprints_are_equal_exactly_where_atoms_are(chunk, kb, switches) -> None:
    """Whether they were computed from listed atoms or by algebra, within a batch and across batches."""
    engine = ArrayEngine(kb, constants=switches.constants)
    question = question_of(engine, kb, 2, None, switches)
    seen: dict[tuple[str, object], frozenset[tuple[int, ...]]] = {}
    known: dict[tuple[str, frozenset[tuple[int, ...]]], object] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(product_pairs, "_CHUNK", chunk)
        for batch in engine.count(question, ignore):
            every = np.arange(len(batch))
            examined = batch.examined(every)
            marks = map(tuple, examined.fingerprints.T.tolist())
            for mark, columns in zip(marks, examined.atoms(every), strict=True):
                atoms = frozenset(zip(*(column.tolist() for column in columns), strict=True))
                assert len(atoms) == len(columns[0])
                predicate = batch.head.predicate
                assert seen.setdefault((predicate, mark), atoms) == atoms
                assert known.setdefault((predicate, atoms), mark) == mark


@settings(REPEATABLE, max_examples=40)
@given(data_with_latents())
def test_threads_change_nothing(kb) -> None:
    found = []
    for jobs in (1, 3):
        engine = ArrayEngine(kb, jobs=jobs)
        question = question_of(engine, kb, 2, HALF)
        batches = list(engine.count(question, ignore))
        bodies = [batch.body(i) for batch in batches for i in range(len(batch))]
        found.append((bodies, question.statistics))
    assert found[0] == found[1]


def knowledge_base(*predicates: Predicate, facts, negatives=(), unknown=()) -> KnowledgeBase:
    return KnowledgeBase.from_facts(
        facts, negatives=negatives, unknown=unknown, schema=Schema.of(*predicates)
    )


def test_reflexive_facts_have_decoders_with_a_repeated_head_variable() -> None:
    kb = knowledge_base(
        Predicate("same", ("person", "person")),
        Predicate("l0", ("person",), background=True),
        facts=[("same", "a", "a"), ("same", "b", "b"), ("l0", "a"), ("l0", "b")],
    )
    found, _ = candidates(kb, 2, HALF)
    clauses = {one.clause for one in outcomes_of(found, kb)}
    assert clauses == {DecoderClause("same", (0, 0), (("l0", (0,)),))}


def test_two_literals_over_one_latent_and_two_shared_existentials() -> None:
    """ties(X) :- l0(X,E,F), l0(X,F,E): neither literal is the other, whatever E and F are called."""
    kb = knowledge_base(
        Predicate("ties", ("t",)),
        Predicate("l0", ("t", "u", "u"), background=True),
        facts=[("ties", "a"), ("l0", "a", "x", "y"), ("l0", "a", "y", "x"), ("l0", "b", "x", "y")],
    )
    check(kb, 2, HALF)
    found, _ = candidates(kb, 2, HALF)
    clauses = {one.clause for one in outcomes_of(found, kb)}
    assert DecoderClause("ties", (0,), (("l0", (0, 1, 2)), ("l0", (0, 2, 1)))) in clauses


class TestTruth:
    """Unknown atoms count neither for nor against; of an open predicate only explicit negatives are false."""

    facts = (("p", "a"), ("l0", "a"), ("l0", "b"), ("l0", "c"), ("l0", "d"))

    def single(self, **options) -> Outcome:
        kb = knowledge_base(
            Predicate("p", ("t",), open_world=options.pop("open_world", False)),
            Predicate("l0", ("t",), background=True),
            facts=self.facts,
            **options,
        )
        found, _ = candidates(kb, 1, None)
        (outcome,) = outcomes_of(found, kb)
        return outcome

    def test_closed(self) -> None:
        assert (self.single().true, self.single().false) == (1, 3)

    def test_unknown_atoms_are_not_false(self) -> None:
        found = self.single(unknown=[("p", "b"), ("p", "c")])
        assert (found.true, found.false, len(found.atoms)) == (1, 1, 4)

    def test_atoms_of_an_open_predicate_are_false_only_if_listed(self) -> None:
        found = self.single(open_world=True, negatives=[("p", "d")])
        assert (found.true, found.false, len(found.atoms)) == (1, 1, 4)
