"""Applying a mapping: rows become facts of a knowledge base with a declared schema."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from logicoder.base.errors import InputError
from logicoder.kb.builder import KnowledgeBaseBuilder
from logicoder.kb.mapping.bins import bin_number, labels, part_of
from logicoder.kb.mapping.cut_choice import point_of, with_cuts
from logicoder.kb.mapping.data_mapping import ORDERED, TEXT, Argument, DataMapping, TableMapping, ValueType
from logicoder.kb.mapping.mapping_file import signatures_of
from logicoder.kb.mapping.ordered_types import comparisons
from logicoder.kb.mapping.tables import column_values
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.symbols import quote, symbol_of, symbol_of_field

if TYPE_CHECKING:
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.kb.mapping.tables import TableData

_log = logging.getLogger("logicoder")
_MISSING = -1


def apply_mapping(mapping: DataMapping, data: Mapping[str, TableData], source: str = "") -> KnowledgeBase:
    """Return the facts of tables, in one interpretation.

    NULL and NaN give no fact. Empty text is a value among texts, and none among keys, numbers and dates. Keys
    that were read as floating-point numbers are made whole again, with a warning.

    Raises:
        InputError: if a table or a column of the mapping is not there, a value is not of its kind, or there
            is no fact at all.
    """
    every, mapping = mapping, with_cuts(mapping.essential(), data)
    schema, compared = mapping_schema(mapping)
    application = _Application(mapping, data, KnowledgeBaseBuilder(schema, mapping=mapping))
    for table in mapping.tables.values():
        application.add(table)
    if not application.builder.mentioned():
        left_out = [name for table in every.tables.values() for name in _columns_left_out(table)]
        why = f"the other columns are left out ({', '.join(left_out)})" if left_out else "no value is there"
        hint = "`logicoder inspect` says why, and writes a mapping that you can edit" if left_out else None
        raise InputError(f"{source or 'these tables'}: there are no facts, because {why}", hint=hint)
    application.compare(compared)
    return application.builder.build()


def _columns_left_out(table: TableMapping) -> list[str]:
    return [f"{table.table}.{column}" for a in table.arguments if a.left_out for column in a.columns]


def mapping_schema(mapping: DataMapping) -> tuple[Schema, Mapping[str, tuple[str, Sequence[str]]]]:
    """Return the predicates that a mapping with cuts makes, and of its comparisons type and constants."""
    mapping = mapping.essential()
    compared = comparisons(mapping)
    schema = Schema.of(
        *(
            Predicate(name, types)
            for table in mapping.tables.values()
            for name, types in signatures_of(mapping, table)
        ),
        *(Predicate(name, (kind,), background=True) for name, (kind, _) in compared.items()),
    )
    return schema, compared


class _Application:
    """Adds the facts of one table after the other to a builder."""

    def __init__(
        self, mapping: DataMapping, data: Mapping[str, TableData], builder: KnowledgeBaseBuilder
    ) -> None:
        self.builder = builder
        self._mapping = mapping
        self._data = data
        self._world = builder.interpretation("data")

    def add(self, table: TableMapping) -> None:
        if table.relation is not None:
            columns = [self._ids(table, argument) for argument in table.arguments]
            self._add(table.relation, columns)
            return
        if not table.arguments:
            return  # all of its columns are empty or left out
        rows = self._keys(table, table.key, table.entity or "") if table.key else self._numbered(table)
        for argument in table.arguments:
            if argument.holds is None:
                self._add(argument.predicate, [rows, self._ids(table, argument)])
                continue
            true = set(argument.holds)
            values = column_values(self._data, table.table, argument.columns[0])
            holds = np.fromiter((value in true for value in values), bool, len(values))
            self._add(argument.predicate, [np.where(holds, rows, _MISSING)])

    def compare(self, compared: Mapping[str, tuple[str, Sequence[str]]]) -> None:
        """Add which bins of ordered types lie above and below each cut."""
        for name, (_, symbols) in compared.items():
            for symbol in symbols:
                self.builder.add(name, (symbol,), self._world)

    def _add(self, predicate: str, columns: Sequence[Any]) -> None:
        facts = np.stack(columns, axis=1)
        facts = facts[(facts != _MISSING).all(axis=1)]
        if len(facts):
            self.builder.add_rows(predicate, facts, self._world)

    def _ids(self, table: TableMapping, argument: Argument) -> Any:
        if argument.refers is not None:
            return self._keys(table, argument.columns, self._mapping.type_of(argument))
        (column,) = argument.columns
        symbol = self._symbols(argument, f"{table.table}.{column}")
        return self._interned(column_values(self._data, table.table, column), symbol)

    def _keys(self, table: TableMapping, columns: Sequence[str], entity: str) -> Any:
        """Return the constants that keys stand for; a key of which any part is missing stands for none."""
        parts = [
            whole(column_values(self._data, table.table, column), f"{table.table}.{column}")
            for column in columns
        ]
        if len(parts) == 1:
            return self._interned(
                parts[0], lambda key: None if key == "" else quote(f"{entity}:{_key_text(key)}")
            )
        several = [None if None in row or "" in row else row for row in zip(*parts, strict=True)]
        return self._interned(several, lambda row: quote(f"{entity}:{':'.join(map(_key_text, row))}"))

    def _numbered(self, table: TableMapping) -> Any:
        """Return a constant for each row of a table without a key."""
        rows = len(column_values(self._data, table.table, table.arguments[0].columns[0]))
        return np.fromiter(
            (self.builder.intern(quote(f"{table.entity}:{row}")) for row in range(1, rows + 1)),
            np.int32,
            rows,
        )

    def _interned(self, values: Sequence[Any], symbol: Callable[[Any], str | None]) -> Any:
        known: dict[Any, int] = {None: _MISSING}
        for value in values:
            if value not in known:
                text = symbol(value)
                known[value] = _MISSING if text is None else self.builder.intern(text)
        return np.fromiter((known[value] for value in values), np.int32, len(values))

    def _symbols(self, argument: Argument, place: str) -> Callable[[Any], str | None]:
        """Return how the values of a column are written."""
        kind = self._mapping.types.get(argument.type or "", ValueType(argument.type or ""))
        if argument.part is None and kind.kind not in ORDERED:
            return _constant if kind.kind == TEXT else lambda value: None if value == "" else _constant(value)

        def written(value: Any) -> str | None:
            if value == "":
                return None
            point = point_of(value, kind if argument.part is None else ValueType("", "date"))
            if point is None:
                raise InputError(
                    f"{place}: {value!r} is not a {'date' if argument.part else kind.kind}",
                    hint="change the kind of its type in the mapping to text",
                )
            if argument.part is not None:
                return symbol_of(part_of(point, argument.part))
            return names[bin_number(point, cuts)]

        cuts = kind.cuts or ()
        names = [quote(label) for label in labels(cuts)]
        return written


def _key_text(key: Any) -> str:
    if isinstance(key, datetime):
        return key.isoformat(" ").removesuffix(" 00:00:00")
    return key.hex() if isinstance(key, bytes) else str(key)


def _constant(value: Any) -> str | None:
    if isinstance(value, bytes):
        return None
    if isinstance(value, datetime):
        return quote(value.isoformat(" ").removesuffix(" 00:00:00"))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return symbol_of_field(value) if isinstance(value, str) else symbol_of(value)


def whole(values: list[Any], place: str) -> list[Any]:
    """Return keys with numbers such as 17.0 made whole, which they are read as where others are missing."""
    if not any(isinstance(value, float) and value.is_integer() for value in values):
        return values
    _log.warning(
        "%s: keys were read as floating-point numbers and converted to whole numbers: 17.0 becomes 17", place
    )
    return [int(v) if isinstance(v, float) and v.is_integer() else v for v in values]
