"""Processes that are killed, run side by side, or have too little disk or memory."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import logicoder
from campaign.corpus import DATA, EXPERIMENT, LINKS, SELECTED, corpus
from campaign.kind import Case, FoundError

_DATA = Path(__file__).resolve().parent.parent / "campaign-results" / "world.pl"
_VARYING = re.compile(r'"(seconds|phases|time|learning|asking|versions|command|solve)"')


def _world() -> Path:
    """Return data on which fits take a second or two."""
    if not _DATA.exists():
        from logicoder.datasets import university  # noqa: PLC0415  (a second)

        _DATA.parent.mkdir(exist_ok=True)
        university(people=60, noise=0.1, seed=1).kb.save(_DATA)
    return _DATA


def _commands() -> dict[str, tuple[object, ...]]:
    folds, graph = corpus() / "folds", corpus() / "graph"
    return {
        "message": ("fit", _world(), "-o", "model", "--checkpoint", "state"),
        "selection": ("fit", _world(), *SELECTED, "-o", "model", "--checkpoint", "state"),
        "curve": ("curve", DATA, "--effort", "0.2", "--points", "3", "-o", "curve"),
        "experiment": ("experiment", folds, "-o", "out", *EXPERIMENT),
        "links": ("links", graph, "-o", "out", *LINKS),
        "lossless": ("encode", corpus() / "message", DATA, "--lossless", "-o", "out"),
    }


def start(
    folder: Path, *arguments: object, limit: tuple[int, int] | None = None, **environment: str
) -> subprocess.Popen[str]:
    """Start a command in a folder, perhaps with a limit of some resource."""
    return subprocess.Popen(
        [sys.executable, "-m", "logicoder", "-q", *map(str, arguments)],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(Path(logicoder.__file__).resolve().parent.parent),
            **environment,
        },
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=None if limit is None else lambda: resource.setrlimit(limit[0], (limit[1], limit[1])),
    )


def finish(process: subprocess.Popen[str], wanted: tuple[int, ...] = (0,)) -> str:
    """Wait for a command; refuse tracebacks and other exit codes than wanted."""
    _, said = process.communicate(timeout=100)
    if "Traceback" in said or "internal error" in said or process.returncode not in wanted:
        raise FoundError(f"{process.args}: exit code {process.returncode}: {said[-800:]}")
    return said


def outcome(folder: Path) -> dict[str, Any]:
    """Return what a command left behind, without times, and without the state of unfinished runs."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith("state") and path.name != "run.json":
            found[name] = _plain(path)
    return found


def _plain(path: Path) -> Any:
    if path.suffix == ".json":
        return _without_times(json.loads(path.read_text()))
    if path.suffix in (".alp", ".pl", ".mln"):
        return [line for line in path.read_text().splitlines() if not line.startswith(("% ", "//"))]
    return path.name


def _without_times(content: Any) -> Any:
    if isinstance(content, dict):
        return {k: _without_times(v) for k, v in content.items() if not _VARYING.match(f'"{k}"')}
    return [_without_times(item) for item in content] if isinstance(content, list) else content


def _objective(folder: Path) -> Any:
    return json.loads((folder / "model" / "run.json").read_text())["results"]["objective_"]


@cache
def _undisturbed_objective(name: str) -> Any:
    """Return the objective that a fit comes to when nothing happens to it."""
    with tempfile.TemporaryDirectory() as folder:
        finish(start(Path(folder), *_commands()[name]))
        return _objective(Path(folder))


