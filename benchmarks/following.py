"""Encodings that follow their data: equal to encoding anew, and in how much time.

    python benchmarks/following.py --property 2000 [--first SEED]   # so many random plans and sequences
    python benchmarks/following.py [--facts N] [--changes N]

The second learns from a part of a made-up world of people, towns, countries and friends, encodes all of it,
and then adds and removes facts, a thousand at a time; beside it stands encoding everything anew.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

from common import say, table

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.autoencoder.following.followed import Followed


def check(first: int, number: int) -> None:
    """Compare random sequences of six changes with encoding from scratch; fails at the first difference.

    Numbers are carried on from change to change, so that what goes wrong in one is wrong at the end.
    """
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
    from autoencoder.following.worlds import (  # type: ignore[import-not-found]  # noqa: PLC0415
        check_same,
        facts_of,
        random_case,
        random_change,
    )

    for seed in range(first, first + number):
        case = random_case(seed)
        if case is not None:
            rng, layer, kb, size, worlds = case
            followed = Followed(layer, kb)
            for _ in range(6):
                added, removed = random_change(rng, followed.data(), size, worlds)
                followed.update(facts_of(added), facts_of(removed))
            check_same(followed, layer)
        if (seed - first) % 100 == 99:
            print(f"{seed - first + 1:,} sequences of changes: equal to encoding anew", flush=True)


def world(people: int, seed: int) -> dict[str, list[tuple[str, ...]]]:
    """People who live in towns, which lie in countries, where they pay; and friends on both sides."""
    rng = random.Random(seed)  # noqa: S311  (made-up data)
    towns = max(2, people // 50)
    lives = [(f"p{i}", f"t{rng.randrange(towns)}") for i in range(people)]
    lies = [(f"t{i}", f"c{i % 40}") for i in range(towns)]
    country = dict(lies)
    pays = [(p, country[t]) if rng.random() < 0.99 else (p, f"c{rng.randrange(40)}") for p, t in lives]
    friends = {(f"p{i}", f"p{rng.randrange(people)}") for i in range(people)}
    friends = {(x, y) for x, y in friends if x != y}
    both = friends | {(y, x) for x, y in friends}
    return {"lives": lives, "lies": lies, "pays": pays, "friend": sorted(both)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--property", type=int, metavar="N", help="check so many random plans, and end")
    parser.add_argument("--facts", type=int, default=1_000_000)
    parser.add_argument("--changes", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=1000, metavar="SEED", help="the seed of the first plan")
    options = parser.parse_args()
    if options.property:
        check(options.first, options.property)
        return
    people = options.facts // 4
    model = AutoEncoder(holdout="0").fit(KnowledgeBase.from_facts(world(min(people, 2000), 0)))
    say("decoder: " + " ".join(map(str, model.decoder_)))
    kb = KnowledgeBase.from_facts(world(people, 0)).with_schema(model.schema_)
    started = time.process_time()
    followed = model.follow(kb)
    rows = [(f"{len(kb):,} facts loaded: encoded once, and indexed", f"{time.process_time() - started:.1f}")]
    rng = random.Random(1)  # noqa: S311
    for number in range(3):
        new = [("lives", f"n{number}_{i}", f"t{rng.randrange(100)}") for i in range(options.changes // 2)]
        pairs = [
            (f"p{rng.randrange(people)}", f"p{rng.randrange(people)}") for _ in range(options.changes // 2)
        ]
        add = KnowledgeBase.from_facts([*new, *(("friend", *pair) for pair in pairs)], schema=kb.schema)
        started = time.process_time()
        change = followed.update(add=add)
        rows.append((f"{change.added:,} facts added", f"{time.process_time() - started:.3f}"))
        started = time.process_time()
        change = followed.update(remove=add)
        rows.append((f"{change.removed:,} facts removed", f"{time.process_time() - started:.3f}"))
    started = time.process_time()
    anew = model.encode_losslessly(followed.data())
    bits = anew.bits
    rows.append(("everything encoded again, bits included", f"{time.process_time() - started:.1f}"))
    print(table(("what", "processor s"), rows))
    if abs(bits.saved - followed.bits.saved) >= 1e-3:
        sys.exit(f"{followed.bits.saved:,.3f} bits saved by following, {bits.saved:,.3f} by encoding again")


if __name__ == "__main__":
    main()
