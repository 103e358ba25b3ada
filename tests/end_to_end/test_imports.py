"""Starting is quick because heavy packages wait until they are needed."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.waiting import PATIENCE

HEAVY = {"numpy", "scipy", "ortools"}
OTHER = {"sklearn", "pandas", "polars", "duckdb", "matplotlib", "numba", "rich", "typer"}


def loaded_by(code):
    """Return the packages that a new interpreter has loaded after some code."""
    report = "import sys; print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    outcome = subprocess.run(
        [sys.executable, "-c", f"import atexit; atexit.register(lambda: exec({report!r}))\n{code}"],
        check=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    return set(outcome.stderr.split())


def test_the_package_alone():
    assert not loaded_by("import logicoder") & (HEAVY | OTHER)


def test_every_public_name_is_there_when_asked_for():
    assert loaded_by("import logicoder\nfor name in logicoder.__all__: getattr(logicoder, name)") >= {"numpy"}


def test_importing_the_command_line():
    assert not loaded_by("import logicoder.cli") & (HEAVY | OTHER)


@pytest.mark.parametrize("arguments", [["--help"], ["fit", "--help"], ["--version"]])
def test_help(arguments):
    code = f"import sys; sys.argv[1:] = {arguments!r}\nfrom logicoder.cli import main\nmain()"
    assert not loaded_by(code) & (HEAVY | OTHER - {"typer"})
