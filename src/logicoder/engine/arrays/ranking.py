"""Which of the accepted decoder candidates become part of a problem, rule by rule, each counted."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from logicoder.engine.arrays.array_handles import ArrayDecoder
from logicoder.engine.arrays.batches import AnyBatch, Batch
from logicoder.engine.arrays.listing import chunks
from logicoder.engine.arrays.relation import joint_keys, packable
from logicoder.engine.questions import Choice, DecoderStatistics, Signature

_WANTED = 50
"""How many decoders of a wanted latent are kept beyond the limit."""


_PORTION = 1 << 18
"""Atoms of candidates that are listed together."""


def chosen_decoders(
    batches: Sequence[AnyBatch],
    choice: Choice,
    statistics: DecoderStatistics,
    seen: set[Signature] | None = None,
) -> list[ArrayDecoder]:
    """Return the decoder candidates of the problem.

    Args:
        batches: accepted candidates.
        choice: the rules.
        statistics: counts of the rules, updated.
        seen: signatures of candidates that are there already; those of the found ones are added.
    """
    most, thrifty = choice.most, choice.thrifty
    table = _Table(batches, np.asarray(choice.weights, np.int64))
    kept = table.uses(choice.protected)
    idle = _joined([batch.idle for batch in batches]).astype(np.bool_) & ~kept
    rows = np.arange(len(table.batch))
    if choice.drop_extensions:
        idle &= ~np.isin(table.latents, list(choice.needed)).any(axis=1)
        statistics.extensions += int(np.count_nonzero(idle))
        rows = rows[~idle]
    rows = rows[np.lexsort((rows, table.literals[rows], table.predicate[rows]))]
    if most is not None and len(rows) > most:
        ahead = idle if choice.drop_extensions is None else np.zeros(len(idle), np.bool_)
        chosen = table.one_of_each(rows[~ahead[rows]])
        best = table.best(chosen, most // 2 if thrifty else most)
        if thrifty:
            best = np.union1d(best, table.thrifty(chosen, most // 4))
        elif len(best) < most:
            # Bodies of which a part derives no more false atoms come last.
            best = np.union1d(best, table.best(table.one_of_each(rows[ahead[rows]]), most - len(best)))
        best = np.union1d(best, rows[kept[rows]])
        for latent in choice.wanted:
            using = chosen[(table.latents[chosen] == latent).any(axis=1)]
            best = np.union1d(best, table.best(using, _WANTED))
        statistics.limit += len(rows) - len(best)
        rows = best
    signatures: set[Signature] = set() if seen is None else seen
    merged = signatures if choice.merge_signature_variants else None
    found = _listed(batches, table, rows, statistics, merged, choice)
    statistics.decoders += len(found)
    return found


class _Table:
    """All accepted candidates side by side."""

    def __init__(self, batches: Sequence[AnyBatch], weights: np.ndarray) -> None:
        lengths = [len(batch) for batch in batches]
        self.batch = np.repeat(np.arange(len(batches)), lengths)
        self.index = np.concatenate([np.arange(n) for n in lengths]) if lengths else np.empty(0, np.int64)
        self.predicate = np.repeat(np.array([b.target.place for b in batches], np.int64), lengths)
        self.true = _joined([b.true for b in batches])
        self.false = _joined([b.false for b in batches])
        self.gain = _joined([b.worth for b in batches]) - self.false
        self.latents = np.sort(_padded([b.latents() for b in batches]), axis=1)
        self.literals = _joined([b.literals for b in batches])
        self.cost = _joined([weights[b.latents()].sum(axis=1) for b in batches])

    def uses(self, latents: Collection[frozenset[int]]) -> np.ndarray:
        """Return which rows use exactly one of some sets of latents."""
        found = np.zeros(len(self.batch), np.bool_)
        for wanted in latents:
            within = np.isin(self.latents, list(wanted)).all(axis=1)
            for latent in wanted:
                within &= (self.latents == latent).any(axis=1)
            found |= within
        return found

    def one_of_each(self, rows: np.ndarray) -> np.ndarray:
        """Return the first row of each head predicate, set of latents, and numbers of true and false atoms.

        Such rows are almost always signature variants; comparing their atoms would cost more than the
        few that are not are worth where there are too many candidates anyway.
        """
        names = [c[rows] for c in (self.predicate, *self.latents.T, self.false, self.true)]
        sizes = [int(name.max(initial=0)) + 1 for name in names]
        if not packable(sizes):
            # Numbers of atoms can be larger than what `joint_keys` takes.
            names = [np.unique(name, return_inverse=True)[1] for name in names]
        keys, _ = joint_keys(names, [name[:0] for name in names], sizes)
        _, first = np.unique(keys, return_index=True)
        return rows[np.sort(first)]

    def best(self, rows: np.ndarray, count: int) -> np.ndarray:
        """Return the best rows, predicates taking turns: most gain, then fewest latent facts and literals."""
        return self._in_turn(rows, -self.gain, count)

    def thrifty(self, rows: np.ndarray, count: int) -> np.ndarray:
        """Return the rows that gain most per latent fact, and those with fewest, of each so many."""
        paying = rows[self.gain[rows] > 0]
        ratio = -self.gain / np.maximum(self.cost, 1)
        return np.union1d(self._in_turn(paying, ratio, count), self._in_turn(paying, self.cost, count))

    def _in_turn(self, rows: np.ndarray, rank: np.ndarray, count: int) -> np.ndarray:
        """Return the rows of least rank, predicates taking turns."""
        if not len(rows):
            return rows
        order = np.lexsort((rows, self.literals[rows], self.cost[rows], rank[rows], self.predicate[rows]))
        ordered = rows[order]
        predicate = self.predicate[ordered]
        starts = np.flatnonzero(np.r_[True, predicate[1:] != predicate[:-1]])
        lengths = np.diff(np.r_[starts, len(predicate)])
        turn = np.arange(len(ordered)) - np.repeat(starts, lengths)
        return np.sort(ordered[np.argsort(turn, kind="stable")[:count]])


def _padded(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Return rows of latents below each other; shorter rows repeat their last latent."""
    width = max((part.shape[1] for part in parts), default=1)
    rows = [np.pad(part, ((0, 0), (0, width - part.shape[1])), mode="edge") for part in parts if len(part)]
    return np.concatenate(rows) if rows else np.empty((0, width), np.int64)


