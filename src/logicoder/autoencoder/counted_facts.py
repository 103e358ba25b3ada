"""Counts about the facts of predicates, for sentences: what holds how often, and some exceptions."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from logicoder.autoencoder.column_dependencies import Dependency, dependencies
from logicoder.base.sorted_keys import distinct
from logicoder.compression.plan import Plan
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.difference import rows_inside
from logicoder.engine.programs import run_beside
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.table import FactTable, row_keys
from logicoder.logic.terms import Clause, Program

EXAMPLES = 3
"""Atoms that do not fit a sentence of which so many are shown."""


@dataclass(frozen=True)
class Followed:
    """How far clauses for a predicate agree with its facts.

    Attributes:
        holds: facts that they derive.
        facts: all facts.
        wrong: what they derive that is no fact.
        elsewhere: of this, what is about first arguments that have no fact at all.
        underived: some facts that they do not derive.
        false: some of what is wrong.
    """

    holds: int
    facts: int
    wrong: int
    elsewhere: int
    underived: tuple[str, ...]
    false: tuple[str, ...]


class Included(NamedTuple):
    """A place whose values are all at another one: both places, how many values each has, of how many."""

    name: str
    place: int
    other: str
    column: int
    own: int
    size: int
    entities: int


class Counted(Protocol):
    """Counts about the facts of predicates, wherever they are."""

    @property
    def learnable(self) -> Sequence[str]:
        """The predicates that are not background."""

    @property
    def attributes(self) -> Mapping[str, str]:
        """The predicates that are functions, since columns have one value in each row, and of what."""

    @property
    def ranges(self) -> Collection[str]:
        """The predicates whose values are ranges of numbers or dates."""

    def count(self, name: str) -> int:
        """Return the number of facts."""

    def followed(self, name: str, clauses: Sequence[Clause], plan: Plan) -> Followed:
        """Return how far clauses agree with facts; all read the facts as they are."""

    def arity(self, name: str) -> int:
        """Return the number of arguments."""

    def distinct(self, name: str, places: Sequence[int]) -> int:
        """Return how many different values some places have together."""

    def value(self, name: str, place: int) -> str:
        """Return a constant that a place of some fact has."""

    def loops(self, name: str) -> int:
        """Return the number of facts p(x,x)."""

    def dependencies(self) -> Mapping[str, Dependency]:
        """Return the columns that another column determines, each with how."""

    def included(self, least: int) -> Iterator[Included]:
        """Iterate over places of predicates with so many facts, each with the smallest one that holds it."""


class CountedFacts:
    """Counts about facts in memory."""

    def __init__(self, database: Database) -> None:
        self._database, self._kb = database, database.kb

    @property
    def learnable(self) -> Sequence[str]:
        """See `Counted.learnable`."""
        return self._kb.learnable

    @property
    def attributes(self) -> Mapping[str, str]:
        """See `Counted.attributes`."""
        return {} if self._kb.mapping is None else self._kb.mapping.attributes()

    @property
    def ranges(self) -> Collection[str]:
        """See `Counted.ranges`."""
        return () if self._kb.mapping is None else self._kb.mapping.ranges()

    def count(self, name: str) -> int:
        """See `Counted.count`."""
        return self._kb.count(name)

    def arity(self, name: str) -> int:
        """See `Counted.arity`."""
        return self._kb.schema[name].arity

    def distinct(self, name: str, places: Sequence[int]) -> int:
        """See `Counted.distinct`."""
        table = self._kb.table(name)
        return len(distinct(row_keys(table.worlds, table.arguments[:, list(places)])))

    def value(self, name: str, place: int) -> str:
        """See `Counted.value`."""
        return self._kb.symbols[int(self._kb.table(name).arguments[0, place])]

    def followed(self, name: str, clauses: Sequence[Clause], plan: Plan) -> Followed:
        """See `Counted.followed`."""
        used = {predicate for clause in clauses for predicate in clause.body_predicates()}
        shorthands = [c for latent in plan.latents if latent.name in used for c in latent.clauses()]
        # A program numbers the constants of the data as the data does.
        derived = run_beside(Program((*shorthands, *clauses)), self._kb).table(name)
        table = self._kb.table(name)
        right, true = rows_inside(table, derived), rows_inside(derived, table)
        underived, false = (self._texts(name, rows) for rows in (table.select(~right), derived.select(~true)))
        subjects, others = (FactTable(t.worlds, t.arguments[:, :1]) for t in (table, derived.select(~true)))
        elsewhere = int((~rows_inside(others, subjects)).sum())
        return Followed(int(right.sum()), len(table), len(others), elsewhere, underived, false)

    def _texts(self, name: str, rows: FactTable) -> tuple[str, ...]:
        """Return the first few atoms of a table as texts."""
        kb, few = self._kb, rows.select(np.arange(min(EXAMPLES, len(rows))))
        schema = kb.schema.restricted([name])
        return tuple(map(str, KnowledgeBase(schema, kb.symbols, kb.interpretations, {"true": {name: few}})))

    def loops(self, name: str) -> int:
        """See `Counted.loops`."""
        arguments = self._kb.table(name).arguments
        return int((arguments[:, 0] == arguments[:, 1]).sum())

    def dependencies(self) -> Mapping[str, Dependency]:
        """See `Counted.dependencies`."""
        return dependencies(self._database, self.attributes)

    def included(self, least: int) -> Iterator[Included]:
        """See `Counted.included`."""
        database = self._database
        values: dict[tuple[str, int], np.ndarray] = {}
        # Comparisons with the cuts of a mapping hold each other by definition.
        for name in self._kb.predicates if self._kb.mapping is None else self._kb.learnable:
            relation = database.relation(name)
            if self.arity(name) and len(relation) >= least:
                values |= {(name, place): distinct(column) for place, column in enumerate(relation.columns)}
        for (name, place), own in values.items():
            kind = database.relation(name).types[place]
            wider = [
                (len(held), other, column)
                for (other, column), held in values.items()
                if other != name and database.relation(other).types[column] == kind
                if len(own) < len(held) < database.sizes[kind]
                and np.isin(own, held, assume_unique=True).all()
            ]
            if wider:
                size, other, column = min(wider)
                yield Included(name, place, other, column, len(own), size, database.sizes[kind])