@cache
def _undisturbed(name: str) -> tuple[dict[str, Any], float]:
    """Return what a command comes to when nothing happens to it, and how long that takes."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        finish(start(Path(folder), *_commands()[name]))
        return outcome(Path(folder)), time.monotonic() - began


class Kills:
    """A command that is killed at any moment comes to the same when it is started again.

    A selection goes on from the best one so far with all of its effort, so it may come to a better one.
    """

    unit = "kills"
    seconds = 200

    def case(self, random: Random) -> Case:
        """Return a command and moments at which it is killed, as shares of its time."""
        names = ["message", "selection", "curve", "experiment", "links", "lossless"]
        moments = [random.random() for _ in range(random.choice((1, 2, 3)))]
        return {"command": random.choice(names), "moments": moments}

    def check(self, case: Case, folder: Path) -> int:
        """Kill it, start it again, and compare with an undisturbed run."""
        name = case["command"]
        expected, seconds = _undisturbed(name)
        again = ("--resume",) if name in ("message", "selection") else ()
        for moment in case["moments"]:
            process = start(folder, *_commands()[name], *again)
            try:
                process.wait(timeout=max(0.3, moment * seconds))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
            process.communicate()
        finish(start(folder, *_commands()[name], *again))
        found = outcome(folder)
        left = [n for n in found if n.endswith(".part")]
        found = {n: content for n, content in found.items() if ".part" not in n}
        if name == "selection" and found.keys() == expected.keys():
            reached, least = _objective(folder), _undisturbed_objective(name)
            if reached > least:
                raise FoundError(f"{name}: an objective of {reached} instead of {least}")
        elif found != expected:
            wrong = [n for n in {**found, **expected} if found.get(n) != expected.get(n)]
            raise FoundError(f"{name}: other results than without kills in {wrong[:5]}")
        if len(left) > len(case["moments"]):
            raise FoundError(f"{name}: unfinished files pile up: {left}")
        return len(case["moments"])


class Disks:
    """A full disk ends a command in words, and what was there before is still whole."""

    unit = "runs"
    seconds = 200

    def case(self, random: Random) -> Case:
        """Return a command, and how large files may become."""
        names = ("message", "selection", "curve", "lossless", "links")
        return {"command": random.choice(names), "most": random.choice((0, 1, 100, 1000, 3000, 10000, 30000))}

    def check(self, case: Case, folder: Path) -> int:
        """Run it with small files allowed only, over the results of a sound run."""
        name = case["command"]
        expected, _ = _undisturbed(name)
        finish(start(folder, *_commands()[name]))
        before = outcome(folder)
        if name != "links":  # it has nothing left to do
            limit = (resource.RLIMIT_FSIZE, case["most"])
            finish(start(folder, *_commands()[name], limit=limit), wanted=(0, 1, -signal.SIGXFSZ))
        found = {n: content for n, content in outcome(folder).items() if ".part" not in n}
        if found not in (before, expected):
            raise FoundError(
                f"{name}: files are not what they were: {[n for n in before if found.get(n) != before[n]]}"
            )
        return 1


class Together:
    """Two runs in one folder: each gives its own result or says that the folder is taken."""

    unit = "runs"
    seconds = 200

    def case(self, random: Random) -> Case:
        """Return a command, and by how much the second one is late."""
        names = ("message", "selection", "curve", "experiment", "links", "lossless")
        return {"command": random.choice(names), "late": random.random()}

    def check(self, case: Case, folder: Path) -> int:
        """Run it twice at the same time."""
        name = case["command"]
        expected, seconds = _undisturbed(name)
        first = start(folder, *_commands()[name])
        time.sleep(case["late"] * seconds)
        second = start(folder, *_commands()[name])
        for process in (first, second):
            finish(process, wanted=(0, 1, 2))
        if first.returncode and second.returncode:
            raise FoundError(f"{name}: neither of two runs came to an end")
        if outcome(folder) != expected:
            raise FoundError(f"{name}: two runs gave something else than one")
        return 2


class Memory:
    """With too little memory a command ends in words, or works."""

    unit = "runs"
    seconds = 200

    def case(self, random: Random) -> Case:
        """Return a command, and how much memory there is."""
        names = ("message", "selection", "curve", "lossless")
        return {"command": random.choice(names), "megabytes": random.choice((700, 900, 1100, 1400, 2000))}

    def check(self, case: Case, folder: Path) -> int:
        """Run it."""
        limit = (resource.RLIMIT_AS, case["megabytes"] << 20)
        threads = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        finish(start(folder, *_commands()[case["command"]], limit=limit, **threads), wanted=(0, 1))
        return 1
