"""Description lengths on many data sets: plain, packed by xz, with domains, and with rules; time and memory.

    python benchmarks/compression.py [NAME ...] [--stored] [--limit SECONDS] [--results FOLDER]

Every data set is learned in a process of its own, checked to come back from what was said, and appended to
`compression.jsonl`. The figures of SInC (a compressor by rules over the data's own predicates) were measured
elsewhere on the same facts, with all folds merged into one world.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from common import NOTHING, Journal, Row, parser_of, python, require_known, run, say, table
from lookalikes import LOOKALIKES, lookalike
from shapes import SHAPES

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.compression.codec import say as said
from logicoder.compression.codec import understand
from logicoder.compression.compressed import Compressed
from logicoder.compression.learned_plan import Compressor
from logicoder.datasets import university
from logicoder.learner.presets import PRESETS

SINC = {
    "umls": 30_161,
    "nations": 9_699,
    "wn18rr": 1_320_994,
    "imdb": 8_713,
    "webkb": 15_554,
    "uwcse": 20_296,
    "cora_er": 205_119,
    "hinton_family": 957,
}
"""Bits of SInC's programs, where they were measured."""

SINC_STORED = {
    "umls": 62,
    "nations": 66,
    "wn18rr": 86,
    "imdb": 77,
    "webkb": 99,
    "uwcse": 83,
    "cora_er": 60,
    "hinton_family": 89,
}
"""Percent of the facts that SInC stores."""

PROTOTYPE = {
    "umls": 16_000,
    "kinships": 33_300,
    "nations": 5_191,
    "wn18rr": 1_185_400,
    "fb15k237": 2_247_000,
    "imdb": 4_355,
    "webkb": 7_417,
    "uwcse": 14_985,
    "cora_er": 77_223,
    "hinton_family": 622,
}
"""Bits of a first sketch of this search, by greedy choices in one pass: how soon are they reached?"""

TRIPLES = {"umls": "train.txt", "kinships": "train.txt", "nations": "train.txt", "wn18rr": "train.txt.gz"}
TRIPLES["fb15k237"] = "train.txt.gz"
FOLDS = ("imdb", "webkb", "uwcse", "cora_er")


def _graph(make: Callable[[random.Random], set[tuple[str, ...]]]) -> Callable[[Path], KnowledgeBase]:
    return lambda _: KnowledgeBase.from_facts(sorted(make(random.Random(0))))  # noqa: S311


def _random(rng: random.Random) -> set[tuple[str, ...]]:
    """Nothing to find: five relations of a thousand random pairs."""
    return {
        (f"r{i}", f"e{rng.randrange(300)}", f"e{rng.randrange(300)}") for i in range(5) for _ in range(1000)
    }


def _symmetric(rng: random.Random) -> set[tuple[str, ...]]:
    """Friends, of whom a few are so on one side only."""
    found = set()
    for _ in range(4000):
        x, y = (f"e{rng.randrange(500)}" for _ in range(2))
        found |= {("friend", x, y), *([("friend", y, x)] if rng.random() < 0.98 else [])}
    return found


def _bipartite(rng: random.Random) -> set[tuple[str, ...]]:
    """Buyers and goods of five kinds: who buys mostly buys goods of one kind."""
    return {
        ("buys", f"b{b}", f"g{rng.randrange(40) * 5 + (b % 5 if rng.random() < 0.9 else rng.randrange(5))}")
        for b in range(300)
        for _ in range(12)
    } | {("kind", f"g{g}", f"k{g % 5}") for g in range(200)}


def _hierarchy(rng: random.Random) -> set[tuple[str, ...]]:
    """A tree and its closure."""
    up = {i: rng.randrange(i) for i in range(1, 800)}
    found = {("parent", f"e{p}", f"e{c}") for c, p in up.items()}
    for child in up:
        at = child
        while at in up:
            at = up[at]
            found.add(("above", f"e{at}", f"e{child}"))
    return found


GENERATED: dict[str, Callable[[Path], KnowledgeBase]] = {
    **{
        f"university, noise {noise:g}": lambda _, n=noise: (
            university(facts=3000, noise=n, predicates="full").kb
        )
        for noise in (0, 0.01, 0.05, 0.2)
    },
    "random": _graph(_random),
    "symmetric": _graph(_symmetric),
    "bipartite": _graph(_bipartite),
    "hierarchy": _graph(_hierarchy),
}


