"""Wide data frames as tables: pandas, polars, Arrow and whatever else narwhals knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from logicoder.base.errors import UsageError
from logicoder.kb.mapping.inner_lists import without_lists
from logicoder.kb.mapping.names import is_key_name
from logicoder.kb.mapping.tables import GivenTables, SourceTable, TableData


def eager_frame(name: str, given: Any) -> Any:
    """Return a data frame of whatever library as narwhals has it.

    Raises:
        UsageError: for something that is no data frame.
    """
    import narwhals  # noqa: PLC0415  (it takes its time)

    try:
        return narwhals.from_native(given, eager_only=True)
    except TypeError:
        raise UsageError(f"the frame {name} is a {type(given).__name__}, not a data frame") from None


def key_column(name: str, given: Any) -> str | None:
    """Return the first column of a frame if it is called like its key and tells all rows apart.

    That is `id`, `key`, or `car_id` in a frame of cars; further columns must be there.
    """
    index = getattr(getattr(given, "index", None), "name", None)
    labels = [*([index] if isinstance(index, str) else []), *labels_of(given)]
    if len(labels) < 2 or not is_key_name(labels[0], name):
        return None
    values = given.index if labels[0] == index else given[labels[0]]
    listed = values.to_pylist() if hasattr(values, "to_pylist") else list(values)
    return labels[0] if len(set(listed)) == len(listed) > 0 else None


def labels_of(given: Any) -> list[str]:
    """Return what the columns of a frame are called."""
    # The columns of an Arrow table are no names.
    return [str(label) for label in getattr(given, "column_names", None) or getattr(given, "columns", [])]


def frame_source(frames: Mapping[str, Any]) -> GivenTables:
    """Return frames as tables, by the names that they are given under.

    The index of a pandas frame is a column if it has a name.

    Raises:
        UsageError: for something that is no data frame.
    """
    tables = {}
    for name, given in frames.items():
        indices = getattr(getattr(given, "index", None), "names", ())
        named = given.reset_index() if any(label is not None for label in indices) else given
        frame = eager_frame(name, named)
        values = {}
        for label in frame.columns:
            column = frame[label]
            values[str(label)] = [
                None if missing else value.tolist() if getattr(value, "ndim", 0) else value
                for value, missing in zip(column.to_list(), column.is_null().to_list(), strict=True)
            ]
        tables[name] = TableData(SourceTable(name, dict.fromkeys(values, ""), rows=len(frame)), values)
    return GivenTables(without_lists(tables.values()), "the frames")
