"""Choosing the cuts of ordered types from the data, where a mapping gives none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise, starmap
from typing import TYPE_CHECKING, Any

import numpy as np

from logicoder.kb.mapping.bins import BINS, INFORMATIVE, QUANTILES, cuts_of, rounded
from logicoder.kb.mapping.column_profile import moment
from logicoder.kb.mapping.data_mapping import ORDERED, Argument, DataMapping, TableMapping, ValueType
from logicoder.kb.mapping.informative_cuts import Codes, Column, informative_cuts
from logicoder.kb.mapping.tables import column_values

if TYPE_CHECKING:
    from logicoder.kb.mapping.tables import TableData

_MOST_VALUES = 20
"""A column with more different values says little that cuts could help."""
_MOST_ROWS = 20_000
"""To see where other columns change, so many rows of each table are looked at, evenly spread."""


def with_cuts(mapping: DataMapping, data: Mapping[str, TableData]) -> DataMapping:
    """Return a mapping whose ordered types all have cuts, chosen from the data where it gives none."""
    types = dict(mapping.types)
    targets: dict[str, dict[str, Codes]] = {}
    sampled = {name: _spread(table) for name, table in data.items()}
    for name, kind in mapping.types.items():
        if kind.kind in ORDERED and kind.cuts is None:
            cuts, why = _chosen(mapping, kind, data, sampled, targets)
            types[name] = replace(kind, cuts=cuts, bins=None, why="; ".join(filter(None, (kind.why, why))))
    return DataMapping(mapping.tables, types)


def _spread(table: TableData) -> TableData:
    step = -(-table.rows // _MOST_ROWS) or 1
    return table if step == 1 else replace(table, values={n: v[::step] for n, v in table.values.items()})


def _chosen(
    mapping: DataMapping,
    kind: ValueType,
    data: Mapping[str, TableData],
    sampled: Mapping[str, TableData],
    targets: dict[str, dict[str, Codes]],
) -> tuple[tuple[Any, ...], str]:
    """Return the cuts of a type, and the evidence.

    Args:
        mapping: how tables become predicates.
        kind: the type.
        data: the tables.
        sampled: some rows of them.
        targets: what the rows of tables say, filled on first use.
    """
    how, _, number = (kind.bins or f"{QUANTILES}:{BINS}").partition(":")
    users = [
        (table, argument)
        for table in mapping.essential().tables.values()
        for argument in table.arguments
        if argument.type == kind.name and argument.part is None
    ]
    read = data if how != INFORMATIVE else sampled
    points = [_points(read, table, argument, kind) for table, argument in users]
    present = [point for values in points for point in values if point is not None]
    if how == INFORMATIVE and len(few := sorted(set(present))) <= int(number):
        return tuple(starmap(rounded, pairwise(few))), "a bin for each value"
    if how == INFORMATIVE:
        columns = []
        for (table, argument), values in zip(users, points, strict=True):
            if table.table not in targets:
                targets[table.table] = dict(_targets(mapping, table, sampled, data))
            others = {n: codes for n, codes in targets[table.table].items() if n != _called(table, argument)}
            rows = [i for i, point in enumerate(values) if point is not None]
            numbers = np.array([_number(values[i]) for i in rows], np.float64)
            columns.append(Column(numbers, {n: codes[rows] for n, codes in others.items()}))
        found = informative_cuts(columns, int(number))
        if found:
            ends = [(_point_of(cut.below, kind), _point_of(cut.top, kind)) for cut in found]
            cuts = tuple(sorted({rounded(below, top) for below, top in ends}))
            helped = list(dict.fromkeys(name for cut in found for name in cut.helped))
            some = ", ".join(helped[:3]) + (", ..." if len(helped) > 3 else "")
            saved = sum(cut.saved for cut in found)
            return cuts, f"cut where {some} change{'s' if len(helped) == 1 else ''}: {saved:,.0f} bits saved"
        how, number = QUANTILES, str(min(BINS, int(number)))
    return cuts_of(present, how, int(number)), f"cut at {how}"


def _called(table: TableMapping, argument: Argument) -> str:
    return f"{table.table}.{argument.columns[0]}"


def _points(
    data: Mapping[str, TableData], table: TableMapping, argument: Argument, kind: ValueType
) -> list[Any]:
    return [point_of(value, kind) for value in column_values(data, table.table, argument.columns[0])]


def point_of(value: Any, kind: ValueType) -> Any:
    """Return a value as a number or a point in time; None if it is none."""
    if kind.kind == "date":
        return moment(value)
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return None
    return value if isinstance(value, int | float) else None


def _number(point: Any) -> float:
    return point.replace(tzinfo=UTC).timestamp() if isinstance(point, datetime) else float(point)


def _point_of(number: float, kind: ValueType) -> Any:
    return datetime.fromtimestamp(number, UTC).replace(tzinfo=None) if kind.kind == "date" else number


def _targets(
    mapping: DataMapping,
    table: TableMapping,
    sampled: Mapping[str, TableData],
    data: Mapping[str, TableData],
) -> Iterator[tuple[str, Codes]]:
    """Yield what some rows of a table say: in its own columns, and in those of what it refers to."""
    for argument in table.used:
        values = column_values(sampled, table.table, argument.columns[0])
        target = mapping.tables.get(argument.refers or "")
        if target is not None and len(argument.columns) == 1:
            keys = column_values(data, target.table, target.key[0])
            place = {key: number for number, key in enumerate(keys)}
            rows = np.array([place.get(value, len(keys)) for value in values], np.int64)
            for further in target.used:
                codes = _codes(column_values(data, target.table, further.columns[0]), mapping, further)
                if further.refers is None and codes is not None:
                    yield _called(target, further), np.append(codes, codes.max(initial=0) + 1)[rows]
        elif argument.refers is None and (codes := _codes(values, mapping, argument)) is not None:
            yield _called(table, argument), codes


def _codes(values: Sequence[Any], mapping: DataMapping, argument: Argument) -> Codes | None:
    """Return a number for each value, the same for equal ones; ordered values are cut at quantiles."""
    kind = mapping.types.get(argument.type or "")
    if kind is not None and kind.kind in ORDERED and argument.part is None:
        points = [point_of(value, kind) for value in values]
        numbers = np.array([np.nan if p is None else _number(p) for p in points], np.float64)
        there = np.isfinite(numbers)
        if not there.any():
            return None
        cuts = np.unique(np.quantile(numbers[there], (0.25, 0.5, 0.75)))
        return np.where(there, np.searchsorted(cuts, numbers, side="right"), len(cuts) + 1).astype(np.int64)
    known: dict[Any, int] = {}
    codes = np.fromiter((known.setdefault(value, len(known)) for value in values), np.int64, len(values))
    return codes if 1 < len(known) <= _MOST_VALUES else None
