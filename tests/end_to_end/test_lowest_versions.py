"""Every dependency has a lowest version, which `make test-lowest` installs."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("lowest_versions", ROOT / "scripts" / "lowest_versions.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_dependency_has_a_lowest_version(script):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = script.lowest_versions(project)
    names = {line.partition("==")[0] for line in found}
    assert {"numpy", "scipy", "ortools", "rich", "typer", "python-sat", "pandas"} <= names


def test_a_dependency_without_one_is_refused(script):
    with pytest.raises(SystemExit, match="no lowest version"):
        script.lowest_versions({"dependencies": ["numpy"]})
