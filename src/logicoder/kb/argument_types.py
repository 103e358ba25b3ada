"""Types for data that declares none: those for which there is strong evidence, and one for all the rest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from logicoder.base.errors import UsageError, shown
from logicoder.kb.mapping.names import identifier
from logicoder.kb.symbol_looks import NUMBERS, WORDS, look_of

if TYPE_CHECKING:
    from logicoder.kb.table import Ids

AUTO, ONE, INFER = "auto", "one", "infer"
WAYS = (AUTO, ONE, INFER)
THING = "thing"

_FEW_SHARED = 20
_SHARED = 0.01
"""Places with no more values in common, and no larger a share of the smaller one's, may be of two types."""
_LEAST_FACTS = 30
_LEAST_VALUES = 3
"""With fewer of them, looks tell nothing."""
_VALUE_FACTS = 50
_VALUE_USES = 10
"""Values that so many facts speak of, each so often on average, are attributes, not things."""


@dataclass(frozen=True)
class Place:
    """An argument of a predicate.

    Attributes:
        predicate: its name.
        index: which argument, counted from 0.
        arity: how many the predicate has.
        facts: how many atoms the predicate has.
        values: the distinct constants, rising.
    """

    predicate: str
    index: int
    arity: int
    facts: int
    values: Ids

    def __str__(self) -> str:
        return f"{self.predicate}({','.join('*' if i == self.index else '_' for i in range(self.arity))})"


@dataclass(frozen=True)
class GuessedTypes:
    """Types that nobody declared.

    Attributes:
        types: of the arguments of each predicate.
        evidence: why there is each type.
    """

    types: dict[str, tuple[str, ...]]
    evidence: dict[str, str]


def undeclared_types(places: Sequence[Place], symbols: Sequence[str], how: str) -> GuessedTypes:
    """Give types to the arguments of undeclared predicates.

    With `auto`, places that share values have one type, and so has everything else but for strong evidence:
    values that look different (numbers, dates, `person12` and `course7`), and few values that many facts
    have as their last argument and that nothing else is said of. With `one`, there is the type `thing`. With
    `infer`, arguments that share a constant share a type, and others never do.

    Args:
        places: all arguments of all predicates, in their order.
        symbols: of all constants.
        how: `auto`, `one` or `infer`.
    """
    if how not in WAYS:
        raise UsageError(f"types must be one of {', '.join(WAYS)}, not {shown(how)}")
    if how == ONE:
        found = dict.fromkeys(range(len(places)), THING)
        evidence = {THING: "one type for all, as asked"}
    elif how == INFER:
        roots = _connected(places, lambda _, shared: shared > 0)
        numbers = {root: f"type{number}" for number, root in enumerate(dict.fromkeys(roots), start=1)}
        found = {index: numbers[root] for index, root in enumerate(roots)}
        evidence = dict.fromkeys(numbers.values(), "arguments that share constants")
    else:
        found, evidence = _separated(places, symbols)
    types: dict[str, list[str]] = {}
    for index, place in enumerate(places):
        types.setdefault(place.predicate, []).append(found[index])
    return GuessedTypes({name: tuple(kinds) for name, kinds in types.items()}, evidence if places else {})


def _connected(places: Sequence[Place], enough: Callable[[Place, int], bool]) -> list[int]:
    """Return for each place the first one of its group; places that share enough constants are in one group.

    The largest places come first: a place is compared with those that are not smaller. The first place that
    holds a constant stands for it, so that each place joins the few such owners, in linear time.
    """
    parent = list(range(len(places)))

    def find(number: int) -> int:
        while parent[number] != number:
            parent[number] = parent[parent[number]]
            number = parent[number]
        return number

    owner = np.full(
        1 + max((int(place.values.max(initial=-1)) for place in places), default=-1), -1, np.int32
    )
    order = sorted(
        range(len(places)), key=lambda n: (-len(places[n].values), places[n].predicate, places[n].index)
    )
    for number in order:
        place = places[number]
        owners, counts = np.unique(owner[place.values], return_counts=True)
        shared: Counter[int] = Counter()
        for other, count in zip(owners.tolist(), counts.tolist(), strict=True):
            if other >= 0:
                shared[find(other)] += count
        for other, count in shared.items():
            if enough(place, count):
                parent[find(number)] = find(other)
        owner[place.values[owner[place.values] < 0]] = number
    first: dict[int, int] = {}
    return [first.setdefault(find(number), number) for number in range(len(places))]


@dataclass(frozen=True)
class _Group:
    """Places that share values."""

    places: tuple[Place, ...]
    values: Ids
    look: str
    share: float

    @property
    def facts(self) -> int:
        return sum(place.facts for place in self.places)

    @property
    def is_attribute(self) -> bool:
        """Whether its values only ever are what facts say of other things, again and again."""
        last = all(place.arity > 1 and place.index == place.arity - 1 for place in self.places)
        return (
            last and len(self.values) > 1 and self.facts >= max(_VALUE_FACTS, _VALUE_USES * len(self.values))
        )

    @property
    def looks_special(self) -> bool:
        return (
            self.look != WORDS
            and self.facts >= _LEAST_FACTS
            and len(self.values) >= min(_LEAST_VALUES, self.facts)
        )

    def told(self) -> str:
        some = ", ".join(map(str, self.places[:3])) + (", ..." if len(self.places) > 3 else "")
        return f"{len(self.values):,} values in {self.facts:,} facts, as {some}"


def _separated(places: Sequence[Place], symbols: Sequence[str]) -> tuple[dict[int, str], dict[str, str]]:
    """Return the type of each place, by its number, and the evidence for each type."""
    roots = _connected(places, lambda place, shared: shared > min(_FEW_SHARED, _SHARED * len(place.values)))
    members: dict[int, list[int]] = {}
    for number, root in enumerate(roots):
        members.setdefault(root, []).append(number)
    groups = {root: _group([places[n] for n in several], symbols) for root, several in members.items()}
    # The group with the most values is what the data is about; the others are compared with it.
    main = max(groups, key=lambda root: (len(groups[root].values), groups[root].facts, -root), default=-1)
    kinds: dict[int, str] = {}
    evidence: dict[str, str] = {}
    for root, group in groups.items():
        if root == main:
            continue
        special = group.looks_special and group.look != groups[main].look
        if special:
            name, why = identifier(group.look), f"{group.told()}; {group.share:.0%} look like it"
        elif group.is_attribute:
            name = identifier(re.split(r"[/#.:]", group.places[0].predicate)[-1])
            why = f"{group.told()}; always the last argument, and nothing else is said of them"
        else:
            continue
        if special and name in evidence:
            kinds[root] = name
            continue
        while name in evidence or name == THING:
            name += "_value"
        kinds[root], evidence[name] = name, why
    if groups:
        others = [root for root in groups if root not in kinds]
        rest = groups[main]
        if others != [main]:
            rest = _group([place for root in others for place in groups[root].places], symbols)
        named = evidence and rest.looks_special and rest.look not in (NUMBERS, *evidence)
        name = identifier(rest.look) if named else THING
        evidence[name] = rest.told() + ("" if evidence else "; nothing tells them apart")
        kinds |= {root: name for root in groups if root not in kinds}
    return {number: kinds[root] for number, root in enumerate(roots)}, evidence


def _group(places: Sequence[Place], symbols: Sequence[str]) -> _Group:
    there = np.zeros(len(symbols), np.bool_)
    for place in places:
        there[place.values] = True
    values = np.flatnonzero(there).astype(np.int32)
    return _Group(tuple(places), values, *look_of([symbols[i] for i in values.tolist()]))
