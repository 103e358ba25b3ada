"""Definitions evaluated with shared prefixes: conjunctions, disjunctions and recursions over templates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from logicoder.engine.arrays.array_handles import ArrayExtension, relation_of
from logicoder.engine.arrays.closure import closure
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.fingerprint import normalised
from logicoder.engine.arrays.fixpoint import denied
from logicoder.engine.arrays.join import Bindings, JoinTooLargeError, bindings_of, join
from logicoder.engine.arrays.relation import Column, Relation, distinct
from logicoder.engine.arrays.selections import selected
from logicoder.engine.clauses import (
    Conjunction,
    Definition,
    Disjunction,
    IndexLiteral,
    Recursion,
    Template,
)
from logicoder.engine.handles import Derived, Extension, Refused

_MANY = 200_000
"""Of joins of more tuples, heads are evaluated side by side."""


class Vocabulary:
    """Templates with the relations behind them.

    Args:
        database: the data.
        templates: the templates.
    """

    def __init__(self, database: Database, templates: Sequence[Template]) -> None:
        self._database = database
        self._templates = templates
        self._relations: dict[int, Relation] = {}

    def relation(self, symbol: int) -> Relation:
        """Return the relation of a template that is no test."""
        if symbol not in self._relations:
            template = self._templates[symbol]
            if isinstance(template.predicate, Extension):
                self._relations[symbol] = relation_of(template.predicate)
            else:
                assert template.predicate is not None  # noqa: S101  (inequality is a test)
                found = self._database.relation(template.predicate)
                named = any(constant is not None for constant in template.constants)
                self._relations[symbol] = (
                    selected(self._database, found, template.constants) if named else found
                )
        return self._relations[symbol]

    def bindings(self, literal: IndexLiteral) -> Bindings:
        """Return the bindings of a literal that is no test."""
        symbol, arguments = literal
        return bindings_of(self.relation(symbol), arguments)

    def tested(self, literal: IndexLiteral, bindings: Bindings) -> Bindings:
        """Return the bindings that pass a test."""
        symbol, arguments = literal
        template = self._templates[symbol]
        if template.predicate is None:
            left, right = (bindings.columns[v] for v in arguments)
            return bindings.select(left != right)
        assert isinstance(template.predicate, str)  # noqa: S101  (negation is of predicates of the data)

        def match(relation: Relation) -> Bindings:
            return bindings_of(selected(self._database, relation, template.constants), arguments)

        return bindings.select(denied(self._database, template.predicate, bindings, match))


class Evaluation:
    """Evaluates definitions.

    Args:
        database: the data.
        vocabulary: what literals are made of.
        limit: most tuples of a join.
        jobs: number of threads for large joins; the result does not depend on it.
    """

    def __init__(self, database: Database, vocabulary: Vocabulary, limit: int | None, jobs: int) -> None:
        self._database = database
        self._vocabulary = vocabulary
        self._limit = limit
        self._jobs = jobs
        self._prefixes: list[Bindings | Refused] = []
        self._projected: dict[tuple[IndexLiteral, int], tuple[Column, ...]] = {}

    def run(self, definitions: Iterable[Definition]) -> Iterator[Sequence[Derived | None] | Refused]:
        """Yield what each definition derives, head by head."""
        with ThreadPoolExecutor(self._jobs, "logicoder-encoders") as threads:
            for definition in definitions:
                try:
                    if isinstance(definition, Conjunction):
                        yield self._conjunction(definition, threads)
                    elif isinstance(definition, Disjunction):
                        yield [_derived(definition.types, self._disjunction(definition))]
                    else:
                        yield [_derived((definition.kind,) * 2, self._closed(definition))]
                except JoinTooLargeError as error:
                    yield Refused(error.tuples)

    def _conjunction(
        self, definition: Conjunction, threads: ThreadPoolExecutor
    ) -> Sequence[Derived | None] | Refused:
        depth = len(definition.body)
        parent = self._prefixes[depth - 2] if depth > 1 else None
        bindings = self._extended(parent, definition)
        self._prefixes[depth - 1 :] = [bindings]
        if isinstance(bindings, Refused):
            return bindings

        def projected(head: tuple[int, ...]) -> Derived | None:
            columns = bindings.project(head, self._database.sizes)
            return _derived([definition.types[v] for v in head], columns)

        mapped = threads.map if bindings.rows > _MANY else map
        return list(mapped(projected, definition.heads))

    def _extended(self, parent: Bindings | Refused | None, definition: Conjunction) -> Bindings | Refused:
        """Join the bindings of the conjunction before with the added literal."""
        if isinstance(parent, Refused):
            return parent
        if parent is None:
            return self._vocabulary.bindings(definition.body[0])
        if definition.tests:
            grown = self._vocabulary.tested(definition.added, parent)
        else:
            try:
                added = self._vocabulary.bindings(definition.added)
                grown = join(self._database, parent, added, self._limit)
            except JoinTooLargeError as error:
                return Refused(error.tuples)
        rename = definition.renaming
        return Bindings(
            {rename[v]: kind for v, kind in grown.types.items()},
            {rename[v]: column for v, column in grown.columns.items()},
            grown.rows,
        )

    def _disjunction(self, definition: Disjunction) -> tuple[Column, ...]:
        size = len(definition.types)
        parts = []
        for literal in definition.literals:
            if (literal, size) not in self._projected:
                bindings = self._vocabulary.bindings(literal)
                self._projected[literal, size] = bindings.project(range(size), self._database.sizes)
            parts.append(self._projected[literal, size])
        return distinct(
            [np.concatenate([part[i] for part in parts]) for i in range(size)],
            [self._database.sizes[kind] for kind in definition.types],
        )

    def _closed(self, definition: Recursion) -> tuple[Column, ...]:
        base, step = (
            self._vocabulary.bindings(literal).project(ends, self._database.sizes)
            for literal, ends in ((definition.base, (0, 1)), (definition.step, (0, 2)))
        )
        return closure(self._database, definition.kind, base, step, self._limit)


def _derived(types: Sequence[int], columns: Sequence[Column]) -> Derived | None:
    """Return an extension in its normal column order; None where it is empty."""
    if not len(columns[0]):
        return None
    mark, order, relation = normalised(types, columns)
    return Derived(order, ArrayExtension(relation.types, len(relation), mark, relation))
