"""The library's own candidates as questions to other engines, with the counts that the library found.

Candidates are sampled uniformly from all that are evaluated, whether or not they rebuild a fact, as an engine
that is asked about each of them does not know that either.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np

from engines.question import Literal, Question, Tables
from logicoder.candidates.encoders import Latent
from logicoder.engine.arrays.array_handles import relations_of
from logicoder.engine.arrays.batches import Batch
from logicoder.engine.arrays.targets import Target
from logicoder.engine.arrays.views import ViewClass
from logicoder.engine.clauses import View
from logicoder.engine.handles import Extension
from logicoder.engine.shapes import label_turns

_APART = 1000
"""Added to a second literal's own existential variables, so that they differ from those of the first."""


@dataclass(frozen=True)
class Known:
    """A question, and the library's answer to it.

    Attributes:
        question: the candidates with one body.
        counts: true and false atoms for each target; None where the library says that there is none true.
        size: the number of head tuples, where it is known for itself.
    """

    question: Question
    counts: tuple[tuple[int, int] | None, ...] = ()
    size: int | None = None


@dataclass
class Bodies:
    """All bodies of one pair of classes of literals, or of one class of single literals.

    Attributes:
        pairs: the pair of classes, or the class.
        batches: what the library accepted, by target.
    """

    pairs: Any
    batches: list[tuple[Target, list[Batch]]] = field(default_factory=list)

    @property
    def sides(self) -> tuple[ViewClass, ...]:
        """The classes of literals: one or two."""
        return (self.pairs,) if isinstance(self.pairs, ViewClass) else (self.pairs.first, self.pairs.second)

    @property
    def count(self) -> int:
        """Number of bodies."""
        sizes = [len(side.views) for side in self.sides]
        if len(sizes) == 1:
            return sizes[0]
        return sizes[0] * (sizes[0] - 1) // 2 if self.sides[0] is self.sides[1] else sizes[0] * sizes[1]

    def random(self, numbers: random.Random) -> tuple[int, ...]:
        """Return a random body, as its literals' places in their classes."""
        if len(self.sides) == 2 and self.sides[0] is self.sides[1]:
            return tuple(sorted(numbers.sample(range(len(self.sides[0].views)), 2)))
        return tuple(numbers.randrange(len(side.views)) for side in self.sides)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Return all bodies."""
        sizes = [range(len(side.views)) for side in self.sides]
        if len(sizes) == 2 and self.sides[0] is self.sides[1]:
            return combinations(sizes[0], 2)
        return product(*sizes)

    @cached_property
    def _counts(self) -> list[dict[int, tuple[int, int]]]:
        """True and false atoms by body, for each target."""
        width = len(self.sides[-1].views)
        found = []
        for _, batches in self.batches:
            counts: dict[int, tuple[int, int]] = {}
            for batch in batches:
                codes = batch.first if batch.second is None else batch.first * width + batch.second
                pairs = zip(batch.true.tolist(), batch.false.tolist(), strict=True)
                counts.update(zip(codes.tolist(), pairs, strict=True))
            found.append(counts)
        return found

    def counts_of(self, body: tuple[int, ...]) -> tuple[tuple[int, int] | None, ...]:
        """Return what the library found for each target; None for no true atom."""
        width = len(self.sides[-1].views)
        codes = [a[0] * width + a[1] if len(a) == 2 else a[0] for a in self._same(body)]
        return tuple(
            next((counts[code] for code in codes if code in counts), None) for counts in self._counts
        )

    def _same(self, body: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Return the places of a body under all names of its shared variables; one of them is enumerated."""
        yield body
        if len(body) == 1:
            return
        shared = self.sides[0].shared
        variables = self.head_size
        places = [{view: i for i, view in enumerate(side.views)} for side in self.sides]
        for rename in ({}, *label_turns(shared, variables)):
            turned = [places[i][_renamed(side.views[body[i]], rename)] for i, side in enumerate(self.sides)]
            yield turned[0], turned[1]
            if self.sides[0] is self.sides[1]:
                yield turned[1], turned[0]

    @property
    def head_size(self) -> int:
        """Number of head variables."""
        return len(self.batches[0][0].types)

    def question(self, body: tuple[int, ...], names: Mapping[int, str]) -> Question:
        """Return the candidates with a body, given names for the tables of the targets."""
        bound = self.head_size + len(self.sides[0].shared)
        literals = []
        for place, (side, number) in enumerate(zip(self.sides, body, strict=True)):
            view = side.views[number]
            own = [a if a < bound else a + place * _APART for a in view.arguments]
            literals.append(Literal(latent_table(view.latent), tuple(own)))
        targets = tuple(names[id(target)] for target, _ in self.batches)
        return Question(tuple(range(self.head_size)), (tuple(literals),), targets)


def _renamed(view: View, rename: Mapping[int, int]) -> View:
    return View(view.latent, tuple(rename.get(a, a) for a in view.arguments))


