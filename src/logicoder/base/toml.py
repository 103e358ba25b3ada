"""TOML of users, refused with its place."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from typing import Any

from logicoder.base.errors import InputError, Location

_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)\Z")


def toml_of(text: str, source: str, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """Return the content of TOML.

    >>> toml_of("a = [1,", "x.toml")
    Traceback (most recent call last):
    ...
    logicoder.base.errors.InputError: x.toml:1:8: this is not TOML: Invalid value

    Args:
        text: the TOML.
        source: the file that it is from.
        parse_float: makes numbers with a fraction.
    """
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else text.count("\n") + 1
        column = int(place[2]) if place and place[2] else len(text.rpartition("\n")[2]) + 1
        said = f"this is not TOML: {_PLACE.sub('', str(error))}"
        raise InputError(said, Location(source, line, column)) from None
    except (ValueError, ArithmeticError):
        raise InputError("this TOML contains a number or date that is too large", Location(source)) from None
    except RecursionError:
        raise InputError("this TOML is nested too deeply", Location(source)) from None
