"""Why an atom of stored data is derived, or is not: bound queries, and a few rows of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from logicoder.autoencoder.explainer import MATCHES, Explainer
from logicoder.autoencoder.stored_layer import StoredLayer
from logicoder.engine.signatures import program_schema
from logicoder.engine.sql.relations import WORLD, Relation, argument_columns, listed
from logicoder.engine.sql.stored_derivations import StoredDerivations
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.plain_constants import plain_constant
from logicoder.logic.terms import Atom, Literal

if TYPE_CHECKING:
    from logicoder.autoencoder.layer import Layer
    from logicoder.engine.sql.stored_data import StoredData

_NAMES = 2_000
"""Constants among which one is looked for that a wrong one may have meant."""


class StoredExplainer(Explainer):
    """The programs of a model, run in the system that holds the data; no fact is read before it is asked for.

    Args:
        layers: the layers, the one that reads the data first.
        data: the facts.

    Attributes:
        facts: the relation of each predicate of the data.
    """

    def __init__(self, layers: Sequence[Layer], data: StoredData) -> None:
        first, *above = layers
        self._data = data
        told = first.told_apart()
        self.background, self.kept = frozenset(told["background"]), frozenset(told["kept"])
        self.left_over = frozenset(told["left_over"])
        schema = first.schema or data.known_schema
        known = Schema({n: p for n, p in schema.items() if n not in self.background}, schema.domains)
        bases = StoredLayer(first, data).bases() if first.bases else {}
        marked = {b.name: Predicate(b.name, schema[b.predicate].types, background=True) for b in first.bases}
        self.data = KnowledgeBase(Schema({**known.predicates, **marked}, known.domains), (), data.worlds, {})
        # Facts of predicates that only the schema knows are none.
        absent = {name: p.arity for name, p in self.data.schema.items()}
        given = {**data.relations, **bases}
        self.facts = {**given, **data.runs.absent(absent, given)}
        self.levels = []
        programs, outputs = first.read_in_turn(schema, above)
        types = self.data.schema
        for program, declared in zip(programs, outputs, strict=True):
            source = self.facts
            if self.levels:
                source = {n: r for n, r in self.facts.items() if n in self.kept} | self.levels[-1].made
                types = Schema({**self.kept_facts.schema, **self.levels[-1].outputs.schema})
            made = program_schema(program, types, declared)
            whole = Schema({**(declared or {}), **made})
            self.levels.append(StoredDerivations(program, data, source, whole))

    def _matching(
        self, atom: Atom, homes: list[int], world: int | None
    ) -> tuple[list[tuple[Atom, int]], int]:
        """See `Explainer`: in the order of their texts."""
        data, variables = self._data, tuple(atom.variables())
        columns = listed(Relation("", len(variables)).columns(worlds=data.several))
        queries = []
        for level in dict.fromkeys((homes[0], homes[-1])):
            relations = self.levels[level - 1].relations if level else self.facts
            queries.append(data.runs.queries.select(Atom("found", variables), (Literal(atom),), relations))
        test = "" if world is None or not data.several else self._named(data.worlds[world])
        every = f"SELECT {columns} FROM ({' UNION '.join(queries)}) AS s{test}"
        purpose = f"looking for {atom}"
        rows = data.session.rows(f"{every} ORDER BY {columns} LIMIT {MATCHES}", purpose)
        total = data.session.value(f"SELECT count(*) FROM ({every}) AS every_match", purpose)
        found = []
        for row in rows:
            number = data.worlds.index(row[0]) if data.several else 0
            found.append((data.bound(atom, variables, row), number))
        return found, total

    def _named(self, world: str) -> str:
        return f" WHERE {WORLD} = {self._data.session.literal(world)}"

    def _constants(self, kind: str, like: str) -> set[str]:
        session = self._data.session
        texts = " UNION ".join(query for query in self._places(kind))
        if not texts:
            return set()
        test = f"substr(v, 1, 1) = {session.literal(plain_constant(like)[:1])}"
        query = f"SELECT v FROM ({texts}) AS s ORDER BY CASE WHEN {test} THEN 0 ELSE 1 END, v LIMIT {_NAMES}"
        return {self._data.symbol(row[0]) for row in session.rows(query, f"listing the type {kind}")}

    def _places(self, kind: str, more: str = "") -> Iterator[str]:
        """Iterate over queries for the constants of a type, place by place."""
        for name, predicate in self.data.schema.items():
            columns = argument_columns(predicate.arity)
            for column, own in zip(columns, predicate.types, strict=False):
                if own == kind:
                    yield f"SELECT {more}{column} AS v FROM {self.facts[name].table}"

    def _constant_worlds(self, atom: Atom, place: int, home: int) -> set[int]:
        kind = self._declared(home, atom.predicate).types[place]
        symbol = str(atom.arguments[place])
        everywhere = set(range(len(self._data.worlds)))
        if symbol in self.data.schema.domains.get(kind, ()):
            return everywhere
        world = f"{WORLD}, " if self._data.several else ""
        test = f"v = {self._data.runs.queries.constant(symbol)}"
        union = " UNION ALL ".join(self._places(kind, world))
        if not union:  # a type that no place of the data has: constants of clauses
            return everywhere
        selected = WORLD if self._data.several else "v"
        query = f"SELECT DISTINCT {selected} FROM ({union}) AS s WHERE {test}"
        rows = self._data.session.rows(query, f"looking for {symbol}")
        if not self._data.several:
            return {0} if rows else set()
        return {self._data.worlds.index(row[0]) for row in rows}
