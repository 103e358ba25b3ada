"""Commands as processes of their own, without the second that it takes to start Python and read the library.

The server has read the library and done nothing with it; for each command it forks a child, which does what
`logicoder` does, and may be killed at a chosen moment: after some processor time, or before its n-th change
of files.
"""

from __future__ import annotations

import atexit
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import cache
from mmap import mmap
from pathlib import Path
from typing import Any, NamedTuple

_CHANGES = (
    "os.rename",
    "os.remove",
    "os.mkdir",
    "os.rmdir",
    "os.link",
    "os.symlink",
    "os.truncate",
    "os.chmod",
)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
_POLL = 0.001
_SECONDS, _BY_THE_CLOCK = 100, 600
"""A command that takes more processor time hangs, or so many seconds by the clock."""


class Ran(NamedTuple):
    """How a command ended.

    Attributes:
        code: its exit code; that of a signal is negative, and -SIGALRM stands for a command that hung.
        said: what it wrote to standard error.
        seconds: of processor time.
        changes: how often it changed files.
    """

    code: int
    said: str
    seconds: float
    changes: int


def ran(
    folder: Path,
    arguments: Sequence[object],
    *,
    seconds: float | None = None,
    changes: int | None = None,
    largest: int | None = None,
) -> Ran:
    """Run a command in a folder.

    Args:
        folder: where it runs.
        arguments: after `logicoder`.
        seconds: kill it after so much processor time.
        changes: kill it before it changes a file once more than that.
        largest: files may have so many bytes; None for any.
    """
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    request = {
        "folder": str(folder),
        "arguments": [*map(str, arguments)],
        "seconds": seconds,
        "changes": changes,
        "largest": largest,
    }
    server.stdin.write(json.dumps(request) + "\n")
    server.stdin.flush()
    answer: dict[str, Any] = json.loads(server.stdout.readline())
    return Ran(**answer)


@cache
def _server() -> subprocess.Popen[str]:
    """Start the server, once in a process; it ends when its input does."""
    return subprocess.Popen(
        [sys.executable, "-m", "campaign.fork_server"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )


def _serve() -> None:
    import duckdb  # noqa: F401, PLC0415
    import ortools.sat.python.cp_model  # noqa: F401, PLC0415
    import scipy.sparse  # noqa: F401, PLC0415

    import logicoder.cli.app  # noqa: PLC0415
    import logicoder.evaluation.links.link_prediction  # noqa: F401, PLC0415

    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line))._asdict()), flush=True)


def _answer(request: dict[str, Any]) -> Ran:
    folder = Path(request["folder"])
    said = folder.with_name(f"{folder.name}.said")
    said.unlink(missing_ok=True)
    counted = mmap(-1, 8)  # which both processes see
    child = os.fork()
    if child == 0:
        _run(request, said, counted)
    most = _SECONDS if request["seconds"] is None else request["seconds"]
    clock = (~child << 3) | 2  # the processor time of that process, as Linux numbers clocks
    end, hung = time.monotonic() + _BY_THE_CLOCK, False
    while not os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        hung = time.monotonic() >= end  # it waits for something, and takes no processor time
        if hung or time.clock_gettime(clock) >= most:
            os.kill(child, signal.SIGKILL)
            break
        time.sleep(_POLL)
    _, status, used = os.wait4(child, 0)
    text = said.read_text(errors="replace") if said.exists() else ""
    changes = int.from_bytes(counted[:8])
    code = -signal.SIGALRM if hung else os.waitstatus_to_exitcode(status)
    return Ran(code, text, used.ru_utime + used.ru_stime, changes)


def _run(request: dict[str, Any], said: Path, counted: mmap) -> None:
    """Do what `logicoder` does, in a child, and end it."""
    from logicoder.cli import main  # noqa: PLC0415

    os.chdir(request["folder"])
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(nothing, number)
    os.dup2(os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    _count_changes(request["changes"], counted)
    if request["largest"] is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (request["largest"], resource.RLIM_INFINITY))
    sys.argv = ["logicoder", "-q", *request["arguments"]]
    code: Any = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code
    except BaseException as error:  # what Python would print
        sys.excepthook(type(error), error, error.__traceback__)
        code = 1
    atexit._run_exitfuncs()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


def _count_changes(most: int | None, counted: mmap) -> None:
    """Count how often files change; kill this process before there are more changes than that."""
    count = 0

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        nonlocal count
        if event in _CHANGES or (
            event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING
        ):
            if most is not None and count >= most:
                os.kill(os.getpid(), signal.SIGKILL)
            count += 1
            counted[:8] = count.to_bytes(8)

    sys.addaudithook(hear)


if __name__ == "__main__":
    _serve()
