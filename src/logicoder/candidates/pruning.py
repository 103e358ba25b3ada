"""Which of the accepted decoder candidates go into the problem, rule by rule, each counted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from logicoder.candidates.batches import Batch, DecoderBody, DecoderStatistics, ListedBatch
from logicoder.candidates.targets import Target
from logicoder.engine.fingerprint import Fingerprint, fingerprint
from logicoder.engine.relation import Column

_WANTED = 50
"""How many decoders of a wanted latent are kept beyond the limit."""


@dataclass(frozen=True, eq=False)
class Decoder:
    """A decoder candidate with what it rebuilds.

    Attributes:
        target: the head.
        body: what stands below it.
        atoms: derived atoms, as columns in the order of the predicate's arguments.
        true: number of true atoms among them.
        false: number of false ones (unknown atoms are neither).
    """

    target: Target
    body: DecoderBody
    atoms: tuple[Column, ...]
    true: int
    false: int

    @property
    def predicate(self) -> int:
        """Index of the head's input predicate."""
        return self.target.predicate

    @property
    def latents(self) -> tuple[int, ...]:
        """The latent predicates of the body, ascending."""
        return self.body.latents


def chosen_decoders(
    batches: Sequence[Batch | ListedBatch],
    weights: Sequence[int],
    statistics: DecoderStatistics,
    *,
    merge_signature_variants: bool,
    drop_extensions: bool | None,
    max_decoders: int | None,
    protected: Collection[frozenset[int]] = (),
    wanted: Collection[int] = (),
) -> list[Decoder]:
    """Return the decoder candidates of the problem.

    Args:
        batches: accepted candidates.
        weights: number of facts of each latent.
        statistics: counts of the rules, updated.
        merge_signature_variants: keep one of the clauses with equal atoms and equal body predicates.
        drop_extensions: leave out a body of which a part derives no more false atoms; None means only
            where there would otherwise be more than `max_decoders` candidates.
        max_decoders: the most candidates to keep; beyond it the best of each predicate, in turn.
        protected: sets of latents; no rule drops the decoders that use exactly these.
        wanted: latents of which some decoders are kept beyond `max_decoders`.
    """
    table = _Table(batches, np.asarray(weights, np.int64))
    rows = np.arange(len(table.batch))
    crowded = max_decoders is not None and len(rows) > max_decoders
    if drop_extensions or (drop_extensions is None and crowded):
        idle = _joined([batch.idle for batch in batches]).astype(np.bool_) & ~table.uses(protected)
        statistics.extensions += int(np.count_nonzero(idle))
        rows = rows[~idle]
    rows = rows[np.lexsort((rows, table.literals[rows], table.predicate[rows]))]
    if max_decoders is not None and len(rows) > max_decoders:
        distinct = table.one_of_each(rows)
        kept = np.union1d(table.best(distinct, max_decoders), rows[table.uses(protected)[rows]])
        for latent in wanted:
            using = distinct[(table.latents[distinct] == latent).any(axis=1)]
            kept = np.union1d(kept, table.best(using, _WANTED))
        statistics.limit += len(rows) - len(kept)
        rows = kept
    found = _listed(batches, table, rows, statistics, merge_signature_variants, protected)
    statistics.decoders = len(found)
    return found


class _Table:
    """All accepted candidates side by side."""

    def __init__(self, batches: Sequence[Batch | ListedBatch], weights: np.ndarray) -> None:
        lengths = [len(batch) for batch in batches]
        self.batch = np.repeat(np.arange(len(batches)), lengths)
        self.index = np.concatenate([np.arange(n) for n in lengths]) if lengths else np.empty(0, np.int64)
        self.predicate = np.repeat(np.array([b.target.predicate for b in batches], np.int64), lengths)
        self.true = _joined([b.true for b in batches])
        self.gain = self.true - _joined([b.false for b in batches])
        self.latents = _padded([np.sort(b.latents(), axis=1) for b in batches])
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
        names = np.column_stack([self.predicate, self.latents, self.gain, self.true])
        _, first = np.unique(names[rows], axis=0, return_index=True)
        return rows[np.sort(first)]

    def best(self, rows: np.ndarray, count: int) -> np.ndarray:
        """Return the best rows, predicates taking turns: most gain, then fewest latent facts and literals."""
        order = np.lexsort(
            (rows, self.literals[rows], self.cost[rows], -self.gain[rows], self.predicate[rows])
        )
        ordered = rows[order]
        predicate = self.predicate[ordered]
        starts = np.flatnonzero(np.r_[True, predicate[1:] != predicate[:-1]])
        lengths = np.diff(np.r_[starts, len(predicate)])
        turn = np.arange(len(ordered)) - np.repeat(starts, lengths)
        return np.sort(ordered[np.argsort(turn, kind="stable")[:count]])


def _padded(parts: Sequence[np.ndarray]) -> np.ndarray:
    """Return sorted rows of latents below each other; shorter rows repeat their last latent."""
    width = max((part.shape[1] for part in parts), default=1)
    rows = [np.pad(part, ((0, 0), (0, width - part.shape[1])), mode="edge") for part in parts if len(part)]
    return np.concatenate(rows) if rows else np.empty((0, width), np.int64)


def _joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def _listed(
    batches: Sequence[Batch | ListedBatch],
    table: _Table,
    rows: np.ndarray,
    statistics: DecoderStatistics,
    merge_signature_variants: bool,
    protected: Collection[frozenset[int]],
) -> list[Decoder]:
    found: list[Decoder] = []
    seen: set[tuple[int, tuple[int, ...], int, int, Fingerprint]] = set()
    for row in rows.tolist():
        batch, index = batches[int(table.batch[row])], int(table.index[row])
        decoder = Decoder(
            batch.target,
            batch.body(index),
            batch.atoms(index),
            int(batch.true[index]),
            int(batch.false[index]),
        )
        if merge_signature_variants and frozenset(decoder.latents) not in protected:
            key = (
                decoder.predicate,
                decoder.latents,
                decoder.true,
                decoder.false,
                fingerprint(decoder.atoms),
            )
            if key in seen:
                statistics.signature_variants += 1
                continue
            seen.add(key)
        found.append(decoder)
    return found
