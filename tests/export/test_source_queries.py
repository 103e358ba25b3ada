"""Views of the tables of a database give the facts that are read from it, in the real systems."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from tests.wanted import wanted_module

from logicoder import AutoEncoder, Program, UsageError
from logicoder.datasets import shop
from logicoder.engine.programs import run_program
from logicoder.export import export_model, export_program
from logicoder.kb.mapping.mapping_file import parse_mapping
from logicoder.kb.mapping.table_reader import open_source, read_tables
from logicoder.kb.mapping.tables import GivenTables, SourceTable, TableData
from logicoder.logic import Atom, Clause, Literal, Variable
from logicoder.logic.plain_constants import plain_constant
from logicoder.logic.symbols import symbol_of


def copies(kb):
    """Return a program that says each predicate again, so that its facts can be asked for."""
    clauses = []
    for name in kb.predicates:
        arguments = tuple(Variable(f"X{i}") for i in range(kb.schema[name].arity))
        clauses.append(Clause(Atom(f"{name}!", arguments), ((Literal(Atom(name, arguments)),),)))
    return Program(tuple(clauses))


def derived(kb, program):
    return {
        (fact.predicate, tuple(plain_constant(symbol_of(value)) for value in fact.arguments))
        for fact in run_program(program, kb)
    }


def asked(export, program, ask):
    return {
        (name, tuple(row))
        for name in program.defined()
        for row in ask(f'SELECT * FROM "{export.names[name]}"')
    }


def test_views_of_the_shop(tmp_path):
    path = shop(tmp_path / "shop.db").path
    kb, mapping = read_tables(open_source(path))
    program = Program((*copies(kb), *Program.parse("dear(X) :- product_price(X,Y), price(Y) >= 49.")))
    export = export_program(program, "sql:sqlite", mapping=mapping)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(export.text)
        found = asked(export, program, connection.execute)
    assert found == derived(kb, program)
    assert {name for name, _ in found} == {*program.defined()}


TABLES = """
CREATE TABLE maker (id INTEGER PRIMARY KEY, country VARCHAR(20), "big one" BOOLEAN);
CREATE TABLE "Cars" (
  plate VARCHAR(9) PRIMARY KEY, maker_id INTEGER, price DECIMAL(8, 2), sold DATE, seen TIMESTAMP,
  doors INTEGER);
CREATE TABLE owns (maker_id INTEGER, plate VARCHAR(9));
INSERT INTO maker VALUES (1, 'it''s', TRUE), (2, '', FALSE), (3, NULL, NULL);
INSERT INTO "Cars" VALUES
  ('a 1', 1, 9.99, '2024-01-31', '2024-01-31 10:00:00', 3),
  ('b', 2, 10, '2024-02-01', '2024-01-31 10:00:01', 5),
  ('c', NULL, 50.01, NULL, NULL, NULL);
INSERT INTO owns VALUES (1, 'b'), (1, 'b'), (2, 'c'), (NULL, 'c');
"""
MAPPING = """
[types]
country = { kind = "text" }
doors = { kind = "code" }
price = { kind = "number", cuts = [10, 50] }
day = { kind = "date", cuts = [2024-02-01] }
moment = { kind = "date", cuts = [2024-01-31T10:00:01] }

