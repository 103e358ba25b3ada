"""Run the campaign: `python -m campaign --minutes 10`, from the project's folder."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from campaign.corpus import corpus
from campaign.kind import FoundError, checked, keep, limit_memory
from campaign.kinds import KINDS

RESULTS = Path("campaign-results") / "counts.json"


def main() -> int:
    """Attack in all ways in turn until the time is over; print counts by kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=None, help="of all cases; otherwise the clock")
    parser.add_argument("--kinds", default=",".join(KINDS), help="some of: %(default)s")
    parser.add_argument("--once", action="store_true", help="one case of each kind, whatever the time")
    given = parser.parse_args()
    seed = time.time_ns() if given.seed is None else given.seed
    corpus()  # which takes longer than a case may
    limit_memory(6 << 30)
    counts: dict[str, dict[str, int]] = {}
    names = given.kinds.split(",")
    end = time.monotonic() + 60 * given.minutes
    spent = dict.fromkeys(names, 0.0)
    number = 0
    while any(name not in counts for name in names) or (not given.once and time.monotonic() < end):
        # The kind that had the least time so far: slow ones get as much as quick ones.
        name = min(names, key=lambda name: spent[name])
        began = time.monotonic()
        counted = counts.setdefault(name, {"tried": 0, "found": 0})
        number += 1
        _one(name, Random(f"{seed} {number}"), counted)
        spent[name] += time.monotonic() - began + 0.001
    _report(counts)
    return 1 if any(counted["found"] for counted in counts.values()) else 0


def _one(name: str, random: Random, counted: dict[str, int]) -> None:
    kind = KINDS[name]
    case = kind.case(random)
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder:
        try:
            counted["tried"] += checked(kind, case, Path(folder))
        except FoundError as error:
            counted["tried"] += 1
            counted["found"] += 1
            path = keep(name, error.case or case, str(error))
            print(f"{name}: {str(error)[:1000]}\n  kept as {path}", file=sys.stderr, flush=True)


def _report(counts: dict[str, dict[str, int]]) -> None:
    """Print the counts of this run and add them to those of all runs."""
    RESULTS.parent.mkdir(exist_ok=True)
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    print(f"{'kind':16} {'counted':10} {'this run':>10} {'found':>6} {'all runs':>10} {'found':>6}")
    for name, counted in counts.items():
        total = known.setdefault(name, {"tried": 0, "found": 0})
        for key, value in counted.items():
            total[key] += value
        row = (name, KINDS[name].unit, counted["tried"], counted["found"], total["tried"], total["found"])
        print("{:16} {:10} {:>10,} {:>6} {:>10,} {:>6}".format(*row))
    RESULTS.write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
