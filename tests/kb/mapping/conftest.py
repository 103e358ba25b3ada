"""The shop, and small databases made of SQL."""

import sqlite3
from contextlib import closing

import pytest

from logicoder.datasets import shop as write_shop


@pytest.fixture(scope="session")
def shop(tmp_path_factory):
    return write_shop(tmp_path_factory.mktemp("shop") / "shop.db")


@pytest.fixture
def made(tmp_path):
    """Write a database by a script and return its path."""

    def write(script, name="made.db"):
        path = tmp_path / name
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(script)
        return path

    return write
