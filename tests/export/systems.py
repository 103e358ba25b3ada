"""Running exports in the systems that they are for, and reading what was derived."""

from __future__ import annotations

import glob
import json
import os
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


def program(tool):
    """Return where a program of PostgreSQL is: Debian keeps those of the server apart."""
    found = shutil.which(tool) or max(glob.glob(f"/usr/lib/postgresql/*/bin/{tool}"), default=None)
    return found or wanted_or_skipped(f"PostgreSQL ({tool}) is not installed: run scripts/install-systems")


class Postgresql:
    """A server of its own in a folder, reached through a socket."""

    def __init__(self, folder):
        self._programs = {tool: program(tool) for tool in ("initdb", "pg_ctl", "psql")}
        self._socket = folder
        # The server refuses to be run by the superuser of the machine.
        self._user = (
            {"user": "postgres", "group": "postgres", "extra_groups": ()} if os.geteuid() == 0 else {}
        )
        if self._user:
            try:
                shutil.chown(folder, "postgres")
            except LookupError:
                wanted_or_skipped("PostgreSQL needs a user called postgres where tests are run by root")
        self._data = folder / "data"
        self._run("initdb", "-D", self._data, "-A", "trust", "-U", "tester", "-E", "UTF8", "--no-sync")
        options = f"-k {folder} -c listen_addresses= -c fsync=off"
        self._run("pg_ctl", "-D", self._data, "-w", "-l", folder / "log", "-o", options, "start")

    def _run(self, tool, *arguments):
        command = [self._programs[tool], *map(str, arguments)]
        subprocess.run(command, check=True, capture_output=True, cwd="/", timeout=120, **self._user)

    def stop(self):
        self._run("pg_ctl", "-D", self._data, "-m", "immediate", "stop")

    def derive(self, export, defined, before=""):
        script = ["BEGIN;", before, export.text]
        for name in defined:
            table = '"' + export.names[name].replace('"', '""') + '"'
            script.append(f"SELECT coalesce(json_agg(to_json(t)), '[]') FROM {table} AS t;")
        run = subprocess.run(
            [
                self._programs["psql"],
                "-XqAt",
                "-v",
                "ON_ERROR_STOP=1",
                "-h",
                self._socket,
                "-U",
                "tester",
                "postgres",
            ],
            input="\n".join([*script, "ROLLBACK;"]),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        # One JSON array for each predicate, over several lines.
        decoder, text, found = json.JSONDecoder(), run.stdout.strip(), set()
        for name, arity in defined.items():
            rows, end = decoder.raw_decode(text)
            text = text[end:].lstrip()
            found |= {(name, tuple(row.values()) if arity else ()) for row in rows}
        return found
