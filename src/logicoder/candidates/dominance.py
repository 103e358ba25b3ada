"""Dominance: decoder candidates that another one can stand for in every selection.

A candidate is dominated by one for the same predicate that uses some of its latents and no others, rebuilds
at least its true atoms and at most its false ones, and is no longer. Whatever selection holds the dominated
one is no worse with the other in its place: no atom is lost, none goes wrong, no latent is added. Under a
bottleneck on the *mean* size of latents a small latent can make room for a larger one, so that a surplus
latent that is smaller than that mean allows must stay available.

Generality may forbid the exchange, where a third clause of the selection is comparable with the new one. Then
one of the two is enough: the more general one. But the other may be the one that a predicate must have, which
is false in less than half of its atoms; `stands_for` says when that cannot happen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, combinations

import numpy as np

from logicoder.candidates.batches import stands_for
from logicoder.candidates.pruning import Decoder
from logicoder.engine.database import Database
from logicoder.engine.relation import pack, packable


def undominated(
    database: Database,
    predicates: Sequence[str],
    decoders: Sequence[Decoder],
    dispensable: Callable[[int], bool],
) -> list[Decoder]:
    """Return the candidates that no other one dominates; of two equal ones the first stays.

    Args:
        database: the data.
        predicates: predicates to be reconstructed.
        decoders: the candidates.
        dispensable: whether a latent may lose users: not where a bottleneck on the mean could need it.
    """
    by_latents: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    for number, decoder in enumerate(decoders):
        by_latents.setdefault((decoder.predicate, decoder.latents), []).append(number)
    atoms = _Atoms(database, predicates, decoders)
    dominated: set[int] = set()
    for number, decoder in enumerate(decoders):
        rivals = (
            rival
            for part in _parts(decoder.latents)
            if all(dispensable(latent) for latent in set(decoder.latents) - set(part))
            for rival in by_latents.get((decoder.predicate, part), ())
            if rival != number and rival not in dominated
        )
        if any(_could(decoders[rival], decoder) and atoms.dominate(rival, number) for rival in rivals):
            dominated.add(number)
    return [decoder for number, decoder in enumerate(decoders) if number not in dominated]


def _parts(latents: tuple[int, ...]) -> chain[tuple[int, ...]]:
    return chain.from_iterable(combinations(latents, size) for size in range(1, len(latents) + 1))


def _could(better: Decoder, worse: Decoder) -> bool:
    """Whether the numbers allow that one candidate dominates another."""
    # A recursive definition excludes other clauses of its head, so it cannot stand for one of them.
    if better.body.step is not None and worse.body.step is None:
        return False
    return bool(stands_for(better.true, better.false, worse.true, worse.false)) and (
        better.true >= worse.true
        and better.false <= worse.false
        and better.body.literals <= worse.body.literals
    )


class _Atoms:
    """True and false atoms of candidates as sorted keys, made when they are first asked for."""

    def __init__(self, database: Database, predicates: Sequence[str], decoders: Sequence[Decoder]) -> None:
        self._database = database
        self._predicates = predicates
        self._decoders = decoders
        self._known: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._facts: dict[int, np.ndarray] = {}
        self._spared: dict[int, np.ndarray] = {}

    def dominate(self, better: int, worse: int) -> bool:
        """Whether one candidate has all true and no more false atoms of another."""
        better_true, better_false = self._split(better)
        worse_true, worse_false = self._split(worse)
        return _inside(worse_true, better_true) and _inside(better_false, worse_false)

    def _split(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        found = self._known.get(number)
        if found is None:
            decoder = self._decoders[number]
            keys = np.sort(self._keys(decoder.predicate, decoder.atoms))
            true = _member(keys, self._facts_of(decoder.predicate))
            false = ~true
            if decoder.target.open_world:
                false = _member(keys, self._spared_of(decoder.predicate))
            elif len(self._spared_of(decoder.predicate)):
                false &= ~_member(keys, self._spared_of(decoder.predicate))
            found = self._known[number] = keys[true], keys[false]
        return found

    def _facts_of(self, predicate: int) -> np.ndarray:
        if predicate not in self._facts:
            facts = self._database.relation(self._predicates[predicate])
            self._facts[predicate] = np.sort(self._keys(predicate, facts.columns))
        return self._facts[predicate]

    def _spared_of(self, predicate: int) -> np.ndarray:
        """Return the unknown atoms of a closed predicate, or the explicit negatives of an open one."""
        if predicate not in self._spared:
            name = self._predicates[predicate]
            open_world = self._database.kb.schema[name].open_world
            listed = self._database.relation(name, "false" if open_world else "unknown")
            self._spared[predicate] = np.sort(self._keys(predicate, listed.columns))
        return self._spared[predicate]

    def _keys(self, predicate: int, columns: Sequence[np.ndarray]) -> np.ndarray:
        types = self._database.relation(self._predicates[predicate]).types
        sizes = [self._database.sizes[kind] for kind in types]
        if packable(sizes):
            return pack(columns, sizes)
        rows = np.ascontiguousarray(np.column_stack(list(columns)))
        return rows.view([("", rows.dtype)] * rows.shape[1]).ravel()


def _member(keys: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Return which keys are in a sorted table."""
    if not len(table):
        return np.zeros(len(keys), np.bool_)
    place = np.minimum(np.searchsorted(table, keys), len(table) - 1)
    return np.asarray(table[place] == keys)


def _inside(keys: np.ndarray, table: np.ndarray) -> bool:
    return len(keys) <= len(table) and bool(_member(keys, table).all())
