"""Run the campaign: `python -m campaign --minutes 10`, from the project's folder."""

from __future__ import annotations

import argparse
import sys
import time

from campaign import totals
from campaign.corpus import corpus
from campaign.kinds import KINDS, SERVERS
from campaign.worker import Progress, attacked


def main() -> int:
    """Attack in all ways in turn until the time is over; print counts by kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=None, help="of all cases; otherwise the clock")
    usual = ",".join(name for name in KINDS if name not in SERVERS)
    more = f"some of: %(default)s; and {', '.join(SERVERS)}, which start servers"
    parser.add_argument("--kinds", default=usual, help=more)
    parser.add_argument("--once", action="store_true", help="one case of each kind, which is not counted")
    given = parser.parse_args()
    names = given.kinds.split(",")
    if unknown := [name for name in names if name not in KINDS]:
        parser.error(f"there is no kind {unknown[0]}; choose from: {', '.join(KINDS)}")
    corpus()  # which takes longer than a case may
    seed = time.time_ns() if given.seed is None else given.seed
    counts = attacked(Progress(seed, names, given.once, time.monotonic() + 60 * given.minutes))
    if not given.once:
        totals.add(counts)
    known = totals.known()
    print(f"{'kind':20} {'counted':10} {'this run':>10} {'found':>6} {'all runs':>10} {'found':>6}")
    for name, counted in counts.items():
        total = known.get(name, {"tried": 0, "found": 0})
        row = (name, KINDS[name].unit, counted["tried"], counted["found"], total["tried"], total["found"])
        print("{:20} {:10} {:>10,} {:>6} {:>10,} {:>6}".format(*row))
    return 1 if any(counted["found"] for counted in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
