"""A temporary folder of a run; the next run removes those of runs that were killed."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from logicoder.base.folder_lock import FolderLock

try:
    import fcntl
except ImportError:  # where there are no such locks, nobody knows which runs have ended
    fcntl = None  # type: ignore[assignment]

_PREFIX = "logicoder-"
MARK = ".temporary"
"""Locked instead of the file by which other folders are: those are kept, whatever they are called."""

_YOUNG = 60.0
"""Seconds in which a folder may not be locked yet."""


class RunFolder:
    """A new folder, locked as long as this process lives or until it is removed.

    Attributes:
        path: the folder.

    Args:
        parent: where it is made; None for the folder of temporary files.
    """

    def __init__(self, parent: str | Path | None = None) -> None:
        _remove_left(Path(tempfile.gettempdir() if parent is None else parent))
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        try:
            self._lock = FolderLock(self.path, MARK)
        except BaseException:
            shutil.rmtree(self.path, ignore_errors=True)
            raise

    def remove(self) -> None:
        """Remove the folder with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.release()


def _remove_left(parent: Path) -> None:
    """Remove folders whose runs have ended without removing them."""
    if fcntl is None:
        return
    for lock in parent.glob(f"{_PREFIX}*/{MARK}"):
        with suppress(OSError):  # it is gone by now, or somebody else's
            told = lock.lstat()
            if told.st_uid == os.getuid() and time.time() - told.st_mtime > _YOUNG and not _held(lock):
                shutil.rmtree(lock.parent, ignore_errors=True)


def _held(path: Path) -> bool:
    """Whether a process has a lock, or nobody can know."""
    file = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(file)
    return False
