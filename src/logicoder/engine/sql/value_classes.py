"""Which values stand at which places: the sets of places that values have, and how many have each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from logicoder.engine.sql.relations import WORLD, argument_columns, listed

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData

Place = tuple[str, int]

_BITS = 60
"""Places that one number tells of."""


def value_classes(data: StoredData, places: Sequence[Place], kind: str) -> list[tuple[int, int]]:
    """Return the sets of places that values have, as bits of a number, each with its number of values.

    Args:
        data: the facts.
        places: predicates and places of one type.
        kind: the type, for messages.
    """
    session = data.session
    numbers = range(len(places) // _BITS + 1)
    keys = [*([WORLD] if data.several else []), "v"]
    parts = []
    for place, (name, column) in enumerate(places):
        own = argument_columns(data.relations[name].arity)[column]
        bits = [1 << place % _BITS if place // _BITS == number else 0 for number in numbers]
        told = [f"CAST({bit} AS BIGINT) AS m{number}" for number, bit in enumerate(bits)]
        selected = listed([*keys[:-1], f"{own} AS v", *told])
        parts.append(f"SELECT {selected} FROM {data.relations[name].table}")
    masks = [f"m{number}" for number in numbers]
    values = (
        f"SELECT {listed([*keys, *(f'bit_or({mask}) AS {mask}' for mask in masks)])} "
        f"FROM ({' UNION ALL '.join(parts)}) AS s GROUP BY {listed(keys)}"
    )
    query = f"SELECT {listed(masks)}, count(*) FROM ({values}) AS classes GROUP BY {listed(masks)}"
    rows = session.rows(query, f"comparing the places of the type {kind}")
    return sorted(
        (sum(int(mask) << _BITS * number for number, mask in enumerate(row[:-1])), int(row[-1]))
        for row in rows
    )
