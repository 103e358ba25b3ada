"""The experiment of the paper as tables for a page: one split, every fold in turn, shares of ceilings.

    python benchmarks/experiment_pages.py split|folds|ceilings [--data FOLDER] [--results FOLDER]

Runs what `benchmarks/experiments.py` has not done yet, and prints one of the tables. Scores are AUC-PR over
all predicates, and in parentheses over those that mean more than equality.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import experiments
from common import NOTHING, parser_of, table

MINUS = "\N{MINUS SIGN}"
TRIVIAL = ("imdb", "webkb", "uwcse")
"""Data sets with predicates that hold only for equal arguments."""
SPLIT = ("original busl", "original exhaustive", "latent busl", "masked busl", "plain", "hybrid")
GAINS = (
    ("generative", "original busl", "latent busl"),
    ("generative", "original busl", "masked busl"),
    ("generative", "original exhaustive", "masked exhaustive"),
    ("direct", "plain", "hybrid"),
)
"""Parts of the experiment, baselines, and what is compared with them."""
NEEDED = {"split": ("paper", "exhaustive"), "folds": ("generative", "direct"), "ceilings": ("direct",)}


class Experiments:
    """The summaries of all experiments in a folder."""

    def __init__(self, results: Path) -> None:
        self.results = results

    def summary(self, part: str, name: str) -> dict[str, Any]:
        """Return what an experiment came to; nothing where it was not run."""
        path = self.results / part / name / "summary.json"
        empty: dict[str, Any] = {"rows": [], "gains": [], "ceiling_shares": []}
        return json.loads(path.read_text()) if path.exists() else empty

    def rows(self, parts: tuple[str, ...], name: str) -> dict[str, dict[str, Any]]:
        """Return the rows of some parts by variant, the first part that has one first."""
        found: dict[str, dict[str, Any]] = {}
        for part in parts:
            for row in self.summary(part, name)["rows"]:
                found.setdefault(row["variant"], row)
        return found

    def split(self) -> Iterator[list[str]]:
        """Yield the scores of one split, and those of the predicates that a data set is about."""
        for name in experiments.DATASETS:
            rows = self.rows(NEEDED["split"], name)
            ceiling = _ceiling(rows)
            shares = self.shares("paper", name)
            yield [name, *(_score(rows.get(v), name) for v in SPLIT), _score(ceiling, name), shares]
            focus = experiments.FOCUS.get(name, ())
            if focus:
                own = [_focus(row, focus) for row in (*map(rows.get, SPLIT), ceiling)]
                yield [f"{name}, the {len(focus)} `same*`", *own, NOTHING]

    def folds(self) -> Iterator[list[str]]:
        """Yield the gains of latents, every fold in turn."""
        for name in experiments.DATASETS:
            for part, baseline, variant in GAINS:
                rows = self.rows((part,), name)
                gains = self.summary(part, name)["gains"]
                wanted = {"variant": variant, "baseline": baseline, "kind": "mean", "measure": "auc_pr"}
                found = [gain for gain in gains if wanted.items() <= gain.items()]
                if baseline not in rows or variant not in rows or not found:
                    continue
                gain, up = found[0], sum(value > 1e-9 for value in found[0]["folds"].values())
                low, high = (gain["mean"] + sign * gain["half_interval"] for sign in (-1, 1))
                yield [
                    name,
                    *(f"{v.replace(' ', ', ')} {_spread(rows[v])}" for v in (baseline, variant)),
                    f"{signed(gain['mean'])} ± {short(gain['spread'])}",
                    f"{signed(low)} to {signed(high)}, p {_chance(gain['p'])}",
                    f"{up} of {len(gain['folds'])}",
                    signed(gain["mean_of_others"]),
                ]

    def ceilings(self) -> Iterator[list[str]]:
        """Yield how much of what bodies can say is reached, every fold in turn."""
        for name in experiments.DATASETS:
            rows = self.rows(("direct",), name)
            found = [s for s in self.summary("direct", name)["ceiling_shares"] if s["variant"] == "hybrid"]
            reached = [
                f"{found[-1][measure]['mean']:.1%} ({found[-1][measure]['least']:.1%})" if found else NOTHING
                for measure in ("auc_pr", "average_precision")
            ]
            scores = [_score(row, name) for row in (rows.get("plain"), rows.get("hybrid"), _ceiling(rows))]
            yield [name, *scores, *reached]

    def shares(self, part: str, name: str) -> str:
        """Return the shares of the highest ceiling that hybrid networks reach."""
        found = [s for s in self.summary(part, name)["ceiling_shares"] if s["variant"] == "hybrid"]
        if not found:
            return NOTHING
        return ", ".join(f"{found[-1][measure]['mean']:.1%}" for measure in ("auc_pr", "average_precision"))


def short(value: float) -> str:
    """Return a number between 0 and 1 without its zero.

    >>> short(0.8174), short(1.0)
    ('.817', '1.000')
    """
    return f"{value:.3f}".removeprefix("0")


def signed(value: float) -> str:
    """Return a difference with its sign.

    >>> signed(0.0391)
    '+.039'
    """
    return f"{'+' if value >= 0 else MINUS}{short(abs(value))}"


def _chance(p: float) -> str:
    return "< .001" if p < 0.001 else f"{p:.2g}".removeprefix("0")


def _ceiling(rows: dict[str, dict[str, Any]]) -> dict[str, Any] | None:
    found = [row for variant, row in rows.items() if variant.startswith("ceiling")]
    return found[-1] if found else None


def _score(row: dict[str, Any] | None, name: str) -> str:
    if row is None:
        return NOTHING
    others = f" ({short(row['mean']['mean_nontrivial']['auc_pr'])})" if name in TRIVIAL else ""
    return short(row["mean"]["mean"]["auc_pr"]) + others


def _spread(row: dict[str, Any]) -> str:
    values = [fold["mean"]["auc_pr"] for fold in row["folds"].values()]
    return f"{short(fmean(values))} ± {short(stdev(values))}" if len(values) > 1 else short(values[0])


def _focus(row: dict[str, Any] | None, focus: tuple[str, ...]) -> str:
    return NOTHING if row is None else short(fmean(row["predicates"][name]["auc_pr"] for name in focus))


HEADERS = {
    "split": ("data", *(v.replace(" ", ", ") for v in SPLIT), "ceiling", "hybrid / ceiling, AUC-PR and AP"),
    "folds": (
        *("data", "baseline", "with latents", "paired gain", "95 % interval, p", "folds with a gain"),
        "without the fold that chose",
    ),
    "ceilings": ("data", "plain", "hybrid", "ceiling", "share: AUC-PR (worst fold)", "AP (worst fold)"),
}


def main() -> None:
    """Run what is missing, and print one table."""
    parser = parser_of(__doc__)
    parser.add_argument("page", choices=list(HEADERS))
    parser.add_argument("--results", type=Path, default=Path("experiment-results"))
    options = parser.parse_args()
    parts = [word for part in NEEDED[options.page] for word in ("--part", part)]
    with redirect_stdout(sys.stderr):
        experiments.main([*parts, "--data", str(options.data), "--results", str(options.results)])
    found = Experiments(options.results)
    print(table(HEADERS[options.page], list(getattr(found, options.page)()), len(HEADERS[options.page])))


if __name__ == "__main__":
    main()
