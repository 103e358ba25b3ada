"""Which of several queries give each row: a bit of a number for each query."""

from __future__ import annotations

from collections.abc import Sequence

from logicoder.engine.sql.relations import listed

BITS = 60
"""Queries that one number tells of."""


def mask_names(number: int) -> list[str]:
    """Return the columns that tell of so many queries.

    >>> mask_names(60), mask_names(61)
    (['m0'], ['m0', 'm1'])
    """
    return [f"m{place}" for place in range(max(1, -(-number // BITS)))]


def marked(columns: Sequence[str], queries: Sequence[str]) -> str:
    """Return the query for the rows of several queries, each row once, with the queries that give it as bits.

    Args:
        columns: what the queries have in common.
        queries: one at least.
    """
    masks = mask_names(len(queries))
    parts = []
    for number, query in enumerate(queries):
        own = divmod(number, BITS)
        bits = [1 << own[1] if place == own[0] else 0 for place in range(len(masks))]
        told = [f"CAST({bit} AS BIGINT) AS {mask}" for bit, mask in zip(bits, masks, strict=True)]
        parts.append(f"SELECT {listed([*columns, *told])} FROM ({query}) AS q{number}")
    found = listed([*columns, *(f"bit_or({mask}) AS {mask}" for mask in masks)])
    return f"SELECT {found} FROM ({' UNION ALL '.join(parts)}) AS every_row GROUP BY {listed(columns)}"


def mask_of(numbers: Sequence[int | str]) -> int:
    """Return all bits as one number.

    >>> mask_of([1, 1]) == 1 + (1 << 60)
    True
    """
    return sum(int(number) << BITS * place for place, number in enumerate(numbers))


def has(number: int, table: str = "") -> str:
    """Return the condition that a query gives a row.

    >>> has(61, "t")
    '(t.m1 & 2) <> 0'
    """
    place, bit = divmod(number, BITS)
    return f"({table + '.' if table else ''}m{place} & {1 << bit}) <> 0"