def data(name: str, folder: Path) -> KnowledgeBase:
    """Return a data set: `imdb` has its folds merged into one world, `imdb, apart` has a world for each."""
    if name in GENERATED:
        return GENERATED[name](folder)
    if name in SHAPES:
        return SHAPES[name](1.0)
    if name in LOOKALIKES:
        return KnowledgeBase.from_facts(sorted(lookalike(name)))
    own, _, apart = name.partition(", ")
    if own in TRIPLES:
        return KnowledgeBase.from_path(folder / own / TRIPLES[own], format="triples")
    if own == "hinton_family":
        return KnowledgeBase.from_path(folder / own / "hinton_family.db")
    return KnowledgeBase.from_path(folder / own, interpretations="auto" if apart else "one")


MADE = (*GENERATED, *SHAPES, *LOOKALIKES)
NAMES = (*FOLDS, *(f"{name}, apart" for name in FOLDS), *TRIPLES, "hinton_family", *MADE)


def measure(name: str, folder: Path, *, stored: bool) -> Row:
    """Learn, say and understand one data set; perhaps learn it again for few stored facts."""
    kb = data(name, folder)
    text = "".join(f"{fact}.\n" for fact in sorted(map(str, kb))).encode()
    began = time.process_time()
    reached: list[float] = []

    def better(message: Compressed) -> None:
        if message.bits <= PROTOTYPE.get(name, 0):
            reached.append(time.process_time() - began)

    compressor = Compressor(kb, best=better)
    found = compressor.run()
    cpu = time.process_time() - began
    relations = {name: compressor.database.relation(name) for name in kb.predicates}
    parts = said(found.plan, compressor.database, relations)
    types = {name: relation.types for name, relation in relations.items()}
    back = understand(found.plan, compressor.database, {}, types, parts)
    for one, relation in relations.items():
        rows = [set(zip(*(c.tolist() for c in r.columns), strict=True)) for r in (relation, back[one])]
        if rows[0] != rows[1]:
            raise ValueError(f"{one} does not come back")
    return {
        "facts": kb.size,
        "stored": Compressor(kb, goal="stored").run().stored if stored else None,
        "bound": round(found.bound),
        "plain": round(found.plain_bits),
        "xz": 8 * len(lzma.compress(text, preset=9)),
        # One flag announces the plain facts where they are shorter, with rules or without.
        "domains": round(min(found.domain_bits, found.plain_bits)),
        "bits": round(min(found.bits, found.plain_bits)),
        "relaxed": round(found.relaxed_bits),
        "rules": sum(len(step.layers) for step in found.plan),
        "reached": round(reached[0], 2) if reached else None,
        "learning": round(cpu, 2),
    }


LEARNERS: dict[str, dict[str, Any]] = {
    "0.1": {"objective": "lexicographic", "compression": 0.8},
    "paper": PRESETS["paper"],
}
"""Learners that select clauses by a solver: what version 0.1 did by itself, and the setting of the paper."""

NONE = ("none", NOTHING, NOTHING)
"""Where no program was found within the limits."""

SELECTION_MEMORY = "4GiB"
"""What a selection may take: with this and an effort, its result does not depend on the machine."""


def measure_selection(name: str, folder: Path, learner: str, effort: float) -> Row:
    """Select clauses for one data set, and count the bits of what they leave."""
    kb = data(name, folder)
    began = time.process_time()
    model = AutoEncoder(**LEARNERS[learner], effort=effort, max_memory=SELECTION_MEMORY).fit(kb)
    cpu = time.process_time() - began
    encoding = model.encode_losslessly(kb)
    return {
        "bits": round(encoding.bits.plain - encoding.bits.saved),
        "stored": len(encoding.latent) + len(encoding.exceptions),
        "learning": round(cpu, 2),
    }


def selection_table(messages: list[Row], journal: Journal) -> str:
    """Return the table of learners that select clauses beside the messages."""
    heads = [head for learner in LEARNERS for head in (learner, "s", "GiB")]
    cells = []
    for message in messages:
        row = [message["data"], f"{message['plain']:,}", f"{message['bits']:,}", f"{message['learning']:.0f}"]
        for learner in LEARNERS:
            (*_, found) = journal.find(data=message["data"], learner=learner)
            known = "error" not in found
            row += (
                [f"{found['bits']:,}", f"{found['learning']:.0f}", f"{found['gib']:.1f}"] if known else NONE
            )
        cells.append(row)
    return table(("data", "plain bits", "by message", "s", *heads), cells)


