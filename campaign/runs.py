"""The commands that are killed, starved or run side by side, and what they leave behind."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from campaign.corpus import DATA, LINKS, SELECTED, corpus, tiny
from campaign.fork_server import Ran, ran
from campaign.kind import FoundError

_VARYING = re.compile(r"seconds|phases|time|learning|asking|versions|command|solve")
_EXPERIMENT = (
    "--grid", "1x1", "--compressions", "0.9", "--representations", "original,plain", "--effort", "0.1",
    "--learning-time", "100", "--asking-time", "100", "--ceiling", "", "--jobs", "1",
)  # fmt: skip


@dataclass(frozen=True)
class Command:
    """A command that is run in a folder.

    Attributes:
        arguments: after `logicoder`.
        again: further ones when it is run to continue.
        begun: makes what must be there before, given the folder.
        decodes: a model and an encoding in the folder, which at any time give the facts of before or after.
    """

    arguments: tuple[object, ...]
    again: tuple[str, ...] = ()
    begun: Callable[[Path], None] | None = None
    decodes: tuple[str, str] | None = None

    def place(self, folder: Path) -> Path:
        """Return a folder in which the command can be run."""
        folder.mkdir()
        if self.begun is not None:
            self.begun(folder)
        return folder


def _changes(folder: Path) -> None:
    """Put a model, the state of its data, and changes of them into a folder."""
    shutil.copytree(corpus() / "tiny", folder / "model")
    shutil.copytree(corpus() / "tiny-following", folder / "encoded")
    (folder / "new.pl").write_text("father(bob,gus). parent(bob,gus). parent(x,y). old(gus).\n")
    (folder / "old.pl").write_text("old(eve). parent(ann,cid).\n")


def _encoded_before(folder: Path) -> None:
    """Put a model, the encoding of some data, and other data into a folder."""
    shutil.copytree(corpus() / "tiny", folder / "model")
    shutil.copytree(corpus() / "tiny-lossless", folder / "encoded")
    facts = tiny().read_text().replace("ann", "amy") + "old(dan). mother(dan,eve).\n"
    (folder / "other").mkdir()
    (folder / "other" / "tiny.pl").write_text(facts)


@cache
def commands() -> dict[str, Command]:
    """Return the commands by name."""
    resumed = ("--resume",)
    kept = ("-o", "model", "--checkpoint", "state")
    folds, graph = corpus() / "folds", corpus() / "graph"
    coded = ("model", "encoded")
    return {
        "message": Command(("fit", DATA, *kept), resumed),
        "selection": Command(("fit", DATA, *SELECTED, *kept), resumed),
        "duckdb": Command(("fit", tiny(), "--engine", "duckdb", *kept), resumed),
        "curve": Command(("curve", tiny(), "--effort", "0.05", "--points", "3", "-o", "curve")),
        "experiment": Command(("experiment", folds, "-o", "out", *_EXPERIMENT)),
        "links": Command(("links", graph, "-o", "out", *LINKS)),
        "lossless": Command(
            ("encode", "model", "other/tiny.pl", "--lossless", "-o", "encoded"), (), _encoded_before, coded
        ),
        "update": Command(
            ("update", "model", "encoded", "--add", "new.pl", "--remove", "old.pl"), (), _changes, coded
        ),
    }


def sound(run: Ran, wanted: tuple[int, ...] = (0,)) -> Ran:
    """Return how a command ended.

    Raises:
        FoundError: for tracebacks and other exit codes than wanted.
    """
    if "Traceback" in run.said or "internal error" in run.said or run.code not in wanted:
        raise FoundError(f"exit code {run.code}: {run.said[-800:]}")
    return run


def outcome(folder: Path) -> dict[str, Any]:
    """Return what a command left behind, without times, and without the state of unfinished runs."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith("state") and path.name not in ("run.json", "folder.lock"):
            found[name] = _plain(path)
    return found


def _plain(path: Path) -> Any:
    if path.name == "state.json":  # a moment for each time that it was tried
        last = json.loads(path.read_text())["history"][-1]
        return last["facts"], last["bits"]
    if path.suffix == ".json":
        return _without_times(json.loads(path.read_text()))
    if path.suffix == ".pl":  # facts in any order
        return sorted(line for line in path.read_text().splitlines() if not line.startswith("% "))
    if path.suffix in (".alp", ".mln"):
        return [line for line in path.read_text().splitlines() if not line.startswith(("% ", "//"))]
    return path.name


def _without_times(content: Any) -> Any:
    if isinstance(content, dict):
        return {k: _without_times(v) for k, v in content.items() if not _VARYING.fullmatch(k)}
    return [_without_times(item) for item in content] if isinstance(content, list) else content


def objective(folder: Path) -> Any:
    """Return what a selection came to."""
    return json.loads((folder / "model" / "run.json").read_text())["results"]["objective_"]


def decoded(command: Command, folder: Path) -> list[str]:
    """Return the facts that an encoding in the folder stands for."""
    assert command.decodes is not None
    back = folder.with_name(f"{folder.name}-back.pl")
    sound(ran(folder, ("decode", *command.decodes, "-o", back)))
    return sorted(line for line in back.read_text().splitlines() if not line.startswith("%"))


@dataclass(frozen=True)
class Reference:
    """What a command comes to when nothing happens to it.

    Attributes:
        run: how it ended, how long it took, and how often it changed files.
        files: what it left behind.
        facts: those that its encoding stands for, before and after.
        objective: of a selection.
    """

    run: Ran
    files: dict[str, Any]
    facts: tuple[list[str], ...]
    objective: Any


@cache
def undisturbed(name: str) -> Reference:
    """Run a command without any disturbance."""
    command = commands()[name]
    with tempfile.TemporaryDirectory() as room:
        folder = command.place(Path(room) / "run")
        facts = [decoded(command, folder)] if command.decodes else []
        run = sound(ran(folder, command.arguments))
        facts += [decoded(command, folder)] if command.decodes else []
        reached = objective(folder) if name == "selection" else None
        return Reference(run, outcome(folder), tuple(facts), reached)
