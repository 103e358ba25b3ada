"""How long each phase of a fit takes: the paper's four benchmarks, lengths 2 and 3 on each side.

    python benchmarks/fit_phases.py [--quick] [--data FOLDER] [--results FOLDER] [--limit SECONDS]

The paper's setting with compression 0.5, each cell in a process of its own. Lengths 2/2 run to the end;
for the others a time limit ends the search, and twice as much the enumeration.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

from cells import measured
from common import TRAINING, Journal, journal_of, require_data, say, speed_parser

LENGTHS = ((2, 2), (3, 2), (2, 3), (3, 3))
LIMIT = 40.0


def measure(folder: Path, journal: Journal, *, quick: bool = False, limit: float = LIMIT) -> None:
    """Add the rows that are not there yet."""
    chosen = (("webkb", "imdb"), LENGTHS[:1]) if quick else (tuple(TRAINING), LENGTHS)
    for lengths, name in product(chosen[1], chosen[0]):
        cell = f"{name}:{lengths[0]}:{lengths[1]}:0.5"
        seconds = None if lengths == LENGTHS[0] else limit
        key = {"bench": "phases", "data": name, "lengths": "/".join(map(str, lengths)), "limit": seconds}
        if not journal.find(**key):
            say(f"phases of {name}, lengths {key['lengths']}")
        patience = 600.0 if seconds is None else 3 * seconds + 60
        journal.cell(key, lambda: measured(folder, cell, seconds, patience))  # noqa: B023  (called at once)


def main() -> None:
    """Measure."""
    parser = speed_parser(__doc__)
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for each cell beyond lengths 2/2")
    options = parser.parse_args()
    measure(require_data(options), journal_of(options), quick=options.quick, limit=options.limit)


if __name__ == "__main__":
    main()
