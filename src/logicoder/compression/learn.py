"""Programs that say the data in few bits: count rules, choose among them predicate by predicate, find an order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from logicoder.compression.code import ClauseCode, set_bits
from logicoder.compression.order import Order
from logicoder.compression.plan import Domain, Plan, Step
from logicoder.compression.ways import Choice, ClosedBase, Domains, RuleList, Way, table_bits
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.relation import Keys
from logicoder.engine.arrays.rules.classes import classes_of_atoms
from logicoder.engine.arrays.rules.closures import FORMS, closure_of
from logicoder.engine.arrays.rules.counts import Counted, Effort, RuleCounts
from logicoder.engine.arrays.rules.refinements import Refinements
from logicoder.engine.arrays.rules.spaces import Space, spaces_of
from logicoder.engine.arrays.rules.tables import RuleTables
from logicoder.engine.arrays.rules.wide import wide_rules
from logicoder.logic.rules import Rule

if TYPE_CHECKING:
    from logicoder.kb.knowledge_base import KnowledgeBase

_ALIKE = 2
"""Rules with the same body predicates that are kept for a head."""

_MOST_RULES = 300
"""Rules that are kept for a head."""

_LEAST_ATOMS = 500_000
_ATOMS_PER_FACT = 50
"""Atoms that the rules kept for a head may derive together: so many, and for each fact so many more."""

_LONGER = 2
"""How often the best rules of each head get one more literal."""

_REFINED = 10
"""Rules of each head that get one more literal."""

_SEEDS = 3
"""Rules that are tried as seeds of a closure."""


@dataclass(frozen=True)
class Compressed:
    """How each predicate is said, in order.

    Attributes:
        choices: the predicates in the order in which they are said.
        domains: where domains of places are taken from.
        plain_bits: the facts in the plain code, by types alone.
        domain_bits: the facts with domains of places and without any rule.
        bits: all of the message.
        relaxed_bits: what it would be if every predicate could use all others.
    """

    choices: Mapping[str, Choice]
    domains: Mapping[str, tuple[tuple[int, str, int], ...]]
    plain_bits: float
    domain_bits: float
    bits: float
    relaxed_bits: float

    @property
    def plan(self) -> Plan:
        """How each predicate is said, whatever the data."""
        return Plan(
            tuple(
                Step(name, choice.form, self._domains(name, choice), tuple(x.rules for x in choice.layers))
                for name, choice in self.choices.items()
            )
        )

    def _domains(self, name: str, choice: Choice) -> tuple[Domain, ...]:
        taken = {place: (other, column) for place, other, column in self.domains[name]}
        return tuple(Domain(place, taken.get(place)) for place in choice.space.places)


class Compressor:
    """Searches for the shortest message.

    Args:
        kb: the data.
        effort: what counting may cost.
        stopped: whether to end now.
    """

    def __init__(
        self, kb: KnowledgeBase, effort: Effort | None = None, stopped: Callable[[], bool] = lambda: False
    ) -> None:
        self.database = Database(kb)
        self.names = tuple(sorted(kb.learnable))
        self.background = frozenset(
            name for name in kb.predicates if name not in kb.learnable and kb.schema[name].arity
        )
        usable = {name for name in (*self.names, *self.background) if kb.schema[name].arity}
        self.tables = RuleTables(self.database, {name: self.database.relation(name) for name in usable})
        self.effort = effort or Effort(stopped=stopped)
        self.stopped = stopped
        sizes = {
            (name, place): self.database.sizes[kind]
            for name in self.tables.names
            for place, kind in enumerate(self.tables.relation(name).types)
        }
        self.code = ClauseCode(len(self.tables.names), sizes)

    # -- the heads ----------------------------------------------------------------------------------------

    @cached_property
    def all_spaces(self) -> dict[str, list[Space]]:
        """All ways to look at each predicate."""
        return {name: spaces_of(self.database, name, self.database.relation(name)) for name in self.names}

    @cached_property
    def spaces(self) -> list[Space]:
        """The best way to look at each predicate; the best without domains, and by pairs where that is near.

        Rules may say what domains say, and for less: so both are tried.
        """
        found = []
        for spaces in self.all_spaces.values():
            found.append(min((s for s in spaces if not s.symmetric), key=table_bits))
            if found[-1].places:
                found.append(min((s for s in spaces if not s.symmetric and not s.places), key=table_bits))
            paired = min((s for s in spaces if s.symmetric), key=table_bits, default=None)
            if paired is not None and 2 * paired.one_sided < paired.facts:
                found.append(paired)
        return found

    @cached_property
    def domain_bits(self) -> float:
        """The bits of all facts with domains, without any rule."""
        return sum(min(table_bits(s) for s in spaces if not s.apart) for spaces in self.all_spaces.values())

    @cached_property
    def plain_bits(self) -> float:
        """The bits of all facts by types alone."""
        whole = [s for spaces in self.all_spaces.values() for s in spaces if not s.apart and not s.places]
        return float(sum(set_bits(s.atoms, s.facts) for s in whole))

    # -- candidates -----------------------------------------------------------------------------------

    def counted(self) -> dict[int, list[tuple[float, Counted, float]]]:
        """Return for each space the rules that pay by themselves: what each saves and its bits, best first."""
        spaces = self.spaces
        atoms = np.array([float(s.atoms) for s in spaces])
        facts = np.array([float(s.facts) for s in spaces])
        alone = set_bits(atoms, facts)
        cheapest = 2.0 + np.log2(max(1, self.code.symbols))

        def gain(numbers: np.ndarray, derived: np.ndarray, true: np.ndarray) -> np.ndarray:
            a, n = atoms[numbers], facts[numbers]
            return alone[numbers] - set_bits(derived, true) - set_bits(a - derived, n - true)

        def worth(numbers: np.ndarray, derived: np.ndarray, true: np.ndarray, literals: int) -> np.ndarray:
            return gain(numbers, derived, true) > cheapest * literals

        least = [_least_true(gain, number, int(n), cheapest) for number, n in enumerate(facts)]
        counts = RuleCounts(self.tables, spaces, least, worth, self.effort)
        found: dict[int, dict[Rule, tuple[float, Counted, float]]] = {n: {} for n in range(len(spaces))}

        def take(items: Iterable[Counted]) -> None:
            rules = list(items)
            gains = gain(
                np.array([c.space for c in rules], np.int64),
                np.array([float(c.derived) for c in rules]),
                np.array([float(c.true) for c in rules]),
            )
            for item, saved in zip(rules, gains.tolist(), strict=True):
                if saved > 0:
                    length = self.code.bits(spaces[item.space].predicate, item.rule)
                    if saved > length:
                        found[item.space][item.rule] = (saved - length, item, length)

        def best(most: int) -> list[Counted]:
            ranked = (sorted(own.values(), key=_by_saving) for own in found.values())
            return [item for own in ranked for _, item, _ in _varied(own)[:most]]

        take(counts.run())
        further = Refinements(self.tables, spaces, least, worth, self.effort, counts.walks)
        take(wide_rules(self.tables, spaces, least, self.effort))
        take(further.constants())
        take(further.long_chains())
        for _ in range(_LONGER):
            take(further.longer(best(_REFINED)))
        return {number: sorted(own.values(), key=_by_saving) for number, own in found.items()}

    def ways(self) -> dict[str, list[Way]]:
        """Return the ways to say each predicate."""
        found: dict[str, list[Way]] = {name: [] for name in self.names}
        counted = self.counted()
        kept = {number: _varied(items, self._room(number)) for number, items in counted.items()}
        atoms = self._atoms({number: [item.rule for _, item, _ in items] for number, items in kept.items()})
        for number, space in enumerate(self.spaces):
            rules = [item.rule for _, item, _ in kept[number]]
            classes = classes_of_atoms(space, atoms.pop(number)) if rules else None
            lengths = np.array([length for _, _, length in kept[number]])
            found[space.predicate].append(RuleList(space, rules, lengths, classes))
            found[space.predicate] += self._closures(space, counted[number])
        return found

    def _room(self, number: int) -> int:
        return _LEAST_ATOMS + _ATOMS_PER_FACT * self.spaces[number].facts

    def _atoms(self, rules: Mapping[int, Sequence[Rule]]) -> dict[int, list[Keys]]:
        """Return what rules derive in their spaces; a rule of several heads is evaluated once."""
        places: dict[tuple[tuple[int, ...], Rule], list[tuple[int, int]]] = {}
        for number, own in rules.items():
            for place, rule in enumerate(own):
                places.setdefault((self.spaces[number].types, rule), []).append((number, place))
        found: dict[int, list[Keys]] = {n: [np.empty(0, np.int64)] * len(own) for n, own in rules.items()}
        for (types, rule), users in places.items():
            keys = self.tables.atoms(types, rule)
            for number, place in users:
                found[number][place] = self.spaces[number].within(keys)
        return found

    def _closures(self, space: Space, counted: Sequence[tuple[float, Counted, float]]) -> list[Way]:
        """Return the closures of one relation that pay."""
        if len(space.types) != 2 or space.types[0] != space.types[1] or space.facts < 3:
            return []
        form = "equivalence" if space.symmetric else "transitive"
        if not space.apart:
            others = [s for s in self.all_spaces[space.predicate] if s.apart and not s.symmetric]
            space = min(others, key=table_bits)
        seeds: list[tuple[Rule | None, float]] = [(None, 0.0)]
        for _, item, length in counted:
            if len(item.rule.body) == 1 and 2 * item.true >= item.derived and len(seeds) <= _SEEDS:
                seeds.append((item.rule, length))
        found: list[Way] = []
        for rule, length in seeds:
            atoms = [] if rule is None else space.within(self.tables.atoms(space.types, rule))
            closure = closure_of(space, FORMS[form], np.asarray(atoms, np.int64))
            # With more false atoms a closure would be no more than a hidden domain.
            if closure is not None and closure.base + closure.given and 2 * closure.false < closure.derived:
                way = ClosedBase(space, form, closure, rule, length)
                if way.bits < table_bits(space):
                    found.append(way)
        return found

    def domains(self) -> Domains:
        """Return which places hold all values of which others."""
        from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import)

        within: dict[tuple[str, int, bool], list[tuple[str, int, int]]] = {}
        columns = self.tables.columns
        for kind in sorted({column.kind for column in columns}):
            own = [column for column in columns if column.kind == kind]
            asked = [
                (space, place)
                for space in self.spaces
                for place in space.places
                if space.types[place] == kind
            ]
            if not asked:
                continue
            rows = np.repeat(np.arange(len(own)), [len(c.values) for c in own])
            values = np.concatenate([c.values for c in own])
            shape = (len(own), self.database.sizes[kind])
            held = csr_matrix((np.ones(len(rows), np.float32), (rows, values)), shape=shape)
            masks = [np.flatnonzero(space.masks[place]) for space, place in asked]
            rows = np.repeat(np.arange(len(asked)), [len(m) for m in masks])
            shape = (len(asked), self.database.sizes[kind])
            wanted = csr_matrix((np.ones(len(rows), np.float32), (rows, np.concatenate(masks))), shape=shape)
            common = (wanted @ held.T).tocsr()
            for number, (space, place) in enumerate(asked):
                row = slice(common.indptr[number], common.indptr[number + 1])
                whole = common.indices[row][common.data[row] >= len(masks[number]) - 0.5]
                within[space.predicate, place, space.symmetric] = sorted(
                    (
                        (own[i].predicate, own[i].column, len(own[i].values))
                        for i in whole.tolist()
                        if own[i].predicate != space.predicate
                    ),
                    key=lambda entry: (entry[2], entry[0], entry[1]),
                )
        return Domains(within, len(columns))

    # -- all together ---------------------------------------------------------------------------------

    def run(self) -> Compressed:
        """Return the best message found."""
        ways, domains = self.ways(), self.domains()
        mentions = {
            name: frozenset().union(
                *(way.mentions for way in own), *(domains.mentions(way.space) for way in own)
            )
            - {name}
            for name, own in ways.items()
        }

        def choose(
            name: str, known: frozenset[str]
        ) -> tuple[float, Choice, tuple[tuple[int, str, int], ...]]:
            options = []
            for way in ways[name]:
                choice = way.chosen(known)
                if choice is not None:
                    saved, taken = domains.saved(choice.space, known)
                    options.append((choice.bits - saved, choice, taken))
            return min(options, key=lambda option: option[0])

        order = Order(self.names, lambda name, known: choose(name, known)[0], mentions, self.background)
        while order.improve(self.stopped):
            pass
        choices, taken = {}, {}
        known = self.background
        for name in order.names:
            _, choices[name], taken[name] = choose(name, known)
            known |= {name}
        return Compressed(choices, taken, self.plain_bits, self.domain_bits, order.bits, order.relaxed)


def _least_true(
    gain: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray], number: int, facts: int, bits: float
) -> int:
    """Return the fewest facts with which a rule can pay, were it always right."""
    low, high = 1, facts + 1
    while low < high:
        middle = (low + high) // 2
        exact = np.array([float(middle)])
        if middle <= facts and gain(np.array([number]), exact, exact)[0] <= bits:
            low = middle + 1
        else:
            high = middle
    return max(2, low)


def _by_saving(entry: tuple[float, Counted, float]) -> tuple[float, str]:
    return -entry[0], repr(entry[1].rule)


def _varied(
    items: Sequence[tuple[float, Counted, float]], room: int = _LEAST_ATOMS
) -> list[tuple[float, Counted, float]]:
    """Return the best rules, few of each set of body predicates, as far as there is room."""
    times: dict[frozenset[str], int] = {}
    atoms = 0
    kept = []
    for entry in items:
        item = entry[1]
        about = item.rule.predicates
        if times.get(about, 0) >= _ALIKE or atoms + item.derived > room:
            continue
        times[about] = times.get(about, 0) + 1
        atoms += item.derived
        kept.append(entry)
        if len(kept) >= _MOST_RULES:
            break
    return kept
