"""Kinds of values that a setting takes: what Python may give, what a text says, and how both are told.

Values come from anywhere: a grid of numpy numbers, a TOML file, a shell. A kind takes what it can use and
refuses everything else, however hostile: numbers that no machine word holds, texts of thousands of digits.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ClassVar

from logicoder.base.errors import UsageError
from logicoder.base.numbers import exact_fraction

_SEPARATED = re.compile(r"-?\d{1,3}(,\d{3})+")

MANY = 10**12
"""No count is larger: it fits a machine word, also when it is multiplied by that of the facts."""


class Kind(ABC):
    """What a setting may be.

    Attributes:
        metavar: what stands for a value on the command line; None for switches, which have none.
        several: whether an option may be repeated.
    """

    metavar: str | None = "X"
    several: ClassVar[bool] = False

    @property
    @abstractmethod
    def wanted(self) -> str:
        """What is allowed, in words."""

    @abstractmethod
    def accepts(self, value: Any) -> bool:
        """Whether a value in Python is allowed."""

    def parse(self, text: str) -> Any:
        """Return the value of a text, which `accepts` has still to look at; ValueError if there is none."""
        return text

    def words(self, value: Any) -> str:
        """Return a value as the command line takes it."""
        return str(value)


@dataclass(frozen=True)
class Whole(Kind):
    """A whole number within bounds."""

    least: int
    most: int = MANY
    metavar: str | None = "N"

    @property
    def wanted(self) -> str:
        """See `Kind.wanted`."""
        return f"a whole number of at least {self.least:,} and at most {self.most:,}"

    def accepts(self, value: Any) -> bool:
        """See `Kind.accepts`; a grid made with numpy has whole numbers of its own kind."""
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        return whole and self.least <= int(value) <= self.most

    def parse(self, text: str) -> int:
        """See `Kind.parse`; separators of thousands may stay, as the help shows them."""
        return int(text.replace(",", "") if _SEPARATED.fullmatch(text) else text)

    def words(self, value: Any) -> str:
        """See `Kind.words`."""
        return f"{value:,}"


@dataclass(frozen=True)
class Number(Kind):
    """A number within bounds, the lower one perhaps excluded."""

    least: float
    most: float = 1e9
    above: bool = False
    metavar: str | None = "X"

    @property
    def wanted(self) -> str:
        """See `Kind.wanted`."""
        return _between(self.least, self.most, above=self.above)

    def accepts(self, value: Any) -> bool:
        """See `Kind.accepts`."""
        if isinstance(value, bool) or not isinstance(value, Real):
            return False
        given: Any = value  # compared as it is: float() of a whole number that is too large would fail
        return bool((self.least < given if self.above else self.least <= given) and given <= self.most)

    def parse(self, text: str) -> float:
        """See `Kind.parse`."""
        return float(text)

    def words(self, value: Any) -> str:
        """See `Kind.words`."""
        return f"{value:g}"


@dataclass(frozen=True)
class Exact(Kind):
    """A number whose decimal text counts exactly, as do fractions such as `1/3`.

    Attributes:
        least: the lower bound.
        most: the upper bound.
        above: whether the lower bound is excluded.
        places: most digits after the point, if they are limited; or so large a denominator.
    """

    least: Fraction | int = 0
    most: int = 10**9
    above: bool = False
    places: int | None = None
    metavar: str | None = "X"

    @property
    def wanted(self) -> str:
        """See `Kind.wanted`."""
        digits = "" if self.places is None else f" with at most {self.places} digits after the point"
        return f"{_between(self.least, self.most, above=self.above)}{digits}, such as 0.5"

    def accepts(self, value: Any) -> bool:
        """See `Kind.accepts`."""
        if isinstance(value, bool) or not isinstance(value, str | Real):
            return False
        try:
            exact = exact_fraction("", value)  # type: ignore[arg-type]
        except UsageError:
            return False
        if self.places is not None and exact.denominator > 10**self.places:
            return False
        return (self.least < exact if self.above else self.least <= exact) and exact <= self.most


@dataclass(frozen=True)
class Switch(Kind):
    """Yes or no."""

    metavar: str | None = None
    wanted: ClassVar[str] = "True or False"

    def accepts(self, value: Any) -> bool:
        """See `Kind.accepts`; numpy has truth values of its own kind."""
        return isinstance(value, bool) or type(value).__name__ in ("bool_", "bool")

    def words(self, value: Any) -> str:
        """See `Kind.words`."""
        return "yes" if value else "no"


@dataclass(frozen=True)
class Choice(Kind):
    """One of several words, which may be looked up when they are asked for."""

    names: Sequence[str] | Callable[[], Sequence[str]]

    @property
    def known(self) -> tuple[str, ...]:
        """The words."""
        return tuple(self.names() if callable(self.names) else self.names)

    @property
    def metavar(self) -> str:  # type: ignore[override]
        """See `Kind`."""
        return "|".join(self.known)

    @property
    def wanted(self) -> str:
        """See `Kind.wanted`."""
        return f"one of {', '.join(self.known)}"

    def accepts(self, value: Any) -> bool:
        """See `Kind.accepts`."""
        return isinstance(value, str) and value in self.known


@dataclass(frozen=True)
class Plugin(Choice):
    """One of several words, or one that another package offers.

    Attributes:
        registry: `module:name` of the `base.plugins.Registry`, named instead of imported as in `Read`.
    """

    registry: str = ""

    @property
    def metavar(self) -> str:  # type: ignore[override]
        """See `Kind`."""
        return f"{super().metavar}|..."

    @property
    def wanted(self) -> str:
        """See `Kind.wanted`."""
        return f"one of {', '.join(self._registry)}"

    def accepts(self, value: Any) -> bool:
        """See `Kind.accepts`."""
        return super().accepts(value) or (isinstance(value, str) and value in self._registry)

    @property
    def _registry(self) -> Any:
        module, _, name = self.registry.partition(":")
        return getattr(import_module(module), name)


@dataclass(frozen=True)
class Read(Kind):
    """What a function of the library reads: it raises a UsageError, which says more than a kind could.

    Attributes:
        reader: `module:function`. It is named, not imported: the command line shows its help without the
            library.
        metavar: see `Kind`.
    """

    reader: str
    metavar: str | None = "TEXT"
    wanted: ClassVar[str] = "a value that can be read"

    def accepts(self, value: Any) -> bool:
        """See `Kind.accepts`."""
        module, _, name = self.reader.partition(":")
        try:
            getattr(import_module(module), name)(value)
        except (TypeError, ValueError, ArithmeticError, AttributeError):
            return False
        return True


@dataclass(frozen=True)
class Texts(Read):
    """Like `Read`, for options that may be repeated."""

    several: ClassVar[bool] = True

    def words(self, value: Any) -> str:
        """See `Kind.words`."""
        return ", ".join(map(str, value))


@dataclass(frozen=True)
class Names(Kind):
    """Words of the user's own, such as names of predicates; an option for them may be repeated."""

    metavar: str | None = "NAME"
    several: ClassVar[bool] = True
    wanted: ClassVar[str] = "a list of names"

    def words(self, value: Any) -> str:
        """See `Kind.words`."""
        return ", ".join(value) or "none"

    def accepts(self, value: Any) -> bool:
        """See `Kind.accepts`."""
        return isinstance(value, Sequence) and all(isinstance(item, str) for item in value)


