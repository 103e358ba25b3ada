"""Room for bodies: how many may be listed, since a language of many predicates has more than any memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

_STEPS = 1000
"""Whoever watches is asked after so many bodies, new or known, and after so many readings of a long one."""


@dataclass
class BodyRoom:
    """How many more bodies may be listed.

    Attributes:
        most: how many; None for any number.
        tick: called now and then, and ends the listing by raising an error.
        left_out: bodies that are known not to be listed, which are fewer than all of these.
    """

    most: int | None = None
    tick: Callable[[], None] = lambda: None
    left_out: int = 0
    _steps: int = 0

    def watched(self, items: Iterable[T]) -> Iterator[T]:
        """Iterate over items, and call `tick` now and then."""
        for item in items:
            self._steps += 1
            if self._steps % _STEPS == 0:
                self.tick()
            yield item

    def taken(self, items: Iterable[T], most: int | None) -> list[T]:
        """Return as many items as there may be; count the first one that has no room."""
        found: list[T] = []
        for item in self.watched(items):
            if most is not None and len(found) >= most:
                self.left_out += 1
                break
            found.append(item)
        return found