def stored_table(rows: list[Row]) -> str:
    """Return the table of bits and of stored facts beside those of SInC."""
    cells = [
        [
            *(row["data"], f"{row['plain']:,}"),
            f"{SINC[row['data']]:,}" if row["data"] in SINC else NOTHING,
            *(f"{row['bits']:,}", f"{row['stored'] / row['facts']:.1%}"),
            f"{SINC_STORED[row['data']]}%" if row["data"] in SINC else NOTHING,
        ]
        for row in rows
        if row.get("stored") is not None
    ]
    return table(("data", "plain bits", "SInC", "bits", "stored with that goal", "SInC"), cells)


def compression_table(rows: list[Row]) -> str:
    """Return the table of all rows."""
    header = (
        *("data", "facts", "plain bits", "`xz -9`", "SInC", "domains", "bits", "of plain", "of domains"),
        *("sketch reached, s", "processor s", "GiB"),
    )
    cells = []
    for row in rows:
        if "error" in row:
            cells.append([row["data"], *[NOTHING] * 9, row["error"], NOTHING])
            continue
        sinc = SINC.get(row["data"])
        cells.append(
            [
                row["data"],
                *(f"{row[key]:,}" for key in ("facts", "plain", "xz")),
                NOTHING if sinc is None else f"{sinc:,}",
                *(f"{row[key]:,}" for key in ("domains", "bits")),
                *(f"{row['bits'] / row[key]:.1%}" for key in ("plain", "domains")),
                NOTHING if row["reached"] is None else f"{row['reached']:.1f}",
                *(f"{row['learning']:.1f}", f"{row['gib']:.2f}"),
            ]
        )
    return table(header, cells)


def main() -> None:
    """Measure what is asked for, and print the table."""
    parser = parser_of(__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these data sets")
    parser.add_argument("--limit", type=float, default=900.0, help="seconds for each data set")
    parser.add_argument("--results", type=Path, default=Path("bench-results"), help="folder of the results")
    parser.add_argument("--again", action="store_true", help="measure anew what is there")
    parser.add_argument("--stored", action="store_true", help="learn for few stored facts too")
    parser.add_argument(
        "--selection",
        type=float,
        metavar="EFFORT",
        help=f"also let a solver select clauses, with so much effort each and {SELECTION_MEMORY}",
    )
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--learner", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one and options.learner:
        print(json.dumps(measure_selection(options.one, options.data, options.learner, options.selection)))
        return
    if options.one:
        print(json.dumps(measure(options.one, options.data, stored=options.stored)))
        return
    names = options.names or [name for name in NAMES if name in MADE or options.data.is_dir()]
    require_known(names, NAMES)
    journal = Journal(options.results / "compression.jsonl")
    if options.again:
        journal.rows = []

    def cell(name: str, *further: object) -> Row:
        finished = run(python(__file__, "--data", options.data, "--one", name, *further), options.limit)
        if finished.code != 0:
            return {"error": finished.why, "seconds": finished.seconds}
        return {**json.loads(finished.output), "seconds": finished.seconds, "gib": finished.gib}

    for name in names:
        say(name)
        if options.stored:  # rows without what is stored are measured again
            journal.rows = [
                row for row in journal.rows if row["data"] != name or row.get("stored", "") is not None
            ]
        journal.cell(
            {"data": name, "learner": "message"}, partial(cell, name, *["--stored"] * options.stored)
        )
        for learner in LEARNERS if options.selection else ():
            further = ("--learner", learner, "--selection", options.selection)
            journal.cell({"data": name, "learner": learner}, partial(cell, name, *further))
    messages = [journal.find(data=name, learner="message")[-1] for name in names]
    print(compression_table(messages))
    if options.stored:
        print(f"\n{stored_table(messages)}")
    if options.selection:
        known = [message for message in messages if "error" not in message]
        print(f"\n{selection_table(known, journal)}")


if __name__ == "__main__":
    main()
