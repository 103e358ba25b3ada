"""In which order predicates are said: what comes later may use all that came before.

Given the order, each predicate is said in the best of its ways by itself; the search moves single predicates
to where all of them together are shortest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

Cost = Callable[[str, frozenset[str]], float]
"""The bits of a predicate where some predicates are known."""


class Order:
    """An order of predicates and what it costs.

    Args:
        names: the predicates.
        cost: bits of a predicate after others.
        mentions: for each predicate, those that make a difference to its bits.
        known: predicates that are always known.
    """

    def __init__(
        self, names: Sequence[str], cost: Cost, mentions: Mapping[str, frozenset[str]], known: frozenset[str]
    ) -> None:
        self._cost, self._mentions, self._known = cost, mentions, known
        self._kept: dict[tuple[str, frozenset[str]], float] = {}
        every = frozenset(names)
        self.relaxed = sum(self.bits_of(name, every - {name}) for name in names)
        self.names = sorted(
            names, key=lambda n: (self.bits_of(n, frozenset()) - self.bits_of(n, every - {n}), n)
        )
        self.bits = self.total()

    def bits_of(self, name: str, before: frozenset[str]) -> float:
        """Return the bits of a predicate after others."""
        key = (name, (before | self._known) & self._mentions[name])
        if key not in self._kept:
            self._kept[key] = self._cost(*key)
        return self._kept[key]

    def total(self) -> float:
        """Return the bits of all predicates in this order."""
        before: frozenset[str] = frozenset()
        total = 0.0
        for name in self.names:
            total += self.bits_of(name, before)
            before |= {name}
        return total

    def improve(self, stopped: Callable[[], bool]) -> bool:
        """Move each predicate once to where it costs least; return whether that made a difference."""
        before = self.bits
        for name in sorted(self.names):
            if stopped():
                break
            self._move(name)
        return self.bits < before - 1e-6

    def _move(self, name: str) -> None:
        rest = [other for other in self.names if other != name]
        known: frozenset[str] = frozenset()
        own, without, after = [], [], []
        for other in rest:
            own.append(self.bits_of(name, known))
            without.append(self.bits_of(other, known))
            after.append(
                self.bits_of(other, known | {name}) if name in self._mentions[other] else without[-1]
            )
            known |= {other}
        own.append(self.bits_of(name, known))
        ahead = list(accumulate(without, initial=0.0))
        behind = list(accumulate(reversed(after), initial=0.0))[::-1]
        totals = [a + b + c for a, b, c in zip(ahead, own, behind, strict=True)]
        place = min(range(len(totals)), key=totals.__getitem__)
        if totals[place] < self.bits - 1e-6:
            self.names = [*rest[:place], name, *rest[place:]]
            self.bits = totals[place]
