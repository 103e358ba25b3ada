"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def datasets() -> Path:
    """The folder of published data sets, which are no part of this repository."""
    beside = Path(__file__).parents[1] / ".." / "shared" / "datasets"
    folder = Path(os.environ.get("LOGICODER_DATA") or beside).resolve()
    if not folder.is_dir():
        message = f"no data sets in {folder}: name their folder in LOGICODER_DATA"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    return folder
