r"""Saved files are input like any other: JSON is read as what is declared, or refused with its place.

>>> json_of('{"loss": -1}', dict[str, Count], "this curve", "curve.json")
Traceback (most recent call last):
...
logicoder.base.errors.InputError: curve.json: this curve is damaged: expected `int` >= 0 - at `$[...]`
>>> json_of('{\n"loss" 1}', dict[str, Count], "this curve", "curve.json")
Traceback (most recent call last):
...
logicoder.base.errors.InputError: curve.json:2:8: this curve is damaged: JSON is malformed: expected ':'
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from logicoder.base.errors import InputError, Location, LogicoderError
from logicoder.base.files import read_text

T = TypeVar("T")

_MOST = 2**63 - 1

Whole = Annotated[int, msgspec.Meta(ge=-_MOST, le=_MOST)]
Count = Annotated[int, msgspec.Meta(ge=0, le=_MOST)]
Number = Whole | Annotated[float, msgspec.Meta(ge=-1e18, le=1e18)]

_Leaf = str | Number | bool | None
_1 = _Leaf | list[_Leaf] | dict[str, _Leaf]
_2 = _Leaf | list[_1] | dict[str, _1]
_3 = _Leaf | list[_2] | dict[str, _2]
_4 = _Leaf | list[_3] | dict[str, _3]
_5 = _Leaf | list[_4] | dict[str, _4]
Plain = _Leaf | list[_5] | dict[str, _5]
"""Data of any kind, in at most six levels: whatever walks through it needs no limit of its own."""

_BYTE = re.compile(r" \(byte (\d+)\)\Z")


def read_json(path: Path, kind: type[T], what: str, hint: str | None = None) -> T:
    """Return what a file of JSON holds.

    Args:
        path: the file.
        kind: what it should hold: a dataclass, a `TypedDict`, anything that msgspec reads.
        what: the words for it in messages.
        hint: what to do if it is damaged.
    """
    return json_of(read_text(path), kind, what, path, hint=hint)


def json_of(
    text: str, kind: type[T], what: str, source: str | Path, *, line: int = 0, hint: str | None = None
) -> T:
    """Return what a text of JSON holds; see `read_json`.

    Args:
        text: the JSON.
        kind: what it should hold.
        what: the words for it in messages.
        source: the file that it stands in.
        line: the line of that file where it starts; 0 where the whole file is JSON.
        hint: what to do if it is damaged.
    """
    start = Location(str(source), line or None, 1 if line else None)
    try:
        return msgspec.json.decode(text.encode(), type=kind)
    except msgspec.ValidationError as error:
        raise InputError(_damaged(what, error), start, hint) from None
    except msgspec.DecodeError as error:
        found = _BYTE.search(str(error))
        before = text.encode()[: int(found[1])].decode(errors="ignore") if found else text
        column = len(before) - before.rfind("\n")
        place = Location(str(source), before.count("\n") + max(1, line), column)
        raise InputError(_damaged(what, _BYTE.sub("", str(error))), place, hint) from None
    except (LogicoderError, RecursionError, UnicodeError) as error:
        raise InputError(_damaged(what, error), start, hint) from None


def as_declared(data: Any, kind: type[T], what: str, source: str | Path, hint: str | None = None) -> T:
    """Return data that were read already as what is declared; see `read_json`."""
    try:
        return msgspec.convert(data, kind)
    except (msgspec.ValidationError, LogicoderError, RecursionError) as error:
        raise InputError(_damaged(what, error), Location(str(source)), hint) from None


def _damaged(what: str, error: object) -> str:
    said = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
    return f"{what} is damaged: {said if said.startswith('JSON') else said[:1].lower() + said[1:]}"
