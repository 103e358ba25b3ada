"""In which order predicates are said: what comes later may use all that came before.

Given the order, each predicate is said in the best of its ways by itself; the search moves single predicates
to where all of them together are shortest. What a predicate takes depends on few others: only those are
looked at when it moves, so that thousands of predicates can be ordered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

import numpy as np

Cost = Callable[[str, frozenset[str]], float]
"""The bits of a predicate where some predicates are known."""

_TINY = 1e-6


class Order:
    """An order of predicates and what it costs.

    Args:
        names: the predicates.
        cost: bits of a predicate after others.
        mentions: for each predicate, those that make a difference to its bits.
        known: predicates that are always known.
        start: an order to begin with, if it is better than by what each predicate gains from all others.
    """

    def __init__(
        self,
        names: Sequence[str],
        cost: Cost,
        mentions: Mapping[str, frozenset[str]],
        known: frozenset[str],
        start: Sequence[str] = (),
    ) -> None:
        self._cost, self._mentions, self._known = cost, mentions, known
        self._kept: dict[tuple[str, frozenset[str]], float] = {}
        every = frozenset(names)
        self._others = {name: sorted((mentions[name] & every) - {name}) for name in names}
        self._users: dict[str, list[str]] = {name: [] for name in names}
        for name, others in self._others.items():
            for other in others:
                self._users[other].append(name)
        least = {name: self.bits_of(name, every) for name in names}
        self.relaxed = sum(least.values())
        self.names = sorted(names, key=lambda n: (self.bits_of(n, frozenset()) - least[n], n))
        self._renumber()
        self.bits = self.total()
        if start:
            gained, bits = self.names, self.bits
            self.names = list(start)
            self._renumber()
            self.bits = self.total()
            if bits < self.bits:
                self.names, self.bits = gained, bits
                self._renumber()

    def _renumber(self) -> None:
        self._places = {name: place for place, name in enumerate(self.names)}

    def bits_of(self, name: str, before: frozenset[str]) -> float:
        """Return the bits of a predicate after others."""
        own = self._mentions[name]
        key = (name, (own & before) | (own & self._known))
        if key not in self._kept:
            self._kept[key] = self._cost(*key)
        return self._kept[key]

    def before(self, name: str) -> frozenset[str]:
        """Return those before a predicate that make a difference to it."""
        place = self._places[name]
        return frozenset(other for other in self._others[name] if self._places[other] < place)

    def total(self) -> float:
        """Return the bits of all predicates in this order."""
        return sum(self.bits_of(name, self.before(name)) for name in self.names)

    def improve(self, stopped: Callable[[], bool]) -> bool:
        """Move each predicate once to where it costs least; return whether that made a difference."""
        before = self.bits
        for name in sorted(self.names):
            if stopped():
                break
            self._move(name)
        return self.bits < before - _TINY

    def shake(self, rng: np.random.Generator, times: int, stopped: Callable[[], bool]) -> bool:
        """Put some predicates anywhere and improve from there; return whether that made a difference."""
        before = self.names, self.bits
        self.names = list(self.names)
        for place in rng.choice(len(self.names), min(times, len(self.names)), replace=False).tolist():
            self.names.insert(int(rng.integers(len(self.names))), self.names.pop(place))
        self._renumber()
        self.bits = self.total()
        try:
            while self.improve(stopped):
                pass
        finally:
            if self.bits >= before[1] - _TINY:
                self.names, self.bits = before
                self._renumber()
        return self.bits < before[1]

    def _move(self, name: str) -> None:
        """Move a predicate behind one that it needs or before one that needs it, where that is best."""
        needed, users = set(self._others[name]), set(self._users[name])
        related = sorted(needed | users, key=self._places.__getitem__)
        if not related:
            return
        known: set[str] = set()
        own, without, after = [self.bits_of(name, frozenset())], [], []
        for other in related:
            if other in users:
                rest = self.before(other) - {name}
                without.append(self.bits_of(other, rest))
                after.append(self.bits_of(other, rest | {name}))
            else:
                without.append(0.0)
                after.append(0.0)
            if other in needed:
                known.add(other)
                own.append(self.bits_of(name, frozenset(known)))
            else:
                own.append(own[-1])
        ahead = list(accumulate(without, initial=0.0))
        behind = list(accumulate(reversed(after), initial=0.0))[::-1]
        totals = [a + b + c for a, b, c in zip(ahead, own, behind, strict=True)]
        present = sum(self._places[other] < self._places[name] for other in related)
        best = min(range(len(totals)), key=totals.__getitem__)
        if totals[best] < totals[present] - _TINY:
            self.bits += totals[best] - totals[present]
            self.names.remove(name)
            at = self.names.index(related[best - 1]) + 1 if best else self.names.index(related[0])
            self.names.insert(at, name)
            self._renumber()