def latent_table(number: int) -> str:
    """Return the name of the table of a latent predicate."""
    return f"latent{number}"


class DecoderCandidates:
    """All decoder candidates of one enumeration.

    Args:
        latents: the latent predicates.
        batches: what the enumeration yields, with every true atom accepted.
    """

    def __init__(self, latents: Mapping[int, Extension], batches: Sequence[Batch]) -> None:
        groups: dict[int, Bodies] = {}
        names: dict[int, str] = {}
        tables: dict[str, tuple[np.ndarray, ...]] = {
            latent_table(i): relation.columns for i, relation in relations_of(latents).items()
        }
        for batch in batches:
            group = groups.setdefault(id(batch.pairs), Bodies(batch.pairs))
            known = [listed for target, listed in group.batches if target is batch.target]
            if known:
                known[0].append(batch)
            else:
                group.batches.append((batch.target, [batch]))
            if id(batch.target) not in names:
                if batch.target.open_world or len(batch.target.other[0]):
                    raise SystemExit("the other engines know true and false atoms only, no unknown ones")
                names[id(batch.target)] = f"target{len(names)}"
                tables[names[id(batch.target)]] = batch.target.facts
        self.groups = [group for group in groups.values() if group.count > 0]
        self.names = names
        self.tables: Tables = tables

    def sample(self, count: int, seed: int) -> list[Known]:
        """Return some random bodies, each with all its targets."""
        numbers = random.Random(seed)  # noqa: S311  (a sample, not a secret)
        weights = [group.count for group in self.groups]
        chosen = numbers.choices(self.groups, weights, k=count)
        return [self._known(group, group.random(numbers)) for group in chosen]

    def large(self, tuples: int) -> list[tuple[Bodies, list[tuple[int, ...]]]]:
        """Return all bodies whose join has more tuples than that, in their groups."""
        found = []
        for group in self.groups:
            bodies = [
                body for body in group if join_tuples(self.tables, group.question(body, self.names)) > tuples
            ]
            if bodies:
                found.append((group, bodies))
        return found

    def _known(self, group: Bodies, body: tuple[int, ...]) -> Known:
        return Known(group.question(body, self.names), group.counts_of(body))


def encoder_questions(
    latents: Sequence[Latent], predicates: Sequence[str], count: int, seed: int
) -> list[Known]:
    """Return some random encoder candidates over tables named by `predicate_table`."""
    numbers = random.Random(seed)  # noqa: S311  (a sample, not a secret)
    found = []
    for latent in numbers.sample(list(latents), min(count, len(latents))):
        bodies = tuple(
            tuple(Literal(predicate_table(predicates, symbol), variables) for symbol, variables in body)
            for body in latent.bodies
        )
        found.append(Known(Question(latent.head, bodies), size=latent.extension.size))
    return found


def predicate_table(predicates: Sequence[str], symbol: int) -> str:
    """Return the name of the table of an input predicate."""
    return f"input{symbol}" if symbol < len(predicates) else f"unknown{symbol}"


def join_tuples(tables: Tables, question: Question) -> int:
    """Return how many tuples the join of a body of two literals has before head tuples are made distinct.

    Variables that are neither in the head nor shared are projected away first.

    >>> one = np.array([0, 0, 1]), np.array([0, 1, 1])
    >>> body = Literal("p", (0, 2)), Literal("p", (1, 2))
    >>> join_tuples({"p": one}, Question((0, 1), (body,)))
    5
    """
    body = question.bodies[0]
    if len(body) < 2:
        return len(tables[body[0].table][0])
    common = sorted(set(body[0].variables) & set(body[1].variables))
    sides = []
    for literal in body:
        own = sorted((set(literal.variables) & set(question.head)) - set(common))
        columns = tables[literal.table]
        keep = np.ones(len(columns[0]), np.bool_)
        for place, variable in enumerate(literal.variables):
            keep &= columns[place] == columns[literal.variables.index(variable)]
        key, rest = (
            [columns[literal.variables.index(v)][keep].astype(np.int64) for v in variables]
            for variables in (common, own)
        )
        sides.append((key, rest))
    keys = _numbered([np.concatenate(parts) for parts in zip(*(key for key, _ in sides), strict=True)])
    cut = len(sides[0][0][0])
    degrees = []
    for number, (_, rest) in zip((keys[:cut], keys[cut:]), sides, strict=True):
        _, first = np.unique(_numbered([number, *rest]), return_index=True)
        degrees.append(np.bincount(number[first], minlength=int(keys.max(initial=-1)) + 1))
    return int(degrees[0] @ degrees[1])


def _numbered(columns: Sequence[np.ndarray]) -> np.ndarray:
    """Number the distinct rows of some columns."""
    numbers = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        # Ranks and ids are below 2^31.
        numbers = np.unique((numbers << 31) | column, return_inverse=True)[1].ravel().astype(np.int64)
    return numbers
