"""What is asked about a fold, and how predictions are scored on it.

A question holds the fold without the facts of a predicate, and the constants that exist besides: those
that only these facts mention vanish with them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from logicoder.base.errors import InputError, UsageError
from logicoder.evaluation.scores import Scores, score
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.mln.questions import Prediction, Question
from logicoder.mln.worlds import World, worlds_of


def without(kb: KnowledgeBase, predicate: str) -> KnowledgeBase:
    """Return a knowledge base without the atoms of a predicate, which stays declared."""
    names = [name for name in kb.schema if name != predicate]
    tables = {truth: {name: kb.table(name, truth) for name in names} for truth in TRUTHS}
    return KnowledgeBase(kb.schema, kb.symbols, kb.interpretations, tables)


def question_of(fold: KnowledgeBase, predicate: str) -> Question:
    """Return the question about a predicate of a fold.

    >>> fold = KnowledgeBase.from_facts(["likes(ann,bob)", "tall(ann)"])
    >>> asked = question_of(fold, "likes")
    >>> print(*asked.evidence), asked.world.groundings("likes")
    tall(ann)
    (None, 4)
    """
    if len(fold.interpretations) != 1:
        raise UsageError(
            f"a test fold is one interpretation, not {len(fold.interpretations)}: "
            f"{', '.join(fold.interpretations)}"
        )
    return Question(predicate, without(fold, predicate), fold.constants())


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
