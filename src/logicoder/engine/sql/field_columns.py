"""Fields of CSV files in DuckDB: how each column is read, told by all of its fields, as in memory."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from logicoder.kb.mapping.field_styles import (
    NOTHING,
    PATTERNS,
    Reading,
    is_open,
    missing_in_texts,
    reading_of,
)

if TYPE_CHECKING:
    from logicoder.engine.sql.session import Session

_FIRST = 1_000
"""Rows whose fields tell at first how columns are read."""
_BLANK = "".join(filter(str.isspace, map(chr, range(0x3001))))
"""What Python takes for white space."""
_DAYS = {"dotted": "%d.%m.%Y", "day_first": "%d/%m/%Y", "month_first": "%m/%d/%Y"}

_log = logging.getLogger("logicoder")


class FieldColumns:
    """Tells how the columns of a table of texts are read.

    Whatever some fields suggest, the others are searched for one that is written otherwise, until there is
    none. So all fields decide, though few of them come here.

    Args:
        session: a session of DuckDB.
        table: the table of texts, quoted.
        names: its columns.
        delimiter: what separates fields.
    """

    def __init__(self, session: Session, table: str, names: Sequence[str], delimiter: str) -> None:
        self._session, self._table, self._delimiter = session, table, delimiter
        self._columns = {name: session.quoted(name) for name in names}

    def expressions(self, path: str) -> dict[str, str]:
        """Return the value of each column, as queries write it; guesses are told.

        Args:
            path: what messages call the file.
        """
        readings = self._readings(path)
        for name, reading in readings.items():
            if reading.is_guess:
                first = self._first(name, reading) if reading.style else ""
                _log.warning("%s, column %s: %s", path, name, reading.told(first))
        return {name: self._value(name, reading) for name, reading in readings.items()}

    def _readings(self, path: str) -> dict[str, Reading]:
        listed = ", ".join(self._columns.values())
        rows = self._session.rows(f"SELECT {listed} FROM {self._table} LIMIT {_FIRST}", f"reading {path}")
        known = {
            name: {row[place].strip() for row in rows if row[place]} - {""}
            for place, name in enumerate(self._columns)
        }
        found: dict[str, Reading] = {}
        open_columns = list(self._columns)
        while open_columns:
            tests = {}
            for name in open_columns:
                found[name] = reading_of(known[name], self._delimiter)
                if (test := self._test(name, found[name], known[name])) is not None:
                    tests[name] = test
            others = self._others(tests, path)
            open_columns = [name for name, text in others.items() if text not in known[name]]
            for name in open_columns:
                known[name].add(others[name])
            for name in others.keys() - set(open_columns):
                found[name] = Reading(None)  # digits that only Python knows, and the like
        return {name: found[name] for name in self._columns} | self._texts(found, path)

    def _texts(self, readings: Mapping[str, Reading], path: str) -> dict[str, Reading]:
        """Return how columns of texts are read in which something stands for nothing."""
        nothing = sorted(missing_in_texts(readings.values()))
        texts = [name for name, reading in readings.items() if reading.style is None]
        if not texts:
            return {}
        tests = [f"{self._text(name)} = {self._session.literal(text)}" for name in texts for text in nothing]
        query = f"SELECT {', '.join(f'count(*) FILTER (WHERE {test})' for test in tests)} FROM {self._table}"
        counts = iter(self._session.row(query, f"reading {path}"))
        return {name: Reading(None, frozenset(t for t in nothing if next(counts))) for name in texts}

    def _test(self, name: str, reading: Reading, known: set[str]) -> str | None:
        """Return the test that a field is read so; None where any field is."""
        text = self._text(name)
        if reading.style is not None:
            return self._fits(text, reading.style.name, reading.missing)
        if not is_open(known):
            return None
        ways = " AND ".join(self._fits(text, way, ()) for way in ("day_first", "month_first"))
        return f"(({ways}) OR lower({text}) IN ({', '.join(map(self._session.literal, sorted(NOTHING)))}))"

    def _fits(self, text: str, style: str, missing: Sequence[str] | frozenset[str]) -> str:
        test = f"regexp_full_match({text}, {self._session.literal(_pattern(style))})"
        if style in _DAYS:
            test += f" AND try_strptime({text}, '{_DAYS[style]}') IS NOT NULL"
        listed = ", ".join(map(self._session.literal, sorted(missing)))
        return f"({test} OR {text} IN ({listed}))" if listed else f"({test})"

    def _others(self, tests: Mapping[str, str], path: str) -> dict[str, str]:
        """Return for each column a field that does not pass its test, if there is one."""
        if not tests:
            return {}
        parts = []
        for name, test in tests.items():
            text = self._text(name)
            parts.append(f"min({text}) FILTER (WHERE {text} <> '' AND NOT ({test}))")
        row = self._session.row(f"SELECT {', '.join(parts)} FROM {self._table}", f"reading {path}")
        return {name: text for name, text in zip(tests, row, strict=True) if text is not None}

    def _first(self, name: str, reading: Reading) -> str:
        """Return the first field of a column that is not missing."""
        text = self._text(name)
        out = "".join(f", {self._session.literal(missing)}" for missing in sorted(reading.missing))
        query = f"SELECT {text} FROM {self._table} WHERE {text} NOT IN (''{out}) ORDER BY rowid LIMIT 1"
        return str(self._session.row(query, f"reading {name}")[0])

    def _value(self, name: str, reading: Reading) -> str:
        text = self._text(name)
        listed = "".join(f", {self._session.literal(missing)}" for missing in sorted(reading.missing))
        if reading.style is None:
            return f"CASE WHEN {text} NOT IN (''{listed}) THEN {self._columns[name]} END"
        written = f"CASE WHEN {text} NOT IN (''{listed}) THEN {text} END"
        style = reading.style.name
        if style == "integer":
            return f"CAST({written} AS BIGINT)"
        if style in _DAYS:
            return f"CAST(strptime({written}, '{_DAYS[style]}') AS DATE)"
        if style == "commas":
            written = f"replace({written}, ',', '')"
        if style == "points":
            written = f"replace(replace({written}, '.', ''), ',', '.')"
        return f"TRY_CAST({written} AS DOUBLE)"

    def _text(self, name: str) -> str:
        return blank_free(self._session, name)


def blank_free(session: Session, column: str) -> str:
    """Return the text of a column without the white space around it, as queries write it."""
    return f"trim({session.quoted(column)}, {session.literal(_BLANK)})"


def _pattern(style: str) -> str:
    """Return the pattern of a style; DuckDB matches whole texts."""
    return PATTERNS[style].pattern.removesuffix(r"\Z")
