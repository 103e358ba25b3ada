"""What counts and weights of Markov logic cost: on the benchmarks, and on smokers of growing number.

    python benchmarks/mln_counting.py [--data FOLDER] [--people N,N,...] [--json FILE] [NAME ...]

For each data set all its interpretations are used, with all unit clauses and all clauses of two literals that
share a variable. CPU seconds; the slope is that of the logarithms of seconds over people.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from logicoder import KnowledgeBase
from logicoder.datasets.smokers import smokers
from logicoder.kb.schema import Schema
from logicoder.logic.terms import Atom, Literal, Variable
from logicoder.mln import Formula, MarkovLogicNetwork
from logicoder.mln.counting import Counter
from logicoder.mln.formulas import Literals
from logicoder.mln.screening import gradients
from logicoder.mln.weights import learn_weights, with_unit_clauses
from logicoder.mln.worlds import worlds_of

NAMES = ("uwcse", "imdb", "webkb", "cora_er")
KEPT = 30
FRIENDSHIP = """
    0 !friends(x,y) v friends(y,x)
    0 !friends(x,y) v !friends(y,z) v friends(x,z)
"""


def pairs(schema: Schema) -> Iterator[Literals]:
    """Yield all clauses of two literals that share one variable."""
    names = list(schema)
    for i, first in enumerate(names):
        for second in names[i:]:
            for a, b in product(range(schema[first].arity), range(schema[second].arity)):
                if schema[first].types[a] != schema[second].types[b]:
                    continue
                left = [Variable(f"X{k}") for k in range(schema[first].arity)]
                right = [Variable(f"Y{k}") for k in range(schema[second].arity)]
                right[b] = left[a]
                for signs in product((True, False), repeat=2):
                    atoms = Atom(first, tuple(left)), Atom(second, tuple(right))
                    yield tuple(Literal(atom, sign) for atom, sign in zip(atoms, signs, strict=True))


def measured(kb: KnowledgeBase) -> dict[str, Any]:
    """Count all clauses, screen them, and learn weights for those of the greatest slope."""
    worlds, clauses = worlds_of(kb), list(pairs(kb.schema))
    counter, seconds = Counter(worlds), {}
    start = process_time()
    for clause in clauses:
        counter.satisfied(clause)
    seconds["satisfied"] = process_time() - start
    network = with_unit_clauses(MarkovLogicNetwork(kb.schema))
    start = process_time()
    network = learn_weights(network, counter).network
    slopes = gradients(counter, network, clauses)
    seconds["screening"] = process_time() - start
    best = np.argsort(-np.abs(slopes), kind="stable")[:KEPT]
    formulas = (*network.formulas, *(Formula(clauses[i]) for i in best))
    start = process_time()
    found = learn_weights(MarkovLogicNetwork(kb.schema, formulas), counter)
    seconds["weights"] = process_time() - start
    return {
        "clauses": len(clauses),
        "atoms": found.atoms,
        "rows": found.rows,
        **{key: round(value, 3) for key, value in seconds.items()},
        "wpll": round(found.value, 4),
    }


def smoked(people: int) -> dict[str, Any]:
    """Learn the planted weights, then those of a network that also explains friendships."""
    made = smokers(people, min(10, people - 1))
    worlds, seconds = worlds_of(made.kb), []
    friendship = MarkovLogicNetwork.parse(FRIENDSHIP, made.kb.schema).formulas
    rich = with_unit_clauses(MarkovLogicNetwork(made.kb.schema, made.network.formulas + friendship))
    for network, query in ((made.network, ["smokes", "cancer"]), (rich, None)):
        start = process_time()
        found = learn_weights(network, worlds, query=query)
        seconds.append(process_time() - start)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {
        "people": people,
        "atoms": found.atoms,
        "rows": found.rows,
        "planted": round(seconds[0], 3),
        "friendship": round(seconds[1], 3),
        "MB": megabytes,
    }


def printed(rows: list[dict[str, Any]]) -> None:
    """Print rows under the names of their columns."""
    for cells in ([*rows[0]], *([str(value) for value in row.values()] for row in rows)):
        print(*(f"{cell:>11}" for cell in cells))


def main() -> None:
    """Measure the data sets, then the smokers."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = Path(__file__).resolve().parents[1] / ".." / "shared" / "datasets"
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; all unless given")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LOGICODER_DATA", default)))
    parser.add_argument("--people", default="100,1000,10000", help="sizes of smokers; empty for none")
    parser.add_argument("--json", type=Path, help="where to write the numbers")
    options = parser.parse_args()
    unknown = sorted(set(options.names) - set(NAMES))
    if unknown:
        sys.exit(f"there is no benchmark {unknown[0]!r}; choose from: {', '.join(NAMES)}")
    results: dict[str, list[dict[str, Any]]] = {"data": [], "smokers": []}
    for name in options.names or NAMES:
        folder = options.data / name
        if not folder.is_dir():
            sys.exit(f"no benchmark data in {folder}: see docs/datasets.md, then set LOGICODER_DATA")
        kb = KnowledgeBase.from_path(*sorted(folder.glob("*.db")), schema=folder / "schema.mln")
        results["data"].append({"name": name, **measured(kb)})
    printed(results["data"])
    sizes = [int(size) for size in options.people.split(",") if size]
    if sizes:
        results["smokers"] = [smoked(size) for size in sizes]
        printed(results["smokers"])
    if len(sizes) > 1:
        for column in ("planted", "friendship"):
            seconds = np.log([max(row[column], 1e-3) for row in results["smokers"]])
            print(f"log-log slope of {column}: {np.polyfit(np.log(sizes), seconds, 1)[0]:.2f}")
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
