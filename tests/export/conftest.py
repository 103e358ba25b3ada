import pytest

from .systems import Swi


@pytest.fixture(scope="session")
def swi(tmp_path_factory):
    return Swi(tmp_path_factory.mktemp("swi"))
