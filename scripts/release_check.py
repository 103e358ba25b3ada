"""Refuse a release that is not ready: versions that differ, a missing date, addresses that are placeholders.

    python scripts/release_check.py [TAG]

The workflow that publishes runs this with the name of the tag; `make release-check` runs it without.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
_CONDA = {"ortools": "ortools-python"}
"""What conda-forge calls packages, where it has other names."""


def objections(root: Path, tag: str | None = None) -> list[str]:
    """Return what stands in the way of a release, one line each."""
    found = []
    version = _first(root / "src" / "logicoder" / "__init__.py", r'__version__ = "([^"]+)"')
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        found.append(f"the version in src/logicoder/__init__.py is {version}, not MAJOR.MINOR.PATCH")
    if tag is not None and tag != f"v{version}":
        found.append(f"the tag is {tag}, the version {version}: the tag must be v{version}")
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$", changes, re.MULTILINE):
        found.append(f"CHANGELOG.md has no heading '## {version} (YEAR-MONTH-DAY)'")
    waiting = re.search(r"^## Unreleased\n+(.*?)(?=^## |\Z)", changes, re.MULTILINE | re.DOTALL)
    if waiting and waiting[1].strip() not in ("", "Nothing yet."):
        found.append(f"CHANGELOG.md has changes under 'Unreleased': move them to {version}")
    cited = _first(root / "CITATION.cff", r"^version: (\S+)$")
    if cited != version:
        found.append(f"CITATION.cff cites {cited}, not {version}")
    packed = _first(root / "conda" / "meta.yaml", r'set version = "([^"]+)"')
    if packed != version:
        found.append(f"conda/meta.yaml packs {packed}, not {version}")
    recipe = (root / "conda" / "meta.yaml").read_text(encoding="utf-8")
    for name in re.findall(
        r'^  "(\w+)>=[^"]*",$', _section(root / "pyproject.toml", "dependencies"), re.MULTILINE
    ):
        if not re.search(rf"^    - {_CONDA.get(name, name)} >=", recipe, re.MULTILINE):
            found.append(f"conda/meta.yaml does not require {name}, which pyproject.toml does")
    for name in ("pyproject.toml", "SECURITY.md", "CODE_OF_CONDUCT.md", "SUPPORT.md", "conda/meta.yaml"):
        if ".example" in (root / name).read_text(encoding="utf-8").replace("`.example`", ""):
            found.append(f"{name} has addresses that end in .example: write the real ones")
    return found


def _section(path: Path, name: str) -> str:
    """Return the list of a name in a TOML file, as text."""
    return _first(path, rf"^{name} = \[\n((?:  .*\n)*)\]")


def _first(path: Path, pattern: str) -> str:
    match = re.search(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)
    return match[1] if match else "nothing"


if __name__ == "__main__":
    against = objections(ROOT, *sys.argv[1:2])
    sys.exit("\n".join(against) if against else 0)
