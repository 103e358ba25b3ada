"""Questions about one predicate: everything else is known, of the predicate nothing.

Whoever predicts sees the evidence of a question and nothing else, so nothing can leak.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from logicoder.kb.knowledge_base import KnowledgeBase
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
