"""Running programs in a system: stratum after stratum, recursion in rounds over what is new.

Rounds, and no recursive queries: these know one rule that calls its predicate once, and Spark has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from logicoder.engine.sql.clause_queries import ClauseQueries
from logicoder.engine.sql.relations import Relation, Relations, empty, listed
from logicoder.logic.strata import strata
from logicoder.logic.terms import Clause, Program

if TYPE_CHECKING:
    from logicoder.engine.sql.session import Session

Watch = Callable[[Mapping[str, str]], None]
"""Told the tables of what a round of a recursion derived that is new."""

_PARTS = 8
"""Tables of a recursion that are read together before they are made one."""


class ProgramRuns:
    """Runs programs over relations of a session.

    Args:
        session: the system.
        worlds: the table of all interpretations, where there are several.
    """

    def __init__(self, session: Session, worlds: str | None = None) -> None:
        self._session, self._worlds = session, worlds is not None
        self.queries = ClauseQueries(session, worlds)

    def run(self, program: Program, relations: Relations) -> dict[str, Relation]:
        """Return what a program derives: a table for each predicate that it defines.

        Predicates of bodies that nobody defines have no facts. One that is defined and given has what is
        derived alone.
        """
        found: dict[str, Relation] = {}
        for stratum in strata(program):
            found |= self.stratum(program, stratum, {**relations, **found})
        return found

    def stratum(
        self, program: Program, names: set[str], relations: Relations, watch: Watch | None = None
    ) -> dict[str, Relation]:
        """Return what a program derives of predicates that depend on each other, given all others.

        Args:
            program: the clauses.
            names: the predicates.
            relations: what others are read from.
            watch: told what each round derived that is new.
        """
        clauses = [clause for clause in program if clause.head.predicate in names]
        arities = {clause.head.predicate: clause.head.arity for clause in clauses}
        mentioned = {n: a for n, a in Program(tuple(clauses)).arities().items() if n not in names}
        known = {**self.absent(mentioned, relations), **relations}
        first = {name: self._union(list(self._plain(clauses, name, names, known))) for name in arities}
        tables = {
            name: self._session.table(
                query or empty(self._session, Relation("", arities[name]).columns(worlds=self._worlds)),
                f"deriving {name}",
            )
            for name, query in first.items()
        }
        if any(names & clause.body_predicates() for clause in clauses):
            tables = self._rounds(clauses, arities, tables, known, watch or (lambda _: None))
        return {name: Relation(table, arities[name]) for name, table in tables.items()}

    def query(self, program: Program, name: str, relations: Relations) -> str:
        """Return the query for what clauses of one predicate derive, given all others."""
        if any(name in clause.body_predicates() for clause in program):
            found = self.stratum(program, {name}, relations)[name]
            return f"SELECT {listed(found.columns(worlds=self._worlds))} FROM {found.table}"
        mentioned = {n: arity for n, arity in program.arities().items() if n != name}
        known = {**self.absent(mentioned, relations), **relations}
        return self._union(list(self._plain(list(program), name, {name}, known))) or ""

    def absent(self, arities: Mapping[str, int], relations: Relations) -> dict[str, Relation]:
        """Return tables without rows for predicates that are not among relations."""
        found = {}
        for name, arity in arities.items():
            if name not in relations:
                columns = Relation("", arity).columns(worlds=self._worlds)
                table = self._session.table(empty(self._session, columns), f"making a place for {name}")
                found[name] = Relation(table, arity)
        return found

    def _plain(
        self, clauses: list[Clause], name: str, names: set[str], relations: Relations
    ) -> Iterator[str]:
        """Iterate over the queries of bodies without recursion."""
        for clause in clauses:
            if clause.head.predicate == name:
                for body in clause.alternatives:
                    if not any(item.binds and item.atom.predicate in names for item in body):
                        yield self.queries.select(clause.head, body, relations)

    def _recursive(
        self, clauses: list[Clause], name: str, relations: Relations, fresh: Mapping[str, str]
    ) -> Iterator[str]:
        """Iterate over the queries of recursive bodies: each time one of the literals reads what is new."""
        for clause in clauses:
            if clause.head.predicate == name:
                for body in clause.alternatives:
                    for number, item in enumerate(body):
                        if item.binds and item.atom.predicate in fresh:
                            instead = {number: fresh[item.atom.predicate]}
                            yield self.queries.select(clause.head, body, relations, instead)

    def _rounds(
        self,
        clauses: list[Clause],
        arities: Mapping[str, int],
        tables: Mapping[str, str],
        relations: Relations,
        watch: Watch,
    ) -> dict[str, str]:
        session = self._session
        parts = {name: [table] for name, table in tables.items()}
        fresh = dict(tables)
        while fresh:
            watch(fresh)
            whole = {name: Relation(self._whole(own), arities[name]) for name, own in parts.items()}
            made: dict[str, str] = {}
            for name, arity in arities.items():
                query = self._union(list(self._recursive(clauses, name, {**relations, **whole}, fresh)))
                if query is None:
                    continue
                columns = listed(Relation("", arity).columns(worlds=self._worlds))
                known = f"SELECT {columns} FROM {whole[name].table} AS known"
                table = session.table(f"{query} EXCEPT {known}", f"deriving {name} once more")
                if session.value(f"SELECT count(*) FROM {table}", f"counting what is new of {name}"):
                    made[name] = table
                else:
                    session.drop(table)
            for name, table in made.items():
                parts[name].append(table)
                if len(parts[name]) > _PARTS:
                    merged = session.table(
                        f"SELECT * FROM {self._whole(parts[name])} AS p", f"keeping {name}"
                    )
                    session.drop(*(part for part in parts[name] if part != table))
                    # What is new is read once more, by itself.
                    parts[name] = [merged]
            fresh = made
        return {
            name: own[0]
            if len(own) == 1
            else session.table(f"SELECT * FROM {self._whole(own)} AS p", f"keeping {name}")
            for name, own in parts.items()
        }

    @staticmethod
    def _whole(parts: list[str]) -> str:
        return (
            parts[0]
            if len(parts) == 1
            else "(" + " UNION ALL ".join(f"SELECT * FROM {p}" for p in parts) + ")"
        )

    @staticmethod
    def _union(queries: list[str]) -> str | None:
        """Return one query for several, each row once."""
        if not queries:
            return None
        return queries[0] if len(queries) == 1 else " UNION ".join(queries)
