"""What questions to Markov logic networks cost: on the benchmarks, and on smokers of growing number.

    python benchmarks/mln_inference.py [--data FOLDER] [--people N,N,...] [--json FILE] [NAME ...]

For each data set one file is asked, every predicate in turn, given all the others: of UW-CSE and IMDB with
the weights that Alchemy learned on the other files, of WebKB and Cora-ER with a network learned here. Of
smokers `smokes` and `cancer` are asked together, given the friends, and the most probable world. CPU seconds;
the slope is that of the logarithms of seconds over people.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path
from time import process_time

from common import Row
from mln_common import measure_all

from logicoder import KnowledgeBase
from logicoder.datasets.smokers import smokers
from logicoder.mln import MarkovLogicNetwork, learn_structure
from logicoder.mln.inference import Marginals, infer, most_probable

WEIGHTED = ("uwcse", "imdb")
LEARNED = ("webkb", "cora_er")
NAMES = (*WEIGHTED, *LEARNED)
MAP_SECONDS = 60.0


def network_and_data(name: str, data: Path) -> tuple[MarkovLogicNetwork, KnowledgeBase]:
    """Return a network, and data that it was not learned from."""
    folder = data.parent / "mln_reference" / name if name in WEIGHTED else data / name
    if not folder.is_dir():
        sys.exit(f"no benchmark data in {folder}: see docs/reference/datasets.md, then set LOGICODER_DATA")
    if name in WEIGHTED:
        kb = KnowledgeBase.from_path(folder / "f1.db", schema=folder / f"{name}.mln")
        return MarkovLogicNetwork.load(folder / "weighted.mln", kb.schema), kb
    *others, last = sorted(folder.glob("*.db"))
    seen, kb = (KnowledgeBase.from_path(*files, schema=folder / "schema.mln") for files in (others, [last]))
    return learn_structure(seen).network, kb


def asked(name: str, data: Path) -> list[Row]:
    """Ask for every predicate in turn."""
    network, kb = network_and_data(name, data)
    rows = []
    for predicate in kb.schema:
        start = process_time()
        found = infer(network, kb, [predicate])
        seconds = round(process_time() - start, 4)
        rows.append({"name": name, "query": predicate, **described(found), "seconds": seconds})
    total = {"name": name, "query": "(all)", "seconds": round(sum(row["seconds"] for row in rows), 4)}
    return [*rows, {**dict.fromkeys(rows[0], ""), **total}]


def described(found: Marginals) -> Row:
    """Return size, methods and sureness of an answer."""
    sureness = found.sureness
    return {
        "atoms": len(found),
        "clauses": found.clauses,
        "methods": "+".join(method.name for method in found.methods),
        "effective": round(sureness.least_effective) if sureness else "exact",
        "error": round(sureness.largest_error, 5) if sureness else 0.0,
        "spread": round(sureness.largest_spread, 3) if sureness else 1.0,
    }


def smoked(people: int) -> Row:
    """Ask who smokes and who has cancer, and for the most probable world."""
    made = smokers(people, min(10, people - 1))
    query = ["smokes", "cancer"]
    start = process_time()
    found = infer(made.network, made.kb, query)
    middle = process_time()
    best = most_probable(made.network, made.kb, query, time_limit=MAP_SECONDS)
    return {
        "people": people,
        **described(found),
        "marginals": round(middle - start, 3),
        "map": round(process_time() - middle, 3),
        "proved": best.proved,
        "MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


if __name__ == "__main__":
    measure_all(__doc__, NAMES, asked, smoked, ("marginals", "map"))
