"""Settings as data: each is declared once, as a field of a dataclass, with its range, its default, its words.

From the declaration come the parameter of the library (the dataclass makes the signature), the check of its
value, the option of the command line, the key of a TOML file, and its line in docstrings and reference.

>>> @dataclass
... class Parameters(Adjustable):
...     rounds: int = setting(8, Whole(0, 99), "most rounds", group="limits")
>>> Parameters(rounds=-1).checked()
Traceback (most recent call last):
...
logicoder.base.setting.SettingError: rounds must be a whole number of at least 0 and at most 99, not -1
>>> settings_of(Parameters)["rounds"].default
8
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any, Self, TypeVar

from logicoder.base.errors import UsageError, shown
from logicoder.base.kinds import Kind, Name, Switch, Whole

__all__ = ["Adjustable", "Setting", "SettingError", "Whole", "documented", "setting", "settings_of"]

NONE = "none"
"""What stands for None on the command line and in files."""

_KEY = "setting"
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_TEXT = r"\1"
_WIDTH = 110
_PLACE = re.compile(r"^([ \t]*)\{settings\}", re.MULTILINE)  # Python 3.13 takes indents away

T = TypeVar("T")


class SettingError(UsageError):
    """A wrong value of a setting: in Python it names the parameter, on the command line the option."""

    def __init__(self, declared: Setting, value: object, complaint: str | None = None) -> None:
        self.setting, self.complaint = declared, complaint
        self._value = shown(value)
        super().__init__(self.worded(declared.name))

    def worded(self, name: str, none: str = "None") -> str:
        """Return what is wrong, with the name of the setting, and of None, in the words of the reader."""
        if self.complaint:
            return f"{name}: {self.complaint}"
        wanted = self.setting.kind.wanted + (f", or {none}" if self.setting.optional else "")
        return f"{name} must be {wanted}, not {self._value}"

    @property
    def about_text(self) -> str:
        """What is wrong with the text of an option whose name the reader sees already."""
        if self.complaint:
            return self.complaint
        wanted = self.setting.kind.wanted
        if self.setting.takes_none:
            return f"{self._value} is neither {wanted} nor the word {NONE}"
        return f"{self._value} is not {wanted}"


@dataclass(frozen=True)
class Setting:
    """The declaration of a setting.

    Attributes:
        kind: its type and range.
        default: its value unless given.
        doc: what it means, in a few words, without a full stop.
        group: where it is listed.
        more: what else is to be said where there is room; may hold links.
        first: whether it is one of those that matter most.
        optional: whether it may be None.
        unset: what None means, in a word or two, such as `no limit`.
        option: its option, if that is not made of its name: `--weight`, or `--in-order/--best-first`; empty
            where the command line has none.
        name: the name of the parameter.
    """

    kind: Kind
    default: Any
    doc: str
    group: str
    more: str = ""
    first: bool = False
    optional: bool = False
    unset: str = ""
    option: str | None = None
    name: str = ""

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the option, the opposite of a switch last; none where there is no option."""
        if self.option is not None:
            return tuple(filter(None, self.option.split("/")))
        plain = self.name.replace("_", "-")
        return (f"--{plain}", f"--no-{plain}") if isinstance(self.kind, Switch) else (f"--{plain}",)

    @property
    def metavar(self) -> str | None:
        """What stands for its value on the command line."""
        metavar = self.kind.metavar
        return f"{metavar}|{NONE}" if self.takes_none else metavar

    @property
    def takes_none(self) -> bool:
        """Whether a text can say that there is none: not where a name could be that word."""
        return self.optional and not self.kind.several and not isinstance(self.kind, Name | Switch)

    @property
    def default_words(self) -> str:
        """The default as people read it."""
        return self.unset if self.default is None else self.kind.words(self.default)

    def check(self, value: Any) -> None:
        """Refuse a value in Python that is out of range, saying what it may be."""
        if value is None and self.optional:
            return
        try:
            accepted = self.kind.accepts(value)
        except UsageError as error:  # it says more
            raise SettingError(self, value, str(error)) from None
        if not accepted:
            raise SettingError(self, value)

    def parse(self, text: object) -> Any:
        """Return the value of a text, checked; `none` stays as it is, for None means that none was given."""
        if self.takes_none and str(text).lower() == NONE:
            return NONE
        try:
            value = self.kind.parse(str(text))
            self.check(value)
        except (ValueError, ArithmeticError):
            raise SettingError(self, text) from None
        except UsageError as error:
            complaint = error.complaint if isinstance(error, SettingError) else str(error)
            raise SettingError(self, text, complaint) from None
        return value


def setting(
    default: Any,
    kind: Kind,
    doc: str,
    *,
    group: str,
    more: str = "",
    first: bool = False,
    unset: str = "",
    option: str | None = None,
) -> Any:
    """Declare a field of a dataclass as a setting; see `Setting`. Where `unset` is given, it may be None."""
    declared = Setting(kind, default, doc, group, more, first, bool(unset), unset, option)
    return field(default=default, metadata={_KEY: declared})


def settings_of(cls: type) -> dict[str, Setting]:
    """Return the settings that a dataclass declares, by name and in order."""
    declared = {item.name: item.metadata[_KEY] for item in fields(cls) if _KEY in item.metadata}
    return {name: replace(item, name=name) for name, item in declared.items()}


class Adjustable:
    """What every dataclass of settings can do: check them, and scikit-learn's contract."""

    def checked(self) -> Self:
        """Return the settings, or say which value is wrong and what it may be."""
        for name, declared in settings_of(type(self)).items():
            declared.check(getattr(self, name))
        return self

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        """Return the parameters by name."""
        return {name: getattr(self, name) for name in settings_of(type(self))}

    def set_params(self, **parameters: Any) -> Self:
        """Set parameters by name."""
        require_known(type(self).__name__, parameters, settings_of(type(self)))
        for name, value in parameters.items():
            setattr(self, name, value)
        return self

    def changed_params(self, *but: str) -> list[str]:
        """Return the parameters that differ from their defaults as texts, without some."""
        declared = settings_of(type(self))
        values = ((name, getattr(self, name)) for name in declared if name not in but)
        return [f"{name}={value!r}" for name, value in values if value != declared[name].default]


def require_known(owner: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Refuse names of parameters that there are not."""
    for name in given:
        if name not in set(known):
            raise UsageError(f"{owner} has no parameter {shown(name)}")


def documented(cls: type[T]) -> type[T]:
    """Put the settings of a class in place of `{settings}` in its docstring."""
    found = _PLACE.search(cls.__doc__ or "")
    if cls.__doc__ and found:
        told = "\n".join(_told(declared, found[1]) for declared in settings_of(cls).values())
        cls.__doc__ = cls.__doc__.replace(found[0], told)
    return cls


def _told(declared: Setting, indent: str) -> str:
    """Return the lines of a docstring about a setting."""
    text = f"{declared.name}: {_LINK.sub(_TEXT, meaning(declared))}."
    return textwrap.fill(text, _WIDTH, initial_indent=indent, subsequent_indent=indent + " " * 4)


def meaning(declared: Setting) -> str:
    """Return what a setting means where there is room, with what None means."""
    none = f"None: {declared.unset}" if declared.optional else ""
    return "; ".join(filter(None, (declared.doc, declared.more, none)))
