"""Which engine: the one that was asked for, or one that suits where the data are and how large they are."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from logicoder.base.address import is_address
from logicoder.base.errors import InputError
from logicoder.base.memory import available_memory, size_text
from logicoder.engine.sql.session import QueryError
from logicoder.kb.file_names import suffix_of
from logicoder.kb.mapping.duckdb_source import is_duckdb

ARRAYS, AUTO = "arrays", "auto"

_BYTES_PER_FACT = {".parquet": 8, ".pq": 8}
"""What a fact of two arguments takes in a file, as `make bench-engines` writes them; 25 in files of text."""

_MEMORY_PER_FACT = 400
"""What a fact takes while arrays learn: 363 bytes of ten million, more of fewer (`make bench-engines`)."""

_CROSSING = 5_000_000
"""From so many facts on arrays take minutes, and a fraction of them in DuckDB (`make bench-engines`)."""

_SHARE = 0.6

_ESTIMATE = """
SELECT CAST(coalesce(sum(greatest(1, c.columns - 1) * CASE
    WHEN t.reltuples >= 0 THEN t.reltuples ELSE pg_relation_size(t.oid) / 50 END), 0) AS BIGINT)
FROM pg_class AS t JOIN (
    SELECT attrelid, count(*) AS columns FROM pg_attribute
    WHERE attnum > 0 AND NOT attisdropped GROUP BY attrelid
) AS c ON c.attrelid = t.oid
WHERE t.relkind IN ('r', 'm') AND t.relnamespace = CAST(current_schema() AS regnamespace)
"""
"""One column tells rows apart, and each of the others makes a fact of each row; of tables that were never
analysed, only the size is known."""

_log = logging.getLogger("logicoder")


def chosen_engine(paths: Sequence[str | Path], asked: str) -> str:
    """Return the engine for data, and tell where it is none that one would expect.

    Rows of a server are estimated by what it knows of its tables, without reading them.

    >>> chosen_engine(["family.pl"], "auto")
    'arrays'

    Args:
        paths: files, folders, or the address of a database.
        asked: the engine, or `auto`.
    """
    if asked != AUTO:
        return asked
    if len(paths) == 1 and not is_address(paths[0]) and is_duckdb(Path(paths[0])):
        _log.info("engine duckdb: the data is in a DuckDB file")
        return "duckdb"
    served = any(map(is_address, paths))
    engine, package = ("postgresql", "psycopg") if served else ("duckdb", "duckdb")
    if find_spec(package) is None:
        return ARRAYS
    facts = _facts_on_server(str(paths[0])) if served else sum(map(_facts, map(Path, paths)))
    free = int(_SHARE * available_memory())
    if facts * _MEMORY_PER_FACT > free:
        reason = f"would take more than the {size_text(free)} of memory that arrays may use"
    elif facts >= _CROSSING:
        reason = "are many; --engine arrays searches all of them instead of a sample, and takes longer"
    else:
        return ARRAYS
    _log.warning("engine %s: about %s facts %s", engine, f"{facts:,}", reason)
    return engine


def _facts_on_server(address: str) -> int:
    """Return about how many facts the tables of a PostgreSQL server make; 0 for other servers."""
    from logicoder.engine.sql.postgresql_session import PostgresqlSession  # noqa: PLC0415  (an extra)

    if not address.startswith("postgres"):
        return 0
    try:
        with PostgresqlSession(address) as session:
            return session.value(_ESTIMATE, "asking how large the tables are")
    except (InputError, QueryError):
        return 0  # whoever reads the data tells what is wrong, or has a driver with other options


def _facts(path: Path) -> int:
    """Return about how many facts files hold that an engine could read in place."""
    if path.is_dir():
        return sum(_facts(inner) for inner in path.iterdir() if not inner.name.startswith("."))
    if suffix_of(path) not in (".parquet", ".pq", ".csv", ".tsv", ".txt") or not path.is_file():
        return 0
    return path.stat().st_size // _BYTES_PER_FACT.get(suffix_of(path), 25)
