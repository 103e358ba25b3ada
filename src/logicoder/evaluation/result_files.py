"""Files of results: units of work as lines of JSON, a summary, and tables as text and as Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from logicoder.base.errors import LogicoderError
from logicoder.base.files import write_text
from logicoder.evaluation.store import Store

Table = tuple[str, list[str], list[list[str]]]
"""Title, heads of columns, rows."""


class NoResultError(LogicoderError):
    """A variant that was asked for could not be tested at all."""


def require_results(asked: Iterable[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Refuse to call it a success where a variant has no result at all.

    >>> require_results(["plain", "hybrid"], [{"variant": "plain"}])
    Traceback (most recent call last):
    ...
    logicoder.evaluation.result_files.NoResultError: no test result for: hybrid; results.txt says why

    Raises:
        NoResultError: names them.
    """
    found = {row["variant"] for row in rows}
    missing = [name for name in dict.fromkeys(asked) if name not in found]
    if missing:
        raise NoResultError(f"no test result for: {', '.join(missing)}; results.txt says why")


def failures(store: Store) -> list[dict[str, str]]:
    """Return the units without result, and why there is none."""
    keys = ("split", "name", "role", "failed")
    return [{key: str(unit[key]) for key in keys} for unit in store.units() if "failed" in unit]


def write_files(store: Store, found: Mapping[str, Any], text: str, markdown: str) -> None:
    """Write all units as lines of JSON, and a summary as JSON, text and Markdown."""
    folder = store.folder
    lines = [json.dumps(unit, ensure_ascii=False) for unit in store.units()]
    write_text(folder / "results.jsonl", "".join(f"{line}\n" for line in lines))
    write_text(folder / "summary.json", json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    write_text(folder / "results.txt", text)
    write_text(folder / "results.md", markdown)


def failure_table(failed: Sequence[Mapping[str, str]]) -> Table:
    """Return the units without result."""
    body = [[unit["split"], unit["name"], unit["failed"].splitlines()[0]] for unit in failed]
    return "Without result", ["split", "unit", "why"], body


def number(value: float | None) -> str:
    """Return a score as text; nothing where there is none."""
    return "" if value is None else f"{value:.3f}"


def as_text(head: str, found: Iterable[Table]) -> str:
    """Return tables as plain text, below a first line."""
    parts = [head]
    for title, heads, body in found:
        widths = [max(len(row[i]) for row in [heads, *body]) for i in range(len(heads))]
        lines = [
            "  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in [heads, *body]
        ]
        parts.append("\n".join([title, *lines]))
    return "\n\n".join(parts) + "\n"


def as_markdown(head: str, found: Iterable[Table]) -> str:
    """Return tables as Markdown, below a first line."""
    parts = [head]
    for title, heads, body in found:
        rule = ["---"] * len(heads)
        lines = [f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in (heads, rule, *body)]
        parts.append("\n".join([f"### {title}", "", *lines]))
    return "\n\n".join(parts) + "\n"
