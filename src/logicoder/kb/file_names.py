"""What the names of files say: endings with and without `.gz`, names of predicates and interpretations."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

from logicoder.base.errors import whole_characters

# Everything but letters, digits and harmless signs; a dot or a space only in the middle.
_UNSAFE = re.compile(r"[^\w \-.()+,=@~]|^\.|[. ]\Z")


def suffix_of(path: Path) -> str:
    """Return the ending of a file's name, without `.gz`, in lower case."""
    return Path(_without_gz(path)).suffix.lower()


def stem_of(path: Path) -> str:
    """Return the name of a file without its ending, as text that can be written."""
    return whole_characters(Path(_without_gz(path)).stem)


def _without_gz(path: Path) -> str:
    return path.name[:-3] if path.name.lower().endswith(".gz") else path.name


def file_stem(name: str) -> str:
    """Return a name for a file: what a file name should not hold is percent-encoded.

    >>> file_stem("fold 1"), file_stem("/people/born"), file_stem(".x")
    ('fold 1', '%2Fpeople%2Fborn', '%2Ex')
    """
    encoded = _UNSAFE.sub(
        lambda m: "".join(f"%{byte:02X}" for byte in m[0].encode("utf-8", "surrogatepass")), name
    )
    return encoded or "%"


def name_of_stem(stem: str) -> str:
    """Return the name that `file_stem` wrote; any other stem is its own name.

    >>> name_of_stem("%2Fpeople%2Fborn"), name_of_stem("100%25 and 5%")
    ('/people/born', '100%25 and 5%')
    """
    if "%" not in stem:
        return stem
    name = "" if stem == "%" else unquote(stem)
    return name if file_stem(name) == stem else stem
