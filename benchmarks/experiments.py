"""The experiment of the paper on its benchmarks, with a nested choice and several seeds: gains and tests.

    python benchmarks/experiments.py generative|direct [NAME ...] [--data FOLDER] [--results FOLDER]
        [--seeds N] [--table]

Every fold is tested in turn; the one after it chooses the configuration, among models of the rest, so that no
test fold has a part in its choice. Each seed is a run of `logicoder experiment` in a folder of its own; what
is there already is not done again, and with --table nothing is run. A gain is the mean over seeds for each
fold; interval and p-value are those of the paired test over folds, corrected for training data that folds
share. Seeds tell how much of a score is chance of the search. Of Cora-ER the four predicates that it is about
stand in lines of their own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from common import NOTHING, parser_of, require_data, require_known, short, signed, table

from logicoder.evaluation.experiment_summary import baseline_of
from logicoder.evaluation.paired_test import corrected_paired_test

COMMON = (
    "--protocol",
    "nested",
    "--effort",
    "5",
    "--learning-time",
    "30",
    "--asking-time",
    "5",
    "--jobs",
    "1",
)
PARTS = {
    "generative": ("--representations", "original,latent,masked", "--grid", "2x2"),
    "direct": ("--representations", "plain,hybrid"),
}
"""Networks of all predicates, learned by BUSL; and a network for each predicate, beside ceilings."""
CEILINGS = {
    "imdb": ("--ceiling", "2"),
    "webkb": ("--ceiling", "2"),
    "uwcse": ("--ceiling", "2", "--ceiling-constants", "10"),
    "cora_er": ("--ceiling", "2,3"),
}
FOCUS = {"cora_er": ("samebib", "sameauthor", "sametitle", "samevenue")}
HEADER = (
    *("data", "seeds", "variant", "AUC-PR", "over seeds", "known constants", "gain", "95% interval, p"),
    *("folds with a gain", "AUC-ROC", "gain", "95% interval, p"),
)
REACHED = ("share of the ceiling", "worst fold")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is missing, and print the table of one part."""
    parser = parser_of(__doc__)
    parser.add_argument("part", choices=list(PARTS))
    parser.add_argument("--results", type=Path, default=Path("experiment-results"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--table", action="store_true", help="run nothing")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_intermixed_args(arguments)
    require_known(options.names, list(CEILINGS))
    names = options.names or list(CEILINGS)
    results = options.results / options.part
    if not options.table:
        for seed in range(options.seeds):
            for name in names:
                data = require_data(options) / name
                _run(data, results / name / str(seed), (*options_of(options.part, name), "--seed", str(seed)))
    lines = []
    for name in names:
        found = [_summary(results / name / str(seed)) for seed in range(options.seeds)]
        lines += lines_of(
            name, [summary for summary in found if summary is not None], options.part == "direct"
        )
    header = HEADER + REACHED if options.part == "direct" else HEADER
    print(table(header, lines, len(header)))


def options_of(part: str, name: str) -> tuple[str, ...]:
    """Return the options of the command for a part and a data set."""
    return (*COMMON, *PARTS[part], *(CEILINGS[name] if part == "direct" else ()))


def _run(data: Path, folder: Path, options: Sequence[str]) -> None:
    if _summary(folder) is None:
        command = [sys.executable, "-m", "logicoder", "experiment", str(data), "-o", str(folder), *options]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL)
        if _summary(folder) is None:
            sys.exit(f"{folder} is not finished; this command goes on from there")


def _summary(folder: Path) -> dict[str, Any] | None:
    """Return the results of a finished run."""
    path = folder / "summary.json"
    found = json.loads(path.read_text()) if path.exists() else None
    return found if found and found["finished"] else None


def lines_of(name: str, summaries: Sequence[Mapping[str, Any]], reached: bool = False) -> Iterator[list[str]]:
    """Yield a line for each variant, given the results of each seed: all predicates, then those in focus."""
    variants: dict[str, list[Mapping[str, Any]]] = {}
    for found in summaries:
        for row in found["rows"]:
            variants.setdefault(row["variant"], []).append(row)
    for variant, rows in variants.items():
        others = variants.get(baseline_of(variant) or "", [])
        over_seeds = [row["mean"]["mean"]["auc_pr"] for row in rows]
        roc = _gain(rows, others, "auc_roc")
        yield [
            *(name, str(len(rows)), variant, short(fmean(over_seeds))),
            f"± {short(stdev(over_seeds))}" if len(over_seeds) > 1 else NOTHING,
            short(fmean(_folds(rows, "mean_known", "auc_pr").values())),
            *_gain(rows, others, "auc_pr"),
            *(short(fmean(_folds(rows, "mean", "auc_roc").values())), *roc[:2]),
            *(_shares(summaries, variant) if reached else ()),
        ]
    focus = FOCUS.get(name, ())
    for variant, rows in variants.items() if focus else ():
        score = fmean(row["predicates"][predicate]["auc_pr"] for row in rows for predicate in focus)
        roc_score = fmean(row["predicates"][predicate]["auc_roc"] for row in rows for predicate in focus)
        line = [f"{name}, {len(focus)} `same*`", str(len(rows)), variant, short(score), *[NOTHING] * 5]
        yield [*line, short(roc_score), *[NOTHING] * (len(REACHED) + 2 if reached else 2)]


def _folds(rows: Sequence[Mapping[str, Any]], kind: str, measure: str) -> dict[str, float]:
    """Return the mean over seeds for each fold."""
    names = dict.fromkeys(fold for row in rows for fold in row["folds"])
    return {
        name: fmean(row["folds"][name][kind][measure] for row in rows if name in row["folds"])
        for name in names
    }


def _gain(rows: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]], measure: str) -> list[str]:
    """Return the gain over other rows, its interval and p-value, and in how many folds there is one."""
    if not others:
        return [NOTHING] * 3
    after, before = _folds(rows, "mean", measure), _folds(others, "mean", measure)
    gains = [value - before[fold] for fold, value in after.items() if fold in before]
    half, p = corrected_paired_test(gains)
    mean = fmean(gains)
    sure = "p < .001" if p < 0.001 else f"p {short(p)}"
    up = sum(gain > 1e-9 for gain in gains)
    return [
        signed(mean),
        f"{signed(mean - half)} to {signed(mean + half)}, {sure}",
        f"{up} of {len(gains)}",
    ]


def _shares(summaries: Sequence[Mapping[str, Any]], variant: str) -> list[str]:
    """Return which share of the highest ceiling is reached, on average and in the worst fold."""
    found = [
        [share for share in summary["ceiling_shares"] if share["variant"] == variant][-1:]
        for summary in summaries
    ]
    shares = [share["auc_pr"] for one in found for share in one]
    if not shares:
        return [NOTHING] * len(REACHED)
    return [f"{fmean(s['mean'] for s in shares):.1%}", f"{min(s['least'] for s in shares):.1%}"]


if __name__ == "__main__":
    main()
