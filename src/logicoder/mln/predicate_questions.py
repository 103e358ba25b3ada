"""Questions about one predicate: everything else is known, of the predicate nothing.

A question holds the facts without those of the predicate, and the constants that exist besides: those that
only these facts mention vanish with them. Whoever predicts sees nothing else, so nothing can leak.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.mln.worlds import World, worlds_of


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked, and what is known.

    Attributes:
        predicate: all ground atoms of it are asked for.
        evidence: one interpretation without any atom of the predicate.
        domains: the constants of each type that exist there.
    """

    predicate: str
    evidence: KnowledgeBase
    domains: Mapping[str, tuple[str, ...]]

    @property
    def world(self) -> World:
        """The evidence with all constants: it numbers the ground atoms."""
        return worlds_of(self.evidence, self.domains)[0]


@dataclass(frozen=True, eq=False)
class Prediction:
    """The probabilities of all ground atoms of a predicate.

    Attributes:
        predicate: the predicate.
        probabilities: numbered as in `World.numbers`.
        notes: how they were found.
    """

    predicate: str
    probabilities: np.ndarray
    notes: Mapping[str, Any] = field(default_factory=dict)


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
