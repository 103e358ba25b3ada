"""What facts say of the entities of a type, as columns of numbers: along paths from one relation to the next.

A column counts the ways along a path: `moleatm(A,B), atom_elem(B,c)` is the number of carbon atoms of a
molecule. A path ends anywhere, or at one of few values; of ordered values at its end there is also the mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.symbols import atom_text, value_of

Numbers = NDArray[np.float64]
VARIABLES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_INTERVAL = re.compile(r"\[(.*)\.\.(.*)\)\Z")


@dataclass(frozen=True)
class Step:
    """A relation that is followed from one of its arguments to another.

    Attributes:
        predicate: its name.
        start: the argument from which.
        end: the argument to which; None for a predicate of one argument.
        arity: how many arguments there are.
    """

    predicate: str
    start: int
    end: int | None
    arity: int

    def text(self, start: str, end: str) -> str:
        """Return the literal, with these terms where it starts and ends."""
        terms = ["_"] * self.arity
        terms[self.start] = start
        if self.end is not None:
            terms[self.end] = end
        return f"{atom_text(self.predicate)}({','.join(terms)})"


@dataclass(frozen=True)
class FeaturePath:
    """A path of steps from an entity, and what is counted at its end.

    Attributes:
        steps: from the entity on.
        value: only ways that end at this constant count; None: all.
        mean: instead of counting, take the mean of the ordered values at the end.
    """

    steps: tuple[Step, ...]
    value: str | None = None
    mean: bool = False

    def __str__(self) -> str:
        ends = [*VARIABLES[1 : len(self.steps)], "_" if self.value is None else self.value]
        if self.mean:
            ends[-1] = VARIABLES[len(self.steps)]
        text = ", ".join(
            step.text(start, end) for step, start, end in zip(self.steps, VARIABLES, ends, strict=False)
        )
        return f"mean of {ends[-1]}: {text}" if self.mean else text


class EntityFeatures:
    """The columns that facts give for entities.

    Args:
        kb: the facts; their interpretations count as one.
        values: an argument of at most so many constants has a column for each of them.
    """

    def __init__(self, kb: KnowledgeBase, values: int) -> None:
        self._kb, self._values = kb, values
        self._constants = kb.constants()
        self._known: dict[Step, Any] = {}

    def paths(self, entity: str, depth: int) -> Iterator[FeaturePath]:
        """Iterate over paths from a type, the shortest first."""
        front: list[tuple[tuple[Step, ...], str]] = [((), entity)]
        for _ in range(depth):
            longer: list[tuple[tuple[Step, ...], str]] = []
            for steps, kind in front:
                for step, end in self._steps.get(kind, ()):
                    if steps and self._turns_back(steps[-1], step):
                        continue
                    path = (*steps, step)
                    yield FeaturePath(path)
                    if end is None:
                        continue
                    if len(self._constants[end]) <= self._values:
                        yield from (FeaturePath(path, value) for value in self._constants[end])
                    if self._order(end) is not None:
                        yield FeaturePath(path, mean=True)
                    longer.append((path, end))
            front = longer

    def column(self, path: FeaturePath, entities: Sequence[str]) -> Numbers:
        """Return what a path counts for each of some entities; the mean of nothing is NaN."""
        kind = self._kb.schema[path.steps[0].predicate].types[path.steps[0].start]
        end = self._end(path)
        weights = np.ones(len(self._constants[end]) if end else 1)
        if path.value is not None:
            weights = np.array([float(symbol == path.value) for symbol in self._constants[end or ""]])
        counts = self._walked(path.steps, weights)
        if path.mean:
            order = self._order(end or "")
            total = self._walked(path.steps, np.zeros(len(weights)) if order is None else order)
            counts = np.divide(total, counts, out=np.full(len(total), np.nan), where=counts > 0)
        place = {symbol: number for number, symbol in enumerate(self._constants.get(kind, ()))}
        missing = np.nan if path.mean else 0.0
        return np.array([counts[place[e]] if e in place else missing for e in entities])

    def _end(self, path: FeaturePath) -> str | None:
        last = path.steps[-1]
        return None if last.end is None else self._kb.schema[last.predicate].types[last.end]

    def _walked(self, steps: Sequence[Step], weights: Numbers) -> Numbers:
        """Return the weights at the ends of all ways, summed up for each entity they start at."""
        for step in reversed(steps):
            weights = self._matrix(step) @ weights
        return weights

    def _matrix(self, step: Step) -> Any:
        """Return which entities a step leads from and to, as a sparse matrix."""
        from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import)

        if step not in self._known:
            types = self._kb.schema[step.predicate].types
            arguments = self._kb.table(step.predicate).arguments
            columns = [self._places[types[step.start]][arguments[:, step.start]]]
            shape = [len(self._constants[types[step.start]]), 1]
            if step.end is None:
                columns.append(np.zeros(len(arguments), np.int64))
            else:
                columns.append(self._places[types[step.end]][arguments[:, step.end]])
                shape[1] = len(self._constants[types[step.end]])
            matrix = csr_matrix((np.ones(len(arguments)), tuple(columns)), shape=tuple(shape))
            matrix.data[:] = 1.0
            self._known[step] = matrix
        return self._known[step]

    @cached_property
    def _places(self) -> Mapping[str, NDArray[np.int64]]:
        """For each type, the place of each symbol among its constants."""
        ids = {symbol: number for number, symbol in enumerate(self._kb.symbols)}
        found = {}
        for kind, symbols in self._constants.items():
            found[kind] = np.zeros(len(ids), np.int64)
            known = [(ids[symbol], place) for place, symbol in enumerate(symbols) if symbol in ids]
            if known:
                numbers, places = zip(*known, strict=True)
                found[kind][list(numbers)] = places
        return found

    @cached_property
    def _steps(self) -> dict[str, list[tuple[Step, str | None]]]:
        """The steps that start at each type, with the type that they lead to."""
        found: dict[str, list[tuple[Step, str | None]]] = {}
        for name in self._kb.predicates:
            predicate = self._kb.schema[name]
            if predicate.compares:
                continue
            if predicate.arity == 1:
                found.setdefault(predicate.types[0], []).append((Step(name, 0, None, 1), None))
            for start, end in permutations(range(predicate.arity), 2):
                step = Step(name, start, end, predicate.arity)
                found.setdefault(predicate.types[start], []).append((step, predicate.types[end]))
        return found

    def _turns_back(self, one: Step, other: Step) -> bool:
        """Whether a step leads back to where another one came from, and nowhere else: that says nothing."""
        if other != Step(one.predicate, -1 if one.end is None else one.end, one.start, one.arity):
            return False
        return bool(np.diff(self._matrix(other).indptr).max(initial=0) <= 1)

    def _order(self, kind: str) -> Numbers | None:
        """Return a number for each constant of a type, if they are ordered and there are more than two."""
        symbols = self._constants.get(kind, ())
        points = [_point(symbol) for symbol in symbols]
        found = [point for point in points if point is not None]
        if len(found) < max(3, len(points)):
            return None
        if all(isinstance(value_of(symbol), int | float) for symbol in symbols):
            return np.array(found)
        return np.argsort(np.argsort(found)).astype(np.float64)


def _point(symbol: str) -> float | None:
    """Return the number of a constant, or one that orders intervals by their lower ends."""
    value = value_of(symbol)
    if isinstance(value, int | float):
        return float(value)
    interval = _INTERVAL.match(str(value))
    if interval is None:
        return None
    low = interval[1]
    try:
        return float(low) if low else -np.inf
    except ValueError:
        digits = re.sub(r"\D", "", low)  # a date: its digits rise with it
        return float(digits.ljust(20, "0")) if digits else None
