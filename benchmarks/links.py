"""Link prediction on small knowledge graphs, in one table.

    python benchmarks/links.py [--data FOLDER] [--results FOLDER] [NAME ...]

Runs `logicoder links` on each graph with the same options; what is finished is not done again.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from common import NOTHING, parser_of, python, require_data, require_known, say, short, table

NAMES = ("umls", "kinships", "nations")
OPTIONS = ("--compressions", "0.7", "--jobs", "1")
HITS = ("hits@1", "hits@3", "hits@10")


def rows_of(folder: Path) -> list[list[str]]:
    """Return the rows of one graph: a model each."""
    rows = []
    for row in json.loads((folder / "summary.json").read_text())["rows"]:
        chosen = row["cell"].removeprefix(row["variant"].replace(" ", "-")).strip("-")
        scores = [short(row["mean"][key]) for key in ("mrr", *HITS)]
        rows.append([folder.name, row["variant"], *scores, short(row["validation"]), chosen or NOTHING])
    return rows


def main() -> None:
    """Run what is missing, and print the table."""
    parser = parser_of(__doc__)
    parser.add_argument("--results", type=Path, default=Path("experiment-results") / "links")
    parser.add_argument("names", nargs="*", default=list(NAMES), metavar="NAME")
    options = parser.parse_args()
    data = require_data(options)
    require_known(options.names, NAMES)
    rows = []
    for name in options.names:
        folder = options.results / name
        say(f"logicoder links {name}")
        command = python("-m", "logicoder", "links", data / name, "-o", folder, *OPTIONS)
        if subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode:
            sys.exit(f"{name} did not finish; the same command continues from there")
        rows += rows_of(folder)
    print(table(("data", "model", "MRR", *HITS, "MRR on valid", "chosen"), rows, 2))


if __name__ == "__main__":
    main()
