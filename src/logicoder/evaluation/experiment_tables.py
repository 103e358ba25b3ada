"""The results of an experiment as tables, for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from logicoder.evaluation.result_files import Table, as_markdown, as_text, failure_table, number

_TITLES = {
    "mean": "All predicates",
    "mean_nontrivial": "Without predicates that hold only for equal arguments",
    "mean_known": "Without constants that only the predicate in question mentions",
    "mean_explicit": "Against explicit negatives only",
}
_COLUMNS = {"auc_pr": "AUC-PR", "average_precision": "avg. precision", "auc_roc": "AUC-ROC"}

_ANSWERS = {
    "exact": "exactly",
    "disagreeing": "chains disagree",
    "cut_short": "cut short",
    "with_formulas_left_out": "formulas left out",
    "with_contradictions": "contradictions",
    "networks_cut_short": "networks cut short",
}


def tables(summary: Mapping[str, Any]) -> list[Table]:
    """Return all tables of a summary."""
    rows = summary["rows"]
    most = max((len(row["folds"]) for row in rows), default=0)
    found = [_scores(rows, kind, title, most) for kind, title in _TITLES.items() if _has(rows, kind)]
    if summary["gains"]:
        found.append(_gains(summary["gains"], (summary["choosing"] or {}).get("fold", "")))
    if summary["ceiling_shares"]:
        found.append(_ceiling_shares(summary["ceiling_shares"]))
    if any(row["answers"]["exact"] < row["answers"]["questions"] for row in rows):
        found.append(_answers(rows))
    if any(len(row["folds"]) > 1 for row in rows):
        found.append(_folds(rows))
    if rows:
        found.append(_predicates(rows))
    if rows and (only := rows[0]["only_here"]):
        found.append(_only_here(only))
    if summary["failed"]:
        found.append(failure_table(summary["failed"]))
    return found


def _has(rows: Sequence[Mapping[str, Any]], kind: str) -> bool:
    return any(kind in row["mean"] for row in rows)


def _scores(rows: Sequence[Mapping[str, Any]], kind: str, title: str, most: int) -> Table:
    body = []
    for row in rows:
        if kind in row["mean"]:
            cells = [_with_spread(row, kind, measure) for measure in _COLUMNS]
            some = f" ({len(row['folds'])} of {most} folds)" if len(row["folds"]) < most else ""
            body.append([row["variant"] + some, row["cell"], *cells, number(row.get("validation"))])
    return title, ["variant", "chosen", *_COLUMNS.values(), "validation AUC-PR"], body


def _gains(gains: Sequence[Mapping[str, Any]], chooser: str) -> Table:
    by_key = {(gain["variant"], gain["kind"], gain["measure"]): gain for gain in gains}
    columns = {("mean", measure): title for measure, title in _COLUMNS.items()}
    columns |= {("mean_nontrivial", "auc_pr"): "AUC-PR, no trivial", ("mean_known", "auc_pr"): "known"}
    columns |= {("mean_explicit", "auc_pr"): "explicit"}
    columns = {key: title for key, title in columns.items() if any(found[1:] == key for found in by_key)}
    pairs = dict.fromkeys((gain["variant"], gain["baseline"]) for gain in gains)
    heads, body = ["variant", "over", *columns.values()], []
    for variant, baseline in pairs:
        found = (by_key.get((variant, *key)) for key in columns)
        body.append([variant, baseline, *("" if gain is None else _signed(gain) for gain in found)])
    tested = {variant: by_key[variant, "mean", "auc_pr"] for variant, _ in pairs}
    if any("p" in gain for gain in tested.values()):
        heads += ["AUC-PR, 95% interval", "p"]
        body = [[*line, *_tested(tested[line[0]])] for line in body]
    others = {variant: by_key[variant, "mean", "auc_pr"].get("mean_of_others") for variant, _ in pairs}
    if any(value is not None for value in others.values()):
        heads.append(f"AUC-PR without {chooser}")
        body = [[*line, _difference(others[line[0]])] for line in body]
    return "Paired gains over the same learner without latents", heads, body


def _answers(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return how sure the answers are: sampling, limits and contradictions concern some variants only."""
    heads = ["variant", "questions", *_ANSWERS.values()]
    body = [
        [row["variant"], *(str(row["answers"][name]) for name in ("questions", *_ANSWERS))] for row in rows
    ]
    return "How questions were answered", heads, body


