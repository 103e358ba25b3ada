"""Every option of every command, as it is declared, with values that somebody may give by mistake or not."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.hostile import HOSTILE_TEXTS
from typer.main import get_command

from campaign.corpus import DATA, EXPERIMENT, LINKS, command, corpus
from campaign.kind import Case
from logicoder.cli.app import app

_ARGUMENTS: dict[str, tuple[object, ...]] = {
    "fit": (DATA, "--time-limit", "3", "--effort", "0.05"),
    "curve": (DATA, "--time-limit", "3", "--effort", "0.05"),
    "encode": ("message", DATA),
    "decode": ("message", "lossless"),
    "reconstruct": ("selection", DATA),
    "insights": ("message", DATA),
    "explain": ("selection", DATA, "man(luke)"),
    "suggest": ("message", DATA),
    "audit": ("message", DATA, DATA.parent / "rules.pl"),
    "diff": ("message", "selection", DATA),
    "report": ("selection", DATA),
    "plot": ("selection", DATA),
    "inspect": (DATA,),
    "show": ("stack",),
    "export": ("message", DATA),
    "experiment": ("folds", "-o", "experiment", *EXPERIMENT),
    "links": ("graph", "-o", "links", *LINKS),
    "demo": (),
    "generate family": (),
    "generate university": (),
    "generate smokers": (),
    "generate shop": (),
    "mln learn": (DATA, "--time-limit", "3"),
    "mln weights": ("net.mln", DATA),
    "mln infer": ("net.mln", DATA, "--query", "man", "--time-limit", "3"),
    "mln score": ("net.mln", DATA),
}
_TEXTS = (
    *HOSTILE_TEXTS, "1", "2", "64", "0.5", "1000000000000", "1000000000", "man", "mother",
    "nothing", "none", "a=b",
    "X", "p(X) :- q(X).", "man(X) :- q(X).", ".", "/", "/dev/null", "/nowhere/at/all", "new/file", "\udcff",
    "man=2", "man:loss=1", "total=0.5", "all", "auto", "1,2", ",", "2x2", "2147483647x1",
    "balanced", "%s", "a" * 300,
)  # fmt: skip
_NOT = ("help", "debug", "version", "install_completion", "show_completion")


@cache
def _command(name: str) -> Any:
    found = get_command(app)
    for part in name.split():
        found = found.commands[part]  # type: ignore[attr-defined]
    return found


class Options:
    """No value of an option ends in an internal error, and time limits hold."""

    unit = "inputs"
    seconds = 90

    def case(self, random: Random) -> Case:
        """Return a command with one or two options."""
        name = random.choice(list(_ARGUMENTS))
        offered = [p for p in _command(name).params if p.param_type_name == "option" and p.name not in _NOT]
        given: list[str] = []
        for option in random.sample(offered, min(len(offered), random.choice((1, 1, 2)))):
            spelled = random.choice([*option.opts, *option.secondary_opts])
            given.append(spelled)
            if not option.is_flag and not getattr(option, "count", False):
                choices = (option.metavar or "").split("|")
                given.append(random.choice(choices if len(choices) > 2 and random.random() < 0.7 else _TEXTS))
        return {"command": name, "options": given}

    def check(self, case: Case, folder: Path) -> int:
        """Run the command beside the files of the corpus."""
        for item in corpus().iterdir():
            (shutil.copytree if item.is_dir() else shutil.copy)(item, folder / item.name)
        name = case["command"]
        before = Path.cwd()
        os.chdir(folder)
        try:
            command(Path(), *name.split(), *_ARGUMENTS[name], *case["options"])
        finally:
            os.chdir(before)
        return 1
