"""`--config FILE`: the options of `fit` from a TOML file, below the command line and above a preset."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import Any

import typer

from logicoder.base.errors import InputError, location_of
from logicoder.base.files import read_text
from logicoder.base.toml import toml_of

SECTION = "fit"


def load_config(ctx: typer.Context, path: Path | None) -> Path | None:
    """Take the options of a file as defaults of the options that follow; an eager callback of `--config`."""
    if path is not None and not ctx.resilient_parsing:
        options = _read(path)
        known = _known_options(ctx)
        own = options.pop(SECTION, {})
        ctx.default_map = {
            **(ctx.default_map or {}),
            **_section_defaults(ctx, path, options, known),
            **_section_defaults(ctx, path, own, known),
        }
    return path


def _read(path: Path) -> dict[str, Any]:
    # Numbers with a fraction keep their decimal text, as on the command line.
    found = toml_of(read_text(path), str(path), parse_float=str)
    if not isinstance(found.get(SECTION, {}), dict):
        raise InputError(f"{SECTION} must be a table: [{SECTION}]", location_of(path))
    return found


def _known_options(ctx: typer.Context) -> dict[str, tuple[Any, bool]]:
    """Return the options by name, each with whether the name is that of its opposite (`no-generality`)."""
    known: dict[str, tuple[Any, bool]] = {}
    for option in ctx.command.params:
        if option.param_type_name == "option" and not option.is_eager:
            for names, opposite in ((option.opts, False), (option.secondary_opts, True)):
                for name in names:
                    if name.startswith("--"):
                        known[name[2:]] = (option, opposite)
    return known


def _section_defaults(
    ctx: typer.Context, path: Path, section: dict[str, Any], known: dict[str, tuple[Any, bool]]
) -> dict[str, Any]:
    defaults: dict[str, Any] = {}
    for key, value in section.items():
        name = key.replace("_", "-")
        if name not in known:
            close = get_close_matches(name, known, 1)
            hint = f"did you mean {close[0]}?" if close else f"the options are: {', '.join(sorted(known))}"
            raise InputError(f"there is no option {key!r}", location_of(path), hint)
        option, opposite = known[name]
        if option.name in defaults:
            raise InputError(f"{key!r} is given twice", location_of(path))
        checked = _checked(ctx, path, key, value, option)
        defaults[option.name] = not checked if opposite else checked
    return defaults


def _checked(ctx: typer.Context, path: Path, key: str, value: Any, option: Any) -> Any:
    """Return a value as the option takes it."""
    if bool(option.is_flag) != isinstance(value, bool):
        wanted = "true or false" if option.is_flag else "a value, not true or false"
        raise InputError(f"{key} must be {wanted}", location_of(path))
    several = value if isinstance(value, list) else [value]
    if (isinstance(value, list) and not option.multiple) or any(isinstance(v, (list, dict)) for v in several):
        raise InputError(f"{key} must be a single value", location_of(path))
    given = several if option.multiple else value
    try:
        option.process_value(ctx, given)
    except typer.BadParameter as error:
        raise InputError(f"{key}: {error.message.removeprefix('Value error, ')}", location_of(path)) from None
    return given
