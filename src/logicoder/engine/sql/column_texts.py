"""Values of columns as the texts of constants: the same ones that reading them into memory gives."""

from __future__ import annotations

import re

from logicoder.base.errors import InputError, Location
from logicoder.base.sql_text import literal

_NESTED = re.compile(r"STRUCT|MAP|ARRAY|LIST|UNION|INTERVAL|.*\]\Z", re.IGNORECASE)


def require_plain(kind: str, column: str, path: str) -> None:
    """Raise an error for a column whose values are no constants.

    Raises:
        InputError: for lists, records and intervals.
    """
    if _NESTED.match(kind):
        raise InputError(
            f"column {column}: a {kind} is not a constant",
            Location(path),
            "convert the column to text or numbers, or read the table into memory (engine arrays)",
        )


def duckdb_text(column: str, kind: str) -> str:
    """Return a quoted column of DuckDB as text; NULL for NaN, which differs from itself.

    >>> duckdb_text('"price"', "VARCHAR")
    'CAST("price" AS VARCHAR)'
    """
    if kind.startswith("DECIMAL"):
        return _short(f"CAST({column} AS VARCHAR)")
    if kind in ("FLOAT", "DOUBLE"):
        value = f"CAST({column} AS DOUBLE)"
        infinite = f"CAST(error('there are infinite numbers in ' || {literal(column)}) AS VARCHAR)"
        # By statistics of Parquet files, which leave NaN out, DuckDB may take isnan for false everywhere.
        return f"CASE WHEN isfinite({value}) THEN {_text(value)} WHEN isinf({value}) THEN {infinite} END"
    if kind == "BLOB":
        return f"'0x' || lower(hex({column}))"
    if kind.startswith("TIMESTAMP"):
        zoned = kind.endswith("TIME ZONE")
        value = f"timezone('UTC', {column})" if zoned else f"CAST({column} AS TIMESTAMP)"
        text = _timed(value, "%Y-%m-%dT%H:%M:%S")
        return f"({text}) || '+00:00'" if zoned else text
    if kind == "TIME":
        day = f"(DATE '2000-01-01' + {column})"
        return _timed(day, "%H:%M:%S")
    return f"CAST({column} AS VARCHAR)"


def spark_text(column: str, kind: str) -> str:
    """Return a quoted column of Spark as text; NULL for NaN."""
    if kind.startswith("decimal"):
        return _short(f"CAST({column} AS STRING)")
    if kind in ("float", "double"):
        return f"CASE WHEN isnan({column}) THEN NULL ELSE CAST({column} AS STRING) END"
    if kind == "binary":
        return f"concat('0x', lower(hex({column})))"
    if kind.startswith("timestamp"):
        seconds, parts = "yyyy-MM-dd''T''HH:mm:ss", f"date_format({column}, 'SSSSSS')"
        whole = f"date_format({column}, '{seconds}')"
        return f"CASE WHEN {parts} = '000000' THEN {whole} ELSE concat({whole}, '.', {parts}) END"
    return f"CAST({column} AS STRING)"


def _short(text: str) -> str:
    """Return the text of a decimal number without zeros at its end."""
    short = f"trim(TRAILING '.' FROM trim(TRAILING '0' FROM {text}))"
    return f"CASE WHEN {text} LIKE '%.%' THEN {short} ELSE {text} END"


def _timed(value: str, seconds: str) -> str:
    """Return a time as text, with a fraction of its second if there is one."""
    whole = f"microsecond({value}) % 1000000 = 0"
    return f"CASE WHEN {whole} THEN strftime({value}, '{seconds}') ELSE strftime({value}, '{seconds}.%f') END"


def _text(value: str) -> str:
    return f"CAST({value} AS VARCHAR)"
