"""Exports run in Spark itself: what views give there is what logicoder derives, fact by fact."""

from __future__ import annotations

import pytest
from tests.engine.sql.systems import spark

from logicoder import KnowledgeBase, Program
from logicoder.export import export_program

from .test_source_queries import asked, derived, typed_tables
from .test_systems import case_of, check_sql

pytestmark = pytest.mark.xdist_group("spark")

VALUES = (
    "",
    "it's",
    'a"b',
    "\\",
    "\\n",
    "a\nb",
    "007",
    7,
    1.5,
    "日本",
    "NULL",
    "';DROP TABLE p;--",
    "%",
    "`",
)
PROGRAM = Program.parse(r"""
    both(X,Y) :- pair(X,Z), pair(Z,Y), X \= Y.
    rest(X) :- pair(X,_), \+ some(X), X \= 'it\'s', X \= '\\n'.
    any :- some(_).
    one(X) :- some(X).      one(X) :- pair(7,X).
""")


@pytest.fixture
def database(tmp_path):
    """A database of its own, and a way to run what is exported."""
    session = spark()
    session.sql("DROP DATABASE IF EXISTS exported CASCADE")
    session.sql(f"CREATE DATABASE exported LOCATION '{tmp_path}'")
    session.sql("USE exported")
    yield session
    session.sql("USE default")
    session.sql("DROP DATABASE exported CASCADE")


def run(session, text):
    for statement in text.split(";\n"):
        if statement.strip():
            session.sql(statement)


def test_a_program_with_odd_values(database):
    def derive(export, defined):
        run(database, export.text)
        return {
            (name, tuple(row) if arity else ())
            for name, arity in defined.items()
            for row in database.sql(f"SELECT * FROM `{export.names[name]}`").collect()
        }

    pairs = [(a, b) for i, a in enumerate(VALUES) for b in VALUES[i : i + 2]]
    kb = KnowledgeBase.from_facts({"pair": pairs, "some": VALUES[::3]})
    case = case_of(PROGRAM, kb)
    assert {fact.predicate for fact in case[2]} == {"both", "rest", "any", "one"}
    check_sql(derive, "sql:spark", *case)


def test_views_of_tables_with_numbers_and_dates(database):
    kb, mapping, program = typed_tables()
    run(
        database,
        """
        CREATE TABLE maker (id INT, country STRING, `big one` BOOLEAN) USING parquet;
        CREATE TABLE Cars (
          plate STRING, maker_id INT, price DECIMAL(8, 2), sold DATE, seen TIMESTAMP,
          doors INT) USING parquet;
        CREATE TABLE owns (maker_id INT, plate STRING) USING parquet;
        INSERT INTO maker VALUES (1, 'it\\'s', TRUE), (2, '', FALSE), (3, NULL, NULL);
        INSERT INTO Cars VALUES
          ('a 1', 1, 9.99, DATE '2024-01-31', TIMESTAMP '2024-01-31 10:00:00', 3),
          ('b', 2, 10, DATE '2024-02-01', TIMESTAMP '2024-01-31 10:00:01', 5),
          ('c', NULL, 50.01, NULL, NULL, NULL);
        INSERT INTO owns VALUES (1, 'b'), (1, 'b'), (2, 'c'), (NULL, 'c');
        """,
    )
    export = export_program(program, "sql:spark", mapping=mapping)
    run(database, export.text)

    def rows(query):
        return [tuple(row) for row in database.sql(query.replace('"', "`")).collect()]

    assert asked(export, program, rows) == derived(kb, program)
