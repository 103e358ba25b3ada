"""What may be wrong or missing in the data, by the program: the second thing to read."""

from __future__ import annotations

from logicoder.autoencoder.suggestions import Suggestion
from logicoder.logic.parser import parse_clause
from logicoder.report.content import Content
from logicoder.report.markup import Markup, element
from logicoder.report.page_tables import Column, Row, table
from logicoder.report.sections.findings import atom_of, breakable
from logicoder.report.sections.frame import section

_MOST = 30
"""Suggestions that are shown."""

_COLUMNS = (
    Column("atom"),
    Column("what to do"),
    Column("bits", numeric=True),
    Column("the clause is right in", sorts=False),
    Column("clause", sorts=False),
)


def likely_errors(content: Content) -> Markup | None:
    """Return suggestions as a table, or why there are none; None for models that no message chose."""
    if content.result("plan") is None:
        return None
    found = content.model.suggest(content.whole)
    if not found.rows:
        text = found.silence[0].upper() + found.silence[1:]
        return section("errors", "Likely errors", element("p", f"{text}."))
    shown = found.top(_MOST)
    more = [element("p", f"{shown.more:,} more: logicoder suggest lists them.")] if shown.more else []
    rows = [_row(row, content, several=found.several) for row in shown]
    caption = "Facts to change, to add and to check, the most certain first"
    return section("errors", "Likely errors", table(caption, _COLUMNS, rows, sortable=True), *more)


def _row(row: Suggestion, content: Content, *, several: bool) -> Row:
    todo: list[object] = [row.kind]
    if row.kind == "change":
        todo += [" to ", breakable(_instead(row.atom, row.expected))]
    if several:
        todo.append(f" in {row.interpretation}")
    record = f"{row.true:,} of {row.derived:,}"
    clause = element("code", row.evidence) if row.evidence else None
    return Row((atom_of(content, row.atom), todo, round(row.bits, 1), record, clause))


def _instead(atom: str, expected: str) -> str:
    """Return what an atom is to be: only the argument that changes, if there is one.

    >>> _instead("size(box,small)", "size(box,large)"), _instead("near(a,b)", "near(b,a)")
    ('large', 'near(b,a)')
    """
    old, new = (parse_clause(f"{text}.").head.arguments for text in (atom, expected))
    changed = [str(after) for before, after in zip(old, new, strict=True) if before != after]
    return changed[0] if len(changed) == 1 else expected
