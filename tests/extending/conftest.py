"""A package outside of logicoder, made of the classes that the documentation shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PAGE = Path(__file__).parents[2] / "docs" / "howto" / "extending.md"
_MODULE = re.compile(r"^`my_package/(\w+\.py)`\n\n```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_TOML = re.compile(r"^```toml\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="session")
def installed(tmp_path_factory) -> Path:
    """The folder into which the package is installed."""
    folder = tmp_path_factory.mktemp("site-packages")
    page = PAGE.read_text(encoding="utf-8")
    package = folder / "my_package"
    package.mkdir()
    (package / "__init__.py").touch()
    for name, text in _MODULE.findall(page):
        (package / name).write_text(text, encoding="utf-8")
    information = folder / "my_package-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    lines = []
    for text in _TOML.findall(page):
        for group, entries in tomllib.loads(text)["project"]["entry-points"].items():
            lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (information / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture
def python(installed, tmp_path):
    """Run Python where the package is installed."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        # Not the tests: one of their folders is called `compression`, like a module of Python 3.14.
        others = [entry for entry in sys.path if entry and Path(entry) != TESTS]
        path = os.pathsep.join([str(installed), *others])
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    return run
