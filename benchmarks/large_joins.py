"""Candidates whose joins have more than a million tuples, beside DuckDB, polars and clingo on the same ones.

    python benchmarks/large_joins.py [--quick] [--data FOLDER] [--results FOLDER]

Here the overhead of a query is nothing, and what is compared is the joining itself. Data: relations of
FB15k-237 with the largest hubs, and a random graph. Of all bodies over them, those with large joins are
listed first, and then only these are evaluated, by the library's kernel as by the others, for all heads.
"""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
from candidate_speed import OURS, SEED, Data, compared, others
from common import Journal, Row, Stopwatch, journal_of, require_data, say, speed_parser
from engines.candidates import Bodies, DecoderCandidates, Known

from logicoder import KnowledgeBase

LARGE = 1_000_000
HUBS = 6
"""So many relations of FB15k-237 are taken."""
NODES, EDGES, GRAPHS = 1_000, 40_000, 2


def hubs(folder: Path, relations: int) -> Data:
    """Return the relations of FB15k-237 with the largest joins with themselves over their last places."""
    kb = KnowledgeBase.from_path(folder / "fb15k237" / "train.txt.gz", format="triples")

    def self_join(name: str) -> int:
        return int((np.bincount(kb.table(name).arguments[:, 1]) ** 2).sum())

    names = sorted(kb.learnable, key=self_join, reverse=True)[:relations]
    return Data(f"fb15k237, {relations} relations with the largest hubs", kb, names, 1)


def graph() -> Data:
    """Return random graphs over the same nodes, so dense that every chain of two edges is a large join."""
    numbers = np.random.Generator(np.random.PCG64(SEED))
    facts = [
        (f"edge{i}", f"n{a}", f"n{b}")
        for i in range(GRAPHS)
        for a, b in np.unique(numbers.integers(0, NODES, (EDGES, 2)), axis=0).tolist()
    ]
    kb = KnowledgeBase.from_facts(facts)
    return Data(f"{GRAPHS} random graphs, {NODES:,} nodes, {EDGES:,} edges", kb, kb.predicates, 1)


def evaluated(group: Bodies, bodies: list[tuple[int, ...]], watch: Stopwatch) -> list[tuple[int, list[int]]]:
    """Evaluate some bodies by the library's kernel, which is timed; return their sizes and true atoms."""
    first, second = (np.array(part) for part in zip(*sorted(bodies), strict=True))
    old = group.pairs
    with watch.running():
        # A new one, that has computed nothing yet.
        pairs = type(old)(old.database, old.first, old.second, old.types, old.facts)
        sizes, known = pairs.counts(first, second)
    # The tables of a target are its facts, and its unknown atoms, of which there are none.
    true = known[:: len(group.batches[0][0].tables)]
    return [(int(size), true[:, i].tolist()) for i, size in enumerate(sizes)]


def measured(data: Data, most: int, seconds: float) -> list[Row]:
    """Compare on one set of data, on at most so many bodies."""
    latents, _, _ = data.encoders(1)
    candidates, _, _ = data.decoders(latents)
    large = [
        (group, body) for group, bodies in candidates.large(LARGE) for body in bodies if group.sides[0].shared
    ]
    random.Random(SEED).shuffle(large)  # noqa: S311  (a sample, not a secret)
    chosen = large[:most]
    say(f"{len(large)} bodies with large joins")
    watch = Stopwatch()
    known = _known(candidates, chosen, watch)
    rows = others(candidates.tables, known, seconds, heavy=True)
    again = Stopwatch()
    _known(candidates, chosen, again)
    ours = {
        "engine": OURS,
        "bodies": len(known),
        "candidates": sum(item.question.candidates for item in known),
        "seconds": (watch.seconds + again.seconds) / 2,
        "cpu": (watch.cpu + again.cpu) / 2,
    }
    return compared(ours, rows)


def _known(
    candidates: DecoderCandidates, chosen: list[tuple[Bodies, tuple[int, ...]]], watch: Stopwatch
) -> list[Known]:
    """Evaluate the bodies, and return them in their order with what was counted."""
    found: dict[tuple[int, tuple[int, ...]], Known] = {}
    for group in {id(group): group for group, _ in chosen}.values():
        bodies = sorted(body for other, body in chosen if other is group)
        for body, (size, true) in zip(bodies, evaluated(group, bodies, watch), strict=True):
            counts = tuple((number, size - number) for number in true)
            found[id(group), body] = Known(group.question(body, candidates.names), counts, size)
    return [found[id(group), body] for group, body in chosen]


def measure(folder: Path, journal: Journal, *, quick: bool = False) -> None:
    """Add the rows that are not there yet."""
    most, seconds = (8, 3.0) if quick else (60, 15.0)
    for data in (hubs(folder, HUBS), graph()):
        if journal.find(bench="large joins", data=data.title):
            continue
        say(f"large joins of {data.title}")
        for row in measured(data, most, seconds):
            journal.add({"bench": "large joins", "data": data.title, **row})


def main() -> None:
    """Measure."""
    options = speed_parser(__doc__).parse_args()
    measure(require_data(options), journal_of(options), quick=options.quick)


if __name__ == "__main__":
    main()
