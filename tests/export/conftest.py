import tempfile
from pathlib import Path

import pytest

from .systems import Postgresql, Swi


@pytest.fixture(scope="session")
def swi(tmp_path_factory):
    return Swi(tmp_path_factory.mktemp("swi"))


@pytest.fixture(scope="session")
def postgresql():
    # A short path that another user may enter: that of a socket is limited, and the server changes users.
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        Path(folder).chmod(0o755)
        server = Postgresql(Path(folder))
        yield server
        server.stop()
