"""What heads with many bodies, summed out, say to the atoms of their bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from logicoder.mln.inference.decoders import Heads


@dataclass(frozen=True, eq=False)
class _Term:
    """Where the atoms of one group occur in the clauses of heads, head by head.

    Attributes:
        heads: those that have an atom of the group in their clauses; each has one.
        rows: the place in the group of that atom, for each of these heads.
        starts: where the occurrences of each of these heads start.
        own: the literal of the group's atom, for each occurrence.
        others: the other literals of its clause, shape (most, occurrences); filled up with one that is false.
    """

    heads: np.ndarray
    rows: np.ndarray
    starts: np.ndarray
    own: np.ndarray
    others: np.ndarray


class HeadFactors:
    """Adds to the log odds of atoms what heads say that are free only where all clauses of their rest hold.

    For every head the number of violated clauses is kept up to date, so that a sweep looks at each clause
    once for each of its literals.

    Args:
        heads: the heads, see `logicoder.mln.inference.decoders`.
        groups: groups of atoms of which no two occur in the clauses of one head.
        false: which literals are false at the start, shape (2 × atoms + 1, chains); the last is always.
    """

    def __init__(self, heads: Heads, groups: Sequence[np.ndarray], false: np.ndarray) -> None:
        self._gains = heads.gains
        self._terms: list[_Term | None] = [None] * len(groups)
        if not len(heads):
            return
        nothing = len(false) - 1
        clauses = heads.rest
        broken = np.logical_and.reduceat(false[clauses.literals], clauses.starts[:-1], axis=0)
        self._broken = np.add.reduceat(broken, heads.starts[:-1], axis=0, dtype=np.int64)
        self._rest = np.empty(0)
        owners = clauses.owners
        head_of = np.repeat(np.arange(len(heads)), np.diff(heads.starts))[owners]
        padded = np.full((len(clauses), int(clauses.lengths.max())), nothing)
        columns = np.arange(len(owners)) - clauses.starts[owners]
        padded[owners, columns] = clauses.literals
        place, group_of = np.zeros(nothing // 2, np.int64), np.full(nothing // 2, -1)
        for number, group in enumerate(groups):
            place[group] = np.arange(len(group))
            group_of[group] = number
        mine = group_of[clauses.atoms]
        order = np.argsort(mine, kind="stable")
        ends = np.searchsorted(mine[order], np.arange(len(groups) + 1))
        for number in range(len(groups)):
            chosen = order[ends[number] : ends[number + 1]]
            if len(chosen):
                touched, starts = np.unique(head_of[chosen], return_index=True)
                others = padded[owners[chosen]]
                others[np.arange(len(chosen)), columns[chosen]] = nothing
                self._terms[number] = _Term(
                    touched,
                    place[clauses.atoms[chosen[starts]]],
                    starts,
                    clauses.literals[chosen],
                    np.ascontiguousarray(others.T),
                )

    def add(self, group: int, false: np.ndarray, log_odds: np.ndarray) -> np.ndarray:
        """Return the log odds of the atoms of a group with what the heads say, shape (atoms, chains)."""
        term = self._terms[group]
        if term is None:
            return log_odds
        rest = false[term.others[0]]
        for other in term.others[1:]:
            rest &= false[other]
        self._rest = rest
        self._broken[term.heads] -= np.add.reduceat(
            rest & false[term.own], term.starts, axis=0, dtype=np.int64
        )
        negated = (term.own & 1 == 1)[:, None]
        forced_if_true = np.logical_or.reduceat(rest & negated, term.starts, axis=0)
        forced_if_false = np.logical_or.reduceat(rest & ~negated, term.starts, axis=0)
        said = (forced_if_false.astype(float) - forced_if_true) * (self._broken[term.heads] == 0)
        found = np.array(log_odds)
        np.add.at(found, term.rows, said * self._gains[term.heads, None])
        return found

    def drawn(self, group: int, false: np.ndarray) -> None:
        """Take note of the new values of the atoms of a group; to be called after `add`."""
        term = self._terms[group]
        if term is not None:
            now = self._rest & false[term.own]
            self._broken[term.heads] += np.add.reduceat(now, term.starts, axis=0, dtype=np.int64)