[tables.maker]
entity = "maker"
key = ["id"]
columns = [
  { column = "country", predicate = "country", type = "country" },
  { column = "big one", predicate = "big", holds = [true] },
]
[tables.Cars]
entity = "car"
key = ["plate"]
columns = [
  { column = "maker_id", predicate = "made_by", refers = "maker" },
  { column = "price", predicate = "price", type = "price" },
  { column = "sold", predicate = "sold", type = "day" },
  { column = "seen", predicate = "seen", type = "moment" },
  { column = "sold", predicate = "sold_on", type = "weekday", part = "weekday" },
  { column = "seen", predicate = "seen_month", type = "month", part = "month" },
  { column = "seen", predicate = "seen_year", type = "year", part = "year" },
  { column = "doors", predicate = "cars", type = "doors" },
]
[tables.owns]
relation = "owns"
columns = [ { column = "maker_id", refers = "maker" }, { column = "plate", refers = "Cars" } ]
"""


def typed_tables():
    """Return the facts of the tables above, with values as DuckDB has them, their mapping, and a program."""
    mapping = parse_mapping(MAPPING)
    tables = {}
    with wanted_module("duckdb").connect(":memory:") as connection:
        connection.execute(TABLES)
        for name in mapping.tables:
            asked_for = connection.execute(f'SELECT * FROM "{name}"')
            columns = [column for column, *_ in asked_for.description]
            values = dict(zip(columns, map(list, zip(*asked_for.fetchall(), strict=True)), strict=True))
            tables[name] = TableData(SourceTable(name, dict.fromkeys(columns, "")), values)
    kb, mapping = read_tables(GivenTables(tables), mapping)
    return kb, mapping, copies(kb)


def test_views_in_duckdb():
    kb, mapping, program = typed_tables()
    export = export_program(program, "sql:duckdb", mapping=mapping)
    assert (export.names["cars"], export.names["owns"]) == ("cars_facts", "owns_facts")
    with wanted_module("duckdb").connect(":memory:") as connection:
        connection.execute(TABLES)
        connection.execute(export.text)
        found = asked(export, program, lambda query: connection.execute(query).fetchall())
    assert found == derived(kb, program)
    assert ("price!", ("car:b", "[10..50)")) in found


def test_views_in_spark():
    sqlglot = wanted_module("sqlglot")
    kb, mapping, program = typed_tables()
    export = export_program(program, "sql:spark", mapping=mapping)
    with wanted_module("duckdb").connect(":memory:") as connection:
        connection.execute(TABLES)
        for statement in sqlglot.transpile(export.text, read="spark", write="duckdb"):
            connection.execute(statement.replace("DAYOFWEEKISO", "ISODOW"))  # which it does not translate
        found = asked(export, program, lambda query: connection.execute(query).fetchall())
    assert found == derived(kb, program)


def test_views_in_sqlite_of_dates_and_numbers_in_many_ways(tmp_path):
    path = tmp_path / "odd.db"
    days = [f"'2024-{month:02}-{day:02}'" for month in (1, 2, 12) for day in range(1, 29, 5)]
    moments = [
        "'2024-01-31T23:30:00-02:00'",
        "'2024-02-01 00:00:00'",
        "'2024-01-31T10:00:00.500Z'",
        "''",
        "NULL",
    ]
    rows = ",".join(f"({i}, {when}, {i % 3}.0, {i % 2})" for i, when in enumerate([*days, *moments]))
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"""
            CREATE TABLE t (id REAL PRIMARY KEY, "when" TEXT, code REAL, flag BOOLEAN);
            INSERT INTO t VALUES {rows};
        """)
    mapping = parse_mapping("""
        [types]
        day = { kind = "date", cuts = [2024-02-01, 2024-12-11] }
        code = { kind = "code" }
        [tables.t]
        entity = "t"
        key = ["id"]
        columns = [
          { column = "when", predicate = "day", type = "day" },
          { column = "when", predicate = "weekday", type = "weekday", part = "weekday" },
          { column = "when", predicate = "month", type = "month", part = "month" },
          { column = "when", predicate = "year", type = "year", part = "year" },
          { column = "code", predicate = "code", type = "code" },
          { column = "flag", predicate = "flag", holds = [1] },
        ]
    """)
    kb, mapping = read_tables(open_source(path), mapping)
    program = copies(kb)
    export = export_program(program, "sql:sqlite", mapping=mapping)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(export.text)
        found = asked(export, program, connection.execute)
    assert found == derived(kb, program)
    assert {name for name, _ in found} == {*program.defined()}


def test_views_in_postgresql(postgresql):
    kb, mapping, program = typed_tables()
    export = export_program(program, "sql:postgresql", mapping=mapping)
    arities = {name: program.arities()[name] for name in program.defined()}
    found = postgresql.derive(export, arities, before=TABLES)
    assert found == derived(kb, program)


def test_comparisons_are_facts_in_any_language():
    mapping = typed_tables()[1]
    export = export_program(Program.parse("dear(X) :- price(X,Y), price(Y) >= 50."), "asp", mapping=mapping)
    assert '"[50..)"' in export.text


def test_facts_beside_views_are_refused():
    kb, mapping, program = typed_tables()
    with pytest.raises(UsageError, match="need no facts"):
        export_program(program, "sql:sqlite", facts=kb, mapping=mapping)


def test_views_of_a_learned_model_give_what_it_decodes(tmp_path):
    path = shop(tmp_path / "shop.db").path
    kb, mapping = read_tables(open_source(path))
    model = AutoEncoder().fit(kb)
    decoded = model.inverse_transform(model.transform(kb))
    with closing(sqlite3.connect(path)) as connection:
        export = export_model(model, "sql:sqlite", mapping=mapping)
        connection.executescript(export.text)
        names = model.decoder_.defined()
        assert "order_ship_country" in names
        for name in names:
            rows = set(connection.execute(f'SELECT * FROM "{export.names[f"{name}_decoded"]}"'))
            facts = {
                tuple(plain_constant(symbol_of(v)) for v in fact.arguments) for fact in decoded.facts(name)
            }
            assert rows == facts, name
