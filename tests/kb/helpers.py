"""Small words for tests about reading."""

from __future__ import annotations

import gzip
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from logicoder.base.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def put(folder: Path, name: str, text: str) -> Path:
    """Write a file, packed if its name says so, and return its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path


@contextmanager
def refused(path: Path | str, line: int | None, column: int | None, *words: str) -> Iterator[None]:
    """Expect an error about a place that mentions some words, in its message or its hint."""
    with pytest.raises(InputError) as caught:
        yield
    location = caught.value.location
    assert location is not None, caught.value
    assert (location.source, location.line, location.column) == (str(path), line, column), str(caught.value)
    for word in words:
        assert word in str(caught.value)
