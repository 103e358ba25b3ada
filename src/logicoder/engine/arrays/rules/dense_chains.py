"""Chains of two views over few entities, counted for all heads at once by products of dense matrices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from logicoder.base.effort import Effort
from logicoder.base.sorted_keys import distinct
from logicoder.engine.arrays.rules.counted import Counted, Numbers, Worth
from logicoder.engine.arrays.rules.rule_tables import RuleTables, View, chain_of
from logicoder.engine.arrays.rules.spaces import Mask, Space

Matrix = NDArray[np.float32]

_PER_TUPLE = 400
"""Multiplications that take as long as a tuple of a sparse join."""

_SHARE = 0.2
"""The part of the memory that dense matrices may take."""

_BLOCK = 4_000_000
"""Numbers of chains that are multiplied at once."""

_STEP = 2_000_000_000
"""Multiplications that are made at once."""


class DenseChains:
    """Counts chains for spaces over the same two types.

    Args:
        tables: the relations that rules may use.
        spaces: all heads.
        plain: numbers of the spaces of single atoms.
        paired: numbers of those of pairs.
        firsts: views that begin a chain.
        seconds: views that end it.
        effort: what it may cost.
    """

    def __init__(
        self,
        tables: RuleTables,
        spaces: Sequence[Space],
        plain: Numbers,
        paired: Numbers,
        firsts: Sequence[View],
        seconds: Sequence[View],
        effort: Effort,
    ) -> None:
        self._tables, self._effort = tables, effort
        self._numbers = np.concatenate([plain, paired])
        self._plain, self._paired = len(plain), len(paired)
        self._own = [spaces[number] for number in self._numbers]
        self._rows, self._columns = self._own[0].sizes
        self._firsts, self._seconds = firsts, seconds

    @classmethod
    def fitting(
        cls,
        tables: RuleTables,
        spaces: Sequence[Space],
        plain: Numbers,
        paired: Numbers,
        firsts: Sequence[View],
        seconds: Sequence[View],
        effort: Effort,
    ) -> DenseChains | None:
        """Return such a counter where there is memory for its matrices."""
        found = cls(tables, spaces, plain, paired, firsts, seconds, effort)
        numbers = 3 * len(found._numbers) * found._rows * found._columns
        numbers += sum(view.matrix.shape[0] * found._columns for view in seconds)
        return found if numbers + 6 * _BLOCK <= effort.room(_SHARE, 4) else None

    @property
    def work(self) -> int:
        """What it takes, in tuples."""
        following = Counter(view.types[0] for view in self._seconds)
        each = (self._flops(left, int(np.count_nonzero(left.row_sizes))) for left in self._firsts)
        return sum(f * following[v.types[1]] for f, v in zip(each, self._firsts, strict=True)) // _PER_TUPLE

    def _flops(self, left: View, used: int) -> int:
        """Return the multiplications of one chain that begins with a view with so many rows."""
        return int(used * self._columns * (left.matrix.shape[1] + 2 * len(self._numbers)))

    def counted(self, least: Sequence[int], worth: Worth) -> Iterator[Counted]:
        """Iterate over the chains that can pay.

        Args:
            least: for each space, the fewest true atoms with which a rule can pay.
            worth: what rules can save at most.
        """
        self._fill()
        heads = np.array([space.predicate for space in self._own])
        needed = np.array(least)[self._numbers]
        dense = {id(view): view.matrix.toarray() for view in self._seconds}
        for left in self._firsts:
            following = [view for view in self._seconds if view.types[0] == left.types[1]]
            used = np.flatnonzero(left.row_sizes)
            flops = self._flops(left, len(used))
            width = max(1, min(_BLOCK // max(1, len(used) * self._columns), _STEP // max(1, flops)))
            start = left.matrix[used].toarray()
            plain = self._facts[: self._plain, used], self._inside[: self._single, used]
            for begin in range(0, len(following), width):
                some = following[begin : begin + width]
                if not self._effort.spend(min(self._effort.largest, len(some) * flops // _PER_TUPLE)):
                    return
                joined = start @ np.concatenate([dense[id(view)] for view in some], axis=1)
                joined = np.minimum(joined.reshape(len(used), len(some), self._columns), 1)
                true, derived = self._counts(np.ascontiguousarray(joined.transpose(1, 0, 2)), used, *plain)
                right = np.array([view.predicate for view in some])
                allowed = (heads[None, :] != right[:, None]) & (heads != left.predicate)[None, :]
                chains, places = np.nonzero((true >= needed) & allowed)
                derived, true = derived[chains, self._box[places]], true[chains, places]
                paying = np.flatnonzero(worth(self._numbers[places], derived, true, 2) > 0)
                rules = {i: chain_of([left, some[i]]) for i in distinct(chains[paying]).tolist()}
                for i in paying.tolist():
                    number = int(self._numbers[places[i]])
                    yield Counted(number, rules[int(chains[i])], round(derived[i]), round(true[i]))

    def _fill(self) -> None:
        """Make matrices of facts, and of the atoms of each space."""
        self._facts = np.zeros((len(self._own), self._rows, self._columns), np.float32)
        for facts, space in zip(self._facts, self._own, strict=True):
            facts.reshape(-1)[space.keys] = 1
        first, second = (self._tables.database.world_of[kind] for kind in self._own[0].types)
        # Many spaces have the same atoms, above all those without domains.
        boxes: dict[bytes, int] = {}
        inside: list[Mask] = []
        self._box = np.empty(len(self._own), np.int64)
        for place, space in enumerate(self._own):
            box = space.box(first[:, None] == second[None, :])
            key = bytes([space.symmetric]) + np.packbits(box).tobytes()
            if key not in boxes:
                boxes[key] = len(inside)
                inside.append(box)
            self._box[place] = boxes[key]
        self._inside = np.array(inside, np.float32)
        self._single = len(distinct(self._box[: self._plain]))

    def _counts(
        self, joined: Matrix, used: NDArray[np.int64], facts: Matrix, inside: Matrix
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return true atoms by chain and space, and derived ones by chain and box."""
        chains, plain, single = len(joined), self._plain, self._single
        true = np.zeros((chains, len(self._numbers)))
        derived = np.zeros((chains, len(self._inside)))
        if plain:
            part = joined.reshape(chains, -1)
            true[:, :plain] = part @ facts.reshape(plain, -1).T
            derived[:, :single] = part @ inside.reshape(single, -1).T
        if self._paired:
            whole = np.zeros((chains, self._rows, self._columns), np.float32)
            whole[:, used] = joined
            pairs = np.maximum(whole, whole.transpose(0, 2, 1)).reshape(chains, -1)
            true[:, plain:] = pairs @ self._facts[plain:].reshape(self._paired, -1).T
            derived[:, single:] = pairs @ self._inside[single:].reshape(len(self._inside) - single, -1).T
        return true, derived
