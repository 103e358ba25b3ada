"""Which predicates of a fold are asked for, and how predictions of them are scored."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from logicoder.base.errors import InputError
from logicoder.evaluation.scores import Scores, score
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.mln.predicate_questions import Prediction, without
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
        known: of atoms whose constants other predicates of the fold mention as well; undefined without facts.
        only_here: number of constants that no other predicate mentions, and of all constants of their types.
        explicit: the facts against atoms that are explicitly false; None where there are none.
    """

    all_atoms: Scores
    known: Scores
    only_here: tuple[int, int]
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
    elsewhere, only_here = _elsewhere(fold, world, name)
    shown = known & elsewhere
    found = PredicateScores(every, score(truth[shown], prediction.probabilities[shown]), only_here)
    false = _numbers(world, name, negatives) if negatives is not None else np.empty(0, np.int64)
    if not len(false):
        return found
    if truth[false].any():
        raise InputError(f"{int(truth[false].sum())} explicit negatives of {name} are facts of the fold")
    listed = truth.copy()
    listed[false] = True
    return replace(found, explicit=score(truth[listed], prediction.probabilities[listed]))


def _elsewhere(fold: KnowledgeBase, world: World, name: str) -> tuple[np.ndarray, tuple[int, int]]:
    """Return which atoms have constants that other predicates mention, and how many constants nobody does."""
    mentioned = without(fold, name).constants()
    kinds = world.schema[name].types
    known = {kind: np.isin(world.domains[kind], mentioned.get(kind, ())) for kind in dict.fromkeys(kinds)}
    found = np.ones(world.shape(name), np.bool_)
    for place, kind in enumerate(kinds):
        found &= known[kind].reshape([-1 if place == other else 1 for other in range(len(kinds))])
    hidden = [part for part in known.values() if not part.all()]
    return found.ravel(), (sum(int((~part).sum()) for part in hidden), sum(map(len, hidden)))


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
