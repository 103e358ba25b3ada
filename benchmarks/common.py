"""What all benchmarks share: data, a yardstick, processes with their peak memory, rows that are kept, tables.

Machines differ and are shared: whatever is compared is measured side by side in one run, and beside seconds
stands a yardstick, the time of a fixed piece of work.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from logicoder import KnowledgeBase

HERE = Path(__file__).resolve().parent
TRAINING = {
    "webkb": ("cornell", "texas"),
    "imdb": ("imdb1", "imdb2", "imdb3"),
    "cora_er": ("cora1", "cora2", "cora3"),
    "uwcse": ("ai", "graphics", "language"),
}
"""The training folds of the paper's four benchmarks."""

NOTHING = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"

Row = dict[str, Any]


# -- data and options ---------------------------------------------------------------------------------


def parser_of(text: str | None) -> argparse.ArgumentParser:
    """Return a parser with the options of every benchmark, described by the text of its module."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = HERE.parents[1] / "shared" / "datasets"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LOGICODER_DATA", default)))
    return parser


def speed_parser(text: str | None) -> argparse.ArgumentParser:
    """Return a parser for the benchmarks of speed, which keep their rows in a folder."""
    parser = parser_of(text)
    parser.add_argument("--quick", action="store_true", help="less of everything, for a first look")
    parser.add_argument("--results", type=Path, default=Path("bench-results"), help="folder of the results")
    return parser


def journal_of(options: argparse.Namespace) -> Journal:
    """Return the rows of the results' folder."""
    return Journal(options.results / "results.jsonl")


def require_data(options: argparse.Namespace) -> Path:
    """Return the folder of the data, or end with what to do."""
    if not options.data.is_dir():
        sys.exit(
            f"no benchmark data in {options.data}: see docs/reference/datasets.md, then set LOGICODER_DATA"
        )
    return Path(options.data)


def require_known(names: Sequence[str], known: Sequence[str]) -> None:
    """End with a list of what there is, where a name is none of it."""
    for name in names:
        if name not in known:
            sys.exit(f"there is no benchmark {name!r}; choose from: {', '.join(known)}")


def training_data(folder: Path, name: str) -> KnowledgeBase:
    """Return the training folds of one of the paper's benchmarks, an interpretation each."""
    return KnowledgeBase.from_path(*(folder / name / f"{fold}.db" for fold in TRAINING[name]))


# -- measuring ----------------------------------------------------------------------------------------


def yardstick() -> float:
    """Return the seconds of a fixed piece of work: sorting ten million numbers."""
    numbers = np.random.Generator(np.random.PCG64(0)).integers(0, 2**62, 10_000_000)
    started = time.perf_counter()
    np.sort(numbers)
    return time.perf_counter() - started


