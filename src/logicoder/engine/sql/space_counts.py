"""Counts that a description length asks for: possible atoms, facts, values of places, coverage classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from logicoder.engine.interface import WORLD as HIDDEN
from logicoder.engine.sql.bit_masks import BITS, marked, mask_names
from logicoder.engine.sql.relations import WORLD, Relations, argument_columns, listed, same
from logicoder.logic.plain_constants import plain_constant
from logicoder.logic.rules import Rule, clause_of

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.kb.schema import Schema

MOST_RULES = BITS
"""Rules whose coverage is told together: a bit of a number for each."""

_SHOWN = 3
"""Shapes of clauses that a message names."""

Worlds = dict[str | None, int]
"""A number for each interpretation; for None where there is one only."""


@dataclass(frozen=True)
class Look:
    """One way to look at the possible atoms of a predicate.

    Attributes:
        predicate: its name.
        told: the places whose domains are told.
        apart: whether atoms p(x,x) are told apart.
        symmetric: whether p(x,y) and p(y,x) count as one, over one domain for both places.
    """

    predicate: str
    told: tuple[int, ...] = ()
    apart: bool = False
    symmetric: bool = False


@dataclass(frozen=True)
class LookCounts:
    """What a look comes to: see `logicoder.engine.arrays.rules.spaces.Space`.

    Attributes:
        atoms: possible atoms, those apart left out.
        facts: facts among them.
        diagonal: possible atoms told apart, and the facts among them.
        one_sided: symmetric pairs of which one atom alone is a fact.
        domains: number of values and of entities of the type, for each domain that is told.
        values: number of values that each place may have.
    """

    atoms: int
    facts: int
    diagonal: tuple[int, int]
    one_sided: int
    domains: tuple[tuple[int, int], ...]
    values: tuple[int, ...]


class SpaceCounts:
    """Counts within data.

    Args:
        data: the facts.
        schema: their types.
    """

    def __init__(self, data: StoredData, schema: Schema) -> None:
        self._data, self._session, self._schema = data, data.session, schema
        self._entities: dict[str, tuple[str, Worlds]] = {}
        self._values: dict[tuple[str, frozenset[int]], tuple[str, Worlds]] = {}
        self._normal: dict[tuple[str, bool, bool], str] = {}

    # -- entities and values ------------------------------------------------------------------------------

    @cached_property
    def _world(self) -> list[str]:
        return [WORLD] if self._data.several else []

    def _distinct(
        self, places: Sequence[tuple[str, int]], more: Sequence[str], purpose: str
    ) -> tuple[str, Worlds]:
        """Return a table of all values of some places, and how many there are."""
        columns = [*self._world, "v"]
        parts = []
        for name, place in places:
            own = argument_columns(self._data.relations[name].arity)[place]
            parts.append(
                f"SELECT {listed([*self._world, f'{own} AS v'])} FROM {self._data.relations[name].table}"
            )
        parts += more
        union = " UNION ALL ".join(parts)
        table = self._session.table(
            f"SELECT DISTINCT {listed(columns)} FROM ({union}) AS every_value", purpose
        )
        return table, self._by_world(f"SELECT {listed([*self._world, 'count(*)'])} FROM {table}", purpose)

    def _by_world(self, query: str, purpose: str) -> Worlds:
        if not self._data.several:
            return {None: self._session.value(query, purpose)}
        found = dict(self._session.rows(f"{query} GROUP BY {WORLD}", purpose))
        return {world: int(found.get(world, 0)) for world in self._data.interpretations}

    def _declared(self, kind: str) -> list[str]:
        """Return queries for the constants of a declared domain, which every interpretation has."""
        symbols = self._schema.domains.get(kind, ())
        if not symbols:
            return []
        rows = [(plain_constant(symbol),) for symbol in symbols]
        table = self._session.filled(["v"], rows, f"listing the type {kind}")
        if not self._data.several:
            return [f"SELECT v FROM {table}"]
        worlds = " UNION ALL ".join(
            f"SELECT {self._session.as_text(self._session.literal(name))} AS {WORLD}"
            for name in self._data.interpretations
        )
        return [f"SELECT {WORLD}, v FROM ({worlds}) AS worlds, {table} AS domain"]

    def entities(self, kind: str) -> Worlds:
        """Return the number of constants of a type, in each interpretation."""
        if kind == HIDDEN:
            return dict.fromkeys(self._data.interpretations if self._data.several else [None], 1)
        if kind not in self._entities:
            places = [
                (name, place)
                for name in self._data.relations
                for place, own in enumerate(self._schema[name].types)
                if own == kind
            ]
            self._entities[kind] = self._distinct(places, self._declared(kind), f"counting the type {kind}")
        return self._entities[kind][1]

    def values(self, name: str, places: Sequence[int]) -> tuple[str, Worlds]:
        """Return the table of the values of some places of a predicate, and how many there are."""
        return self._of_places(name, frozenset(places))

    def listed_entities(self, kind: str) -> tuple[str, Worlds]:
        """Return the table of the constants of a type, and how many there are."""
        self.entities(kind)
        return self._entities[kind]

    def _types(self, name: str) -> tuple[str, ...]:
        """Return the types of a predicate; the hidden one of interpretations where it has none."""
        return self._schema[name].types or (HIDDEN,)

    def _of_places(self, name: str, places: frozenset[int]) -> tuple[str, Worlds]:
        key = name, places
        if key not in self._values:
            own = [(name, place) for place in sorted(places)]
            self._values[key] = self._distinct(own, [], f"counting values of {name}")
        return self._values[key]

    def possible(self, counts: Sequence[Worlds]) -> int:
        """Return how many atoms there are with arguments of so many values, in all interpretations."""
        return sum(prod(own[world] for own in counts) for world in counts[0])

    def atoms(self, types: Sequence[str]) -> int:
        """Return how many atoms there are with arguments of some types."""
        return self.possible([self.entities(kind) for kind in types or (HIDDEN,)])

    def plain(self, name: str) -> tuple[int, int]:
        """Return the possible atoms of a predicate by its types, and its facts."""
        return self.atoms(self._schema[name].types), self._data.counts[name]

    def is_within(self, name: str, places: Sequence[int], other: str, column: int) -> int | None:
        """Return how many values a place of a predicate has, if all values of some places are among them."""
        own, _ = self._of_places(name, frozenset(places))
        held, counts = self._of_places(other, frozenset([column]))
        columns = listed([*self._world, "v"])
        query = f"SELECT {columns} FROM {own} EXCEPT SELECT {columns} FROM {held}"
        query = f"SELECT count(*) FROM ({query}) AS outside"
        outside = self._session.value(query, f"comparing values of {name} and {other}")
        return None if outside else sum(counts.values())

    # -- looks --------------------------------------------------------------------------------------------

    def look(self, look: Look) -> LookCounts:
        """Return what a look comes to."""
        types = self._types(look.predicate)
        if look.symmetric:
            both = frozenset([0, 1])
            told = {0: both, 1: both} if look.told else {}
        else:
            told = {place: frozenset([place]) for place in look.told}
        counts = [
            self._of_places(look.predicate, told[place])[1] if place in told else self.entities(kind)
            for place, kind in enumerate(types)
        ]
        atoms, facts = self.possible(counts), self._data.counts[look.predicate]
        diagonal, one_sided = (0, 0), 0
        if look.apart:
            inside = self._both(look, told, types[0])
            off = self._count(look.predicate, apart=True, symmetric=False)
            diagonal = inside, facts - off
            atoms, facts = atoms - inside, off
            if look.symmetric:
                pairs = self._count(look.predicate, apart=True, symmetric=True)
                one_sided, facts, atoms = 2 * pairs - off, pairs, atoms // 2
        domains = tuple(
            (sum(counts[place].values()), sum(self.entities(types[place]).values()))
            for place in (sorted(told)[:1] if look.symmetric else sorted(told))
        )
        values = tuple(sum(own.values()) for own in counts)
        return LookCounts(atoms, facts, diagonal, one_sided, domains, values)

    def _both(self, look: Look, told: dict[int, frozenset[int]], kind: str) -> int:
        """Return the number of entities that may stand at both places."""
        tables = [self._of_places(look.predicate, places) for places in dict.fromkeys(told.values())]
        if not tables:
            return sum(self.entities(kind).values())
        if len(tables) == 1:
            return sum(tables[0][1].values())
        on = same("f", "s", [*self._world, "v"])
        query = f"SELECT count(*) FROM {tables[0][0]} AS f JOIN {tables[1][0]} AS s ON {on}"
        return self._session.value(query, f"comparing the places of {look.predicate}")

    def _count(self, name: str, *, apart: bool, symmetric: bool) -> int:
        table = self.normal(name, apart=apart, symmetric=symmetric)
        return self._session.value(f"SELECT count(*) FROM {table}", f"counting {name}")

    def normal(self, name: str, *, apart: bool, symmetric: bool) -> str:
        """Return the table of facts as a look has them."""
        key = name, apart, symmetric
        if not apart:
            return self._data.relations[name].table
        if key not in self._normal:
            look = Look(name, (), apart, symmetric)
            query = self.seen(f"SELECT * FROM {self._data.relations[name].table}", look)
            self._normal[key] = self._session.table(query, f"looking at {name}")
        return self._normal[key]

    def seen(self, atoms: str, look: Look) -> str:
        """Return the query for atoms as a look has them, those outside of it left out."""
        name = look.predicate
        columns = self._data.columns(name)
        conditions = ["a1 <> a2"] if look.apart else []
        for place in (0, 1) if look.symmetric and look.told else look.told:
            places = frozenset([0, 1] if look.symmetric else [place])
            table, _ = self._of_places(name, places)
            own = argument_columns(self._data.relations[name].arity)[place]
            matching = [f"d.v = s.{own}", *(f"d.{WORLD} = s.{WORLD}" for _ in self._world)]
            conditions.append(f"EXISTS (SELECT 1 FROM {table} AS d WHERE {' AND '.join(matching)})")
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        if not look.symmetric:
            return f"SELECT {listed(columns, 's')} FROM ({atoms}) AS s{where}" if where else atoms
        turned = [*self._world, "least(a1, a2) AS a1", "greatest(a1, a2) AS a2"]
        return f"SELECT DISTINCT {listed(turned)} FROM ({atoms}) AS s{where}"

    # -- coverage -----------------------------------------------------------------------------------------

    def classes(self, look: Look, rules: Sequence[Rule], relations: Relations) -> list[tuple[int, int, int]]:
        """Return the coverage classes of rules for a look.

        Args:
            look: how the atoms of the head are looked at.
            rules: up to `MOST_RULES` of them.
            relations: what they read.

        Returns:
            for each class: its rules as bits of a number, number of atoms, number of facts among them.
        """
        name = look.predicate
        columns = self._data.columns(name)
        queries = []
        for rule in rules:
            # What comes several times is counted once below.
            derived = self._data.runs.queries.of_rule(name, rule, relations, distinct=False)
            queries.append(self.seen(derived, look))
        (mask,) = mask_names(len(rules))
        covered = marked(columns, queries)
        facts = self.normal(name, apart=look.apart, symmetric=look.symmetric)
        query = (
            f"SELECT d.{mask}, count(*), count(f.{columns[-1]}) FROM ({covered}) AS d "
            f"LEFT JOIN {facts} AS f ON {same('d', 'f', columns)} GROUP BY d.{mask}"
        )
        shapes = sorted({_shape(rule) for rule in rules})
        more = f"; and {len(shapes) - _SHOWN} more shapes" * (len(shapes) > _SHOWN)
        purpose = f"counting clauses for {name} ({'; '.join(shapes[:_SHOWN])}{more})"
        found = self._session.rows(query, purpose)
        return sorted((int(bits), int(atoms), int(true)) for bits, atoms, true in found)


def _shape(rule: Rule) -> str:
    """Return a rule with numbered predicates: what its join looks like.

    >>> from logicoder.logic.rules import Literal
    >>> _shape(Rule((0, 1), (Literal("takes", (0, 2)), Literal("teaches", (1, 2)))))
    'p(X,Y) :- q1(X,Z), q2(Y,Z)'
    """
    body = tuple(
        item if item.predicate == "\\=" else type(item)(f"q{number}", item.arguments, item.negated)
        for number, item in enumerate(rule.body, start=1)
    )
    return str(clause_of("p", rule.head, body)).rstrip(".")
