"""Linear recursion over a binary relation: the least one that holds a base and is closed under a step."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from logicoder.base.sorted_keys import union
from logicoder.engine.arrays.database import Database
from logicoder.engine.arrays.join import JoinTooLargeError, matching_rows
from logicoder.engine.arrays.relation import Column, distinct_keys, pack, unpack


def closure(
    database: Database,
    kind: int,
    base: Sequence[Column],
    step: Sequence[Column],
    limit: int | None = None,
) -> tuple[Column, ...]:
    """Return the pairs of `l(X,Y) :- base(X,Y).  l(X,Z) :- step(X,Y), l(Y,Z).`, sorted.

    Only pairs that are new are joined again (semi-naive evaluation). More than `limit` pairs, or tuples of
    one join, raise JoinTooLargeError.

    Args:
        database: the data.
        kind: the type of all columns.
        base: pairs of the base case.
        step: pairs of the step.
        limit: the most pairs.
    """
    sizes = (database.sizes[kind],) * 2
    space = sizes[0] * sizes[1]
    known = distinct_keys(pack(base, sizes), space)
    fresh = known
    while len(fresh):
        first, second = unpack(fresh, sizes)
        pairs, steps = matching_rows(first, step[1], limit)
        derived = distinct_keys(pack((step[0][steps], second[pairs]), sizes), space)
        fresh = derived[~np.isin(derived, known, assume_unique=True)]
        known = union(known, fresh)
        if limit is not None and len(known) > limit:
            raise JoinTooLargeError(len(known))
    return unpack(known, sizes)
