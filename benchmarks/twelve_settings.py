"""The twelve settings of the paper on the four benchmarks: lengths 2, 3 on each side, compression .3, .5, .7.

    python benchmarks/twelve_settings.py [--data FOLDER] [--lines FILE] [--limit SECONDS] [--only CELL]

Each cell is a process of its own, so that its peak memory is its own. Results are appended to FILE, one JSON
object per line; cells that are there already are not run again.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

from cells import measured
from common import TRAINING, Journal, parser_of, require_data

LENGTHS = (2, 3)
COMPRESSIONS = ("0.3", "0.5", "0.7")


def main() -> None:
    """Run the cells that are missing, and print all."""
    parser = parser_of(__doc__)
    parser.add_argument("--lines", type=Path, default=Path("twelve_settings.jsonl"))
    parser.add_argument("--limit", type=float, default=420.0)
    parser.add_argument("--only", action="append", help="cells to run: data:encoder:decoder:compression")
    options = parser.parse_args()
    folder, journal = require_data(options), Journal(options.lines)
    cells = [f"{n}:{e}:{d}:{c}" for n, e, d, c in product(TRAINING, LENGTHS, LENGTHS, COMPRESSIONS)]
    header = f"{'cell':<18}{'loss':>6}{'bound':>6}{'gap':>7} {'scope':<11}{'latents':>8}{'evaluated':>12}"
    print(f"{header}{'rounds':>7}{'latent facts':>13}{'seconds':>9}{'GiB':>6}")
    for cell in options.only or cells:
        found = journal.find(cell=cell)
        row = found[-1] if found else measured(folder, cell, options.limit, 10 * options.limit)
        if "error" in row:
            print(f"{cell:<18}failed: {row['error']}")
            continue
        if not found:
            journal.add({"cell": cell, **row})
        print(
            f"{cell:<18}{row['loss']:>6}{row['bound']:>6}{row['gap']:>7.0%} {row['bound_scope']:<11}"
            f"{row['latents']:>8}{row['evaluated']:>12,}{row['rounds']:>7}{row['latent_facts']:>13,}"
            f"{row['seconds']:>9.1f}{row['gib']:>6.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
