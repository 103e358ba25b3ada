"""What every command has: options in groups, two helps, `-v`, `-q` and `--debug`, and a log."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any, get_args

import typer
from typer.core import TyperCommand

from logicoder.cli.declared import FIRST, Bundle, parameter
from logicoder.cli.verbosity import COMMON, set_up_log
from logicoder.learner.parameters import CONSTRAINTS, LANGUAGE, LIMITS, PRUNING, RUN, SEARCH

DATA = "Data"
COMMAND = "logicoder.command"

_FURTHER = (LANGUAGE, CONSTRAINTS, PRUNING, LIMITS, SEARCH, RUN, DATA)
"""The groups that only `--help-all` shows, where there are settings that matter more."""

_ALL = "logicoder.help-all"
_DEFAULT = re.compile(r"\[default: \((.*)\)\]")


class Command(TyperCommand):
    """A command whose options are listed under the headings that `rich_help_panel` names."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then options, those without a heading last."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for item in self.get_params(ctx):
            record = item.get_help_record(ctx)
            if record is None:
                continue
            name, text = record
            if item.param_type_name == "argument":
                heading, name = "Arguments", name.split(" <")[0]
            else:
                heading = getattr(item, "rich_help_panel", None) or "Options"
            text = _DEFAULT.sub(r"[default: \1]", text.replace("\\[", "["))
            groups.setdefault(heading, []).append((name, text))
        brief = FIRST in groups and not ctx.meta.get(_ALL)
        order = {"Arguments": 0, FIRST: 1, "Options": 3}
        for heading in sorted(groups, key=lambda heading: order.get(heading, 2)):
            if not (brief and heading in _FURTHER):
                with formatter.section(heading):
                    formatter.write_dl(groups[heading])


def _help_all(ctx: typer.Context, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        ctx.meta[_ALL] = True
        print(ctx.get_help())
        raise typer.Exit


_HELP_ALL = Annotated[
    bool,
    typer.Option(
        "--help-all",
        is_eager=True,
        callback=_help_all,
        help="Show all options, including those for data and all settings, and exit.",
        show_default=False,
    ),
]


def prepared(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with its bundles of options spread out, and with the options that all have."""
    own = inspect.signature(command, eval_str=True).parameters
    bundles = {name: found for name, p in own.items() if (found := _bundle(p)) is not None}

    @wraps(command)
    def run(ctx: typer.Context, **options: Any) -> None:
        set_up_log(ctx)
        ctx.meta[COMMAND] = ctx.command
        given = {
            name: bundle.made({p.name: options[p.name] for p in bundle.parameters})
            for name, bundle in bundles.items()
        }
        command(**{name: ctx if name == "ctx" else (options | given)[name] for name in own})

    spread = [parameter("ctx", typer.Context, ...)]
    for name, item in own.items():
        if name in bundles:
            spread += bundles[name].parameters
        elif name != "ctx":
            spread.append(item.replace(kind=inspect.Parameter.KEYWORD_ONLY))
    spread += COMMON
    panels = {getattr(part, "rich_help_panel", None) for p in spread for part in get_args(p.annotation)}
    if FIRST in panels:
        spread.append(parameter("help_all", _HELP_ALL, False))
    run.__signature__ = inspect.Signature(spread)  # type: ignore[attr-defined]
    run.__annotations__ = {item.name: item.annotation for item in spread}
    return run


def _bundle(item: inspect.Parameter) -> Bundle | None:
    return next((part for part in get_args(item.annotation) if isinstance(part, Bundle)), None)


def options_of(ctx: typer.Context) -> Mapping[str, tuple[str, ...]]:
    """Return the options of the running command by the names of parameters, the opposite of each last."""
    command = ctx.meta.get(COMMAND)
    return {item.name: (*item.opts[:1], *item.secondary_opts) for item in getattr(command, "params", ())}
