"""Structure learning, leaving one fold out: mean area under the precision-recall curve over predicates.

    python benchmarks/mln_structure.py [--data FOLDER] [--folds 1 2 ...] [--methods busl ...] [NAME ...]

A network is learned on four folds. On the fifth each predicate is asked for in turn, given all others; every
ground atom of the predicate counts, and the areas (Davis and Goadrich) of the predicates with facts are
averaged. Times are CPU seconds. Alchemy's figures, for BUSL: mean .630 on IMDB in 5.5 s for each network, and
.42 to .43 on the first fold of UW-CSE in 356 s.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

import numpy as np

from logicoder import KnowledgeBase
from logicoder.evaluation.scores import auc_pr
from logicoder.mln import MarkovLogicNetwork, worlds_of
from logicoder.mln.inference import infer
from logicoder.mln.structure import learn_structure

NAMES = ("imdb", "uwcse")
METHODS = ("busl", "exhaustive")
FOLDS = (1, 2, 3, 4, 5)


def read(folder: Path, name: str, folds: list[int]) -> KnowledgeBase:
    files = (folder / name / f"f{fold}.db" for fold in folds)
    return KnowledgeBase.from_path(*files, schema=folder / name / f"{name}.mln")


def areas(network: MarkovLogicNetwork, kb: KnowledgeBase, seed: int = 0) -> dict[str, tuple[float, str]]:
    """Return the area of each predicate that has facts, and how its probabilities were found."""
    [world] = worlds_of(kb)
    found = {}
    for name in kb.schema:
        truth = np.zeros(world.groundings(name), bool)
        truth[world.numbers(name)] = True
        if truth.any():
            marginals = infer(network, kb, [name], seed=seed)
            probabilities = marginals.array(name, world.name)
            found[name] = auc_pr(truth, probabilities), "exact" if marginals.exact else "sampled"
    return found


def measure(folder: Path, name: str, method: str, fold: int) -> dict[str, object]:
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
        "sampled": [predicate for predicate, (_, how) in found.items() if how == "sampled"],
        "mean": float(np.mean([area for area, _ in found.values()])),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    default = Path(__file__).resolve().parents[1] / ".." / "shared" / "mln_reference"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LOGICODER_MLN_DATA", default)))
    parser.add_argument("--folds", type=int, nargs="+", choices=FOLDS, default=list(FOLDS))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--json", type=Path)
    parser.add_argument("names", nargs="*", default=list(NAMES), metavar="NAME")
    options = parser.parse_args()
    if not options.data.is_dir():
        sys.exit(f"no folds in {options.data}: name their folder in LOGICODER_MLN_DATA")
    rows = []
    print("| data | method | fold | clauses | score | learning (s) | inference (s) | mean AUC-PR | by predicate |")
    print("|---" * 9 + "|")
    for name in options.names:
        for method in options.methods:
            means = []
            for fold in options.folds:
                row = measure(options.data, name, method, fold)
                rows.append(row)
                means.append(row["mean"])
                cells = " ".join(
                    f"{p} {area:.2f}{'~' * (p in row['sampled'])}"  # type: ignore[operator]
                    for p, area in row["areas"].items()  # type: ignore[attr-defined]
                )
                print(
                    f"| {name} | {method} | {fold} | {row['clauses']} | {row['score']:.3f} "
                    f"| {row['learning']:.1f} | {row['inference']:.1f} | {row['mean']:.3f} | {cells} |",
                    flush=True,
                )
            print(f"| {name} | {method} | mean | | | | | {np.mean(means):.3f} | (~ sampled) |", flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
