"""Which predicates of a fold are asked for, and how predictions of them are scored."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from logicoder.base.errors import InputError
from logicoder.evaluation.scores import Scores, score
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.mln.questions import Prediction
from logicoder.mln.worlds import World, worlds_of


def asked_predicates(fold: KnowledgeBase) -> list[str]:
    """Return the predicates to be asked for: those with facts and arguments, but for background."""
    return [name for name in fold.learnable if fold.schema[name].arity]


def trivial_predicates(kb: KnowledgeBase) -> set[str]:
    """Return the predicates that hold only of equal arguments: `sameperson` where nobody has two names."""
    tables = {name: kb.table(name).arguments for name in kb.learnable if kb.schema[name].arity == 2}
    return {name for name, rows in tables.items() if (rows[:, 0] == rows[:, 1]).all()}


@dataclass(frozen=True)
class PredicateScores:
    """The scores of one prediction.

    Attributes:
        all_atoms: what is no fact is false, unless it is unknown.
        explicit: the facts against atoms that are explicitly false; None where there are none.
    """

    all_atoms: Scores
    explicit: Scores | None = None


def scored(
    prediction: Prediction, fold: KnowledgeBase, negatives: KnowledgeBase | None = None
) -> PredicateScores:
    """Return the scores of a prediction, given the whole fold.

    Args:
        prediction: the probabilities.
        fold: the fold with the facts of the predicate.
        negatives: atoms that are explicitly false, as facts of a knowledge base of their own.
    """
    [world] = worlds_of(fold)
    name = prediction.predicate
    truth = np.zeros(world.groundings(name), np.bool_)
    truth[world.numbers(name)] = True
    known = np.ones(len(truth), np.bool_)
    known[world.numbers(name, "unknown")] = False
    every = score(truth[known], prediction.probabilities[known])
    false = _numbers(world, name, negatives) if negatives is not None else np.empty(0, np.int64)
    if not len(false):
        return PredicateScores(every)
    if truth[false].any():
        raise InputError(f"{int(truth[false].sum())} explicit negatives of {name} are facts of the fold")
    listed = truth.copy()
    listed[false] = True
    return PredicateScores(every, score(truth[listed], prediction.probabilities[listed]))


def _numbers(world: World, name: str, kb: KnowledgeBase) -> np.ndarray:
    """Return the atoms of another knowledge base that exist in a world, as numbers."""
    if name not in kb.schema:
        return np.empty(0, np.int64)
    kinds, shape = world.schema[name].types, world.shape(name)
    places = {kind: {symbol: i for i, symbol in enumerate(world.domains[kind])} for kind in kinds}
    rows = [
        [places[kind].get(kb.symbols[i], -1) for kind, i in zip(kinds, row, strict=True)]
        for row in kb.table(name).arguments.tolist()
    ]
    found = np.array([row for row in rows if min(row) >= 0], np.int64).reshape(-1, len(kinds))
    return np.asarray(np.ravel_multi_index(tuple(found.T), shape), np.int64)
