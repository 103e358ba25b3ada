"""Tokens that stop work: who is told, why, and what a part has to do with the whole."""

from __future__ import annotations

import pytest

from logicoder.base.effort import Effort, StoppedError
from logicoder.base.stopping import TIME_LIMIT, PartToken, StopToken


def test_listeners_are_told_while_they_listen() -> None:
    token, told = StopToken(), []
    with token.listening(lambda: told.append("heard")):
        assert not told
        token.stop("interrupted")
    assert told == ["heard"]
    token.stop("again")
    assert told == ["heard"]
    assert token.reason == "interrupted"


def test_a_part_stops_with_the_whole_but_not_the_other_way_round() -> None:
    whole = StopToken()
    part, other, told = PartToken(whole), PartToken(None), []
    with part.listening(lambda: told.append("part")), other.listening(lambda: told.append("other")):
        assert (part.reason, part.remaining, other.reason, other.remaining) == (None, None, None, None)
        part.stop("enough")
        assert (part.reason, whole.reason) == ("enough", None)
        whole.stop("interrupted")
        assert (part.reason, other.reason) == ("interrupted", None)
    assert told == ["part", "part"]


def test_the_shorter_time_counts() -> None:
    whole = StopToken(1000)
    part = PartToken(whole)
    assert 900 < part.remaining <= 1000
    part.allow(10)
    assert 0 < part.remaining <= 10
    part.allow(5000)
    assert 900 < part.remaining <= 1000
    part.allow(0)
    assert (part.stopped, part.reason, whole.stopped) == (True, TIME_LIMIT, False)
    part.allow(10)
    assert not part.stopped


def test_work_down_to_a_level() -> None:
    effort = Effort(work=100)
    assert effort.left == 100
    with effort.down_to(effort.after(0.25)):
        assert effort.left == 25
        with effort.down_to(50):  # no more than what is allowed around it
            assert effort.left == 25
        effort.work -= 30
        assert effort.left == 0
    assert effort.left == 70
    assert not effort.check()
    effort.stop.stop("interrupted")
    with pytest.raises(StoppedError):
        effort.check()
