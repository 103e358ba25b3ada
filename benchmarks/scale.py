"""Time and peak memory against the number of facts: the generated university, WN18RR and FB15k-237.

    python benchmarks/scale.py [--most FACTS] [--limit SECONDS] [--only NAME] [--results FOLDER]

The university has six predicates and from a thousand to ten million facts. Everything goes through the
command line, as a user would do it: data are generated to a file, and `logicoder fit --json` learns from it
in a process of its own. Rows are appended to `scale.jsonl` as they come; a run that was ended takes up where
it stopped, so that it can be done in parts. The slope is that of a line through log time over log facts.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from common import NOTHING, Journal, Row, parser_of, python, run, say, table

SIZES = tuple(10**power for power in range(3, 8))
GRAPHS = {"wn18rr": 86_835, "fb15k237": 272_115}
"""Knowledge graphs, with their numbers of training facts."""
LIMIT = 1800.0


@contextlib.contextmanager
def data_file(name: str, facts: int, folder: Path) -> Iterator[list[str]]:
    """Yield the arguments of `logicoder fit` that name the data; what is generated is removed again."""
    if name != "university":
        yield [str(folder / name / "train.txt.gz"), "--format", "triples"]
        return
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "university.db"
        command = python("-m", "logicoder", "generate", "university", "--facts", str(facts), "--quiet")
        finished = run([*command, "--output", path], 3600)
        if finished.code != 0:
            raise SystemExit(f"cannot generate {facts:,} facts: {finished.why}")
        yield [str(path)]


def measure(name: str, facts: int, folder: Path, limit: float, further: Sequence[str]) -> Row:
    """Learn in a process of its own."""
    with data_file(name, facts, folder) as data:
        finished = run(python("-m", "logicoder", "fit", *data, "--json", "--quiet", *further), limit)
    row: Row = {"seconds": finished.seconds, "cpu": finished.cpu, "gib": finished.gib}
    if finished.code != 0:
        return {**row, "error": finished.why}
    found = json.loads(finished.output)
    kept = ("facts", "loss", "bound", "status", "latent_facts", "stopped")
    return {**row, **{key: found.get(key) for key in kept}, "phases": found["seconds"]}


def slope(points: Sequence[tuple[float, float]]) -> float | None:
    """Return the slope of a line through the logarithms; None with fewer than two points.

    >>> round(slope([(10, 1), (100, 10), (1000, 100)]), 3)
    1.0
    """
    if len(points) < 2:
        return None
    x, y = np.log(np.array(points, float)).T
    return float(np.polyfit(x, y, 1)[0])


def rows_of(journal: Journal) -> list[Row]:
    """Return the last row of each size and graph, in order, for each choice of options."""
    last = {(row["data"] != "university", row["asked"], tuple(row["options"])): row for row in journal.rows}
    return [last[key] for key in sorted(last)]


def slopes(rows: Sequence[Row]) -> dict[str, float | None]:
    """Return the slopes of time and memory of the university with default options, from 10,000 facts on.

    Below that, starting and importing are most of the time, which would flatter the slope.
    """
    own = [row for row in rows if row["data"] == "university" and not row["options"]]
    sound = [row for row in own if "error" not in row and row["asked"] >= 10_000]
    return {what: slope([(row["asked"], row[what]) for row in sound]) for what in ("seconds", "cpu", "gib")}


def scale_table(rows: Sequence[Row]) -> str:
    """Return the table of all rows, and the slopes."""
    header = ("data", "facts", "seconds", "processor s", "peak GiB", "loss", "bound", "decoders s", "solve s")
    cells = []
    for row in rows:
        first = [" ".join([row["data"], *row["options"]]), f"{row['asked']:,}", f"{row['seconds']:.1f}"]
        if "error" in row:
            cells.append([*first[:2], row["error"], *[NOTHING] * 6])
            continue
        phases = row["phases"]
        cells.append(
            [
                *first,
                f"{row['cpu']:.1f}",
                f"{row['gib']:.2f}",
                f"{row['loss']:,}",
                f"{row['bound']:,}",
                f"{phases.get('decoders', 0):.1f}",
                f"{phases.get('solve', 0):.1f}",
            ]
        )
    found = slopes(rows)
    text = ", ".join(
        f"{what} {NOTHING if value is None else format(value, '.2f')}" for what, value in found.items()
    )
    return f"{table(header, cells)}\n\nlog-log slopes from 10,000 facts on (target: seconds <= 1.15): {text}"


def options_of() -> argparse.Namespace:
    """Return the options."""
    parser = parser_of(__doc__)
    parser.add_argument("--most", type=int, default=SIZES[-1], help="no data with more facts")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for each fit")
    parser.add_argument("--only", choices=["university", *GRAPHS], action="append", help="only this")
    parser.add_argument("--again", action="store_true", help="measure anew what is there")
    parser.add_argument("--results", type=Path, default=Path("bench-results"), help="folder of the results")
    parser.add_argument("further", nargs="*", help="options of `logicoder fit`, after --")
    return parser.parse_args()


def main() -> None:
    """Run what is missing, and print all."""
    options = options_of()
    journal = Journal(options.results / "scale.jsonl")
    wanted = [("university", facts) for facts in SIZES] + list(GRAPHS.items())
    for name, facts in wanted:
        if facts > options.most or (options.only and name not in options.only):
            continue
        if name != "university" and not (options.data / name).is_dir():
            say(f"no {name} in {options.data}: see docs/reference/datasets.md, then set LOGICODER_DATA")
            continue
        key = {"data": name, "asked": facts, "options": options.further}
        done = [row for row in journal.find(**key) if "error" not in row or row["seconds"] >= options.limit]
        if options.again or not done:
            say(f"{name}, {facts:,} facts")
            journal.add({**key, **measure(name, facts, options.data, options.limit, options.further)})
    print(scale_table(rows_of(journal)))


if __name__ == "__main__":
    main()
