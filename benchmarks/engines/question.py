"""What is asked of every engine: how many distinct head tuples has a body, and how many of them are facts?

Tables are columns of whole numbers. A body is one conjunction, or several of which any may hold; each has at
most two literals, which is all that is compared here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

Tables = Mapping[str, tuple[np.ndarray, ...]]
"""Relations by name, as columns of equal length without repeated rows."""


@dataclass(frozen=True)
class Literal:
    """A table with a variable, a number, at each column."""

    table: str
    variables: tuple[int, ...]


@dataclass(frozen=True)
class Question:
    """The candidates that share a body.

    Attributes:
        head: variables of the head.
        bodies: conjunctions, of which any may hold.
        targets: tables of facts over the head variables; each is one candidate. None for encoders, where only
            the number of tuples is asked for.
    """

    head: tuple[int, ...]
    bodies: tuple[tuple[Literal, ...], ...]
    targets: tuple[str, ...] = ()

    @property
    def candidates(self) -> int:
        """Number of candidate clauses."""
        return max(1, len(self.targets))


@dataclass(frozen=True)
class Answer:
    """The number of distinct head tuples, and of those that are facts of each target."""

    size: int
    true: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """How a body of at most two literals is best joined.

    Attributes:
        first: the literal to start from.
        second: the other one, if any.
        common: variables of both.
        semi: whether the second only filters: all head variables are in the first.
        repeats: whether head tuples may come more than once, so that they must be made distinct.
    """

    first: Literal
    second: Literal | None
    common: tuple[int, ...]
    semi: bool
    repeats: bool


def plan_of(head: Sequence[int], body: Sequence[Literal]) -> Plan:
    """Return how a careful person would join a body.

    >>> plan_of((0,), [Literal("p", (0, 1)), Literal("q", (1,))]).semi
    True
    """
    first, second = body[0], body[1] if len(body) > 1 else None
    if second is not None and not set(head) <= set(first.variables) and set(head) <= set(second.variables):
        first, second = second, first
    wanted = set(head)
    if second is None:
        return Plan(first, None, (), False, set(first.variables) != wanted)
    common = tuple(sorted(set(first.variables) & set(second.variables)))
    semi = wanted <= set(first.variables)
    used = set(first.variables) if semi else set(first.variables) | set(second.variables)
    return Plan(first, second, common, semi, used != wanted)


class Engine(ABC):
    """Answers questions in three steps, of which only the middle one is timed.

    Attributes:
        name: for the table.
        light: how many questions about small joins are best asked at once, measured.
        heavy: how many questions about large joins are asked at once.
    """

    name: ClassVar[str]
    light: ClassVar[int] = 25
    heavy: ClassVar[int] = 8

    @abstractmethod
    def load(self, tables: Tables) -> None:
        """Take the data in."""

    @abstractmethod
    def prepare(self, questions: Sequence[Question]) -> Any:
        """Write the questions in the engine's own language."""

    @abstractmethod
    def run(self, prepared: Any) -> Any:
        """Answer them; this is timed."""

    @abstractmethod
    def answers(self, questions: Sequence[Question], found: Any) -> list[Answer]:
        """Return the answers in the order of the questions."""

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        """Return the answers to some questions."""
        return self.answers(questions, self.run(self.prepare(questions)))
