"""Coverage classes that are split from former ones against those that are found anew."""

from __future__ import annotations

from hypothesis import event, given, settings
from hypothesis import strategies as st

from candidates.asking import chosen, ignore, question_of
from candidates.random_data import REPEATABLE, data_with_latents
from logicoder.engine.arrays.array_engine import ArrayEngine


@settings(REPEATABLE, max_examples=80)
@given(kb=data_with_latents(), data=st.data())
def test_split_classes_are_those_of_a_fresh_start(kb, data) -> None:
    engine = ArrayEngine(kb)
    question = question_of(engine, kb, 2)
    decoders = chosen(engine, question, list(engine.count(question, ignore)))
    name = data.draw(st.sampled_from(list(kb.learnable)))
    own = [decoder for decoder in decoders if decoder.predicate == name][:40]
    order = data.draw(st.permutations(own))
    first, dropped = data.draw(st.integers(len(own) // 2, len(own))), data.draw(st.integers(0, 3))
    before, after = order[:first], [*order[first:], *order[dropped:first]]
    former = engine.coverage(name, before)
    expected, found = engine.coverage(name, after), engine.coverage(name, after, former)
    assert (found.classes, found.uncovered, found.atoms) == (
        expected.classes,
        expected.uncovered,
        expected.atoms,
    )
    if after:
        kinds = [number % 2 for number in range(len(after))]
        assert engine.generality(found, kinds) == engine.generality(expected, kinds)
    once = engine.coverage(name, before, found)
    assert (once.classes, once.uncovered) == (former.classes, former.uncovered)
    event("split" if 2 * max(0, first - dropped) >= len(after) > 0 else "found anew")
