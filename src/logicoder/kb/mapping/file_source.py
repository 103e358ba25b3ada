"""Tables in files: CSV and TSV with headers, Parquet, Arrow, and JSON lines of records; a file is a table."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from logicoder.base.errors import InputError, MissingExtraError, location_of
from logicoder.base.files import line_blocks, read_bytes
from logicoder.base.input_record import keep_data
from logicoder.kb.file_names import name_of_stem, stem_of, suffix_of
from logicoder.kb.mapping.csv_table import read_csv
from logicoder.kb.mapping.inner_lists import without_lists
from logicoder.kb.mapping.json_records import is_json_list, read_records, record_columns
from logicoder.kb.mapping.names import singular
from logicoder.kb.mapping.tables import Columns, SourceTable, TableData, TableSource

ARROW = (".arrow", ".feather", ".ipc")
"""Endings of files of Arrow."""
_FLAT = (".csv", ".tsv")
"""Endings of files whose fields are no lists."""
_ARROW_FILES = (b"ARROW1", b"FEA1")
"""How those begin that are no streams."""
_PIECE = 1 << 24


class FileSource(TableSource):
    """The tables of some files.

    Attributes:
        files: by the names of the tables.

    Args:
        paths: one folder, or files.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.name = ", ".join(map(str, paths[:3]))
        files = [file for path in paths for file in (_files_of(path) if path.is_dir() else [path])]
        if not files:
            raise self.refused(f"no tables ({', '.join(SUFFIXES)}) in this folder")
        self._suffix = suffix_of(files[0])
        self.files: dict[str, Path] = {}
        for file in files:
            name = name_of_stem(stem_of(file))
            if name in self.files:
                raise self.refused(f"two files contain a table called {name}", "rename one")
            self.files[name] = file
        keep_data(files)

    @property
    def why(self) -> tuple[str, str]:
        """Why rows are things, and how they would be facts."""
        if self._suffix in _FLAT:
            return "the first row names columns", ", and --format tables reads rows as facts"
        if self._suffix in (".parquet", ".pq"):
            return "columns have names", ", and --format parquet reads rows as facts"
        return "rows are records", ""

    def tables(self, names: Sequence[str] | None = None) -> list[SourceTable]:
        """See `TableSource.tables`; columns are known when they are read, and rows may be fewer."""
        return self.chosen(
            [SourceTable(name, {}, rows=_rows_of(file)) for name, file in self.files.items()], names
        )

    def read(self, names: Sequence[str] | None = None, sample: int | None = None) -> dict[str, TableData]:
        """See `TableSource.read`; lists among values are tables of their own."""
        found = super().read(None if names is None else list(map(self._file, names)), sample)
        if all(suffix_of(self.files[name]) in _FLAT for name in found):
            return found
        found = without_lists(found.values())
        known = [data.table for data in found.values()]
        return {table.name: found[table.name] for table in self.chosen(known, names)}

    def _file(self, table: str) -> str:
        """Return the file that holds a table, which may be that of lists in another one."""
        held = [name for name in self.files if table == name or table.startswith(f"{singular(name)}_")]
        return max(held, key=len, default=table)

    def values(self, table: SourceTable, every: int) -> Columns:
        """See `TableSource.values`."""
        file = self.files[table.name]
        return SUFFIXES.get(suffix_of(file), read_csv)(file, every)


def _rows_of(path: Path) -> int:
    """Return how many rows a file may have at the most: as many as lines, or as it says itself."""
    if suffix_of(path) in (".parquet", ".pq") and path.suffix != ".gz":
        _, parquet = _libraries("Parquet")
        with sound(path, "Parquet"):
            return int(parquet.read_metadata(path).num_rows)
    if suffix_of(path) in (*ARROW, ".json"):
        return 0  # they are read as a whole
    return sum(block.count(b"\n") for block in line_blocks(path, _PIECE)) + 1


def _files_of(folder: Path) -> list[Path]:
    return sorted(
        file
        for file in folder.iterdir()
        if file.is_file() and suffix_of(file) in SUFFIXES and not file.name.startswith(".")
        if suffix_of(file) != ".json" or is_json_list(file)
    )


def _libraries(kind: str) -> tuple[Any, Any]:
    try:
        import pyarrow  # noqa: PLC0415  (an extra)
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        raise MissingExtraError("pyarrow", "parquet", kind) from None
    return pyarrow, parquet


@contextmanager
def sound(path: Path, kind: str) -> Iterator[None]:
    """Tell of a file that pyarrow cannot read."""
    arrow, _ = _libraries(kind)
    try:
        yield
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"this is not a valid {kind} file ({error})", location_of(path)) from None


def _read_arrow(path: Path, every: int) -> Columns:
    """Return the columns of a file of Parquet, or of Arrow as it is in memory."""
    kind = "Arrow" if suffix_of(path) in ARROW else "Parquet"
    arrow, parquet = _libraries(kind)
    content = read_bytes(path)
    with sound(path, kind):
        from pyarrow import feather, ipc  # noqa: PLC0415

        if kind == "Parquet":
            file = parquet.ParquetFile(io.BytesIO(content))
            table = (
                file.read() if every == 1 else arrow.Table.from_batches(_some(file, every), file.schema_arrow)
            )
        elif content.startswith(_ARROW_FILES):
            table = feather.read_table(io.BytesIO(content))[::every]
        else:
            table = ipc.open_stream(content).read_all()[::every]
        table.validate(full=True)  # Arrow takes a damaged file at its word, and crashes later
        names = table.column_names
    if not table.num_columns:
        raise InputError("this table has no columns", location_of(path))
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"two columns are called {twice}", location_of(path), "rename one of them")
    if any(map(arrow.types.is_nested, table.schema.types)):
        return record_columns(table.to_pylist(), 1, str(path))
    return {name: column.to_pylist() for name, column in zip(names, table.columns, strict=True)}


def _some(file: Any, every: int) -> Iterator[Any]:
    """Iterate over every second, third and so on of the rows of a Parquet file, in batches."""
    start = 0
    for batch in file.iter_batches():
        yield batch.take(list(range(-start % every, batch.num_rows, every)))
        start += batch.num_rows


SUFFIXES: dict[str, Callable[[Path, int], Columns]] = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".parquet": _read_arrow,
    ".pq": _read_arrow,
    **dict.fromkeys(ARROW, _read_arrow),
    ".json": read_records,
    ".jsonl": read_records,
    ".ndjson": read_records,
}
"""How the files of each ending are read."""
