"""Tables of a page: a caption, headings of columns and rows, numbers to the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from logicoder.report.markup import Markup, element

NOTHING = "\N{EN DASH}"
"""What stands in the place of no value."""


@dataclass(frozen=True)
class Column:
    """A heading; numbers stand to the right, and what cannot be compared is not sorted by."""

    name: str
    numeric: bool = False
    sorts: bool = True


@dataclass(frozen=True)
class Row:
    """Cells, of which the first is the heading of the row."""

    cells: Sequence[object]
    key: str | None = None


def table(
    caption: str,
    columns: Sequence[Column],
    rows: Iterable[Row],
    *,
    sortable: bool = False,
    plain: bool = False,
) -> Markup:
    """Return a table; on a phone, its rows become blocks of named values, unless it is plain."""
    head = [
        element(
            "th", c.name, scope="col", class_="n" if c.numeric else None, data_sort=None if c.sorts else "no"
        )
        for c in columns
    ]
    body = []
    for row in rows:
        cells = [
            _cell(value, column, first=not place)
            for place, (value, column) in enumerate(zip(row.cells, columns, strict=True))
        ]
        body.append(element("tr", cells, id=row.key))
    classes = " ".join(name for name, holds in (("sortable", sortable), ("plain", plain)) if holds)
    made = element(
        "table",
        element("caption", caption),
        element("thead", element("tr", head)),
        element("tbody", body),
        class_=classes or None,
    )
    return element("div", made, class_="scroll", tabindex=0, role="group", aria_label=caption)


def _cell(value: object, column: Column, *, first: bool) -> Markup:
    numeric = column.numeric and isinstance(value, int | float)
    return element(
        "th" if first else "td",
        number(value) if numeric else NOTHING if value is None else value,
        scope="row" if first else None,
        class_="n" if column.numeric else "wide" if isinstance(value, str) else None,
        data_value=value if numeric else None,
        data_label=None if first and not column.numeric else column.name,
    )


def number(value: object) -> str:
    """Return a number with thousands apart.

    >>> number(12345), number(0.12345), number(1234.5)
    ('12,345', '0.1235', '1,234.5')
    """
    if isinstance(value, float):
        return f"{value:,.1f}" if abs(value) >= 100 else f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def counted(count: int, noun: str) -> str:
    """Return a number of things.

    >>> counted(1, "fact"), counted(1200, "latent fact")
    ('1 fact', '1,200 latent facts')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
