"""What a message means on data that stay where they are: all counts come from their system, and are exact."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from logicoder.autoencoder.column_dependencies import Dependency
from logicoder.autoencoder.counted_facts import EXAMPLES, Followed, Included
from logicoder.autoencoder.insight import Insights
from logicoder.autoencoder.insights import insights_in, required
from logicoder.autoencoder.stored_layer import prepared
from logicoder.compression.goals import Bits
from logicoder.compression.stored_message import StoredMessage
from logicoder.engine.sql.relations import WORLD, Relation, argument_columns, listed
from logicoder.engine.sql.value_classes import value_classes

if TYPE_CHECKING:
    from logicoder.autoencoder.layer import Layer
    from logicoder.compression.plan import Plan
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.logic.terms import Clause


def stored_insights(layer: Layer, data: StoredData) -> Insights:
    """Return what the plan of a layer says about stored data."""
    known = prepared(layer, data)
    message = StoredMessage(required(layer.plan), known, known.known_schema)
    choices = {name: choice for name, choice in message.choices.items() if name in message.known}
    counted = CountedInPlace(message)
    return insights_in(message.plan, choices, Bits(message.code), counted, message.bits, message.plain_bits)


class CountedInPlace:
    """Counts about stored facts, see `logicoder.autoencoder.insights.Counted`."""

    def __init__(self, message: StoredMessage) -> None:
        self._message, self._data, self._schema = message, message.data, message.known
        self._session = message.data.session

    @property
    def learnable(self) -> Sequence[str]:
        """See `Counted.learnable`."""
        return [name for name, predicate in self._schema.items() if not predicate.background]

    @property
    def attributes(self) -> Mapping[str, str]:
        """See `Counted.attributes`."""
        return {} if self._data.mapping is None else self._data.mapping.attributes()

    @property
    def ranges(self) -> Collection[str]:
        """See `Counted.ranges`."""
        return () if self._data.mapping is None else self._data.mapping.ranges()

    def count(self, name: str) -> int:
        """See `Counted.count`."""
        return self._data.counts[name]

    def arity(self, name: str) -> int:
        """See `Counted.arity`."""
        return self._schema[name].arity

    def distinct(self, name: str, places: Sequence[int]) -> int:
        """See `Counted.distinct`."""
        own = argument_columns(self.arity(name))
        columns = [*([WORLD] if self._data.several else []), *(own[place] for place in places)]
        values = f"SELECT DISTINCT {listed(columns)} FROM {self._data.relations[name].table}"
        return self._session.value(f"SELECT count(*) FROM ({values}) AS s", f"looking for keys of {name}")

    def value(self, name: str, place: int) -> str:
        """See `Counted.value`."""
        column = argument_columns(self.arity(name))[place]
        query = f"SELECT min({listed([column])}) FROM {self._data.relations[name].table}"
        ((text,),) = self._session.rows(query, f"looking for values of {name}")
        return self._data.symbol(text)

    def followed(self, name: str, clauses: Sequence[Clause], plan: Plan) -> Followed:  # noqa: ARG002
        """See `Counted.followed`; shorthands are tables already."""
        queries = self._data.runs.queries
        union = " UNION ".join(
            queries.select(clause.head, body, self._data.relations)
            for clause in clauses
            for body in clause.alternatives
        )
        facts = self._data.relations[name]
        derived = Relation(self._session.table(union, f"deriving {name}"), facts.arity)
        examples, counts = [], []
        for one, other in ((facts, derived), (derived, facts)):
            beside = self._session.table(self._data.missing_from(one, other), f"comparing {name}")
            counts.append(self._session.value(f"SELECT count(*) FROM {beside}", f"comparing {name}"))
            columns = listed(self._data.columns(name))
            few = f"SELECT {columns} FROM {beside} ORDER BY {columns} LIMIT {EXAMPLES}"
            found = self._session.rows(few, f"comparing {name}")
            elsewhere = self._elsewhere(beside, facts) if one is derived else 0
            examples.append(tuple(str(self._data.atom(name, row)[0]) for row in found))
            self._session.drop(beside)
        self._session.drop(derived.table)
        return Followed(self.count(name) - counts[0], self.count(name), counts[1], elsewhere, *examples)

    def _elsewhere(self, table: str, facts: Relation) -> int:
        """Return how many rows of a table are about first arguments of which there is no fact."""
        columns = [*([WORLD] if self._data.several else []), *argument_columns(facts.arity)[:1]]
        same = " AND ".join(f"o.{listed([column])} = s.{listed([column])}" for column in columns)
        known = f"SELECT 1 FROM {facts.table} AS o WHERE {same}"
        query = f"SELECT count(*) FROM {table} AS s WHERE NOT EXISTS ({known})"
        return self._session.value(query, "comparing what clauses derive") if facts.arity else 0

    def loops(self, name: str) -> int:
        """See `Counted.loops`."""
        first, second = (listed([column]) for column in argument_columns(self.arity(name)))
        query = f"SELECT count(*) FROM {self._data.relations[name].table} WHERE {first} = {second}"
        return self._session.value(query, f"counting {name}")

    def dependencies(self) -> Mapping[str, Dependency]:
        """See `Counted.dependencies`: of stored data, only those of the message are told."""
        return {}

    def included(self, least: int) -> Iterator[Included]:
        """See `Counted.included`: by the sets of places that values have."""
        found: dict[tuple[str, int], Included] = {}
        for kind in self._schema.types():
            places = [
                (name, place)
                for name in (self._schema if self._data.mapping is None else self.learnable)
                for place, own in enumerate(self._schema[name].types)
                if own == kind and self.count(name) >= least
            ]
            if places:
                found |= {(row[0], row[1]): row for row in self._included(kind, places)}
        for name, predicate in self._schema.items():
            yield from (found[name, place] for place in range(predicate.arity) if (name, place) in found)

    def _included(self, kind: str, places: Sequence[tuple[str, int]]) -> Iterator[Included]:
        total = sum(self._message.counts.entities(kind).values())
        classes = value_classes(self._data, places, kind)
        bits = [1 << number for number in range(len(places))]
        sizes = [sum(number for mask, number in classes if mask & bit) for bit in bits]
        for (name, place), bit, own in zip(places, bits, sizes, strict=True):
            common = -1
            for mask, _ in classes:
                common &= mask if mask & bit else -1
            wider = [
                (size, other, column)
                for (other, column), held, size in zip(places, bits, sizes, strict=True)
                if other != name and common & held and own < size < total
            ]
            if wider:
                size, other, column = min(wider)
                yield Included(name, place, other, column, own, size, total)
