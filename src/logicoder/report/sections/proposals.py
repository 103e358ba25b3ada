"""Clauses that somebody proposed, and what they are worth beside the program."""

from __future__ import annotations

from collections.abc import Iterator

from logicoder.autoencoder.verdict import Verdict
from logicoder.report.content import Content
from logicoder.report.markup import Markup, element
from logicoder.report.page_tables import Column, Row, table
from logicoder.report.sections.findings import breakable, fact_link
from logicoder.report.sections.frame import section

_COLUMNS = (
    Column("clause"),
    Column("line", numeric=True),
    Column("right in", sorts=False),
    Column("alone", numeric=True),
    Column("beside", numeric=True),
    Column("at most", numeric=True),
    Column("known by, or without", sorts=False),
    Column("exceptions", sorts=False),
)


def proposals(content: Content) -> Markup | None:
    """Return what became of proposals; None if there are none."""
    if content.audit is None:
        return None
    judged = [row for row in content.audit if not row.problem]
    bad = [row for row in content.audit if row.problem]
    shorter = sum(row.accepted for row in judged)
    parts: list[object] = [
        element("p", f"{shorter:,} of {len(judged):,} clauses would make the description shorter.")
    ]
    if judged:
        parts.append(table("Clauses, by the bits that they save", _COLUMNS, map(_row, judged), sortable=True))
    if bad:
        told = [
            element("li", f"line {row.line}: {row.problem}: ", element("code", row.clause)) for row in bad
        ]
        parts.append(element("details", element("summary", f"Not judged: {len(bad):,}"), element("ul", told)))
    return section("proposals", "Proposals", *parts)


def _row(row: Verdict) -> Row:
    saved = [None if bits is None else round(bits, 1) + 0.0 for bits in (row.alone, row.beside, row.bound)]
    record = f"{row.true:,} of {row.derived:,}"
    said = row.implied or row.note
    known = element("span", said) if said else None  # breaks between words, not within names
    return Row((element("code", row.clause), row.line, record, *saved, known, list(_exceptions(row)) or None))


def _exceptions(row: Verdict) -> Iterator[object]:
    for place, atom in enumerate(row.exceptions[:3]):
        yield from (", ",) if place else ()
        yield element("a", breakable(atom), href=fact_link(atom))
