"""Candidates as SQL in DuckDB: a query each, many in one statement, or many with their bodies shared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engines.question import Answer, Engine, Literal, Question, Tables, plan_of


def _equalities(literal: Literal, alias: str) -> list[str]:
    """Return that columns with the same variable are equal."""
    place: dict[int, int] = {}
    found = []
    for column, variable in enumerate(literal.variables):
        if variable in place:
            found.append(f"{alias}.c{place[variable]} = {alias}.c{column}")
        place.setdefault(variable, column)
    return found


def _conjunction(head: Sequence[int], body: Sequence[Literal]) -> str:
    """Return the query of one conjunction, with columns h0, h1, ... and without repeated rows."""
    plan = plan_of(head, body)
    where = _equalities(plan.first, "a")
    tables = f"{plan.first.table} a"
    places = {v: f"a.c{plan.first.variables.index(v)}" for v in plan.first.variables}
    if plan.second is not None:
        other = plan.second
        on = [f"{places[v]} = b.c{other.variables.index(v)}" for v in plan.common]
        inner = _equalities(other, "b")
        if plan.semi:
            where.append(f"EXISTS (SELECT 1 FROM {other.table} b WHERE {' AND '.join([*on, *inner])})")  # noqa: S608
        else:
            tables += f" JOIN {other.table} b ON {' AND '.join([*on, *inner])}"
            for variable in other.variables:
                places.setdefault(variable, f"b.c{other.variables.index(variable)}")
    columns = ", ".join(f"{places[v]} AS h{i}" for i, v in enumerate(head))
    condition = f" WHERE {' AND '.join(where)}" if where else ""
    return f"SELECT {'DISTINCT ' if plan.repeats else ''}{columns} FROM {tables}{condition}"  # noqa: S608


def body_query(question: Question) -> str:
    """Return the query of the distinct head tuples of a question."""
    return " UNION ".join(_conjunction(question.head, body) for body in question.bodies)


def count_query(number: int, question: Question, targets: Iterable[str]) -> str:
    """Return the query of one row: number of the question, head tuples, list of true ones by target."""
    joins, counts = [], []
    for place, target in enumerate(targets):
        on = " AND ".join(f"d.h{i} = t{place}.c{i}" for i in range(len(question.head)))
        joins.append(f" LEFT JOIN {target} t{place} ON {on}")
        counts.append(f"count(t{place}.c0)")
    known = f"[{', '.join(counts)}]" if counts else "[]::BIGINT[]"
    return f"SELECT {number}, count(*), {known} FROM ({body_query(question)}) d{''.join(joins)}"  # noqa: S608


class DuckOneByOne(Engine):
    """A query for each candidate."""

    name = "DuckDB, one by one"
    light = heavy = 1

    def load(self, tables: Tables) -> None:
        """Take the data in: a table in memory for each relation; two threads."""
        import duckdb  # noqa: PLC0415  (only where it is installed)

        self.connection = duckdb.connect(":memory:", config={"threads": 2})
        self.connection.execute("SET enable_progress_bar = false")
        for name, columns in tables.items():
            # The SQL of DuckDB sees the variables of Python by their names.
            data = {f"c{i}": column for i, column in enumerate(columns)}  # noqa: F841
            names = ", ".join(f"c{i}" for i in range(len(columns)))
            self.connection.execute(f"CREATE TABLE {name} AS SELECT {names} FROM data")  # noqa: S608

    def prepare(self, questions: Sequence[Question]) -> list[str]:
        """Return the queries."""
        return [
            count_query(number, question, targets)
            for number, question in enumerate(questions)
            for targets in ([(target,) for target in question.targets] or [()])
        ]

    def run(self, prepared: list[str]) -> list[tuple[Any, ...]]:
        """Answer them."""
        return [row for query in prepared for row in self.connection.execute(query).fetchall()]

    def answers(self, questions: Sequence[Question], found: list[tuple[Any, ...]]) -> list[Answer]:
        """Return the answers: the parts of a question come in their order, or all together."""
        sizes = [0] * len(questions)
        true: list[list[int]] = [[] for _ in questions]
        for number, size, known in sorted(found, key=lambda row: row[0]):
            sizes[number] = size
            true[number].extend(known)
        return [Answer(size, tuple(known)) for size, known in zip(sizes, true, strict=True)]


class DuckBatched(DuckOneByOne):
    """One UNION ALL of a query for each candidate."""

    name = "DuckDB, batched"
    light, heavy = Engine.light, Engine.heavy

    def prepare(self, questions: Sequence[Question]) -> list[str]:
        """Return one statement; rows carry a serial number, as their order is not said."""
        serial = super().prepare(questions)
        parts = [query.replace("SELECT ", f"SELECT {i} AS serial, ", 1) for i, query in enumerate(serial)]
        return [f"SELECT * EXCLUDE (serial) FROM ({' UNION ALL '.join(parts)}) ORDER BY serial"]  # noqa: S608


class DuckShared(DuckBatched):
    """One UNION ALL of a query for each body, which counts the facts of all its targets."""

    name = "DuckDB, batched, bodies shared"

    def prepare(self, questions: Sequence[Question]) -> list[str]:
        """Return one statement."""
        parts = (count_query(i, question, question.targets) for i, question in enumerate(questions))
        return [" UNION ALL ".join(parts)]
