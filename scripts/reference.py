"""Write the tables of settings into the pages of the reference, from the declarations of the library.

Each table stands between `<!-- settings: NAME -->` and `<!-- end -->`. Run it after a
change of a declaration: a test fails where a page is not up to date.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from logicoder import StackedAutoEncoder
from logicoder.base.setting import Setting, meaning, settings_of
from logicoder.evaluation.configuration import JOBS, Configuration
from logicoder.evaluation.links.link_configuration import LinkConfiguration
from logicoder.mln.structure.structure_settings import Settings as StructureSettings
from logicoder.mln.weight_parameters import InferenceParameters, WeightParameters

_REFERENCE = Path(__file__).parents[1] / "docs" / "reference"
PAGES = (_REFERENCE / "commands.md", _REFERENCE / "settings.md")

_TABLE = re.compile(r"(<!-- settings: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)
_GROUPS = ("Language", "Constraints", "Pruning", "Limits", "Search", "Run")


def learning() -> str:
    """Return the settings of AutoEncoder and StackedAutoEncoder, by group, those that matter most in bold."""
    declared = list(settings_of(StackedAutoEncoder).values())
    parts = []
    for group in _GROUPS:
        rows = [item for item in declared if item.group == group]
        parts.append(
            f"**{group}**\n\n| parameter | option | default | meaning |\n|---|---|---|---|\n"
            + "\n".join(map(_row, rows))
        )
    return "\n\n".join(parts) + "\n"


def options(declared: Iterable[Setting]) -> str:
    """Return the settings of a command as a table of options."""
    rows = []
    for item in declared:
        told = "; ".join(filter(None, (item.doc, item.more)))
        rows.append(f"| {_option(item)} | {item.default_words or 'none'} | {told} |")
    return "\n".join(["| option | default | meaning |", "|---|---|---|", *rows]) + "\n"


def _row(item: Setting) -> str:
    name = f"**`{item.name}`**" if item.first else f"`{item.name}`"
    default = repr(item.default).replace("'", '"')
    return f"| {name} | {_option(item)} | `{default}` | {meaning(item)} |"


def _option(item: Setting) -> str:
    names = ", ".join(f"`{name}`" for name in item.options)
    if item.metavar is None or not names:
        return names or "none"
    value = item.metavar.replace("|", "\\|")
    return f"`{item.options[0]} {value}`" + (", may be repeated" if item.kind.several else "")


def updated(text: str) -> str:
    """Return the text of a page with its tables made anew."""
    time_limit = settings_of(InferenceParameters)["time_limit"]
    tables = {
        "AutoEncoder": learning(),
        "mln learn": options([*settings_of(StructureSettings).values(), time_limit]),
        "mln weights": options(settings_of(WeightParameters).values()),
        "mln infer": options(settings_of(InferenceParameters).values()),
        "experiment": options([*settings_of(Configuration).values(), JOBS]),
        "links": options([*settings_of(LinkConfiguration).values(), JOBS]),
    }
    return _TABLE.sub(lambda found: found[1] + tables[found[2]] + found[3], text)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(updated(page.read_text(encoding="utf-8")), encoding="utf-8")
