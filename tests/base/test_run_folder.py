"""Folders of runs: gone at the end, and those of killed runs gone with the next one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from tests.waiting import ended, within

from logicoder.base import run_folder
from logicoder.base.folder_lock import FolderLock
from logicoder.base.run_folder import MARK, RunFolder

WAITING = """
import sys, time
from logicoder.base.run_folder import RunFolder
made = RunFolder(sys.argv[1])
(made.path / "large").write_text("spilled")
print(made.path.name, flush=True)
time.sleep(100)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
def test_the_next_run_removes_what_a_killed_one_left(tmp_path, monkeypatch):
    monkeypatch.setattr(run_folder, "_YOUNG", -1.0)
    running, killed = (
        subprocess.Popen([sys.executable, "-c", WAITING, tmp_path], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    )
    try:
        names = [within(process.stdout.readline).strip() for process in (running, killed)]
        killed.send_signal(signal.SIGKILL)
        ended(killed)
        (tmp_path / "logicoder-notes").mkdir()  # not made by a run
        monkeypatch.setattr(run_folder, "_YOUNG", 1000.0)
        RunFolder(tmp_path).remove()
        assert set(names) < {path.name for path in tmp_path.iterdir()}, "what is young may not be locked yet"
        monkeypatch.setattr(run_folder, "_YOUNG", -1.0)
        made = RunFolder(tmp_path)
        assert {path.name for path in tmp_path.iterdir()} == {names[0], made.path.name, "logicoder-notes"}
        made.remove()
    finally:
        for process in (running, killed):
            process.kill()
            ended(process)


def test_what_others_own_or_link_to_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(run_folder, "_YOUNG", -1.0)
    own = tmp_path / "logicoder-linked"
    own.mkdir()
    (own / MARK).symlink_to(tmp_path / "elsewhere")
    monkeypatch.setattr(os, "getuid", lambda: own.stat().st_uid + 1)
    RunFolder(tmp_path).remove()
    monkeypatch.undo()
    monkeypatch.setattr(run_folder, "_YOUNG", -1.0)
    RunFolder(tmp_path).remove()
    assert [path.name for path in tmp_path.iterdir()] == ["logicoder-linked"]


def test_a_folder_that_somebody_called_like_it_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(run_folder, "_YOUNG", -1.0)
    results = tmp_path / "logicoder-results"
    FolderLock(results).release()  # as checkpoints do; the file of the lock stays
    (results / "best.json").touch()
    RunFolder(tmp_path).remove()
    assert (results / "best.json").exists()
