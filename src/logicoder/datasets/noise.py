"""Noise: facts that were lost, and facts that never were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from logicoder.datasets.rows import Rows, pack, unpack
from logicoder.datasets.world import Domains
from logicoder.kb import Predicate, Schema


def disturb(
    facts: Mapping[str, Rows],
    noise: float,
    schema: Schema,
    domains: Domains,
    worlds: Sequence[Mapping[str, int]],
    rng: np.random.Generator,
) -> tuple[dict[str, Rows], int, int]:
    """Drop facts and add as many spurious ones, together `noise` times the number of facts.

    Every fact is equally likely to be lost. A predicate gets spurious facts in proportion to its size, drawn
    evenly from the well-typed atoms that were false before; where nearly all atoms are true, there may be
    fewer of them.

    Returns:
        The facts with noise, how many were dropped, and how many were added.
    """
    counts = np.array([len(rows) for rows in facts.values()])
    total = int(counts.sum())
    disturbed = round(noise * total)
    lost = disturbed // 2
    kept = np.ones(total, bool)
    kept[rng.choice(total, lost, replace=False)] = False
    wanted = rng.multinomial(disturbed - lost, counts / total)
    result: dict[str, Rows] = {}
    added = 0
    for (name, rows), keep, number in zip(
        facts.items(), np.split(kept, np.cumsum(counts)[:-1]), wanted.tolist(), strict=True
    ):
        spurious = _spurious(rows, number, schema[name], domains, worlds, rng)
        added += len(spurious)
        result[name] = np.concatenate([rows[keep], spurious])
    return result, lost, added


def _spurious(
    rows: Rows,
    number: int,
    predicate: Predicate,
    domains: Domains,
    worlds: Sequence[Mapping[str, int]],
    rng: np.random.Generator,
) -> Rows:
    """Draw different atoms that are not among `rows`, the true ones."""
    sizes = np.array([[world[kind] for kind in predicate.types] for world in worlds])
    number = min(number, int(sizes.prod(axis=1).sum()) - len(rows))
    offsets = np.array([domains.first(kind) for kind in predicate.types])
    true = np.sort(pack(rows))
    found: NDArray[np.int64] = np.empty(0, np.int64)
    while len(found) < number:
        # The interpretation of a random fact: larger interpretations get more noise.
        world = rows[rng.integers(len(rows), size=2 * (number - len(found)) + 8), 0]
        constants = offsets + rng.integers(sizes[world])
        keys = np.concatenate([found, pack(np.column_stack([world, constants]))])
        keys = keys[~_is_in(keys, true)]
        _, first = np.unique(keys, return_index=True)
        found = keys[np.sort(first)]
    return unpack(found[:number], predicate.arity + 1)


def _is_in(keys: NDArray[np.int64], known: NDArray[np.int64]) -> NDArray[np.bool_]:
    place = np.searchsorted(known, keys)
    place[place == len(known)] = 0
    return np.asarray(known[place] == keys)
