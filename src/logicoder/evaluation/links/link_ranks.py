"""Ranks of facts among all atoms that differ in one argument, and what they come to.

For a fact r(h,t) its tail is ranked among all entities, and so is its head. The ranking is *filtered*:
atoms that are facts of any part, other than the fact itself, do not count. A fact that ties with others has
the mean of the ranks they share, so a model that gives all atoms the same score is in the middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logicoder.evaluation.links.knowledge_graph import Triples

HITS = (1, 3, 10)


@dataclass(frozen=True)
class LinkScores:
    """Scores of a list of ranks.

    Attributes:
        facts: how many facts were ranked, each on both sides.
        mrr: mean reciprocal rank.
        hits: the share of ranks of at most 1, 3 and 10.
    """

    facts: int
    mrr: float
    hits: tuple[float, ...]

    def as_dict(self) -> dict[str, float]:
        """Return the scores as plain data.

        >>> link_scores(np.array([[1.0, 4.0]])).as_dict()
        {'facts': 1, 'mrr': 0.625, 'hits@1': 0.5, 'hits@3': 0.5, 'hits@10': 1.0}
        """
        named = {f"hits@{most}": share for most, share in zip(HITS, self.hits, strict=True)}
        return {"facts": self.facts, "mrr": self.mrr, **named}


def ranks(scores: NDArray[np.floating], triples: Triples, facts: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the rank of the tail and that of the head of each fact.

    >>> scores = np.array([[[0.5, 0.5, 0.9], [0.5, 0.1, 0.0], [0.7, 0.0, 0.0]]])
    >>> none = np.zeros((1, 3, 3), bool)
    >>> ranks(scores, np.array([[0, 0, 0]]), none).tolist()  # behind 0.9 (0.7), and level with 0.5
    [[2.5, 2.5]]

    Args:
        scores: of each atom: relation, head, tail.
        triples: the facts to be ranked.
        facts: which atoms are known to be true and do not count, except the fact itself.
    """
    relations, heads, tails = triples.T
    own = scores[relations, heads, tails][:, None]
    sides = (
        (scores[relations, heads, :], facts[relations, heads, :], tails),
        (scores[relations, :, tails], facts[relations, :, tails], heads),
    )
    found = []
    for others, filtered, place in sides:
        counted = ~filtered
        counted[np.arange(len(triples)), place] = False
        before = ((others > own) & counted).sum(axis=1)
        level = ((others == own) & counted).sum(axis=1)
        found.append(1.0 + before + level / 2)
    return np.column_stack(found)


def link_scores(found: NDArray[np.float64]) -> LinkScores:
    """Return the scores of some ranks, both sides together."""
    hits = tuple(float((found <= most).mean()) for most in HITS)
    return LinkScores(len(found), float((1.0 / found).mean()), hits)


def by_relation(
    found: NDArray[np.float64], triples: Triples, relations: Sequence[str]
) -> dict[str, LinkScores]:
    """Return the scores of each relation that has facts."""
    present = np.unique(triples[:, 0]).tolist()
    return {relations[number]: link_scores(found[triples[:, 0] == number]) for number in present}
