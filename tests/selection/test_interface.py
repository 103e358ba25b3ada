"""What every solver does around its search."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from logicoder.base.errors import SearchError, UsageError
from logicoder.base.progress import Improved
from logicoder.problem import CoverageClass, DecoderItem, EncoderItem, PredicateItem, Problem
from logicoder.selection.interface import Solver
from logicoder.selection.search import Search
from logicoder.selection.solution import Solution

PROBLEM = Problem(
    targets=(PredicateItem("p", 3),),
    encoders=(EncoderItem("latent1(X) :- p(X).", 3, 1, ("p",)),),
    decoders=(DecoderItem("p(X) :- latent1(X).", "p", (0,), 1, 3, 0),),
    families={"ordinary": (CoverageClass(True, 3, (0,), 0),)},
)


@dataclass(frozen=True)
class Idle(Solver):
    """Finds nothing, or what it is told to find; remembers the goals it was asked for."""

    name: ClassVar[str] = "idle"
    finds: tuple[int, ...] | None = None
    goals: list[str] = field(default_factory=list)

    def improve(self, search: Search, seed: int) -> None:
        del seed
        self.goals.append(search.goal)
        if self.finds is not None:
            search.offer(self.finds)


def test_without_a_selection_there_is_no_further_goal() -> None:
    solver = Idle(objective="lexicographic")
    with pytest.raises(SearchError, match="no program was found before the search ended"):
        solver.solve(PROBLEM)
    assert solver.goals == ["loss"]


def test_one_goal_after_the_other() -> None:
    solver = Idle(objective="lexicographic", finds=(0,))
    found = solver.solve(PROBLEM)
    assert solver.goals == ["loss", "size"]
    assert (found.loss, found.size, found.size_bound, found.stopped) == (0, 5, 0, "effort")


def test_what_is_given_to_start_with_is_kept() -> None:
    solver = Idle(objective="loss", finds=())
    assert solver.solve(PROBLEM, start=[0]).decoders == (0,)


@pytest.mark.parametrize(("start", "finds"), [((0,), None), ((0,), ()), ((), (0,))])
def test_what_a_search_had_before_it_was_cut_off_counts_if_nothing_as_good_is_found(start, finds) -> None:
    kept: list[Solution] = []
    found = Idle(objective="loss", finds=finds).solve(PROBLEM, start=start, resumed=True, keep=kept.append)
    assert found.decoders == (0,)
    assert kept[0].decoders == start, "until then it is kept"


def test_an_unknown_objective() -> None:
    with pytest.raises(UsageError, match="there is no objective 'beauty'; choose from: loss"):
        Idle(objective="beauty").solve(PROBLEM)


def test_an_improvement_is_told_at_once() -> None:
    events: list[Improved] = []
    Idle(finds=(0,)).solve(PROBLEM, report=events.append)
    assert [event.loss for event in events] == [0]
