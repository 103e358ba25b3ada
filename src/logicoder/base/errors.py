"""Errors that are part of the product: each says where, what is wrong, and what to do."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_SHOWN = 100
"""As many characters of a wrong value a message shows."""


@dataclass(frozen=True)
class Location:
    """A place in a source text; lines and columns count from one.

    >>> print(Location("family.pl", 3, 7))
    family.pl:3:7
    """

    source: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        source = self.source if isinstance(self.source, str) else shown(self.source)
        return ":".join(str(part) for part in (source, self.line, self.column) if part is not None)


class LogicoderError(Exception):
    """A failure that a person can understand and act upon. The command line exits with `exit_code`."""

    exit_code = 1


class UsageError(LogicoderError):
    """A wrong parameter or option."""

    exit_code = 2


class InputError(LogicoderError):
    """Data, a schema, a program or a model that cannot be read as it stands."""

    exit_code = 2

    def __init__(self, message: str, location: Location | None = None, hint: str | None = None) -> None:
        self.message = message
        self.location = location
        self.hint = hint
        super().__init__(message)

    def __str__(self) -> str:
        text = f"{self.location}: {self.message}" if self.location else self.message
        return f"{text}\n  hint: {self.hint}" if self.hint else text


class InfeasibleError(LogicoderError):
    """No program satisfies the constraints; the text says which of them and what to change."""


class SearchError(LogicoderError):
    """The search ended before it found any program."""


class OutputError(LogicoderError):
    """A result could not be written (a full disk, a missing permission)."""


class MissingExtraError(LogicoderError):
    """An optional package is needed for what was asked."""

    exit_code = 2

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        wanted = " ".join(f"'{item}'" for item in _extra(extra) or (package,))
        super().__init__(f"{purpose} needs the package {package}: pip install {wanted}")


def _extra(name: str) -> list[str]:
    """Return what an extra consists of: that can be installed wherever logicoder itself came from."""
    from importlib.metadata import PackageNotFoundError, requires  # noqa: PLC0415  (slow, and rarely needed)

    try:
        declared = requires("logicoder") or []
    except PackageNotFoundError:  # a source tree that was never installed
        return []
    marked = re.compile(rf"extra == ['\"]{re.escape(name)}['\"]")
    return [item.partition(";")[0].strip() for item in declared if marked.search(item)]


_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def harmless(text: str) -> str:
    r"""Return a text without what a terminal obeys: control characters are spelled out.

    >>> print(harmless("red\x1b[31m"))
    red\x1b[31m
    """
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def one_line(text: str) -> str:
    r"""Return a name for a comment: nothing in it can end the line.

    >>> print(one_line("a\nq(b)."))
    a\nq(b).
    """
    return harmless(text).replace("\n", "\\n").replace("\t", "\\t")


def whole_characters(text: str) -> str:
    r"""Return a text that can be written as UTF-8: bytes of file names that are no text are spelled out.

    >>> print(whole_characters("caf\udce9.pl"))
    caf\udce9.pl
    """
    return text.encode("utf-8", "backslashreplace").decode()


def location_of(path: Path | str, line: int | None = None, column: int | None = None) -> Location:
    """Return the location of a place in a file."""
    return Location(str(path), line, column)


def require(name: str, value: object, *kinds: type) -> None:
    """Refuse an argument that is of another type than wanted.

    >>> require("layers", "two", int, list)
    Traceback (most recent call last):
    ...
    logicoder.base.errors.UsageError: layers must be of type int or list, not 'two'
    """
    if not isinstance(value, kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise UsageError(f"{name} must be of type {wanted}, not {shown(value)}")


def shown(value: object) -> str:
    """Return a value for a message, cut short.

    >>> shown("x"), shown(10**5000)
    ("'x'", 'a number of thousands of digits')
    """
    try:
        text = repr(value)
    except ValueError:  # Python prints no whole numbers of more digits
        return "a number of thousands of digits"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text):,} characters)"
