"""Predicates without facts are known to the receiver: search and message count the same bits."""

from __future__ import annotations

import pytest

from logicoder import AutoEncoder
from logicoder.compression.message import Message
from logicoder.datasets import family


@pytest.mark.parametrize("seed", [1, 5])
def test_what_is_searched_for_is_what_is_said(seed):
    kb = family(2, 2, seed=seed)
    assert any(not kb.count(name) for name in kb.schema), "a predicate without facts"
    model = AutoEncoder(effort=20).fit(kb)
    assert model.bits_ == pytest.approx(Message.of(model.plan_, kb).bits)
    assert model.plain_bits_ - model.bits_ == pytest.approx(model.encode_losslessly(kb).bits.saved)
