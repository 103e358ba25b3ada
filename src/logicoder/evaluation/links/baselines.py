"""Baselines of link prediction that anybody can recompute: how often, and the most similar rule.

A *rule* of a relation r is `r(X,Y) :- body(X,Y)`, where the body is

- another relation, `s(X,Y)`;
- an inverse, `s(Y,X)`; that of r itself with X and Y different;
- a path of two steps, `s(X,Z), t(Z,Y)`, each step in either direction, s and t any relations, and Z different
  from X and from Y.

So no rule derives an atom from itself: in a rule of r that uses r, every literal of r is about another pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from logicoder.evaluation.links.knowledge_graph import KnowledgeGraph

Booleans = NDArray[np.bool_]

CAUTION = 5
"""Added to the number of atoms that a rule derives: that a rule is right twice in two cases says little."""


@dataclass(frozen=True)
class Rule:
    """A rule of a relation, with what it derives.

    Attributes:
        head: the relation.
        body: the text of the body.
        similarity: facts that it derives, divided by all that it derives or that are facts (Jaccard).
        confidence: facts that it derives, divided by all that it derives, with caution.
    """

    head: str
    body: str
    similarity: float
    confidence: float

    def __str__(self) -> str:
        return f"{self.head}(X,Y) :- {self.body}."


def frequency(graph: KnowledgeGraph) -> NDArray[np.float64]:
    """Score an atom r(h,t) by how often h is a head of r, and t a tail, in training.

    Among tails the heads do not matter, and the other way round.
    """
    heads, tails = graph.known.sum(axis=2), graph.known.sum(axis=1)
    return np.asarray(heads[:, :, None] + tails[:, None, :], np.float64)


def most_similar_rule(graph: KnowledgeGraph) -> tuple[NDArray[np.float64], list[Rule]]:
    """Score atoms that the most similar rule of their relation derives above all others, then by frequency.

    Returns the scores, and the rule of each relation; of equally similar ones the first.
    """
    best: list[Rule | None] = [None] * len(graph.relations)
    scores = np.zeros(graph.shape)
    for bodies in _bodies(graph):
        for number, rule, derived in bodies.rules(graph):
            known = best[number]
            if known is None or rule.similarity > known.similarity:
                best[number] = rule
                scores[number] = derived
    return scores + _small(frequency(graph)), [rule for rule in best if rule is not None]


def all_rules(graph: KnowledgeGraph) -> NDArray[np.float64]:
    """Score an atom by the largest confidence of the rules that derive it, then by frequency."""
    scores = np.zeros(graph.shape)
    for bodies in _bodies(graph):
        for number, rule, derived in bodies.rules(graph):
            np.maximum(scores[number], rule.confidence * derived, out=scores[number])
    return scores + _small(frequency(graph)) * 1e-6


def _small(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return counts as numbers below one."""
    return np.asarray(counts / (counts.max() + 1.0))


@dataclass(frozen=True, eq=False)
class _Bodies:
    """Some bodies.

    Attributes:
        texts: how they are written.
        derived: which pairs each derives.
        own: the relation that each must not be used for, if there is one.
    """

    texts: list[str]
    derived: Booleans
    own: list[int | None]

    def rules(self, graph: KnowledgeGraph) -> Iterator[tuple[int, Rule, Booleans]]:
        """Yield the rules that derive a fact, with the number of their relation, and all they derive."""
        facts = graph.known.reshape(len(graph.relations), -1).astype(np.float32)
        flat = self.derived.reshape(len(self.texts), -1).astype(np.float32)
        both, sizes, totals = flat @ facts.T, flat.sum(axis=1), facts.sum(axis=1)
        for body, number in zip(*np.nonzero(both), strict=True):
            if number != self.own[body]:
                right, size = float(both[body, number]), float(sizes[body])
                similarity = right / (size + float(totals[number]) - right)
                rule = Rule(graph.relations[number], self.texts[body], similarity, right / (size + CAUTION))
                yield int(number), rule, self.derived[body]


def _bodies(graph: KnowledgeGraph) -> Iterator[_Bodies]:
    """Yield all bodies, some at a time."""
    known, names = graph.known, graph.relations
    backwards = known.transpose(0, 2, 1)
    apart = ~np.eye(len(graph.entities), dtype=np.bool_)
    numbers = list(range(len(names)))
    yield _Bodies([f"{name}(X,Y)" for name in names], known, list(numbers))
    yield _Bodies([f"{name}(Y,X)" for name in names], backwards, list(numbers))
    yield _Bodies([f"{name}(Y,X), X \\= Y" for name in names], backwards & apart, [None] * len(names))
    steps = np.concatenate([known & apart, backwards & apart]).astype(np.float32)
    first = [f"{name}({pair})" for pair in ("X,Z", "Z,X") for name in names]
    second = [f"{name}({pair})" for pair in ("Z,Y", "Y,Z") for name in names]
    for step, text in zip(steps, first, strict=True):
        texts = [f"{text}, {other}, X \\= Z, Y \\= Z" for other in second]
        yield _Bodies(texts, (step @ steps) > 0, [None] * len(texts))
