"""Structure learning, leaving one fold out: mean area under the precision-recall curve over predicates.

    python benchmarks/mln_structure.py [--data FOLDER] [--folds N,N,...] [--methods NAME,...] [NAME ...]

A network is learned on four folds. On the fifth each predicate is asked for in turn, given all others; every
ground atom of the predicate counts, and the areas (Davis and Goadrich) of the predicates with facts are
averaged. Areas with a ~ are of sampled probabilities. Times are CPU seconds. The last table has the means
beside those of Alchemy.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from common import NOTHING, short, table

from logicoder import KnowledgeBase
from logicoder.evaluation.scores import auc_pr
from logicoder.mln import MarkovLogicNetwork, worlds_of
from logicoder.mln.inference import infer
from logicoder.mln.structure.structure_learner import learn_structure

NAMES = ("imdb", "uwcse")
METHODS = ("busl", "exhaustive")
FOLDS = (1, 2, 3, 4, 5)
SAMPLES = 100
ALCHEMY = {("imdb", "all five folds"): ".630, 5.5 s", ("uwcse", "the first fold"): ".42 to .43, 356 s"}
"""What BUSL in Alchemy gives on the same folds, measured with it elsewhere."""


def read(folder: Path, name: str, folds: list[int]) -> KnowledgeBase:
    files = (folder / name / f"f{fold}.db" for fold in folds)
    return KnowledgeBase.from_path(*files, schema=folder / name / f"{name}.mln")


def areas(network: MarkovLogicNetwork, kb: KnowledgeBase) -> dict[str, tuple[float, bool]]:
    """Return the area of each predicate that has facts, and whether its probabilities are exact."""
    [world] = worlds_of(kb)
    found = {}
    for name in kb.schema:
        truth = np.zeros(world.groundings(name), bool)
        truth[world.numbers(name)] = True
        if truth.any():
            marginals = infer(network, kb, [name], samples=SAMPLES, burn_in=SAMPLES // 4, chains=2)
            found[name] = auc_pr(truth, marginals.array(name, world.name)), marginals.exact
    return found


def measure(folder: Path, name: str, method: str, fold: int) -> dict[str, Any]:
    kb = read(folder, name, [f for f in FOLDS if f != fold])
    started = time.process_time()
    learned = learn_structure(kb, method=method)
    trained = time.process_time()
    found = areas(learned.network, read(folder, name, [fold]))
    return {
        "data": name,
        "method": method,
        "fold": fold,
        "clauses": len(learned.network),
        "candidates": dict(learned.candidates),
        "score": learned.score,
        "learning": trained - started,
        "inference": time.process_time() - trained,
        "areas": {predicate: area for predicate, (area, _) in found.items()},
        "sampled": [predicate for predicate, (_, exact) in found.items() if not exact],
        "mean": float(np.mean([area for area, _ in found.values()])),
    }


def printed(row: dict[str, Any]) -> None:
    cells = " ".join(f"{p} {area:.2f}{'~' * (p in row['sampled'])}" for p, area in row["areas"].items())
    print(
        f"| {row['data']} | {row['method']} | {row['fold']} | {row['clauses']} | {row['score']:.3f} "
        f"| {row['learning']:.1f} | {row['inference']:.1f} | {row['mean']:.3f} | {cells} |",
        flush=True,
    )


def summary(rows: list[dict[str, Any]], methods: list[str]) -> str:
    """Return a table of mean areas and seconds for learning a network, beside Alchemy's."""
    lines = []
    for name in dict.fromkeys(row["data"] for row in rows):
        for title, folds in (("the first fold", (1,)), ("all five folds", FOLDS)):
            line = [name, title, ALCHEMY.get((name, title), NOTHING)]
            for method in methods:
                found = [r for r in rows if (r["data"], r["method"]) == (name, method) and r["fold"] in folds]
                area, seconds = (np.mean([row[key] for row in found]) for key in ("mean", "learning"))
                line.append(f"{short(area)}, {seconds:.1f} s" if len(found) == len(folds) else NOTHING)
            lines.append(line)
    return table(("data", "mean of", "BUSL of Alchemy", *(f"`{method}`" for method in methods)), lines, 5)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = Path(__file__).resolve().parents[1] / ".." / "shared" / "datasets"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LOGICODER_DATA", default)))
    parser.add_argument("--folds", default="1,2,3,4,5", help="which to leave out, one at a time")
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--json", type=Path, help="where to write the numbers")
    parser.add_argument("names", nargs="*", default=list(NAMES), metavar="NAME")
    options = parser.parse_args()
    folder = options.data.resolve().parent / "mln_reference"
    if not folder.is_dir():
        sys.exit(f"no folds in {folder}: they are looked for beside the folder LOGICODER_DATA")
    rows = []
    columns = "data | method | fold | clauses | score | learning | inference | mean AUC-PR | by predicate"
    print(f"| {columns} |\n" + "|---" * 9 + "|")
    for name in options.names:
        for method in options.methods.split(","):
            found = [measure(folder, name, method, int(fold)) for fold in options.folds.split(",")]
            for row in found:
                printed(row)
            print(f"| {name} | {method} | mean | | | | | {np.mean([r['mean'] for r in found]):.3f} | |")
            rows += found
    print(f"\n{summary(rows, options.methods.split(','))}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
