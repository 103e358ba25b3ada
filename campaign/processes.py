"""Runs with a full disk, side by side in one folder, or with too little memory."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import logicoder
from campaign.fork_server import Ran, ran
from campaign.kind import Case, FoundError
from campaign.runs import commands, outcome, sound, undisturbed


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


def finish(process: subprocess.Popen[str], wanted: tuple[int, ...] = (0,)) -> int:
    """Wait for a command; refuse tracebacks and other exit codes than wanted."""
    try:
        _, said = process.communicate(timeout=600)
    except BaseException:
        process.kill()
        raise
    return sound(Ran(process.returncode, said, 0.0, 0), wanted).code


class Disks:
    """A full disk ends a command in words, and what was there before is still whole."""

    unit = "runs"
    seconds = 200

    def case(self, random: Random) -> Case:
        """Return a command, and how large files may become."""
        names = ("message", "selection", "curve", "lossless", "update", "duckdb")
        return {"command": random.choice(names), "most": random.choice((0, 1, 100, 1000, 3000, 10000, 30000))}

    def check(self, case: Case, folder: Path) -> int:
        """Run it with small files allowed only, over the results of a sound run."""
        name = case["command"]
        command, expected = commands()[name], undisturbed(name)
        place = command.place(folder / "run")
        before = outcome(place)
        if command.begun is None:
            sound(ran(place, command.arguments))
            before = outcome(place)
        sound(ran(place, command.arguments, largest=case["most"]), (0, 1, -signal.SIGXFSZ))
        found = {one: content for one, content in outcome(place).items() if ".part" not in one}
        if found not in (before, expected.files):
            wrong = [one for one in {**before, **found} if found.get(one) != before.get(one)]
            raise FoundError(f"{name}: files are not what they were: {wrong}")
        return 1


class Together:
    """Two runs in one folder: each gives its own result or says that the folder is taken."""

    unit = "runs"
    seconds = 200

    def case(self, random: Random) -> Case:
        """Return a command, and by how much the second one is late."""
        return {"command": random.choice([*commands()]), "late": random.random()}

    def check(self, case: Case, folder: Path) -> int:
        """Run it twice at the same time."""
        name = case["command"]
        command, expected = commands()[name], undisturbed(name)
        place = command.place(folder / "run")
        first = start(place, *command.arguments)
        time.sleep(case["late"] * (1 + expected.run.seconds))
        second = start(place, *command.arguments)
        codes = [finish(process, (0, 1, 2)) for process in (first, second)]
        if all(codes):
            raise FoundError(f"{name}: neither of two runs came to an end")
        if outcome(place) != expected.files:
            raise FoundError(f"{name}: two runs gave something else than one")
        return 2


class Memory:
    """With too little memory a command ends in words, or works."""

    unit = "runs"
    seconds = 200

    def case(self, random: Random) -> Case:
        """Return a command, and how much memory there is."""
        names = ("message", "selection", "curve", "lossless", "update")
        return {"command": random.choice(names), "megabytes": random.choice((700, 900, 1100, 1400, 2000))}

    def check(self, case: Case, folder: Path) -> int:
        """Run it."""
        limit = (resource.RLIMIT_AS, case["megabytes"] << 20)
        threads = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        command = commands()[case["command"]]
        finish(
            start(command.place(folder / "run"), *command.arguments, limit=limit, **threads), wanted=(0, 1)
        )
        return 1
