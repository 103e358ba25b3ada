"""Wide data frames as tables: pandas, polars, Arrow and whatever else narwhals knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from logicoder.base.errors import MissingExtraError, UsageError
from logicoder.kb.mapping.tables import GivenTables, SourceTable, TableData


def frame_source(frames: Mapping[str, Any]) -> GivenTables:
    """Return frames as tables, by the names that they are given under.

    The index of a pandas frame is a column if it has a name.

    Raises:
        MissingExtraError: if narwhals is not installed.
        UsageError: for something that is no data frame.
    """
    try:
        import narwhals  # noqa: PLC0415  (an extra)
    except ImportError:
        raise MissingExtraError("narwhals", "pandas", "a mapping of data frames") from None
    tables = {}
    for name, given in frames.items():
        indices = getattr(getattr(given, "index", None), "names", ())
        named = given.reset_index() if any(label is not None for label in indices) else given
        try:
            frame = narwhals.from_native(named, eager_only=True)
        except TypeError:
            raise UsageError(f"the frame {name} is a {type(given).__name__}, and no data frame") from None
        values = {}
        for label in frame.columns:
            column = frame[label]
            values[str(label)] = [
                None if missing else value
                for value, missing in zip(column.to_list(), column.is_null().to_list(), strict=True)
            ]
        tables[name] = TableData(SourceTable(name, dict.fromkeys(values, ""), rows=len(frame)), values)
    return GivenTables(tables, "the frames")
