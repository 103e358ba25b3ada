"""Whether limits hold: whole commands on data that are hard to search, with little time and little memory.

    python benchmarks/limits.py [NAME ...] [--time SECONDS] [--memory SIZE] [--results FOLDER]

Each data set is written to a file, and `logicoder fit FILE --time-limit SECONDS --max-memory SIZE` is a
process of its own, from the start of Python to its end, reading included. A limit of S seconds is kept within
S plus a tenth and two seconds, one of memory within 5%. What is measured is not measured again.
"""

from __future__ import annotations

import json
import tempfile
from functools import partial
from pathlib import Path

from common import NOTHING, Journal, Row, parser_of, python, require_data, require_known, run, say, table
from lookalikes import LOOKALIKES
from shapes import SHAPES

from compression import data
from logicoder.base.memory import bytes_of
from logicoder.kb.writer import write_knowledge_base

NAMES = (*SHAPES, "umls", "kinships", "wn18rr", "fb15k237", *LOOKALIKES)
MIB = 2**20


def measure(name: str, folder: Path, time: float, memory: str) -> Row:
    """Fit one data set within limits."""
    say(name)
    with tempfile.TemporaryDirectory() as place:
        kb = data(name, folder)
        file = Path(place) / ("facts" if len(kb.interpretations) > 1 else "facts.pl")
        write_knowledge_base(kb, file, "prolog")
        command = ("fit", file, "--time-limit", str(time), "--max-memory", memory, "--json", "--quiet")
        done = run(python("-m", "logicoder", *map(str, command)), 20 * time + 60)
    row: Row = {"facts": len(kb), "seconds": done.seconds, "cpu": done.cpu, "gib": done.gib}
    if done.code != 0:
        return {**row, "error": done.why}
    found = json.loads(done.output)
    return {**row, **{key: found[key] for key in ("bits", "plain_bits", "loss", "stopped")}}


def main() -> None:
    """Measure what is missing, and print all."""
    parser = parser_of(__doc__)
    parser.add_argument("--time", type=float, default=20.0)
    parser.add_argument("--memory", default="512MiB")
    parser.add_argument("--results", type=Path, default=Path("bench-results"))
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    folder, names = require_data(options), options.names or NAMES
    require_known(names, NAMES)
    journal = Journal(options.results / "limits.jsonl")
    limits = {"time": options.time, "memory": options.memory}
    rows = []
    for name in names:
        rows.append(journal.cell({"data": name, **limits}, partial(measure, name, folder, **limits)))
    print(
        table(("data", "facts", "seconds", "processor s", "MiB", "of plain bits", "ended by"), shown(rows), 1)
    )
    time, memory = 1.1 * options.time + 2, 1.05 * bytes_of(options.memory) / MIB
    kept = (
        sum(row["seconds"] <= time for row in rows),
        sum((row["gib"] or 1e9) * 1024 <= memory for row in rows),
    )
    print(f"\n{kept[0]} of {len(rows)} within {time:g} s, {kept[1]} of {len(rows)} within {memory:,.0f} MiB.")


def shown(rows: list[Row]) -> list[list[str]]:
    """Return the rows of the table."""
    return [
        [
            row["data"],
            f"{row['facts']:,}",
            f"{row['seconds']:.1f}",
            NOTHING if row["cpu"] is None else f"{row['cpu']:.1f}",
            NOTHING if row["gib"] is None else f"{1024 * row['gib']:,.0f}",
            row.get("error") or f"{row['bits'] / row['plain_bits']:.1%}",
            row.get("stopped") or "itself",
        ]
        for row in rows
    ]


if __name__ == "__main__":
    main()
