"""The process that attacks, and the one that watches it.

Most of what is tried runs in one process that stays: starting another takes longer than a thousand inputs.
Code of other people may crash or hang in such a way that Python cannot tell of it; then whoever watches keeps
the case, and starts another worker.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

from campaign.fuzzing import CURRENT, Fuzzing
from campaign.kind import PATIENCE, Case, FoundError, checked, keep, limit_memory, packed
from campaign.kinds import KINDS
from campaign.programs import stop_servers
from campaign.totals import Counts

_MEMORY = 6 << 30
_POLL = 0.5


@dataclass
class Progress:
    """How far a run has come, which a worker writes down before each case.

    Attributes:
        seed: of all cases.
        names: the kinds.
        once: whether each kind is tried once only.
        end: when to end, by the monotonic clock.
        number: of the case.
        kind: of the case.
        case: what is tried now.
        counts: what was tried and found.
        spent: seconds of each kind.
    """

    seed: int
    names: list[str]
    once: bool
    end: float
    number: int = 0
    kind: str = ""
    case: Case = field(default_factory=dict)
    counts: Counts = field(default_factory=dict)
    spent: dict[str, float] = field(default_factory=dict)

    def following(self) -> str | None:
        """Return the kind that had the least time so far, slow or quick; None when all is done."""
        if self.once or time.monotonic() >= self.end:
            missing = [name for name in self.names if name not in self.counts]
            return missing[0] if self.once and missing else None
        return min(self.names, key=lambda name: self.spent.get(name, 0.0))


def attacked(progress: Progress) -> Counts:
    """Attack until the time is over; return counts by kind."""
    Fuzzing.growing = not progress.once
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108  (files are read a thousand times)
    room = Path(tempfile.mkdtemp(prefix="campaign-", dir=place))
    try:
        while progress.following() is not None:
            _write(room, progress)
            sys.stdout.flush()
            watcher = os.getpid()
            child = os.fork()
            if child == 0:
                _work(room, progress, watcher)
            why = _watched(child, room)
            progress = _read(room)
            if why is not None:
                _found(progress, FoundError(why, _current(room, progress)))
        return progress.counts
    finally:
        shutil.rmtree(room, ignore_errors=True)


def _work(room: Path, progress: Progress, watcher: int) -> None:
    """Attack, in a process of its own, as long as somebody watches; and end it."""
    code = 1
    try:
        limit_memory(_MEMORY)
        while os.getppid() == watcher and (name := progress.following()) is not None:
            began = time.monotonic()
            progress.number += 1
            progress.kind = name
            progress.case = KINDS[name].case(Random(f"{progress.seed} {progress.number}"))
            folder = room / "case"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            _write(room, progress)
            try:
                tried = checked(KINDS[name], progress.case, folder)
                _count(progress, tried)
            except FoundError as error:
                _found(progress, error)
            progress.spent[name] = progress.spent.get(name, 0.0) + time.monotonic() - began + 0.001
        _write(room, progress)
        code = 0
    finally:
        stop_servers()
        sys.stderr.flush()
        os._exit(code)


def _watched(child: int, room: Path) -> str | None:
    """Wait for a worker; return what happened to it, if it did not end by itself."""
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return None if code == 0 else f"the process ended with {code}"
        kind = _read(room).kind
        silent = time.time() - (room / "progress.json").stat().st_mtime
        # Its own clock should have rung long ago.
        if kind and silent > 1.5 * PATIENCE * KINDS[kind].seconds:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "the process hung and did not hear its clock"
        time.sleep(_POLL)


def _write(room: Path, progress: Progress) -> None:
    beside = room / "progress.part"
    beside.write_text(json.dumps(asdict(progress)))
    beside.replace(room / "progress.json")


def _read(room: Path) -> Progress:
    return Progress(**json.loads((room / "progress.json").read_text()))


def _current(room: Path, progress: Progress) -> Case:
    """Return the case that a worker was at, with the very file where there is one."""
    told = room / "case" / CURRENT
    if not told.exists():
        return progress.case
    return {"target": progress.case["target"], "data": packed(Path(told.read_text()).read_bytes())}


def _count(progress: Progress, tried: int, found: int = 0) -> None:
    counted = progress.counts.setdefault(progress.kind, {"tried": 0, "found": 0})
    counted["tried"] += tried
    counted["found"] += found


def _found(progress: Progress, error: FoundError) -> None:
    _count(progress, error.tried, 1)
    path = keep(progress.kind, error.case or progress.case, str(error))
    print(f"{progress.kind}: {str(error)[:1000]}\n  kept as {path}", file=sys.stderr, flush=True)
