"""A folder is for one run at a time."""

from __future__ import annotations

import pytest

from logicoder.base.errors import OutputError
from logicoder.base.folder_lock import LOCK_FILE, FolderLock


def test_one_at_a_time(tmp_path) -> None:
    folder = tmp_path / "new" / "folder"
    first = FolderLock(folder)
    assert (folder / LOCK_FILE).exists()
    with pytest.raises(OutputError, match="another run is using this folder"):
        FolderLock(folder)
    FolderLock(tmp_path / "other").release()
    first.release()
    first.release()  # nothing is left to do
    FolderLock(folder).release()


def test_where_nothing_can_be_written(tmp_path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="this folder cannot be written to"):
        FolderLock(tmp_path / "file" / "below")
