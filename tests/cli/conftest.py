"""Data and a model that the tests of the commands share."""

from __future__ import annotations

import pytest

from .helpers import FAMILY, FIT_FAMILY, invoke


@pytest.fixture
def family(tmp_path):
    path = tmp_path / "family.pl"
    path.write_text(FAMILY)
    return path


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    """The folder of a model of the family."""
    folder = tmp_path_factory.mktemp("family")
    data = folder / "family.pl"
    data.write_text(FAMILY)
    invoke("fit", data, *FIT_FAMILY, "--output", folder / "model")
    return folder / "model"
