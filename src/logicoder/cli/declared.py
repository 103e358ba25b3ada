"""Options made from declarations: of the settings of the library, and of the commands' own values."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from logicoder.base.kinds import Kind, Switch
from logicoder.base.setting import NONE, Setting, SettingError

FIRST = "Settings that matter most"

_PARAMETER = re.compile(r"`(\w+)(?:=([^`]*))?`")


@dataclass(frozen=True)
class Bundle:
    """Options that reach a command as one argument.

    Attributes:
        parameters: the options, as parameters of a function.
        made: makes the argument of their values.
    """

    parameters: tuple[inspect.Parameter, ...]
    made: Callable[[dict[str, Any]], Any]


def parameter(name: str, annotation: Any, default: Any = None) -> inspect.Parameter:
    """Return a parameter of a command; `...` for one that must be given."""
    default = inspect.Parameter.empty if default is ... else default
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def settings(declared: Mapping[str, Setting] | Iterable[Setting]) -> Bundle:
    """Return the options of settings; the command gets those that were given, as parameters by name."""
    every = tuple(declared.values() if isinstance(declared, Mapping) else declared)
    offered = {item.name: item for item in every if item.options}
    known = {name: item.options for name, item in offered.items()}

    def given(values: dict[str, Any]) -> dict[str, Any]:
        found = {name: value for name, value in values.items() if value is not None and value != []}
        plain = {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}
        return {n: None if value == NONE and offered[n].takes_none else value for n, value in plain.items()}

    return Bundle(tuple(parameter(n, _annotation(item, known)) for n, item in offered.items()), given)


def _annotation(declared: Setting, known: Mapping[str, tuple[str, ...]]) -> Any:
    repeated = "; may be repeated" if declared.kind.several else ""
    text = in_options(declared.doc, known)
    shared: dict[str, Any] = {
        "help": f"{text[0].upper()}{text[1:]}{repeated}.",
        "show_default": declared.default_words or False,
        "rich_help_panel": FIRST if declared.first else declared.group,
    }
    names = "/".join(declared.options)
    if isinstance(declared.kind, Switch):
        return Annotated[bool | None, typer.Option(names, **shared)]
    option = typer.Option(names, metavar=declared.metavar, parser=_parser(declared), **shared)
    return Annotated[list[str] | None, option] if declared.kind.several else Annotated[Any, option]


def value(option: str, kind: Kind, help: str, **shared: Any) -> Any:  # noqa: A002  (as typer calls it)
    """Return an option of a command's own: a value of some kind."""
    name = option.removeprefix("--").replace("-", "_")
    return typer.Option(
        option,
        metavar=kind.metavar,
        parser=_parser(Setting(kind, None, help, "", name=name)),
        help=help,
        **shared,
    )


def _parser(declared: Setting) -> Callable[[Any], Any]:
    def parse(text: Any) -> Any:
        try:
            return declared.parse(text)
        except SettingError as error:
            raise typer.BadParameter(error.about_text) from None

    return parse


def in_options(text: str, known: Mapping[str, tuple[str, ...]]) -> str:
    """Return a text of the library, which has parameters in backticks, in the words of the command line.

    >>> in_options("pass `reconstruct_all=False`", {"reconstruct_all": ("--all", "--not-all")})
    'pass --not-all'

    Args:
        text: what the library says.
        known: the options by the names of parameters; others are left as they are.
    """

    def replaced(found: re.Match[str]) -> str:
        name, given = found[1], found[2] and found[2].strip("[\"']")
        if name not in known:
            return found[0]
        if given in (None, "True"):
            return known[name][0]
        return (
            known[name][-1] if given == "False" else f"{known[name][0]} {NONE if given == 'None' else given}"
        )

    return _PARAMETER.sub(replaced, text)
