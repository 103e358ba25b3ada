"""Chains of two views over few entities, counted for all heads at once by products of dense matrices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from logicoder.engine.arrays.rules.counted import Counted, Effort, Worth
from logicoder.engine.arrays.rules.rule_tables import RuleTables, View, chain_of
from logicoder.engine.arrays.rules.spaces import Mask, Space

Matrix = NDArray[np.float32]


class DenseChains:
    """Counts chains for spaces over the same two types.

    Args:
        tables: the relations that rules may use.
        spaces: all heads.
        plain: numbers of the spaces of single atoms.
        paired: numbers of those of pairs.
        least: for each space, the fewest true atoms with which a rule can pay.
    """

    def __init__(
        self,
        tables: RuleTables,
        spaces: Sequence[Space],
        plain: Sequence[int],
        paired: Sequence[int],
        least: Sequence[int],
    ) -> None:
        self._numbers = np.array([*plain, *paired])
        self._plain, self._paired = len(plain), len(paired)
        own = [spaces[number] for number in self._numbers]
        self._rows, self._columns = own[0].sizes
        self._heads = np.array([space.predicate for space in own])
        self._least = np.array(least)[self._numbers]
        self._facts = np.zeros((len(own), self._rows, self._columns), np.float32)
        for facts, space in zip(self._facts, own, strict=True):
            facts.reshape(-1)[space.keys] = 1
        first, second = (tables.database.world_of[kind] for kind in own[0].types)
        # Many spaces have the same atoms, above all those without domains.
        boxes: dict[bytes, int] = {}
        inside: list[Mask] = []
        self._box = np.empty(len(own), np.int64)
        for place, space in enumerate(own):
            box = space.box(first[:, None] == second[None, :])
            key = bytes([space.symmetric]) + np.packbits(box).tobytes()
            if key not in boxes:
                boxes[key] = len(inside)
                inside.append(box)
            self._box[place] = boxes[key]
        self._inside = np.array(inside, np.float32)

    def counted(
        self, firsts: Sequence[View], seconds: Sequence[View], worth: Worth, effort: Effort
    ) -> Iterator[Counted]:
        """Iterate over the chains that can pay."""
        dense = {id(view): view.matrix.toarray() for view in seconds}
        for left in firsts:
            following = [view for view in seconds if view.types[0] == left.types[1]]
            used = np.flatnonzero(left.row_sizes)
            if not following or not effort.spend(len(used) * self._columns * len(following)):
                continue
            joined = left.matrix[used].toarray() @ np.concatenate([dense[id(v)] for v in following], axis=1)
            joined = np.minimum(joined.reshape(len(used), len(following), self._columns), 1)
            true, derived = self._counts(np.ascontiguousarray(joined.transpose(1, 0, 2)), used)
            right = np.array([view.predicate for view in following])
            allowed = (self._heads[None, :] != right[:, None]) & (self._heads != left.predicate)[None, :]
            chains, heads = np.nonzero((true >= self._least) & allowed)
            derived, true = derived[chains, self._box[heads]], true[chains, heads]
            paying = np.flatnonzero(worth(self._numbers[heads], derived, true, 2) > 0)
            rules = {i: chain_of([left, following[i]]) for i in np.unique(chains[paying]).tolist()}
            for i in paying.tolist():
                yield Counted(
                    int(self._numbers[heads[i]]), rules[int(chains[i])], round(derived[i]), round(true[i])
                )

    def _counts(self, joined: Matrix, used: NDArray[np.int64]) -> tuple[np.ndarray, np.ndarray]:
        """Return true atoms by chain and space, and derived ones by chain and box."""
        chains = len(joined)
        true = np.zeros((chains, len(self._numbers)))
        derived = np.zeros((chains, len(self._inside)))
        plain, single = self._plain, len(np.unique(self._box[: self._plain]))
        if plain:
            part = joined.reshape(chains, -1)
            true[:, :plain] = part @ self._facts[:plain, used].reshape(plain, -1).T
            derived[:, :single] = part @ self._inside[:single, used].reshape(single, -1).T
        if self._paired:
            whole = np.zeros((chains, self._rows, self._columns), np.float32)
            whole[:, used] = joined
            pairs = np.maximum(whole, whole.transpose(0, 2, 1)).reshape(chains, -1)
            true[:, plain:] = pairs @ self._facts[plain:].reshape(self._paired, -1).T
            derived[:, single:] = pairs @ self._inside[single:].reshape(len(self._inside) - single, -1).T
        return true, derived
