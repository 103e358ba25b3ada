"""The experiment of the paper on its four benchmarks: all commands, tables, and the figures.

    python benchmarks/experiments.py [--data FOLDER] [--results FOLDER] [--part P] [--table] [NAME ...]

Runs `logicoder experiment` on each dataset with the same options, but for the ceilings that are measured;
whatever is there already is not done again. With --table nothing is run: what there is, is shown. Of Cora-ER
the four predicates that it is about stand in lines of their own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from common import NOTHING, parser_of, require_data, require_known, table_line

from logicoder.evaluation.figures import save_figures

COMMON = ("--effort", "10", "--learning-time", "30", "--asking-time", "5")
BOTH = ("--learner", "busl,exhaustive")
BASELINE = ("--representations", "original", "--learner", "exhaustive")
EVERY_FOLD = ("--protocol", "leave-one-out")
QUICKER = ("--grid", "2x2", "--effort", "5")
PARTS = {
    "paper": (),
    "exhaustive": BASELINE,
    "direct": (*EVERY_FOLD, *BOTH, "--representations", "original,plain,hybrid"),
    "generative": (*EVERY_FOLD, *QUICKER, "--representations", "original,latent,masked"),
}
"""The split of the paper with its grid, and exhaustive search on the data alone; every fold in turn with
networks of one kind, then of the other."""
QUICK = {"imdb": BOTH, "webkb": BOTH}
"""Exhaustive search on latents as well, where that is quick."""
DATASETS = {
    "imdb": ("--ceiling", "2"),
    "webkb": ("--ceiling", "2"),
    "uwcse": ("--ceiling", "2", "--ceiling-constants", "10"),
    "cora_er": ("--ceiling", "2,3"),
}
FOCUS = {"cora_er": ("samebib", "sameauthor", "sametitle", "samevenue")}
HEADER = [
    *("data", "variant", "chosen", "AUC-PR", "AP", "AUC-ROC", "without trivial", "known", "explicit", "gain"),
    *("ceiling", "share", "of AP"),
]
"""The last three: the highest ceiling, and the shares of it that are reached."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is missing, and print the tables."""
    parser = parser_of(__doc__)
    parser.add_argument("--results", type=Path, default=Path("experiment-results"))
    parser.add_argument("--part", choices=list(PARTS), action="append")
    parser.add_argument("--table", action="store_true", help="run nothing")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args(arguments)
    require_known(options.names, list(DATASETS))
    names = options.names or list(DATASETS)
    for part in options.part or PARTS:
        folders = [options.results / part / name for name in names]
        if not options.table:
            for name, folder in zip(names, folders, strict=True):
                _run(options, name, folder, part)
        done = [folder for folder in folders if (folder / "summary.json").exists()]
        print(f"\n{part}\n")
        print(table_line(HEADER))
        print(table_line(["---"] * len(HEADER)))
        for folder in done:
            for line in lines_of(folder):
                print(table_line(line))
        if done:
            save_figures(done, options.results / part / "figures")


def options_of(part: str, name: str) -> tuple[str, ...]:
    """Return the options of the command for a part and a dataset."""
    quick = QUICK.get(name, ()) if part in ("paper", "generative") else ()
    return (*COMMON, *PARTS[part], *quick, *DATASETS[name])


def _run(options: argparse.Namespace, name: str, folder: Path, part: str) -> None:
    command = [sys.executable, "-m", "logicoder", "experiment", str(require_data(options) / name)]
    command += ["-o", str(folder), *options_of(part, name)]
    summary = folder / "summary.json"
    summary.unlink(missing_ok=True)
    code = subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode
    # A variant without any result is a failure of the command, too, and shown in the tables by its absence.
    if code and not (summary.exists() and json.loads(summary.read_text())["finished"]):
        sys.exit(f"{' '.join(command)} did not finish; this command goes on from there")


def lines_of(folder: Path) -> Iterator[list[str]]:
    """Yield the lines of one experiment: all predicates, then those that it is about."""
    summary = json.loads((folder / "summary.json").read_text())
    for row in summary["rows"]:
        variant = row["variant"]
        chosen = row["cell"].removeprefix(variant.replace(" ", "-")).strip("-")
        scores = [_told(row, "mean", m) for m in ("auc_pr", "average_precision", "auc_roc")]
        kinds = ("mean_nontrivial", "mean_known", "mean_explicit")
        scores += [_told(row, kind, "auc_pr") for kind in kinds]
        gains = [gain for gain in summary["gains"] if gain["variant"] == variant]
        gain = _gain(gains[0]) if gains else NOTHING  # the first is that of AUC-PR over all predicates
        shares = [share for share in summary["ceiling_shares"] if share["variant"] == variant]
        reached = [NOTHING] * 3
        if shares:
            measures = [shares[-1][measure]["mean"] for measure in ("auc_pr", "average_precision")]
            reached = [shares[-1]["ceiling"], *(f"{value:.1%}" for value in measures)]
        yield [folder.name, variant, chosen, *scores, gain, *reached]
    focus = FOCUS.get(folder.name, ())
    for row in summary["rows"] if focus else ():
        values = [
            fmean(row["predicates"][name][measure] for name in focus)
            for measure in ("auc_pr", "average_precision", "auc_roc")
        ]
        yield [f"{folder.name}, {len(focus)} same*", row["variant"], "", *(f"{v:.3f}" for v in values)]


def _told(row: Mapping[str, Any], kind: str, measure: str) -> str:
    if measure not in row["mean"].get(kind, {}):
        return NOTHING
    values = [
        fold[kind][measure] for fold in row["folds"].values() if fold.get(kind, {}).get(measure) is not None
    ]
    spread = f" ± {stdev(values):.3f}" if len(values) > 1 else ""
    return f"{row['mean'][kind][measure]:.3f}{spread}"


def _gain(gain: Mapping[str, Any]) -> str:
    up = sum(value > 1e-9 for value in gain["folds"].values())
    return f"{gain['mean']:+.3f} ({up} of {len(gain['folds'])})"


if __name__ == "__main__":
    main()
