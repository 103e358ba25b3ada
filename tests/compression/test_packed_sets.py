"""Sets written as bytes come back, and take as many bits as the code says."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logicoder.compression.arithmetic_coder import ArithmeticDecoder, ArithmeticEncoder
from logicoder.compression.code import set_bits
from logicoder.compression.packed_sets import read_set, write_set
from tiny_data import REPEATABLE

sets = st.integers(0, 10**15).flatmap(
    lambda total: st.tuples(
        st.just(total), st.sets(st.integers(0, max(0, total - 1)), max_size=min(40, total))
    )
)
small = st.integers(0, 60).flatmap(
    lambda total: st.tuples(st.just(total), st.sets(st.integers(0, max(0, total - 1)), max_size=total))
)


@REPEATABLE
@given(st.lists(sets | small, max_size=6))
def test_sets_come_back(asked: list[tuple[int, set[int]]]) -> None:
    encoder = ArithmeticEncoder()
    for total, chosen in asked:
        write_set(encoder, total, sorted(chosen))
    decoder = ArithmeticDecoder(encoder.finished())
    assert [read_set(decoder, total) for total, _ in asked] == [sorted(chosen) for _, chosen in asked]


choices = st.integers(1, 10**30).flatmap(lambda total: st.tuples(st.integers(0, total - 1), st.just(total)))
decisions = st.integers(0, 10**12).flatmap(
    lambda total: st.integers(0, total).flatmap(
        lambda ones: st.tuples(
            st.booleans().map(lambda holds: ones > 0 and (holds or ones == total)),
            st.just(ones),
            st.just(total),
        )
    )
)


@REPEATABLE
@given(st.lists(choices | decisions, max_size=60))
def test_choices_come_back(asked: list[tuple[int, ...]]) -> None:
    encoder = ArithmeticEncoder()
    for item in asked:
        encoder.choose(*item) if len(item) == 2 else encoder.decide(*item)
    decoder = ArithmeticDecoder(encoder.finished())
    for item in asked:
        read = decoder.choose(item[1]) if len(item) == 2 else decoder.decide(*item[1:])
        assert read == item[0]


@pytest.mark.parametrize(
    ("total", "size"), [(10_000, 5_000), (10_000, 9_900), (10**9, 3000), (60_000, 3000), (5, 2)]
)
def test_sets_take_as_many_bits_as_the_code_says(total: int, size: int) -> None:
    encoder = ArithmeticEncoder()
    write_set(encoder, total, sorted(random.Random(total).sample(range(total), size)))  # noqa: S311
    assert 8 * len(encoder.finished()) <= 1.01 * float(set_bits(total, size)) + 16


def test_bytes_that_run_over_carry_into_those_before() -> None:
    encoder = ArithmeticEncoder()
    for _ in range(40):
        encoder.decide(False, 1, 2**24)
    encoder.choose(2**60 - 1, 2**60)
    decoder = ArithmeticDecoder(encoder.finished())
    assert not any(decoder.decide(1, 2**24) for _ in range(40))
    assert decoder.choose(2**60) == 2**60 - 1
