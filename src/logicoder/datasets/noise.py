"""Noise: facts that were lost, and facts that never were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from logicoder.datasets.derived_rows import pack, unpack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from logicoder.datasets.derived_rows import Rows
    from logicoder.datasets.world import Domains
    from logicoder.kb import Schema


@dataclass(frozen=True)
class Atoms:
    """The well-typed atoms that can be made up: predicates, and the constants of each interpretation."""

    schema: Schema
    domains: Domains
    worlds: Sequence[Mapping[str, int]]


def disturb(
    facts: Mapping[str, Rows], noise: float, atoms: Atoms, rng: np.random.Generator
) -> tuple[dict[str, Rows], int, int]:
    """Drop facts and add as many spurious ones, together `noise` times the number of facts.

    Every fact is equally likely to be lost. A predicate gets spurious facts in proportion to its size, drawn
    evenly from the atoms that were false before; where nearly all atoms are true, there may be fewer of them.

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
        spurious = _spurious(name, rows, number, atoms, rng)
        added += len(spurious)
        result[name] = np.concatenate([rows[keep], spurious])
    return result, lost, added


def _spurious(name: str, rows: Rows, number: int, atoms: Atoms, rng: np.random.Generator) -> Rows:
    """Draw different atoms of a predicate that are not among `rows`, the true ones."""
    types = atoms.schema[name].types
    sizes = np.array([[world[kind] for kind in types] for world in atoms.worlds])
    number = min(number, int(sizes.prod(axis=1).sum()) - len(rows))
    offsets = np.array([atoms.domains.first(kind) for kind in types])
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
    return unpack(found[:number], len(types) + 1)


def _is_in(keys: NDArray[np.int64], known: NDArray[np.int64]) -> NDArray[np.bool_]:
    place = np.searchsorted(known, keys)
    place[place == len(known)] = 0
    return np.asarray(known[place] == keys)
