"""Programs as views for Spark SQL, which has no recursive ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from logicoder.base.errors import UsageError
from logicoder.base.sql_text import spark_literal, spark_quoted
from logicoder.export.interface import different, word
from logicoder.export.sql import SqlExporter

if TYPE_CHECKING:
    from logicoder.export.script import Script


class SparkExporter(SqlExporter):
    """Views for Spark."""

    name = "sql:spark"
    summary = "SQL views for Spark"
    text = "STRING"
    number = "DOUBLE"
    weekday = "DAYOFWEEK_ISO"

    def names(self, predicates: Iterable[str]) -> dict[str, str]:
        """See `Exporter.names`: views are called by words."""
        return different(predicates, word, str.casefold)

    def quoted(self, name: str) -> str:
        """See `SqlExporter.quoted`."""
        return spark_quoted(name)

    def literal(self, text: str) -> str:
        """See `SqlExporter.literal`: what follows a backslash is special."""
        return spark_literal(text)

    def recursion(
        self, script: Script, component: tuple[str, ...], names: Mapping[str, str]
    ) -> Iterator[str]:
        """See `SqlExporter.recursion`."""
        del script, names
        raise UsageError(f"{component[0]} depends on itself, and Spark has no recursive views")
