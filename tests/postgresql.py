"""A PostgreSQL server for tests, in a folder of its own, and running exports in it."""

from __future__ import annotations

import glob
import json
import os
import shutil
import subprocess

from tests.wanted import wanted_or_skipped


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

    @property
    def folder(self):
        """Where its socket is."""
        return self._socket

    def derive(self, export, defined, before=""):
        # What other tests have written to the database is out of sight.
        script = ["BEGIN;", "CREATE SCHEMA own; SET search_path = own;", before, export.text]
        for name in defined:
            table = '"' + export.names[name].replace('"', '""') + '"'
            script.append(f"SELECT coalesce(json_agg(to_json(t)), '[]') FROM {table} AS t;")  # noqa: S608  (quoted)
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
