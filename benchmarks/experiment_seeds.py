"""The generative experiment with several seeds and a nested choice: means, intervals and paired tests.

    python benchmarks/experiment_seeds.py [--data FOLDER] [--results FOLDER] [--seeds N] [--table] [NAME ...]

Every fold is tested in turn; the one after it chooses the compression, among models of the rest. Each seed is
a run of `logicoder experiment` in a folder of its own, and what is there already is not done again. A gain is
the mean over seeds for each fold; interval and p-value are those of the paired test over folds, corrected for
training data that folds share. Seeds tell how much of a score is chance of the search.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from common import NOTHING, parser_of, require_data, require_known, table_line

from logicoder.evaluation.experiment_summary import baseline_of
from logicoder.evaluation.paired_test import corrected_paired_test

OPTIONS = (
    *("--protocol", "nested", "--grid", "2x2", "--representations", "original,latent,masked"),
    *("--effort", "5", "--learning-time", "30", "--asking-time", "5", "--jobs", "1"),
)
DATASETS = ("imdb", "webkb", "uwcse")
HEADER = (
    *("data", "seeds", "variant", "AUC-PR", "over seeds", "known constants", "gain", "95 % interval, p"),
    *("folds with a gain", "AUC-ROC", "gain", "95 % interval, p"),
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is missing, and print the table."""
    parser = parser_of(__doc__)
    parser.add_argument("--results", type=Path, default=Path("experiment-results/nested"))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--table", action="store_true", help="run nothing")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args(arguments)
    require_known(options.names, DATASETS)
    names = options.names or DATASETS
    if not options.table:
        for seed in range(options.seeds):
            for name in names:
                _run(require_data(options) / name, options.results / name / str(seed), seed)
    print(table_line(HEADER))
    print(table_line(["---"] * len(HEADER)))
    for name in names:
        found = [_summary(options.results / name / str(seed)) for seed in range(options.seeds)]
        for line in lines_of(name, [summary for summary in found if summary is not None]):
            print(table_line(line))


def _run(data: Path, folder: Path, seed: int) -> None:
    if _summary(folder) is None:
        command = [sys.executable, "-m", "logicoder", "experiment", str(data), "-o", str(folder)]
        subprocess.run([*command, *OPTIONS, "--seed", str(seed)], check=False, stdout=subprocess.DEVNULL)
        if _summary(folder) is None:
            sys.exit(f"{folder} is not finished; this command goes on from there")


def _summary(folder: Path) -> dict[str, Any] | None:
    """Return the results of a finished run."""
    path = folder / "summary.json"
    found = json.loads(path.read_text()) if path.exists() else None
    return found if found and found["finished"] else None


def lines_of(name: str, summaries: Sequence[Mapping[str, Any]]) -> Iterator[list[str]]:
    """Yield a line for each variant, given the results of each seed."""
    variants = dict.fromkeys(row["variant"] for found in summaries for row in found["rows"])
    for variant in variants:
        rows = [row for found in summaries for row in found["rows"] if row["variant"] == variant]
        others = [
            row for found in summaries for row in found["rows"] if row["variant"] == baseline_of(variant)
        ]
        over_seeds = [row["mean"]["mean"]["auc_pr"] for row in rows]
        line = [name, str(len(rows)), variant, f"{fmean(over_seeds):.3f}"]
        line += [f"± {stdev(over_seeds):.3f}" if len(over_seeds) > 1 else NOTHING]
        line += [
            f"{fmean(_folds(rows, 'mean_known', 'auc_pr').values()):.3f}",
            *_gain(rows, others, "auc_pr"),
        ]
        roc = _gain(rows, others, "auc_roc")
        yield [*line, f"{fmean(_folds(rows, 'mean', 'auc_roc').values()):.3f}", *roc[:2]]


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
    sure = "p < .001" if p < 0.001 else f"p {p:.3f}"
    up = sum(gain > 1e-9 for gain in gains)
    return [
        f"{mean:+.3f}",
        f"{mean - half:+.3f} to {mean + half:+.3f}, {sure}",
        f"{up} of {len(gains)}",
    ]


if __name__ == "__main__":
    main()