def _joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def _listed(
    batches: Sequence[AnyBatch],
    table: _Table,
    rows: np.ndarray,
    statistics: DecoderStatistics,
    seen: set[Signature] | None,
    choice: Choice,
) -> list[ArrayDecoder]:
    found: list[ArrayDecoder] = []
    last: AnyBatch | None = None
    for batch, chosen in _portions(batches, table, rows):
        if choice.thrifty and isinstance(last, Batch) and last is not batch:
            last.forget()
        last = batch
        bodies = [batch.body(index) for index in chosen.tolist()]
        true, false = batch.true[chosen].tolist(), batch.false[chosen].tolist()
        examined = batch.examined(chosen)
        kept = list(range(len(chosen)))
        if seen is not None:
            prints = zip(*examined.fingerprints.tolist(), strict=True)
            signatures: list[Signature] = [
                (batch.head.predicate, body.latents, body.step is not None, *rest)
                for body, *rest in zip(bodies, true, false, prints, strict=True)
            ]
            kept = [
                i
                for i, signature in enumerate(signatures)
                if frozenset(bodies[i].latents) in choice.protected or _is_new(signature, seen)
            ]
            statistics.signature_variants += len(chosen) - len(kept)
        found.extend(
            ArrayDecoder(batch.head, bodies[i], true[i], false[i], atoms)
            for i, atoms in zip(kept, examined.atoms(np.array(kept, np.int64)), strict=True)
        )
    return found


def _is_new(signature: Signature, seen: set[Signature]) -> bool:
    """Whether a signature was not seen before; it is now."""
    before = len(seen)
    seen.add(signature)
    return len(seen) > before


def _portions(
    batches: Sequence[AnyBatch], table: _Table, rows: np.ndarray
) -> Iterator[tuple[AnyBatch, np.ndarray]]:
    """Return the rows in order, in portions of one batch and not too many atoms."""
    batch = table.batch[rows]
    cuts = np.flatnonzero(batch[1:] != batch[:-1]) + 1
    for part in np.split(rows, cuts) if len(rows) else ():
        for low, high in chunks(table.true[part] + table.false[part], _PORTION):
            yield batches[int(table.batch[part[0]])], table.index[part[low:high]]
