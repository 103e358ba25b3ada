"""What an experiment came to: scores of each variant over the test folds, and gains over their baselines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from statistics import fmean, stdev
from typing import Any, NamedTuple

from logicoder.evaluation.configuration import CEILING, HYBRID, LATENT, MASKED, ORIGINAL, PLAIN, Cell
from logicoder.evaluation.experiment_run import Experiment
from logicoder.evaluation.experiment_tables import markdown, text
from logicoder.evaluation.paired_test import corrected_paired_test
from logicoder.evaluation.result_files import failures, write_files
from logicoder.evaluation.splits import Protocol as Folds
from logicoder.evaluation.store import TEST, VALIDATION, Measures, Store, Unit

MEANS = ("mean", "mean_nontrivial", "mean_known", "mean_explicit")
"""Over all predicates; without those of equal arguments only; without constants that only the predicate that
is asked for mentions; on explicit negatives only."""

MEASURES = ("auc_pr", "average_precision", "auc_roc")


def summary(experiment: Experiment) -> dict[str, Any]:
    """Return the results as plain data: those of the chosen cells on the test folds."""
    store, choosing = experiment.store, experiment.protocol.choosing
    configuration = store.configuration()
    variants: dict[str, list[_Turn]] = {}
    for protocol, chosen in experiment.turns:
        for cell in (*chosen.values(), *configuration.ceiling_cells()):
            variants.setdefault(variant_of(cell), []).append(_Turn(protocol, cell))
    rows = [_row(store, name, turns) for name, turns in variants.items()]
    rows = [row for row in rows if row["folds"]]
    once = len(experiment.turns) == 1
    return {
        "configuration": configuration.as_dict(),
        "choosing": {"fold": choosing.validation, "train": list(choosing.train)} if once else None,
        "rows": rows,
        "gains": _gains(rows, choosing.validation if once else None),
        "ceiling_shares": _ceiling_shares(rows),
        "failed": failures(store),
        "finished": experiment.finished,
        "seconds": round(experiment.seconds, 3),
    }


class _Turn(NamedTuple):
    """The splits of a choice, and the cell of one variant that was chosen."""

    protocol: Folds
    cell: Cell


def _row(store: Store, variant: str, turns: Sequence[_Turn]) -> dict[str, Any]:
    units: dict[str, Unit] = {}
    validation: list[float] = []
    for protocol, cell in turns:
        for split in protocol.testing:
            if split.test is not None and store.has(split, cell.name, TEST):
                unit = store.read(split, cell.name, TEST)
                if "failed" not in unit:
                    units[split.test] = unit
        if store.has(protocol.choosing, cell.name, VALIDATION):
            told = store.read(protocol.choosing, cell.name, VALIDATION).get("mean", {}).get("auc_pr")
            validation += [] if told is None else [told]
    cells = list(dict.fromkeys(turn.cell.name for turn in turns))
    found: dict[str, Any] = {"variant": variant, "cell": ", ".join(cells)}
    if validation:
        found["validation"] = fmean(validation)
    found["folds"] = {fold: _means(unit) for fold, unit in units.items()}
    for name, function in (("mean", fmean), ("spread", _spread)):
        found[name] = {
            kind: {
                measure: function(values) for measure in MEASURES if (values := _values(units, kind, measure))
            }
            for kind in MEANS
            if any(kind in unit for unit in units.values())
        }
    found["answers"] = _answers(units.values())
    names = dict.fromkeys(name for unit in units.values() for name in unit["predicates"])
    found["predicates"] = {
        name: {
            measure: fmean(values)
            for measure in MEASURES
            if (
                values := [
                    value
                    for unit in units.values()
                    if name in unit["predicates"] and (value := unit["predicates"][name][measure]) is not None
                ]
            )
        }
        for name in names
    }
    hidden = {
        name: [
            unit["predicates"][name].get("only_here") for unit in units.values() if name in unit["predicates"]
        ]
        for name in names
    }
    found["only_here"] = {
        name: [sum(column) for column in zip(*counts, strict=True)]
        for name, counts in hidden.items()
        if None not in counts and any(only for only, _ in counts)
    }
    return found


def _answers(units: Iterable[Unit]) -> dict[str, int]:
    """Return how many questions were answered in which way, and how many networks were cut short."""
    listed = list(units)
    notes = [told["notes"] for unit in listed for told in unit["predicates"].values()]
    return {
        "questions": len(notes),
        "exact": sum(bool(note.get("exact")) for note in notes),
        "disagreeing": sum(note.get("agree") is False for note in notes),
        "cut_short": sum(note.get("stopped") is not None for note in notes),
        "with_formulas_left_out": sum(bool(note.get("formulas_left_out")) for note in notes),
        "with_contradictions": sum(bool(note.get("contradictions")) for note in notes),
        "networks": len(listed),
        "networks_cut_short": sum(unit.get("learned", {}).get("finished") is False for unit in listed),
    }


def variant_of(cell: Cell) -> str:
    """Return what a row is called: ceilings are told apart by the length of their bodies."""
    return f"{CEILING} {cell.lengths}" if cell.representation == CEILING else cell.variant


def _means(unit: Unit) -> dict[str, Measures]:
    return {kind: {m: unit[kind].get(m) for m in MEASURES} for kind in MEANS if kind in unit}


def _values(units: Mapping[str, Unit], kind: str, measure: str) -> list[float]:
    found = (unit[kind].get(measure) for unit in units.values() if kind in unit)
    return [value for value in found if value is not None]


def _spread(values: Iterable[float]) -> float:
    """Return the standard deviation over folds; zero for one fold."""
    listed = list(values)
    return stdev(listed) if len(listed) > 1 else 0.0


def baseline_of(variant: str) -> str | None:
    """Return the same learner without latents.

    >>> baseline_of("masked busl"), baseline_of("hybrid"), baseline_of("plain")
    ('original busl', 'plain', None)
    """
    name, _, learner = variant.partition(" ")
    if name in (LATENT, MASKED):
        return f"{ORIGINAL} {learner}"
    return PLAIN if name == HYBRID else None


def _gains(rows: Sequence[Mapping[str, Any]], chooser: str | None) -> list[dict[str, Any]]:
    """Return paired differences, fold by fold; also without the fold that chose, if it is a test fold."""
    by_name = {row["variant"]: row for row in rows}
    found = []
    for name, row in by_name.items():
        other = by_name.get(baseline_of(name) or "")
        if other is None:
            continue
        for kind, measure in product(MEANS, MEASURES):
            folds = {
                fold: scores[kind][measure] - other["folds"][fold][kind][measure]
                for fold, scores in row["folds"].items()
                if _has(scores, kind, measure) and _has(other["folds"].get(fold, {}), kind, measure)
            }
            if folds:
                gain = {"variant": name, "baseline": other["variant"], "kind": kind, "measure": measure}
                gain |= {"folds": folds, "mean": fmean(folds.values()), "spread": _spread(folds.values())}
                if len(folds) > 1:
                    gain["half_interval"], gain["p"] = corrected_paired_test(list(folds.values()))
                if chooser in folds and len(folds) > 1:
                    gain["mean_of_others"] = fmean(folds[fold] for fold in folds if fold != chooser)
                found.append(gain)
    return found


def _has(scores: Mapping[str, Mapping[str, float | None]], kind: str, measure: str) -> bool:
    return scores.get(kind, {}).get(measure) is not None


def _ceiling_shares(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return how much of each ceiling every variant reaches, fold by fold."""
    found = []
    for ceiling in rows:
        if not ceiling["variant"].startswith(CEILING):
            continue
        for row in rows:
            if row["variant"].startswith(CEILING):
                continue
            share = {"variant": row["variant"], "ceiling": ceiling["variant"]}
            for measure in MEASURES:
                shares = {
                    fold: scores["mean"][measure] / ceiling["folds"][fold]["mean"][measure]
                    for fold, scores in row["folds"].items()
                    if _has(scores, "mean", measure)
                    and ceiling["folds"].get(fold, {}).get("mean", {}).get(measure)
                }
                if shares:
                    share[measure] = {
                        "folds": shares,
                        "mean": fmean(shares.values()),
                        "least": min(shares.values()),
                    }
            found.append(share)
    return found


def write_results(experiment: Experiment) -> dict[str, Any]:
    """Write all units as lines of JSON, and the summary as JSON, text and Markdown; return the summary."""
    found = summary(experiment)
    write_files(experiment.store, found, text(found), markdown(found))
    return found
