"""Addresses of databases, which may hold passwords that nobody should see."""

from __future__ import annotations

import re
from pathlib import Path

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+_]+://")
_PASSWORD = re.compile(r"(?P<before>[A-Za-z][A-Za-z0-9+_]+://[^\s:/@]*:)(?P<password>[^\s]*)(?=@)")
_PARAMETER = re.compile(
    r"(?P<before>[?&](?:password|passwd|pwd|secret|token|sslpassword)=)[^&\s]*", re.IGNORECASE
)
HIDDEN = "***"


def is_address(text: str | Path) -> bool:
    """Whether a text is the address of a database.

    >>> is_address("postgresql://host/shop"), is_address("shop.db")
    (True, False)
    """
    return isinstance(text, str) and _ADDRESS.match(text) is not None


def masked(text: str) -> str:
    """Return a text without the passwords of the addresses in it.

    >>> masked("postgresql://anna:p@ss/w:rd@host/shop?password=x&sslmode=require")
    'postgresql://anna:***@host/shop?password=***&sslmode=require'
    """
    return _PARAMETER.sub(rf"\g<before>{HIDDEN}", _PASSWORD.sub(rf"\g<before>{HIDDEN}", text))
