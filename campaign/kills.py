"""Commands that are killed at any moment and started again."""

from __future__ import annotations

import signal
from pathlib import Path
from random import Random

from campaign.fork_server import ran
from campaign.kind import Case, FoundError
from campaign.runs import Command, Reference, commands, decoded, objective, outcome, sound, undisturbed


class Kills:
    """A command that is killed at any moment comes to the same when it is started again.

    Half of the moments are shares of its processor time; the others lie between two changes of files, as that
    is where results are lost. A selection goes on from the best one so far with all of its effort, so it may
    come to a better one.
    """

    unit = "kills"
    seconds = 200

    def __init__(self) -> None:
        self._spent: dict[str, float] = {}

    def case(self, random: Random) -> Case:
        """Return the command that had the least time so far, and moments as shares of its time or changes."""
        names = list(commands())
        random.shuffle(names)
        name = min(names, key=lambda name: self._spent.get(name, 0.0))
        moments = [
            [random.choice(("seconds", "changes")), random.random()] for _ in range(random.choice((1, 3, 6)))
        ]
        return {"command": name, "moments": moments}

    def check(self, case: Case, folder: Path) -> int:
        """Kill it, start it again, and compare with an undisturbed run."""
        name = case["command"]
        command, expected = commands()[name], undisturbed(name)
        place = command.place(folder / "run")
        killed = 0
        for what, share in case["moments"]:
            again = command.again if (place / "state").exists() else ()
            if what == "seconds":
                run = ran(place, (*command.arguments, *again), seconds=share * expected.run.seconds)
            else:
                run = ran(place, (*command.arguments, *again), changes=int(share * expected.run.changes))
            sound(run, (0, -signal.SIGKILL))
            self._spent[name] = self._spent.get(name, 0.0) + run.seconds
            killed += run.code != 0
            if command.decodes:
                _check_facts(name, command, expected, place)
        again = command.again if (place / "state").exists() else ()
        run = sound(ran(place, (*command.arguments, *again)))
        self._spent[name] = self._spent.get(name, 0.0) + run.seconds
        _compare(name, place, expected, len(case["moments"]))
        return killed


def _check_facts(name: str, command: Command, expected: Reference, place: Path) -> None:
    """Make sure that an encoding is whole: that of before, or the new one."""
    found = decoded(command, place)
    if found not in expected.facts:
        raise FoundError(f"{name}: killed, it left neither the old encoding nor the new one: {found}")


def _compare(name: str, place: Path, expected: Reference, kills: int) -> None:
    found = outcome(place)
    left = [one for one in found if ".part" in one]
    found = {one: content for one, content in found.items() if ".part" not in one}
    if name == "selection" and found.keys() == expected.files.keys():
        reached = objective(place)
        if reached > expected.objective:
            raise FoundError(f"{name}: an objective of {reached} instead of {expected.objective}")
    elif found != expected.files:
        wrong = [one for one in {**found, **expected.files} if found.get(one) != expected.files.get(one)]
        raise FoundError(f"{name}: other results than without kills in {wrong[:5]}")
    if len(left) > 20 * kills:
        raise FoundError(f"{name}: unfinished files pile up: {left}")
