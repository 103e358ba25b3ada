"""How a search ended, in words."""

from __future__ import annotations

from types import SimpleNamespace

from logicoder.report.search_steps import STOPPED, why_stopped


def test_why_a_search_ended() -> None:
    reason = next(iter(STOPPED))
    assert why_stopped(SimpleNamespace(stopped_=None)) == ""
    assert why_stopped(SimpleNamespace(stopped_=reason, status_="feasible")) == STOPPED[reason]
    rounds = {"candidates": {"rounds": 2}}
    lost = SimpleNamespace(stopped_=reason, status_="optimal", statistics_=rounds, loss_=3)
    assert why_stopped(lost) == f"for these candidates; others may lose less: {STOPPED[reason]}"
