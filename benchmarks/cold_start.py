"""Cold start: importing the library, asking for help, and the first fit against the second in one process.

    python benchmarks/cold_start.py [--quick] [--results FOLDER]

Each is the median of several processes. The fits are those of `logicoder demo`; the
first one includes what is imported or compiled on first use.
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median

from common import Journal, Row, journal_of, python, run, say, speed_parser

FITS = """
import json, time
from logicoder import AutoEncoder
from logicoder.datasets import star_wars
kb = star_wars()
seconds = []
for _ in range(2):
    wall, cpu = time.perf_counter(), time.process_time()
    AutoEncoder(max_decoders=2000).fit(kb)
    seconds.append((time.perf_counter() - wall, time.process_time() - cpu))
print(json.dumps(seconds))
"""
COMMANDS = {
    "python, nothing": ("-c", "pass"),
    "import numpy": ("-c", "import numpy"),
    "import logicoder": ("-c", "import logicoder"),
    "logicoder --help": ("-m", "logicoder", "--help"),
}


def measure(_folder: Path, journal: Journal, *, quick: bool = False) -> None:
    """Add the rows that are not there yet."""
    times = 3 if quick else 7
    for name, arguments in COMMANDS.items():
        journal.cell({"bench": "cold start", "what": name}, lambda: _process(arguments, times))  # noqa: B023
    if not journal.find(bench="cold start", what="first fit"):
        say("first and second fit")
        fits = [_fits() for _ in range(min(times, 3))]
        for place, name in enumerate(("first fit", "second fit")):
            seconds, cpu = (median(found[place][kind] for found in fits) for kind in (0, 1))
            journal.add({"bench": "cold start", "what": name, "seconds": seconds, "cpu": cpu})


def _process(arguments: tuple[str, ...], times: int) -> Row:
    say(" ".join(arguments))
    run(python(*arguments), 60)  # The first one reads files from the disk.
    finished = [run(python(*arguments), 60) for _ in range(times)]
    if any(one.code for one in finished):
        raise SystemExit(f"{' '.join(arguments)}: {finished[0].why}")
    return {
        "seconds": median(one.seconds for one in finished),
        "cpu": median(one.cpu or 0.0 for one in finished),
        "gib": median(one.gib or 0.0 for one in finished),
    }


def _fits() -> list[tuple[float, float]]:
    finished = run(python("-c", FITS), 300)
    if finished.code != 0:
        raise SystemExit(f"the demo data cannot be learned from: {finished.why}")
    return list(json.loads(finished.output))


def main() -> None:
    """Measure."""
    options = speed_parser(__doc__).parse_args()
    measure(options.data, journal_of(options), quick=options.quick)


if __name__ == "__main__":
    main()
