"""Running exports in the systems that they are for, and reading what was derived."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess

from tests.wanted import wanted_module, wanted_or_skipped

from logicoder.logic.symbols import Text, quote, symbol_of


def derived_by_clingo(text):
    clingo = wanted_module("clingo")
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    models = []
    control.solve(on_model=lambda model: models.append([str(atom) for atom in model.symbols(shown=True)]))
    assert len(models) == 1
    return set(models[0])


def rows_of(cursor, names, defined):
    return {
        (name, tuple(row) if arity else ())
        for name, arity in defined.items()
        for row in cursor(f'SELECT * FROM "{names[name].replace(chr(34), chr(34) * 2)}"')
    }


def derived_by_sqlite(export, defined):
    with sqlite3.connect(":memory:") as connection:
        connection.executescript(export.text)
        found = rows_of(lambda query: connection.execute(query).fetchall(), export.names, defined)
    connection.close()
    return found


def derived_by_duckdb(export, defined):
    duckdb = wanted_module("duckdb")
    with duckdb.connect(":memory:") as connection:
        connection.execute(export.text)
        return rows_of(lambda query: connection.execute(query).fetchall(), export.names, defined)


def derived_as_spark(export, defined):
    """Run the SQL of Spark in DuckDB, translated by a library that knows both dialects."""
    duckdb, sqlglot = wanted_module("duckdb"), wanted_module("sqlglot")
    with duckdb.connect(":memory:") as connection:
        for statement in sqlglot.transpile(export.text, read="spark", write="duckdb"):
            connection.execute(statement)
        return rows_of(lambda query: connection.execute(query).fetchall(), export.names, defined)


def derived_by_oxigraph(export, defined):
    """Ask the queries in their order, those to be repeated until nothing is new."""
    oxigraph = wanted_module("pyoxigraph")
    store = oxigraph.Store()

    def ask(queries):
        before = len(store)
        for query in queries:
            store.extend(oxigraph.Quad(*triple) for triple in list(store.query(query)))
        return len(store) > before

    for number, part in enumerate(re.split(r"^# (?:repeat|end)$", export.text, flags=re.MULTILINE)):
        queries = re.split(r"^# query$", part, flags=re.MULTILINE)[1:]
        while ask(queries) and number % 2:
            pass
    kind = oxigraph.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    found = set()
    for name, arity in defined.items():
        node = oxigraph.NamedNode(export.names[name][1:-1])
        pattern = (None, kind, node) if arity == 1 else (None, node, None)
        for quad in store.quads_for_pattern(*pattern):
            found.add((name, tuple(map(str, (quad.subject, quad.object)))[:arity]))
    return found


class Swi:
    """One process per file: each prints the facts that it derives."""

    def __init__(self, folder):
        self._folder = folder
        if shutil.which("swipl") is None:
            wanted_or_skipped("SWI-Prolog (swipl) is not installed: run scripts/install-systems")

    def derive(self, export, defined):
        """Return facts with symbols; what is printed are codes of characters, which nothing can disguise."""
        heads = [head_of(export.names[name], arity) for name, arity in defined.items()]
        program, asked = self._folder / "program.pl", self._folder / "asked.pl"
        program.write_text(export.text)
        asked.write_text("".join([ASKED, *(f"show({i}, {head}).\n" for i, head in enumerate(heads))]))
        run = subprocess.run(
            ["swipl", "-q", "-g", "asked:main", "-t", "halt", program, asked],  # noqa: S607
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert run.stderr == "", run.stderr
        names = list(defined)
        lines = [line.split("\t") for line in run.stdout.splitlines()]
        return {(names[int(number)], tuple(map(symbol, fields))) for number, *fields in lines}


ASKED = """
:- module(asked, []).
:- dynamic show/2.
main :- forall((show(Number, Head), call(user:Head)), print_fact(Number, Head)).
print_fact(Number, Head) :- write(Number), Head =.. [_|Xs], maplist(field, Xs), nl.
field(X) :- number(X), !, format("\\tn~q", [X]).
field(X) :- string(X), !, string_codes(X, Codes), format("\\ts~w", [Codes]).
field(X) :- atom(X), !, atom_codes(X, Codes), format("\\ta~w", [Codes]).
"""


def head_of(name, arity):
    return f"{quote(name)}({','.join(f'_{i}' for i in range(arity))})" if arity else quote(name)


def symbol(field):
    if field[0] == "n":
        return symbol_of(float(field[1:]) if "." in field else int(field[1:]))
    text = "".join(map(chr, json.loads(field[1:])))
    return symbol_of(text if field[0] == "a" else Text(text))
