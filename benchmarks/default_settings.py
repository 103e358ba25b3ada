"""The default learner beside the paper's preset: loss, size, bits and use downstream, on the four benchmarks.

    python benchmarks/default_settings.py [--data FOLDER] [--json FILE] [--effort E] [--setting S] [NAME ...]

Each fit learns from the training folds; `benchmarks/downstream.py` then says how well its latent facts
predict each predicate of a test fold from all the others: the mean average precision of all / of those that
mean more than equality. A `*` at a loss or a size says that it is not proved to be the least among the
candidates; the paper's preset does not minimise the size. The scores of `original` are those of the data.
The search is limited by effort, not by the clock, so that a busy machine gives the same table; seconds are
those of the processor.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from common import (
    NOTHING,
    TRAINING,
    parser_of,
    require_data,
    require_known,
    table_line,
    training_data,
)
from downstream import downstream

from logicoder import AutoEncoder, KnowledgeBase, LogicoderError
from logicoder.evaluation.fold_scores import trivial_predicates

TEST = {"webkb": "wisconsin", "imdb": "imdb5", "cora_er": "cora5", "uwcse": "theory"}
SETTINGS: dict[str, dict[str, Any]] = {
    "paper": {},
    "total 0.5": {"compression": 0.5},
    "total 0.7": {"compression": 0.7},
    "total 0.8": {"compression": 0.8},
    "total 1.0": {"compression": 1.0},
    "0.8, negation": {"compression": 0.8, "negation": True},
    "0.8, constants": {"compression": 0.8, "constants": 12},
    "0.8, no generality": {"compression": 0.8, "generality": False},
}
EFFORT = 30.0
TIME_LIMIT = 300.0
"""Seconds of the clock that end a fit in any case, and refuse one whose candidates take twice as long."""
HEADER = (
    "data",
    "setting",
    "loss",
    "bound",
    "latent facts",
    "latents",
    "size",
    "bits saved",
    "s",
    "latent",
    "clauses",
    "hybrid",
)


def learn(kb: KnowledgeBase, setting: str, effort: float) -> AutoEncoder:
    """Learn from the data under one of the settings."""
    parameters = {**SETTINGS[setting], "effort": effort, "time_limit": TIME_LIMIT}
    model = (
        AutoEncoder.from_preset("paper", **parameters) if setting == "paper" else AutoEncoder(**parameters)
    )
    return model.fit(kb)


def means(scores: dict[str, dict[str, float]], without: set[str]) -> dict[str, float]:
    """Return the mean over predicates for each kind of features."""
    kept = [kinds for name, kinds in scores.items() if name not in without]
    return {kind: float(np.mean([kinds[kind] for kinds in kept])) for kind in kept[0]}


def usefulness(train: KnowledgeBase, test: KnowledgeBase, model: AutoEncoder | None = None) -> dict[str, Any]:
    """Return downstream scores by predicate, and their means with and without those that mean equality."""
    scores = downstream(train, test, model)
    trivial = trivial_predicates(train)
    return {"mean": means(scores, set()), "mean_without": means(scores, trivial), "predicates": scores}


def measure(train: KnowledgeBase, test: KnowledgeBase, setting: str, effort: float) -> dict[str, Any]:
    """Learn under one setting and say what came of it, or why nothing did."""
    started = time.process_time()
    try:
        model = learn(train, setting, effort)
    except LogicoderError as error:
        return {"error": str(error), "seconds": time.process_time() - started}
    seconds = time.process_time() - started
    return {
        "facts": model.facts_,
        "loss": model.loss_,
        "bound": model.bound_,
        "status": model.status_,
        "latent_facts": model.latent_facts_,
        "latents": len(model.encoder_.defined()),
        "size": model.size_,
        "size_bound": model.size_bound_,
        "bits_saved": model.bits_saved_,
        "seconds": seconds,
        "stopped": model.stopped_,
        "downstream": usefulness(train, test, model),
        "encoder": str(model.encoder_),
        "decoder": str(model.decoder_),
    }


def cells(row: dict[str, Any]) -> list[str]:
    """Return a measurement as the cells of a table, without data and setting."""
    if "error" in row:
        return ["none", *[NOTHING] * 5, f"{row['seconds']:.0f}", *[NOTHING] * 3]
    scores = row["downstream"]
    kinds = ("latent", "clauses", "hybrid")
    if "original" in scores["mean"]:
        kinds = ("original",) * 3
    useful = [f"{scores['mean'][kind]:.3f} / {scores['mean_without'][kind]:.3f}" for kind in kinds]
    if "loss" not in row:
        return [NOTHING] * 7 + useful
    return [
        f"{row['loss']:,}{'' if row['status'] == 'optimal' else '*'}",
        f"{row['bound']:,}",
        f"{row['latent_facts']:,}",
        str(row["latents"]),
        f"{row['size']:,}{'' if row['size'] == row['size_bound'] else '*'}",
        f"{row['bits_saved']:,.0f}",
        f"{row['seconds']:.0f}",
        *useful,
    ]


def main() -> None:
    """Measure every setting on every benchmark and print a table."""
    parser = parser_of(__doc__)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--effort", type=float, default=EFFORT, help="for each goal of a fit")
    parser.add_argument("--setting", action="append", choices=["original", *SETTINGS], help="only this one")
    parser.add_argument("names", nargs="*", default=list(TRAINING), metavar="NAME")
    options = parser.parse_args()
    folder = require_data(options)
    require_known(options.names, list(TRAINING))
    rows = []
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores", file=sys.stderr)
    print(table_line(HEADER))
    print(table_line(["---", "---", *["---:"] * (len(HEADER) - 2)]))
    for name in options.names:
        train = training_data(folder, name)
        test = KnowledgeBase.from_path(folder / name / f"{TEST[name]}.db")
        for setting in options.setting or ("original", *SETTINGS):
            if setting == "original":
                row: dict[str, Any] = {"downstream": usefulness(train, test)}
            else:
                row = measure(train, test, setting, options.effort)
            rows.append({"data": name, "setting": setting, **row})
            print(table_line([name, setting, *cells(row)]), flush=True)
            if "error" in row:
                print(f"{name}, {setting}: {row['error']}", file=sys.stderr)
            if options.json:
                options.json.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
