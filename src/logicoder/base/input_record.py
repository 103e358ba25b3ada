"""What a run has read: a sum of every file, taken while reading, and what came through pipes.

A file may change or vanish once it was read, and a pipe gives its content only once. So whoever wants to say
later where a result comes from, or to look at the same text again, opens a record first.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class InputRecord:
    """Everything that was read within a block.

    Attributes:
        sums: the SHA-256 sum of the bytes of each file, in the order of reading; of the first reading, where
            there were several.
        streams: what came through pipes.
        data: files of data, whether or not they were read already, without links; no output may replace them.
    """

    sums: dict[Path, str] = field(default_factory=dict)
    streams: dict[Path, bytes] = field(default_factory=dict)
    data: set[Path] = field(default_factory=set)

    def note(self, path: Path, data: bytes, *, regular: bool) -> None:
        """Note what was read."""
        if path not in self.sums:
            self.sums[path] = hashlib.sha256(data).hexdigest()
        if not regular:
            self.streams[path] = data

    def note_file(self, path: Path) -> None:
        """Note a file that a library reads: its sum is that of the moment when it was opened."""
        if path not in self.sums:
            with path.open("rb") as file:
                self.sums[path] = hashlib.file_digest(file, "sha256").hexdigest()


_current: ContextVar[InputRecord | None] = ContextVar("input record", default=None)


def current_record() -> InputRecord | None:
    """Return the record that is open, if there is one."""
    return _current.get()


def keep_data(paths: Iterable[Path]) -> None:
    """Note files of data in the open record, so that nothing replaces them."""
    record = _current.get()
    if record is not None:
        record.data.update(Path(os.path.realpath(path)) for path in paths)


@contextmanager
def recorded_inputs() -> Iterator[InputRecord]:
    """Record what is read in a block; within another such block, in the record of that."""
    outer = _current.get()
    if outer is not None:
        yield outer
        return
    token = _current.set(InputRecord())
    try:
        yield _current.get() or InputRecord()
    finally:
        _current.reset(token)
