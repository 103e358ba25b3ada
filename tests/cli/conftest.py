"""Data and a model that the tests of the commands share."""

from __future__ import annotations

import logging

import pytest

from .helpers import FAMILY, FIT_FAMILY, invoke


@pytest.fixture(autouse=True)
def logging_as_before():
    """A command says how much is logged; other tests must not notice."""
    logger = logging.getLogger("logicoder")
    handlers, level = list(logger.handlers), logger.level
    yield
    logger.handlers[:] = handlers
    logger.setLevel(level)


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
