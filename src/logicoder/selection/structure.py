"""What all formulations of one problem share, so that one of a neighbourhood takes time for that alone.

Decoders that rebuild the same atoms are one *node*: coverage and generality speak of nodes, which makes
formulations far smaller than one constraint per clause and atom.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from logicoder.problem.masking import MASKED
from logicoder.problem.model import Inclusion, Problem

_SEED = 20190401


class Structure:
    """A problem, prepared for many formulations.

    Args:
        problem: what to choose from.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._classes = (*problem.classes, *problem.families.get(MASKED, ()))
        covers: list[list[int]] = [[] for _ in problem.decoders]
        for number, item in enumerate(self._classes):
            for decoder in item.decoders:
                covers[decoder].append(number)
        groups: dict[tuple[int, ...], int] = {}
        self.node_of = np.array(
            [groups.setdefault(tuple(covered), len(groups)) for covered in covers], np.int64
        )
        pairs = [(number, node) for covered, node in groups.items() for number in covered]
        self._coverage = np.array(sorted(pairs), np.int64).reshape(-1, 2)
        self._nodes = len(groups)
        # A set of nodes is told by the sum of their random numbers, 128 bits (as in `engine.coverage`).
        generator = np.random.Generator(np.random.PCG64(_SEED))
        self._random = generator.integers(0, 2**64, size=(2, self._nodes), dtype=np.uint64, endpoint=False)
        self._kinds = np.zeros((len(self._classes), 3), np.uint64)
        self._kinds[:, 0] = [2 * item.predicate + item.true for item in self._classes]
        self._kinds[len(problem.classes) :, 0] += np.uint64(2 * len(problem.targets))
        self._weights = np.array([item.weight for item in self._classes], np.int64)
        width = max((len(decoder.latents) for decoder in problem.decoders), default=1)
        self._latents = np.array(
            [d.latents + d.latents[-1:] * (width - len(d.latents)) for d in problem.decoders], np.int64
        ).reshape(len(problem.decoders), width)
        self.single = self._single(problem.decoder_generality)
        self.ladders = {
            id(order): Ladder(order)
            for order in (problem.decoder_generality, problem.encoder_generality)
            if order is not None
        }

    def _single(self, order: Inclusion | None) -> np.ndarray:
        """Return which sets of decoders with equal coverage are one node of generality."""
        if order is None:
            return np.zeros(self._nodes, np.bool_)
        of_order = np.array(order.nodes, np.int64)
        least, most = np.full(self._nodes, len(of_order)), np.full(self._nodes, -1)
        np.minimum.at(least, self.node_of, of_order)
        np.maximum.at(most, self.node_of, of_order)
        return np.asarray(least == most)

    def decoders_over(self, encoders: Sequence[int]) -> list[int]:
        """Return the decoders that use no others than some encoders, ascending."""
        allowed = np.zeros(len(self.problem.encoders), np.bool_)
        allowed[encoders] = True
        return list(np.flatnonzero(allowed[self._latents].all(axis=1)).tolist())

    def members(self, decoders: Sequence[int]) -> dict[int, list[int]]:
        """Return some decoders, ascending, by their node, ascending."""
        found: dict[int, list[int]] = {}
        nodes = self.node_of[decoders]
        for place in np.argsort(nodes, kind="stable").tolist():
            found.setdefault(int(nodes[place]), []).append(decoders[place])
        return found

    def coverage(self, nodes: Sequence[int]) -> list[Covered]:
        """Return the coverage classes in terms of some nodes, those that none of these tell apart as one."""
        present = np.zeros(self._nodes, np.bool_)
        present[nodes] = True
        pairs = self._coverage[present[self._coverage[:, 1]]]
        marks = self._kinds.copy()
        for half in (1, 2):
            np.add.at(marks[:, half], pairs[:, 0], self._random[half - 1, pairs[:, 1]])
        _, first, inverse = np.unique(marks, axis=0, return_index=True, return_inverse=True)
        weights = np.zeros(len(first), np.int64)
        np.add.at(weights, inverse.ravel(), self._weights)
        borders = np.searchsorted(pairs[:, 0], np.arange(len(marks) + 1))
        found = []
        for group in np.argsort(first).tolist():
            number = int(first[group])
            item = self._classes[number]
            masked = number >= len(self.problem.classes)
            covering = pairs[borders[number] : borders[number + 1], 1].tolist()
            found.append(Covered(item.predicate, item.true, int(weights[group]), covering, masked))
        return found


@dataclass(frozen=True)
class Covered:
    """Atoms of one predicate and truth that the same nodes cover.

    Attributes:
        predicate: index of the predicate.
        true: whether they are facts.
        weight: number of atoms.
        nodes: the nodes, ascending.
        masked: whether only eligible decoders count.
    """

    predicate: int
    true: bool
    weight: int
    nodes: list[int]
    masked: bool = False


class Ladder:
    """The strict inclusions between nodes, from the top down."""

    def __init__(self, order: Inclusion) -> None:
        self.edges = order.edges
        children: dict[int, list[int]] = {}
        waiting: dict[int, int] = {}
        for parent, child in order.edges:
            children.setdefault(parent, []).append(child)
            waiting[child] = waiting.get(child, 0) + 1
        self._downwards: list[tuple[int, int]] = []
        """The inclusions; those into a node come before those out of it."""
        ready = [node for node in children if node not in waiting]
        while ready:
            parent = ready.pop()
            for child in children.get(parent, ()):
                self._downwards.append((parent, child))
                waiting[child] -= 1
                if not waiting[child]:
                    ready.append(child)

    def between(self, present: Collection[int]) -> set[int]:
        """Return the nodes below one of those that are present that are present or above one of them."""
        below: set[int] = set()
        for parent, child in self._downwards:
            if parent in present or parent in below:
                below.add(child)
        needed = set(present)
        for parent, child in reversed(self._downwards):
            if child in needed:
                needed.add(parent)
        return below & needed
