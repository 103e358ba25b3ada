"""Print the lowest versions that pyproject.toml allows, as constraints for pip.

    python scripts/lowest_versions.py > constraints.txt
    pip install --constraint constraints.txt '.[plot,pandas]'

`make test-lowest` installs them into an environment of its own and runs a part of the tests there.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"

_LOWEST = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(?:\[[^\]]*\])?>=(?P<version>[A-Za-z0-9.]+)\Z")


def lowest_versions(project: dict[str, object]) -> list[str]:
    """Return `name==version` for every dependency, those of extras included.

    >>> lowest_versions({"dependencies": ["numpy>=2.0"], "optional-dependencies": {"x": ["sat[pb]>=1.8"]}})
    ['numpy==2.0', 'sat==1.8']
    """
    extras = project.get("optional-dependencies", {})
    assert isinstance(extras, dict)  # noqa: S101
    found = []
    for dependency in [*project["dependencies"], *(one for extra in extras.values() for one in extra)]:  # type: ignore[misc]
        match = _LOWEST.match(dependency)
        if match is None:
            raise SystemExit(f"{PROJECT}: {dependency!r} has no lowest version: write it as name>=version")
        found.append(f"{match['name']}=={match['version']}")
    return found


if __name__ == "__main__":
    sys.stdout.writelines(
        f"{line}\n" for line in lowest_versions(tomllib.loads(PROJECT.read_text())["project"])
    )
