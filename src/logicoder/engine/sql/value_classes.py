"""Which values stand at which places: the sets of places that values have, and how many have each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from logicoder.engine.sql.bit_masks import marked, mask_names, mask_of
from logicoder.engine.sql.relations import WORLD, argument_columns, listed

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData

Place = tuple[str, int]


def value_classes(data: StoredData, places: Sequence[Place], kind: str) -> list[tuple[int, int]]:
    """Return the sets of places that values have, as bits of a number, each with its number of values.

    Args:
        data: the facts.
        places: predicates and places of one type.
        kind: the type, for messages.
    """
    session = data.session
    keys = [*([WORLD] if data.several else []), "v"]
    queries = []
    for name, column in places:
        own = argument_columns(data.relations[name].arity)[column]
        queries.append(f"SELECT {listed([*keys[:-1], f'{own} AS v'])} FROM {data.relations[name].table}")
    masks, values = mask_names(len(places)), marked(keys, queries)
    query = f"SELECT {listed(masks)}, count(*) FROM ({values}) AS classes GROUP BY {listed(masks)}"
    rows = session.rows(query, f"comparing the places of the type {kind}")
    return sorted((mask_of(row[:-1]), int(row[-1])) for row in rows)
