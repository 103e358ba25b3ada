"""One thread for linear algebra, unless the environment asks for more."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.waiting import PATIENCE

from logicoder.base.threads import use_one_thread


def test_what_the_environment_says_stays(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
    use_one_thread()
    assert os.environ["OMP_NUM_THREADS"] == "1"
    assert os.environ["OPENBLAS_NUM_THREADS"] == "3"


def test_the_command_line_says_so_before_numpy_is_loaded():
    seen = "import sys, logicoder.cli, logicoder.base.threads; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", seen], timeout=PATIENCE, check=False).returncode == 0
