"""Likely errors of stored data by programs of any origin; see `logicoder.autoencoder.program_suggestions`."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from logicoder.autoencoder import stored_listing
from logicoder.autoencoder.program_suggestions import SILENCE, alternatives_of
from logicoder.autoencoder.stored_listing import StoredListing
from logicoder.autoencoder.suggestions import Suggestion, Suggestions, asked_for, ranked, smoothed
from logicoder.engine.sql.bit_masks import has, mask_names, mask_of
from logicoder.engine.sql.query_coverage import FACT, coverage_classes, covered_atoms
from logicoder.engine.sql.relations import WORLD, listed
from logicoder.logic.terms import Atom, Clause

if TYPE_CHECKING:
    from logicoder.autoencoder.stored_explainer import StoredExplainer
    from logicoder.engine.sql.stored_data import StoredData


def suggest_by_programs(
    explainer: StoredExplainer, data: StoredData, predicates: Collection[str] = ()
) -> Suggestions:
    """Return suggestions from the last of the programs, run where the data are.

    Args:
        explainer: the programs, run on the data.
        data: the facts.
        predicates: only these; all that are to be reconstructed unless given.
    """
    found, more = list[Suggestion](), 0
    for name in asked_for(explainer.data.schema, predicates):
        if name not in explainer.kept:
            evidence = _Evidence(explainer, data, name)
            found += [*evidence.additions(), *evidence.doubts()]
            more += evidence.left_out
    return ranked(found, SILENCE, several=data.several, more=more)


class _Evidence(StoredListing):
    """Everything that the clauses for one predicate derive, beside its facts."""

    def __init__(self, explainer: StoredExplainer, data: StoredData, name: str) -> None:
        super().__init__(data, name)
        self._level, self._facts = explainer.levels[-1], explainer.facts[name]
        self._columns = self._facts.columns(worlds=data.several)
        self._alternatives = alternatives_of(explainer, name)
        queries = [
            data.runs.queries.select(head, body, self._level.relations) for head, body in self._alternatives
        ]
        self._table, self._records = "", list[tuple[int, int]]()
        if queries:
            purpose = f"looking at what {len(queries)} clauses derive of {name}"
            self._table = self._session.table(covered_atoms(data, self._facts, queries), purpose)
            classes = coverage_classes(data, self._table, len(queries), purpose)
            for number in range(len(queries)):
                own = [(true, count) for mask, true, count in classes if mask >> number & 1]
                self._records.append((sum(n for true, n in own if true), sum(n for _, n in own)))

    def additions(self) -> Iterator[Suggestion]:
        """Iterate over what is derived and no fact."""
        if not self._table:
            return
        order = sorted(range(len(self._records)), key=lambda n: (-smoothed(*self._records[n]), n))
        best = " ".join(f"WHEN {has(number)} THEN {place}" for place, number in enumerate(order))
        source = f"{self._table} WHERE {FACT} = 0"
        number_of = f"CASE {best} END"
        columns = [*self._columns, *mask_names(len(order)), number_of]
        for row in self._first(columns, source, [number_of, *self._columns]):
            mask, number = mask_of(row[len(self._columns) : -1]), order[int(row[-1])]
            atom, world = self._text(row[: len(self._columns)])
            support = mask.bit_count(), *self._records[number], self._clause(number)
            yield Suggestion("add", smoothed(*self._records[number]), atom, atom, world, *support)

    def doubts(self) -> Iterator[Suggestion]:
        """Iterate over the facts that nothing derives."""
        columns = listed(self._columns)
        missing = f"SELECT {columns} FROM {self._facts.table}"
        missing += f" EXCEPT SELECT {columns} FROM {self._table}" if self._table else ""
        table = self._session.table(missing, f"looking for what does not come back of {self._name}")
        count = f"SELECT count(*) FROM {self._facts.table}"
        total = self._session.value(count, f"counting {self._name}")
        lost = self._session.value(f"SELECT count(*) FROM {table}", f"counting {self._name}")
        rows = self._first(self._columns, table, self._columns)
        nearest = self._nearest(table) if rows else {}
        for row in rows:
            atom, world = self._text(row)
            clause = nearest.get(tuple(row), "")
            support = len(self._alternatives), total - lost, total, clause
            yield Suggestion("check", smoothed(total - lost, total), atom, "", world, *support)
        self._session.drop(table, *([self._table] if self._table else []))

    def _nearest(self, table: str) -> dict[tuple[str, ...], str]:
        """Return for the first atoms of a table the clause of which most literals hold, each alone."""
        joins, numbers = list[str](), list[str]()
        for number, (head, body) in enumerate(self._alternatives):
            held = []
            for place, literal in enumerate(body):
                shared = [v for v in literal.atom.variables() if v in head.variables()]
                if not literal.binds or not shared:
                    continue
                alias = f"h{number}_{place}"
                given = self._data.runs.queries.select(
                    Atom(self._name, tuple(shared)), (literal,), self._level.relations
                )
                on = [
                    f"{alias}.a{own} = s.a{head.arguments.index(variable) + 1}"
                    for own, variable in enumerate(shared, start=1)
                ]
                on += [f"{alias}.{WORLD} = s.{WORLD}"] * self._data.several
                joins.append(f"LEFT JOIN ({given}) AS {alias} ON {' AND '.join(on)}")
                held.append(f"CASE WHEN {alias}.a1 IS NULL THEN 0 ELSE 1 END")
            numbers.append(" + ".join(held) or "0")
        if not numbers:
            return {}
        columns = listed(self._columns)
        first = f"SELECT {columns} FROM {table} ORDER BY {columns} LIMIT {stored_listing.MOST}"
        query = f"SELECT {listed([*(f's.{c}' for c in self._columns), *numbers])} FROM ({first}) AS s "
        found = {}
        for row in self._session.rows(query + " ".join(joins), f"looking for clauses close to {self._name}"):
            counts = [int(value) for value in row[len(self._columns) :]]
            most = max(counts)
            atom = tuple(row[: len(self._columns)])
            found[atom] = self._clause(counts.index(most)) if most else ""
        return found

    def _clause(self, number: int) -> str:
        head, body = self._alternatives[number]
        return str(Clause(head, (body,)))
