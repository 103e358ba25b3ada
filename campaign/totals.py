"""Counts of all runs: `campaign/totals.json`, and the table of them on the page about reliability."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

TOTALS = Path(__file__).resolve().parent / "totals.json"
PAGE = Path(__file__).parent.parent / "docs" / "explanation" / "reliability.md"
_PLACE = re.compile(r"(<!-- campaign -->\n).*?(<!-- end -->)", re.DOTALL)
_INPUTS = ("readers", "loaders", "saved-files", "options", "functions")
GOAL = {"inputs": 1_000_000, "programs": 10_000, "kills": 500}

Counts = dict[str, dict[str, int]]
"""Of each kind, how many were `tried` and `found`."""

WORDS = {
    "readers": "damaged files of facts, programs, networks, mappings and declarations",
    "loaders": "damaged saved files, read by the library",
    "saved-files": "damaged saved files, read by commands",
    "options": "options of commands",
    "functions": "arguments of public functions",
    "programs": "random programs and queries in memory, against clingo",
    "programs-duckdb": "random programs in DuckDB, against clingo",
    "programs-postgresql": "random programs in PostgreSQL, against clingo",
    "programs-spark": "random programs in Spark, against clingo",
    "networks": "random networks against enumeration",
    "round-trips": "data written and read again",
    "permutations": "fits of permuted and renamed data",
    "kills": "kill -9 of fit, curve, experiment, links, encode, update and engines, then continuing",
    "disks": "runs on a full disk",
    "together": "two runs in one folder",
    "memory": "runs with too little memory",
}
"""What is tried, by kind, as pages say it."""


def known() -> Counts:
    """Return the counts of all runs so far."""
    found: Counts = json.loads(TOTALS.read_text())
    return found


def add(counts: Mapping[str, Mapping[str, int]]) -> None:
    """Add the counts of a run, and bring the page up to date."""
    totals = known()
    for name, counted in counts.items():
        total = totals.setdefault(name, {"tried": 0, "found": 0})
        for key, value in counted.items():
            total[key] += value
    beside = TOTALS.resolve().with_suffix(".part")
    beside.write_text(json.dumps({name: totals[name] for name in WORDS if name in totals}, indent=1) + "\n")
    beside.replace(TOTALS.resolve())
    text = PAGE.read_text(encoding="utf-8")
    if page(text) != text:
        PAGE.write_text(page(text), encoding="utf-8")


def reached(totals: Counts) -> dict[str, int]:
    """Return how many there are of what the goal is about."""

    def tried(*names: str) -> int:
        return sum(totals.get(name, {"tried": 0})["tried"] for name in names)

    programs = [name for name in WORDS if name.startswith("programs")]
    return {"inputs": tried(*_INPUTS), "programs": tried(*programs), "kills": tried("kills")}


def page(text: str) -> str:
    """Return the page with the table and the sentence about the goal as the totals have them."""
    totals = known()
    lines = ["| kind | what is tried | so far | found |", "|---|---|---:|---:|"]
    for name, words in WORDS.items():
        if name in totals:
            lines.append(f"| `{name}` | {words} | {totals[name]['tried']:,} | {totals[name]['found']:,} |")
    now = reached(totals)
    parts = [f"{now[what]:,} of {most:,} {what}" for what, most in GOAL.items()]
    done = all(now[what] >= most for what, most in GOAL.items())
    told = (
        f"The goal {'is reached' if done else 'is not reached yet'}: {', '.join(parts[:-1])} and {parts[-1]}."
    )
    table = "\n".join([*lines, "", told])
    return _PLACE.sub(lambda match: f"{match[1]}{table}\n{match[2]}", text)