@dataclass(frozen=True)
class Name(Kind):
    """A word of the user's own.

    Attributes:
        told: what it names.
        metavar: see `Kind`.
    """

    told: str
    metavar: str | None = "NAME"

    @property
    def wanted(self) -> str:
        """See `Kind.wanted`."""
        return self.told

    def accepts(self, value: Any) -> bool:
        """See `Kind.accepts`."""
        return isinstance(value, str)


@dataclass(frozen=True)
class PathName(Name):
    """The path of a file or folder."""

    def accepts(self, value: Any) -> bool:
        """See `Kind.accepts`."""
        return isinstance(value, str | Path) and str(value) != "" and "\0" not in str(value)


@dataclass(frozen=True)
class Function(Kind):
    """Something that is called."""

    wanted: ClassVar[str] = "a function"

    def accepts(self, value: Any) -> bool:
        """See `Kind.accepts`."""
        return callable(value)


@dataclass(frozen=True)
class Several(Kind):
    """A list, on the command line with commas between its values.

    Attributes:
        each: the kind of the values.
        empty: whether there may be none.
    """

    each: Kind
    empty: bool = False

    @property
    def metavar(self) -> str:  # type: ignore[override]
        """See `Kind`."""
        return f"{'NAME' if isinstance(self.each, Choice) else self.each.metavar},..."

    @property
    def wanted(self) -> str:
        """See `Kind.wanted`."""
        return f"a list{'' if self.empty else ' of at least one item'}, each of them {self.each.wanted}"

    def accepts(self, value: Any) -> bool:
        """See `Kind.accepts`."""
        if isinstance(value, str | Mapping) or not isinstance(value, Sequence):
            return False
        return (self.empty or len(value) > 0) and all(self.each.accepts(item) for item in value)

    def parse(self, text: str) -> tuple[Any, ...]:
        """See `Kind.parse`."""
        return tuple(self.each.parse(part.strip()) for part in text.split(",") if part.strip())

    def words(self, value: Any) -> str:
        """See `Kind.words`."""
        return ",".join(map(self.each.words, value)) or "none"


def _between(least: float | Fraction, most: float | Fraction, *, above: bool) -> str:
    low = "greater than" if above else "of at least"
    return f"a number {low} {_figure(least)} and at most {_figure(most)}"


def _figure(value: float | Fraction) -> str:
    return f"{int(value):,}" if value == int(value) else str(float(value))
