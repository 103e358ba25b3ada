"""What all tests share."""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from tests.browser import axe, browser, watched  # noqa: F401  (fixtures of all tests of pages)
from tests.postgresql import Postgresql
from tests.wanted import wanted_or_skipped

from logicoder.base.machine import available_cores
from logicoder.base.memory import available_memory

# As many tests run at once as there are cores: threads of linear algebra would only wait for each other.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# Tests, and what they start, hear of the end of a terminal and of Ctrl-C, even if whoever started them keeps
# that from them: `nohup`, or a shell that runs them in the background.
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_WORKER_BYTES = 2 << 30
"""What a process of tests may take, with the servers and browsers that it starts."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Return how many processes run tests at once: where a container has less than the machine, as it has."""
    return max(1, min(available_cores(), available_memory() // _WORKER_BYTES))


# No test depends on how fast the machine is.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.fixture(scope="session")
def datasets() -> Path:
    """The folder of published data sets, which are no part of this repository."""
    beside = Path(__file__).parents[1] / ".." / "shared" / "datasets"
    folder = Path(os.environ.get("LOGICODER_DATA") or beside).resolve()
    if not folder.is_dir():
        wanted_or_skipped(f"no data sets in {folder}: name their folder in LOGICODER_DATA")
    return folder


@pytest.fixture(scope="session")
def postgresql():
    # A short path that another user may enter: that of a socket is limited, and the server changes users.
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        Path(folder).chmod(0o755)
        server = Postgresql(Path(folder))
        yield server
        server.stop()
