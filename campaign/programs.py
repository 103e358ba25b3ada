"""Random programs in every engine, against clingo."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from tests.engine.asp import derived
from tests.engine.random_programs import knowledge_bases, programs

from campaign.kind import Case, FoundError
from logicoder.engine.sql.stored_data import StoredData

Atoms = set[tuple[str, str, tuple[str, ...]]]


class StoredPrograms:
    """Where data are stored, programs derive what clingo says.

    Args:
        system: the name of the engine.
        number: how many programs are run at a time.
        opened: opens a session of it.
    """

    unit = "programs"
    seconds = 600

    def __init__(self, system: str, number: int, opened: Callable[[], Any]) -> None:
        self._system = system
        self._number = number
        self._opened = opened

    def case(self, random: Random) -> Case:
        """Return where random programs start from."""
        return {"seed": random.getrandbits(32)}

    def check(self, case: Case, folder: Path) -> int:  # noqa: ARG002
        """Run programs in a session that stays open."""
        session = self._opened()

        @seed(case["seed"])
        @settings(
            max_examples=self._number,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate, Phase.shrink],
            print_blob=False,
        )
        @given(st.data())
        def compare(drawn: st.DataObject) -> None:
            kb = drawn.draw(knowledge_bases(negatives=False))
            program, _ = drawn.draw(programs(kb))
            data = StoredData.of(kb, session)
            try:
                found = _atoms(data, data.runs.run(program, data.relations))
            finally:
                session.clear()
            # Propositions of one world know no other.
            expected = {(w if data.several else "", name, row) for w, name, row in derived(program, kb)}
            assert found == expected, f"{program}\n{sorted(found ^ expected)}"

        try:
            compare()
        except Exception as error:
            notes = "\n".join(getattr(error, "__notes__", ()))
            raise FoundError(f"{self._system}: {error!r}\n{notes}"[:3000]) from error
        return self._number


def _atoms(data: StoredData, relations: dict[str, Any]) -> Atoms:
    found: Atoms = set()
    for name, relation in relations.items():
        rows = data.session.rows(f"SELECT * FROM {relation.table}", "comparing")  # noqa: S608  (of our own)
        assert len(rows) == len(set(rows)), f"{name} lists an atom twice"
        for row in rows:
            world = row[0] if data.several else ""
            found.add((world, name, tuple(row[data.several :]) if relation.arity else ()))
    return found


@cache
def _duckdb() -> Any:
    from logicoder.engine.sql.duckdb_session import DuckdbSession  # noqa: PLC0415

    return DuckdbSession()


@cache
def _postgresql() -> Any:
    """Return a session of a server that is started once, and ends with its folder."""
    from tests.postgresql import Postgresql  # noqa: PLC0415

    from logicoder.engine.sql.postgresql_session import PostgresqlSession  # noqa: PLC0415

    folder = Path(tempfile.mkdtemp(prefix="campaign-postgresql-"))
    _SERVERS.append((os.getpid(), Postgresql(folder), folder))
    return PostgresqlSession(f"postgresql://tester@/postgres?host={folder}")


_SERVERS: list[tuple[int, Any, Path]] = []


def stop_servers() -> None:
    """Stop what this process has started."""
    for owner, server, folder in _SERVERS:
        if owner == os.getpid():
            server.stop()
            shutil.rmtree(folder, ignore_errors=True)
    _SERVERS.clear()


@cache
def _spark() -> Any:
    from tests.engine.sql.systems import spark  # noqa: PLC0415

    from logicoder.engine.sql.spark_session import SparkSession  # noqa: PLC0415

    return SparkSession(spark())


STORED: dict[str, StoredPrograms] = {
    "programs-duckdb": StoredPrograms("duckdb", 50, _duckdb),
    "programs-postgresql": StoredPrograms("postgresql", 50, _postgresql),
    "programs-spark": StoredPrograms("spark", 5, _spark),
}
