"""Whenever it is told to stop, compression has a result that can be decoded and is no worse than none."""

from __future__ import annotations

import gc
import random
import signal
from functools import cache

import pytest

from compression.worlds import comes_back, pairs, people
from logicoder import KnowledgeBase
from logicoder.base.effort import Effort
from logicoder.base.progress import Event, PhaseFinished, PhaseStarted
from logicoder.base.stopping import StopToken
from logicoder.compression.compressed import Compressed
from logicoder.compression.learned_plan import Compressor


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


class Interrupting(Countdown):
    """Is asked by somebody who presses Ctrl-C."""

    @property
    def reason(self) -> str | None:
        if self._reason is None:
            self.left -= 1
            if self.left < 0:
                self.left = 10**9
                raise KeyboardInterrupt
        return self._reason


@cache
def questions() -> int:
    """How often a whole run asks."""
    asked = Countdown(10**9)
    Compressor(KB, Effort(stop=asked)).run()
    return 10**9 - asked.left


@pytest.mark.parametrize("share", [0.0, 0.01, 0.05, 0.2, 0.4, 0.6, 0.8, 0.97, 1.0])
def test_a_stopped_run_has_a_result(share: float) -> None:
    stop = Countdown(round(share * questions()))
    compressor = Compressor(KB, Effort(stop=stop))
    found = compressor.run()
    assert found.bits <= found.domain_bits + 1e-6
    assert comes_back(compressor, found)


@pytest.mark.parametrize("share", [0.0, 0.03, 0.3, 0.7, 0.99])
def test_an_interrupted_run_has_a_result(share: float) -> None:
    told: list[Compressed] = []
    stop = Interrupting(round(share * questions()))
    compressor = Compressor(KB, Effort(stop=stop), best=told.append)
    found = compressor.run()
    assert found.stopped == "interrupted"
    assert found.bits == told[-1].bits
    assert found.bits <= found.domain_bits + 1e-6
    assert comes_back(compressor, found)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers here")
def test_an_interrupt_between_any_two_instructions_does_no_harm() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    gc.disable()  # what hypothesis does when garbage is collected must not be interrupted
    try:
        for milliseconds in range(1, 300, 23):
            compressor = Compressor(KB)
            found = None
            try:
                signal.setitimer(signal.ITIMER_REAL, milliseconds / 1000)
                found = compressor.run()
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                assert found is not None  # it came after the end
            assert found is not None
            assert found.stopped in (None, "interrupted")
            assert comes_back(compressor, found)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()


def test_messages_are_told_as_they_get_shorter() -> None:
    told: list[Compressed] = []
    events: list[Event] = []
    found = Compressor(KB, report=events.append, best=told.append).run()
    bits = [message.bits for message in told]
    assert bits == sorted(set(bits), reverse=True)
    assert not any(step.layers for step in told[0].plan)
    assert all(domain.within is None for step in told[0].plan for domain in step.domains)
    assert (found.bits, found.plan, found.stopped) == (told[-1].bits, told[-1].plan, None)
    assert len(told) >= 4
    phases = [event.phase for event in events if isinstance(event, PhaseStarted)]
    assert phases == [event.phase for event in events if isinstance(event, PhaseFinished)]
    assert phases[:2] == ["domains", "rules of one literal"]


def test_every_message_told_can_be_decoded() -> None:
    told: list[Compressed] = []
    compressor = Compressor(KB, best=told.append)
    compressor.run()
    assert all(comes_back(compressor, message) for message in told)


def test_less_work_gives_less_and_ends() -> None:
    bits = []
    for work in (0, 10_000, 10**9):
        effort = Effort(work=work)
        compressor = Compressor(KB, effort)
        found = compressor.run()
        assert found.stopped is None
        assert comes_back(compressor, found)
        bits.append(found.bits)
    assert bits[0] > bits[1] > bits[2]


def test_patience_ends_a_search_that_saves_too_little() -> None:
    spent = []
    for patience in (1.0, 0.0):
        effort = Effort(patience=patience)
        Compressor(KB, effort).run()
        spent.append(effort.spent)
    assert spent[0] < spent[1]


def test_more_time_is_no_loss_and_none_gives_no_rules() -> None:
    at_once = Compressor(KB, Effort(stop=Countdown(0))).run()
    assert not any(step.layers or step.form in ("transitive", "equivalence") for step in at_once.plan)
    assert Compressor(KB).run().bits < 0.8 * at_once.bits
