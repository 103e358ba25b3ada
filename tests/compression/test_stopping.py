"""Whenever it is told to stop, compression has a result that can be decoded and is no worse than none."""

from __future__ import annotations

import random
from functools import cache

import pytest

from compression.worlds import comes_back, pairs, people
from logicoder import KnowledgeBase
from logicoder.base.effort import Effort
from logicoder.base.stopping import StopToken
from logicoder.compression.learn import Compressor


class Countdown(StopToken):
    """Says stop after some questions."""

    def __init__(self, questions: int) -> None:
        super().__init__()
        self.left = questions

    @property
    def reason(self) -> str | None:
        self.left -= 1
        return "time limit" if self.left < 0 else None


def world() -> KnowledgeBase:
    """Chains of two and three, constants, a closure, a symmetric relation and a wide predicate."""
    rng = random.Random(11)  # noqa: S311
    names = people(30)
    a, b = pairs("a", 30, 60, rng), pairs("b", 30, 60, rng)
    c = {("c", x, z) for _, x, y in a for _, y2, z in b if y == y2}
    d = {("d", x, z) for _, x, y in c for _, y2, z in a if y == y2}
    kind = {("kind", x, rng.choice(("red", "green"))) for x in names}
    red = {("red", x) for _, x, colour in kind if colour == "red"}
    above = {("above", names[i], names[j]) for i in range(12) for j in range(i + 1, 12)}
    friend = {("friend", *p) for _, x, y in b for p in ((x, y), (y, x))}
    wide = {("wide", x, y, colour) for _, x, y in a for _, x2, colour in kind if x == x2}
    return KnowledgeBase.from_facts(sorted(a | b | c | d | kind | red | above | friend | wide))


KB = world()


@cache
def questions() -> int:
    """How often a whole run asks."""
    asked = Countdown(10**9)
    Compressor(KB, Effort(stop=asked)).run()
    return 10**9 - asked.left


@pytest.mark.parametrize("share", [0.0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97, 1.0])
def test_a_stopped_run_has_a_result(share: float) -> None:
    stop = Countdown(round(share * questions()))
    compressor = Compressor(KB, Effort(stop=stop))
    found = compressor.run()
    assert found.bits <= found.domain_bits + 1e-6
    assert comes_back(compressor, found)


def test_more_time_is_no_loss_and_none_gives_no_rules() -> None:
    at_once = Compressor(KB, Effort(stop=Countdown(0))).run()
    assert not any(step.layers or step.form in ("transitive", "equivalence") for step in at_once.plan)
    assert Compressor(KB).run().bits < 0.8 * at_once.bits
