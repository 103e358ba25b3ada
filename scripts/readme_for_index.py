"""The README as an index shows it: links lead to the repository, for an index has no other files.

The build calls this, see `tool.hatch.metadata` in pyproject.toml.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_RELATIVE = re.compile(r"(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)")


def with_absolute_links(text: str, repository: str, version: str) -> str:
    """Return a page in Markdown whose links lead to the files of a version.

    >>> with_absolute_links("![a](a.svg), [b](b.md#c), [d](#d)", "https://host/it", "1.2.3")
    '![a](https://host/it/raw/v1.2.3/a.svg), [b](https://host/it/blob/v1.2.3/b.md#c), [d](#d)'
    """

    def absolute(found: re.Match[str]) -> str:
        kind = "raw" if found[1] else "blob"
        return f"{found[1]}{found[2]}({repository}/{kind}/v{version}/{found[3]})"

    return _RELATIVE.sub(absolute, text)


class ReadmeForIndex(MetadataHookInterface):
    """What the build asks for the long description."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README."""
        root = Path(self.root)
        source = (root / "src" / "logicoder" / "__init__.py").read_text(encoding="utf-8")
        [version] = re.findall(r'^__version__ = "(.+)"', source, re.MULTILINE)
        text = (root / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": with_absolute_links(text, metadata["urls"]["Repository"], version),
        }
