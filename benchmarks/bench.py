"""All benchmarks of speed in one run, with a table and plots.

    python benchmarks/bench.py [--quick] [--only PART] [--data FOLDER] [--results FOLDER] [--into FILE]

Everything is kept in the folder of the results as soon as it is measured: `results.jsonl`, `table.md` and a
picture for each plot. Ctrl-C keeps what is done, and the same command goes on from there; remove the folder
to measure anew. Each part is a process of its own. Scale has its own command, `benchmarks/scale.py`, as it
takes long; its results are shown here too if they lie in the same folder. `--into
docs/explanation/results.md` puts the table into that page.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from common import HERE, Journal, circumstances, journal_of, python, require_data, say, speed_parser
from plots import draw
from tables import page

BEGIN, END = "<!-- speed: begin -->", "<!-- speed: end -->"
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


def put_into(path: Path, text: str) -> None:
    """Put a text between two marks of a page, in place of what is there."""
    before, mark, rest = path.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        sys.exit(f"{path} has no lines {BEGIN} and {END} for the table to stand between")
    path.write_text(f"{before}{BEGIN}\n\n{text.strip()}\n\n{END}{after}")


def main() -> None:
    """Run everything, and say where the results are."""
    parser = speed_parser(__doc__)
    parser.add_argument("--only", action="append", choices=PARTS, help="only this part; may be repeated")
    parser.add_argument("--into", type=Path, help="a page with marks for the table, to be brought up to date")
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
    if options.into is not None:
        put_into(options.into, path.read_text())
    print(f"table and plots: {options.results}")
    if failed:
        sys.exit(f"not finished: {', '.join(failed)}")


if __name__ == "__main__":
    main()
