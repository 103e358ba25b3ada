"""Which engine: the one that was asked for, or one that suits where the data are and how large they are."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from logicoder.base.address import is_address
from logicoder.base.memory import available_memory, size_text
from logicoder.kb.file_names import suffix_of
from logicoder.kb.mapping.duckdb_source import is_duckdb

ARRAYS, AUTO = "arrays", "auto"

_BYTES_PER_FACT = {".parquet": 8, ".pq": 8}
"""What a fact of two arguments takes in a file, as `make bench-engines` writes them; 25 in files of text."""

_MEMORY_PER_FACT = 400
"""What a fact takes while arrays learn: 342 bytes of ten million, more of fewer (`make bench-engines`)."""

_CROSSING = 5_000_000
"""From so many facts on arrays take minutes, and a tenth of them in DuckDB (`make bench-engines`)."""

_SHARE = 0.6

_log = logging.getLogger("logicoder")


def chosen_engine(paths: Sequence[str | Path], asked: str) -> str:
    """Return the engine for data, and tell where it is none that one would expect.

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
    if any(map(is_address, paths)) or find_spec("duckdb") is None:
        return ARRAYS
    facts = sum(map(_facts, map(Path, paths)))
    free = int(_SHARE * available_memory())
    if facts * _MEMORY_PER_FACT <= free:
        if facts < _CROSSING:
            return ARRAYS
        _log.warning(
            "engine duckdb: about %s facts; --engine arrays searches all of them instead of a sample, and "
            "takes many times as long",
            f"{facts:,}",
        )
        return "duckdb"
    _log.warning(
        "engine duckdb: about %s facts would take more than the %s of memory that arrays may use",
        f"{facts:,}",
        size_text(free),
    )
    return "duckdb"


def _facts(path: Path) -> int:
    """Return about how many facts files hold that an engine could read in place."""
    if path.is_dir():
        return sum(_facts(inner) for inner in path.iterdir() if not inner.name.startswith("."))
    if suffix_of(path) not in (".parquet", ".pq", ".csv", ".tsv", ".txt") or not path.is_file():
        return 0
    return path.stat().st_size // _BYTES_PER_FACT.get(suffix_of(path), 25)