def _ceiling_shares(shares: Sequence[Mapping[str, Any]]) -> Table:
    body = [
        [share["variant"], share["ceiling"], *(_share(share.get(measure)) for measure in _COLUMNS)]
        for share in shares
    ]
    return "Share of the ceiling, and in the worst fold", ["variant", "of", *_COLUMNS.values()], body


def _folds(rows: Sequence[Mapping[str, Any]]) -> Table:
    folds = list(dict.fromkeys(fold for row in rows for fold in row["folds"]))
    body = [
        [
            row["variant"],
            *(number(row["folds"].get(fold, {}).get("mean", {}).get("auc_pr")) for fold in folds),
        ]
        for row in rows
    ]
    return "AUC-PR of each test fold", ["variant", *folds], body


def _predicates(rows: Sequence[Mapping[str, Any]]) -> Table:
    names = list(dict.fromkeys(name for row in rows for name in row["predicates"]))
    body = [
        [name, *(number(row["predicates"].get(name, {}).get("auc_pr")) for row in rows)] for name in names
    ]
    return "AUC-PR of each predicate", ["predicate", *(row["variant"] for row in rows)], body


def _only_here(counts: Mapping[str, Sequence[int]]) -> Table:
    """Return how many constants are known to exist only because the predicate in question mentions them."""
    body = [[name, str(only), str(every)] for name, (only, every) in counts.items()]
    heads = ["predicate", "mentioned by it alone", "of their types"]
    return "Constants of the test folds that only the predicate in question mentions", heads, body


def _with_spread(row: Mapping[str, Any], kind: str, measure: str) -> str:
    value = row["mean"][kind].get(measure)
    if value is None:
        return ""
    spread = row["spread"][kind][measure]
    return f"{value:.3f} ± {spread:.3f}" if len(row["folds"]) > 1 else f"{value:.3f}"


def _share(share: Mapping[str, Any] | None) -> str:
    if share is None:
        return ""
    least = f" ({share['least']:.1%})" if len(share["folds"]) > 1 else ""
    return f"{share['mean']:.1%}{least}"


def _difference(value: float | None) -> str:
    return "" if value is None else f"{value:+.3f}"


def _tested(gain: Mapping[str, Any]) -> list[str]:
    """Return the interval of a gain, and the p-value of none."""
    if "p" not in gain:
        return ["", ""]
    low, high = (gain["mean"] + sign * gain["half_interval"] for sign in (-1, 1))
    return [f"{_difference(low)} to {_difference(high)}", f"{gain['p']:.3f}"]


def _signed(gain: Mapping[str, Any]) -> str:
    spread = f" ± {gain['spread']:.3f}" if len(gain["folds"]) > 1 else ""
    return f"{_difference(gain['mean'])}{spread}"


def text(summary: Mapping[str, Any]) -> str:
    """Return the tables as plain text."""
    return as_text(_head(summary), tables(summary))


def markdown(summary: Mapping[str, Any]) -> str:
    """Return the tables as Markdown."""
    return as_markdown(_head(summary), tables(summary))


def _head(summary: Mapping[str, Any]) -> str:
    """Say which folds did what."""
    configuration, choosing = summary["configuration"], summary["choosing"]
    who = f"on {choosing['fold']}" if choosing else "for each test fold on the one after it"
    tested = list(dict.fromkeys(fold for row in summary["rows"] for fold in row["folds"]))
    said = (
        f"Protocol {configuration['protocol']}: chosen {who} by mean AUC-PR, "
        f"tested on {', '.join(tested) or 'no fold yet'}; seed {configuration['seed']}."
    )
    if configuration["protocol"] == "leave-one-out":
        said += f" {choosing['fold']} has chosen the configuration and is a test fold, too."
    return said if summary["finished"] else f"{said} Not finished."
