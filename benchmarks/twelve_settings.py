"""The twelve settings of the paper on the four benchmarks: lengths 2, 3 on each side, compression .3, .5, .7.

    python benchmarks/twelve_settings.py [--data FOLDER] [--lines FILE] [--limit SECONDS] [--only CELL]

Each cell is a process of its own, so that its peak memory is its own. Results are appended to FILE, one JSON
object per line; cells that are there already are not run again.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

from cells import measured
from common import NOTHING, TRAINING, Journal, parser_of, require_data, say, table

LENGTHS = (2, 3)
COMPRESSIONS = ("0.3", "0.5", "0.7")


def main() -> None:
    """Run the cells that are missing, and print all."""
    parser = parser_of(__doc__)
    parser.add_argument("--lines", type=Path, default=Path("bench-results/twelve_settings.jsonl"))
    parser.add_argument("--limit", type=float, default=420.0)
    parser.add_argument("--only", action="append", help="cells to run: data:encoder:decoder:compression")
    options = parser.parse_args()
    folder, journal = require_data(options), Journal(options.lines)
    cells = [f"{n}:{e}:{d}:{c}" for n, e, d, c in product(TRAINING, LENGTHS, LENGTHS, COMPRESSIONS)]
    for cell in options.only or cells:
        if not journal.find(cell=cell):
            say(cell)
            row = measured(folder, cell, options.limit, 10 * options.limit)
            if "error" in row:
                say(f"{cell} failed: {row['error']}")
            else:
                journal.add({"cell": cell, **row})
    rows = []
    for name, encoder, decoder in product(TRAINING, LENGTHS, LENGTHS):
        found = [shown(journal, f"{name}:{encoder}:{decoder}:{compression}") for compression in COMPRESSIONS]
        rows.append([name, f"{encoder}/{decoder}", *found])
    print(table(("data", "lengths", *(f"compression {value}" for value in COMPRESSIONS)), rows, 5))


def shown(journal: Journal, cell: str) -> str:
    """Return loss, bound where it differs, time and memory of a cell."""
    found = journal.find(cell=cell)
    if not found:
        return NOTHING
    row = found[-1]
    bound = "" if row["loss"] == row["bound"] else f" (bound {row['bound']:,})"
    return f"{row['loss']:,}{bound}, {row['seconds']:.0f} s, {row['gib']:.1f} GiB"


if __name__ == "__main__":
    main()
