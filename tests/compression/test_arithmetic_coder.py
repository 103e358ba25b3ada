"""Choices as bytes: they come back, and take as many bits as there is to choose."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from logicoder.compression.arithmetic_coder import ArithmeticDecoder, ArithmeticEncoder


@pytest.mark.parametrize("total", [1, 2, 3, 2**12, 2**16 - 1, 2**16, 2**16 + 1, 10**6 + 3, 2**33 + 5, 10**15])
def test_choices_take_the_bits_there_are_and_come_back(total) -> None:
    chosen = np.random.default_rng(0).integers(total, size=500).tolist()
    chosen[:2] = [0, total - 1]
    encoder = ArithmeticEncoder()
    for number in chosen:
        encoder.choose(number, total)
    written = encoder.finished()
    assert 8 * len(written) <= 1.001 * len(chosen) * log2(total) + 40
    decoder = ArithmeticDecoder(written)
    assert [decoder.choose(total) for _ in chosen] == chosen
