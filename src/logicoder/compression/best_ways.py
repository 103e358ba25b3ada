"""The ways to say each predicate, and which of them is the best, given what is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from logicoder.base.effort import Effort
from logicoder.compression.domains import Domains, Taken
from logicoder.compression.exact_order import best_order
from logicoder.compression.goals import Goal
from logicoder.compression.ways import Choice, RuleList, Way

Known = frozenset[str]

_TURNS = 4
"""How often the predicates that a way uses are left out to see what it would use then."""

_MOST_ORDERED, _FEW = 12, 40
"""Predicates of which a bound takes all orders into account, where there are few."""

_MOST_LOOKS, _LOOK = 30_000_000, 20_000
"""Entries of coverage classes that are looked at for it, and what each look takes beside them."""

_TINY = 1e-6


class Options:
    """Chooses among the ways to say a predicate, given what is known.

    A way that chose some rules where much was known chooses the same where less is known, as long as that
    holds all they need: the others were not chosen anyway. So few choices are made anew while an order is
    searched.

    Args:
        domains: where domains can be taken from.
        goal: what is to be small.
        effort: counts what choosing costs.
    """

    def __init__(self, domains: Domains, goal: Goal, effort: Effort) -> None:
        self.domains, self._goal, self._effort = domains, goal, effort
        self._ways: dict[str, list[_Remembered]] = {}

    def update(
        self, ways: Mapping[str, Sequence[Way]], known: Mapping[str, Known] = MappingProxyType({})
    ) -> bool:
        """Take over the ways of some predicates, but for those that would be longer than before.

        More rules to choose from are not always better where each is chosen by itself.

        Args:
            ways: the ways of predicates.
            known: what is known before each predicate, as things are; those left out are taken over anyway.

        Returns:
            Whether there is anything new.
        """
        new = False
        for name, own in ways.items():
            found = [_Remembered(way, self._effort) for way in own]
            known_to = known.get(name)
            if (
                name not in self._ways
                or known_to is None
                or self._shortest(found, known_to)[0] <= self.cost(name, known_to) + _TINY
            ):
                self._ways[name] = found
                new = True
        return new

    def ways(self, name: str) -> list[Way]:
        """Return the ways to say a predicate."""
        return [kept.way for kept in self._ways[name]]

    def mentions(self) -> dict[str, Known]:
        """Return for each predicate those that can make a difference to it."""
        found = {}
        for name, own in self._ways.items():
            parts: Iterable[Iterable[str]] = (
                part for kept in own for part in (kept.way.mentions, self.domains.mentions(kept.way.space))
            )
            found[name] = frozenset[str]().union(*parts) - {name}
        return found

    def useful(self, background: Known) -> dict[str, Known]:
        """Return for each predicate those that make most of a difference to it.

        These are what its shortest way uses where everything is known, then where all but that is known, and
        so on: an order is searched among few predicates, where rules may use hundreds.
        """
        found = {}
        for name, every in self.mentions().items():
            useful, left = background, every - background
            for _ in range(_TURNS):
                _, choice, taken = self.best(name, left | background)
                used = (choice.needs | {other for _, other, _ in taken}) & left
                useful |= used
                left -= used
            found[name] = useful
        return found

    def best(self, name: str, known: Known) -> tuple[float, Choice, Taken]:
        """Return the best way to say a predicate: its cost, the choice, and domains within others."""
        cost, choice, taken, _ = self._shortest(self._ways[name], known)
        return cost, choice, taken

    def _shortest(self, ways: Sequence[_Remembered], known: Known) -> tuple[float, Choice, Taken, Way]:
        options = []
        for kept in ways:
            choice = kept.chosen(known)
            if choice is not None:
                saved, taken = self.domains.saved(choice.space, known)
                options.append((choice.cost - self._goal.within * saved, choice, taken, kept.way))
        return min(options, key=lambda option: option[0])

    def cost(self, name: str, known: Known) -> float:
        """Return what it costs."""
        return self._shortest(self._ways[name], known)[0]

    def improved(self, name: str, known: Known) -> tuple[Choice, Taken]:
        """Return the best way to say a predicate after more search."""
        _, choice, taken, way = self._shortest(self._ways[name], known)
        return way.improved(choice, known), taken

    def least(self, names: Sequence[str], always: Known) -> float:
        """Return what no choice among the ways of some predicates can undercut, whatever their order.

        Some predicates know those that come before them alone, but for those that make little difference
        to them; all others know everything. None can take less than with all that it knows.

        Args:
            names: the predicates.
            always: those that are known to all.
        """
        every = always.union(names)
        floors = {id(kept): kept.way.least(every) for name in names for kept in self._ways[name]}

        def within(way: Way, known: Known) -> float:
            return self._goal.within * self.domains.saved(way.space, known)[0]

        def relaxed(name: str) -> float:
            return min(floors[id(k)] - within(k.way, every - {name}) for k in self._ways[name])

        useful = self.useful(always) if len(names) <= _FEW else {}
        ordered = sorted(useful.keys() & set(names), key=lambda n: (len(useful[n]), n))[:_MOST_ORDERED]

        def looks() -> int:
            return sum(
                (kept.work + _LOOK) << len(useful[name].intersection(ordered))
                for name in ordered
                for kept in self._ways[name]
            )

        while looks() > _MOST_LOOKS:
            ordered.pop()

        @cache
        def bound(name: str, known: Known) -> float:
            self._effort.check()
            return min(
                max(floors[id(kept)], kept.way.priced(known)) - within(kept.way, known)
                for kept in self._ways[name]
            )

        mentions = self.mentions()
        rest = every.difference(ordered)

        def after(name: str, before: Known) -> float:
            return bound(name, mentions[name] & (before | (every - useful[name])))

        others = sum(relaxed(name) for name in names if name not in set(ordered))
        return others + best_order(sorted(ordered), rest, after)[0]


class _Remembered:
    """A way, and what it chose for which sets of known predicates."""

    def __init__(self, way: Way, effort: Effort) -> None:
        self.way, self._effort = way, effort
        listed = way.classes.rules if isinstance(way, RuleList) and way.classes is not None else ()
        self.work = len(listed)
        self._found: list[tuple[Known, Known, Choice | None]] = []

    def chosen(self, known: Known) -> Choice | None:
        known &= self.way.mentions
        for needs, most, choice in self._found:
            if needs <= known <= most:
                return choice
        self._effort.count(self.work)
        choice = self.way.chosen(known)
        self._found.append((frozenset() if choice is None else choice.needs, known, choice))
        return choice
