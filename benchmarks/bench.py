"""All benchmarks of speed in one run, with a table and plots.

    python benchmarks/bench.py [--quick] [--only PART] [--data FOLDER] [--results FOLDER]

Everything is kept in the folder of the results as soon as it is measured: `results.jsonl`, `table.md` and a
picture for each plot. Ctrl-C keeps what is done, and the same command goes on from there; remove the folder
to measure anew. Each part is a process of its own. Scale has its own command, `benchmarks/scale.py`, as it
takes long; its results are shown here too if they lie in the same folder.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from common import HERE, Journal, circumstances, journal_of, python, require_data, say, speed_parser
from plots import draw
from tables import page

PARTS = ("cold_start", "reading", "candidate_speed", "large_joins", "solvers", "fit_phases")


def run_part(part: str, options: argparse.Namespace) -> int:
    """Run one part; its rows go to the common file."""
    command = python(HERE / f"{part}.py", "--data", options.data, "--results", options.results)
    return subprocess.run([*command, *(["--quick"] if options.quick else [])], check=False).returncode


def summary(results: Path) -> Path:
    """Write the table and the plots of what there is."""
    journal, scale = Journal(results / "results.jsonl"), Journal(results / "scale.jsonl")
    path = results / "table.md"
    path.write_text(page(journal, scale))
    draw(journal, scale, results)
    return path


def main() -> None:
    """Run everything, and say where the results are."""
    parser = speed_parser(__doc__)
    parser.add_argument("--only", action="append", choices=PARTS, help="only this part; may be repeated")
    options = parser.parse_args()
    require_data(options)
    failed = []
    journal_of(options).add({"bench": "machine", **circumstances()})
    try:
        for part in options.only or PARTS:
            if run_part(part, options):
                failed.append(part)
    except KeyboardInterrupt:
        say("stopped; what is done is kept")
        failed.append("the rest")
    journal_of(options).add({"bench": "machine", **circumstances()})
    path = summary(options.results)
    print(path.read_text())
    say(f"table and plots: {options.results}")
    if failed:
        sys.exit(f"not finished: {', '.join(failed)}")


if __name__ == "__main__":
    main()
