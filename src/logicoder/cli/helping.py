"""The help of a command: its options in groups, none of them cut short."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand

_DEFAULT = re.compile(r"\[default: \((.*)\)\]")


class Command(TyperCommand):
    """A command whose options are listed under the headings that `rich_help_panel` names."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments, then options, those without a heading last."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            name, text = record
            if parameter.param_type_name == "argument":
                heading, name = "Arguments", name.split(" <")[0]
            else:
                heading = getattr(parameter, "rich_help_panel", None) or "Options"
            text = _DEFAULT.sub(r"[default: \1]", text.replace("\\[", "["))
            groups.setdefault(heading, []).append((name, text))
        for heading in sorted(groups, key=lambda heading: heading == "Options"):
            with formatter.section(heading):
                formatter.write_dl(groups[heading])
