"""Facts in any of the forms that a person may give them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from logicoder.base.errors import InputError, shown
from logicoder.logic.symbols import Value, symbol_of


@runtime_checkable
class GivenFact(Protocol):
    """A fact as an object: `logicoder.Fact` is one."""

    @property
    def predicate(self) -> str:
        """Its predicate."""

    @property
    def arguments(self) -> tuple[Value, ...]:
        """Its constants."""


Row = Sequence[Value] | GivenFact | str


def key_of(row: Row, number: int | None = None) -> tuple[str, ...]:
    """Return predicate and symbols of a fact in any of the forms that a person may give it."""
    where = "" if number is None else f" (fact number {number})"
    if isinstance(row, str):
        from logicoder.logic.parser import Parser  # noqa: PLC0415  (only needed for text)

        atom = Parser(row).atom()
        if not atom.is_ground:
            raise InputError(
                f"the fact {atom} contains a variable{where}", hint="constants start with a lower-case letter"
            )
        return (atom.predicate, *map(str, atom.arguments))
    given: object = row
    # Most rows are plain, and asking whether an object follows a protocol takes longer than all the rest.
    if type(row) not in (tuple, list) and isinstance(row, GivenFact):
        given = (row.predicate, *row.arguments)
    name, *arguments = (tuple(given) if isinstance(given, Iterable) else ()) or ("",)
    if not isinstance(name, str) or not name:
        raise InputError(f"{shown(row)} is not a fact{where}", hint='write ("father", "vader", "luke")')
    try:
        return (name, *map(symbol_of, arguments))
    except ValueError as error:
        raise InputError(
            f"{shown(row)} contains a value that is not a constant{where}: {error}",
            hint="constants are text, numbers, booleans, dates, bytes and UUIDs; leave out facts with "
            "missing values",
        ) from None


def rows_of(given: Iterable[Row] | Mapping[str, Iterable[Any]]) -> Iterable[Row]:
    """Return facts one by one: a mapping has the rows of each predicate."""
    if isinstance(given, str):
        raise InputError("a string is not a list of facts", hint=f"write [{shown(given)}]")
    if not isinstance(given, Mapping):
        return given
    for name, rows in given.items():
        if isinstance(rows, str) or not isinstance(rows, Iterable) or hasattr(rows, "columns"):
            raise InputError(
                f"the facts of {name} are a {type(rows).__name__}, not a list of rows",
                hint='write {"father": [("vader", "luke")]}; from_frames takes data frames',
            )
    return (
        (name, *(row if isinstance(row, tuple | list) else (row,)))
        for name, rows in given.items()
        for row in rows
    )
