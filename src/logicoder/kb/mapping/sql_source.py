"""Databases behind an address, by SQLAlchemy: tables and keys are reflected, and nothing is written."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

from logicoder.base.address import HIDDEN, masked
from logicoder.base.errors import InputError, Location, MissingExtraError
from logicoder.kb.mapping.tables import Columns, ForeignKey, SourceTable, TableSource

_BATCH = 10_000
_SEED = 1
"""Of the rows that a server chooses."""
_P = ParamSpec("_P")
_T = TypeVar("_T")
_READ_ONLY: dict[str, dict[str, Any]] = {
    # What the server itself refuses; with others it is enough that only SELECT is ever said.
    "postgresql": {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True},
    "mysql": {"isolation_level": "REPEATABLE READ"},
    "mariadb": {"isolation_level": "REPEATABLE READ"},
}


_PACKAGES = {"MySQLdb": "mysqlclient", "psycopg2": "psycopg2-binary", "cx_Oracle": "cx-oracle"}
"""What to install for drivers that are called differently."""


class SqlSource(TableSource):
    """The tables of a database that SQLAlchemy knows how to speak to.

    Args:
        address: such as `postgresql://anna:secret@host/shop`; the password is in no message.
    """

    def __init__(self, address: str) -> None:
        self.name = masked(address)
        try:
            import sqlalchemy  # noqa: PLC0415  (an extra)
        except ImportError:
            raise MissingExtraError("sqlalchemy", "database", f"reading {self.name}") from None
        self._sql = sqlalchemy
        self._password: str | None = None
        try:
            self._password = sqlalchemy.make_url(address).password
            self._engine = sqlalchemy.create_engine(address)
            options = _READ_ONLY.get(self._engine.dialect.name, {})
            self._connection = self._engine.connect().execution_options(**options)
            self._inspector = sqlalchemy.inspect(self._connection)
        except ImportError as error:
            missing = error.name or str(error)
            package = _PACKAGES.get(missing, missing)
            raise self.refused(f"its driver {missing} is not installed", f"pip install {package}") from None
        except Exception as error:  # drivers have errors of their own, and some quote the address
            raise self._failure(error) from None

    def close(self) -> None:
        """See `TableSource.close`."""
        self._connection.close()
        self._engine.dispose()

    def tables(self, names: Sequence[str] | None = None) -> list[SourceTable]:
        """See `TableSource.tables`."""
        return self._guarded(self._tables, names)

    def _tables(self, names: Sequence[str] | None) -> list[SourceTable]:
        views = set(self._inspector.get_view_names())
        known = [*self._inspector.get_table_names(), *sorted(views)]
        outlines = self.chosen([SourceTable(name, {}, view=name in views) for name in known], names)
        columns = self._inspector.get_multi_columns(kind=self._sql.engine.reflection.ObjectKind.ANY)
        keys: Any = self._inspector.get_multi_pk_constraint()
        foreign = self._inspector.get_multi_foreign_keys()
        found = []
        for outline in outlines:
            place = (None, outline.name)
            if not columns.get(place):
                raise self.refused(f"the table {outline.name} has no columns")
            count = self._sql.select(self._sql.func.count()).select_from(self._sql.table(outline.name))
            found.append(
                SourceTable(
                    outline.name,
                    {column["name"]: str(column["type"]) for column in columns[place]},
                    tuple(keys.get(place, {}).get("constrained_columns") or ()),
                    tuple(
                        ForeignKey(
                            tuple(one["constrained_columns"]),
                            one["referred_table"],
                            tuple(one["referred_columns"] or ()),
                        )
                        for one in foreign.get(place, ())
                        if one["referred_table"] in known
                    ),
                    int(self._connection.execute(count).scalar_one()),
                    outline.view,
                )
            )
        return found

    def values(self, table: SourceTable, every: int) -> Columns:
        """See `TableSource.values`."""
        return self._guarded(self._values, table, every)

    def _values(self, table: SourceTable, every: int) -> Columns:
        columns: list[Any] = [self._sql.column(name) for name in table.columns]
        source: Any = self._sql.table(table.name)
        most = None
        if every > 1 and not table.view and self._engine.dialect.name == "postgresql":
            # The server itself takes some rows, the same each time, and sends no others.
            share = self._sql.func.bernoulli(100 / every)
            source = source.tablesample(share, seed=self._sql.literal_column(str(_SEED)))
            most, every = -(-table.rows // every), 1
        query = self._sql.select(*columns).select_from(source).limit(most)
        result = self._connection.execute(query, execution_options={"yield_per": _BATCH})
        found: Columns = {name: [] for name in table.columns}
        lists = list(found.values())
        for number, row in enumerate(result):
            if number % every == 0:
                for values, value in zip(lists, row, strict=True):
                    values.append(value)
        return found

    def _guarded(self, ask: Callable[_P, _T], *arguments: _P.args, **named: _P.kwargs) -> _T:
        try:
            with warnings.catch_warnings():
                # Types that are not known are no concern: values are looked at as they come.
                warnings.simplefilter("ignore", self._sql.exc.SAWarning)
                return ask(*arguments, **named)
        except InputError:
            raise
        except Exception as error:
            raise self._failure(error) from None

    def _failure(self, error: Exception) -> InputError:
        """Return what a driver says, in one line and without the password."""
        said = masked(str(getattr(error, "orig", None) or error).strip().partition("\n")[0])
        if self._password:
            said = said.replace(self._password, HIDDEN)
        return InputError(f"the database cannot be read ({said})", Location(self.name))
