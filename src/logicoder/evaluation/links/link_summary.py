"""What predicting links came to, as plain data and as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from logicoder.evaluation.links.link_configuration import MEASURES
from logicoder.evaluation.links.link_prediction import SPLIT, LinkPrediction
from logicoder.evaluation.result_files import (
    Table,
    as_markdown,
    as_text,
    failure_table,
    failures,
    number,
    write_files,
)
from logicoder.evaluation.store import TEST, VALIDATION

_NAMES = {"mrr": "MRR"}


def summary(found: LinkPrediction) -> dict[str, Any]:
    """Return the results as plain data: those of the chosen cells on the test facts."""
    store, rows = found.store, []
    for variant, cell in found.chosen.items():
        if store.has(SPLIT, cell.name, TEST):
            unit = store.read(SPLIT, cell.name, TEST)
            if "failed" in unit:
                continue
            valid = store.read(SPLIT, cell.name, VALIDATION)["mean"]["mrr"]
            rows.append(
                {"variant": variant, "cell": cell.name, "validation": valid, "mean": unit["mean"]}
                | {"relations": unit["relations"]}
            )
    return {
        "configuration": found.configuration.as_dict(),
        "rows": rows,
        "failed": failures(store),
        "finished": found.finished,
        "seconds": round(found.seconds, 3),
    }


def tables(results: Mapping[str, Any]) -> list[Table]:
    """Return all tables of a summary."""
    rows = results["rows"]
    heads = ["variant", "chosen", *(_NAMES.get(name, name) for name in MEASURES), "validation MRR"]
    body = [
        [
            row["variant"],
            row["cell"],
            *(number(row["mean"][name]) for name in MEASURES),
            number(row["validation"]),
        ]
        for row in rows
    ]
    relations = dict.fromkeys(name for row in rows for name in row["relations"])
    own = [
        [
            name,
            str(rows[0]["relations"][name]["facts"]),
            *(number(row["relations"][name]["mrr"]) for row in rows),
        ]
        for name in relations
    ]
    found: list[Table] = [("Test facts, heads and tails together", heads, body)]
    if own:
        found.append(("MRR of each relation", ["relation", "facts", *(row["variant"] for row in rows)], own))
    if results["failed"]:
        found.append(failure_table(results["failed"]))
    return found


def text(results: Mapping[str, Any]) -> str:
    """Return the tables as plain text."""
    return as_text(_head(results), tables(results))


def write_results(found: LinkPrediction) -> dict[str, Any]:
    """Write all units as lines of JSON, and the summary as JSON, text and Markdown; return the summary."""
    results = summary(found)
    write_files(found.store, results, text(results), as_markdown(_head(results), tables(results)))
    return results


def _head(results: Mapping[str, Any]) -> str:
    said = (
        "Links: learned on train, chosen on valid by MRR; ranks among all entities, filtered by all facts, "
        f"mean rank of ties; seed {results['configuration']['seed']}."
    )
    return said if results["finished"] else f"{said} Not finished."
