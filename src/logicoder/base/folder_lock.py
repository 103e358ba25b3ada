"""One run at a time in a folder: a lock that ends with the process, however that ends."""

from __future__ import annotations

import os
from pathlib import Path

from logicoder.base.errors import OutputError

try:
    import fcntl
except ImportError:  # where there are no such locks, folders are not locked
    fcntl = None  # type: ignore[assignment]

LOCK_FILE = ".lock"


class FolderLock:
    """Locks a folder until it is released.

    Args:
        folder: the folder, which is made if need be.
        file: the name of the file in it that is locked.

    Raises:
        OutputError: if another run has it.
    """

    def __init__(self, folder: Path, file: str = LOCK_FILE) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file: int | None = os.open(folder / file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise OutputError(f"{folder}: this folder cannot be written to: {error.strerror}") from None
        if fcntl is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise OutputError(
                f"{folder}: another run is using this folder; wait for it, or choose another folder"
            ) from None
        except OSError:  # a file system without locks
            pass

    def release(self) -> None:
        """Let others have the folder."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