@dataclass
class Stopwatch:
    """Seconds of the clock and of the processor, added up over all that is timed."""

    seconds: float = 0.0
    cpu: float = 0.0

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Time a piece of work, in all threads of this process and in processes that it starts and ends."""
        wall, cpu = time.perf_counter(), _processor_seconds()
        try:
            yield
        finally:
            self.seconds += time.perf_counter() - wall
            self.cpu += _processor_seconds() - cpu


def _processor_seconds() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


@dataclass(frozen=True)
class Finished:
    """A process that ended.

    Attributes:
        seconds: of the clock.
        cpu: seconds of the processor; None where it was ended.
        gib: its peak memory; None where it was ended.
        code: its exit code; None where it was ended for taking too long.
        output: what it printed.
        errors: what it printed on standard error.
        bytes_read: what it asked the system for, whether from a disk, memory or a socket; None if unknown.
    """

    seconds: float
    cpu: float | None
    gib: float | None
    code: int | None
    output: str
    errors: str
    bytes_read: int | None = None

    @property
    def why(self) -> str:
        """Why it failed: the last line that it printed on standard error."""
        if self.code is None:
            return "time limit"
        lines = self.errors.strip().splitlines()
        return lines[-1] if lines else f"exit code {self.code}"


def run(
    command: Sequence[str | Path], limit: float, environment: Mapping[str, str] | None = None
) -> Finished:
    """Run a process to its end, but no longer than the limit, and take its own peak memory.

    Args:
        command: the program and its arguments.
        limit: seconds.
        environment: variables that it has beside those of this process.
    """
    with tempfile.TemporaryDirectory() as folder:
        account, output, errors = (Path(folder) / name for name in ("account", "output", "errors"))
        launched = python("-S", "-E", HERE / "launch.py", account, *command)
        started = time.perf_counter()
        code: int | None = None
        with output.open("w") as out, errors.open("w") as err:
            # A session of its own can be ended with all that it started.
            process = subprocess.Popen(
                launched,
                stdout=out,
                stderr=err,
                start_new_session=True,
                env={**os.environ, **(environment or {})},
            )
            try:
                code = process.wait(limit)
            except subprocess.TimeoutExpired:
                _end(process)
            except BaseException:
                _end(process)
                raise
        printed = output.read_text(), errors.read_text()
        if code is None or not account.exists():
            return Finished(time.perf_counter() - started, None, None, code, *printed)
        seconds, cpu, peak, read = map(float, account.read_text().split())
        return Finished(seconds, cpu, peak / 2**20, code, *printed, int(read) if read >= 0 else None)


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def python(*arguments: str | Path) -> list[str]:
    """Return the command that runs this Python with some arguments."""
    return [sys.executable, *map(str, arguments)]


def circumstances() -> Row:
    """Return what a reader must know of the machine: cores, load, yardstick."""
    return {
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "yardstick": yardstick(),
        "python": sys.version.split()[0],
    }


# -- rows and tables ----------------------------------------------------------------------------------


class Journal:
    """Rows of results in a file, an object per line, written as soon as they are there.

    A run that was ended keeps what it has, and takes up where it stopped. A line that was cut short is left
    out.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: list[Row] = []
        if path.exists():
            text = path.read_text()
            if not text.endswith("\n"):
                with path.open("a") as file:
                    file.write("\n")
            for line in text.splitlines():
                with contextlib.suppress(json.JSONDecodeError):
                    self.rows.append(json.loads(line))

    def find(self, **wanted: Any) -> list[Row]:
        """Return the rows with these values."""
        return [row for row in self.rows if all(row.get(key) == value for key, value in wanted.items())]

    def add(self, row: Row) -> Row:
        """Keep a row."""
        self.rows.append(row)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a") as file:
            file.write(json.dumps(row) + "\n")
        return row

    def cell(self, key: Row, measure: Callable[[], Row]) -> Row:
        """Return the row with a key, measured unless it is there already."""
        found = self.find(**key)
        if found:
            return found[-1]
        return self.add({**key, **measure()})


def table_line(cells: Sequence[object]) -> str:
    """Return some cells as a line of a table.

    >>> table_line(["uwcse", 3])
    '| uwcse | 3 |'
    """
    return f"| {' | '.join(map(str, cells))} |"


def table(header: Sequence[str], rows: Sequence[Sequence[object]], left: int = 1) -> str:
    """Return a table in Markdown, of which the first `left` columns are words and the others numbers."""
    marks = ["---"] * left + ["---:"] * (len(header) - left)
    return "\n".join(map(table_line, [header, marks, *rows]))


def short(value: float) -> str:
    """Return a number between 0 and 1 without its zero.

    >>> short(0.8174), short(1.0)
    ('.817', '1.000')
    """
    return f"{value:.3f}".removeprefix("0")


def signed(value: float) -> str:
    """Return a difference with its sign.

    >>> signed(0.0391), signed(-0.02)
    ('+.039', '−.020')
    """
    return f"{'+' if value >= 0 else MINUS}{short(abs(value))}"


def say(text: str) -> None:
    """Tell whoever waits."""
    print(text, file=sys.stderr, flush=True)
