"""Counts on the levels of an explainer: level 0 is the data, level i what program i derives."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from logicoder.engine.arrays.difference import rows_inside
from logicoder.kb.table import FactTable
from logicoder.logic.terms import Atom, Clause, Constant, Program

if TYPE_CHECKING:
    from logicoder.autoencoder.explainer import Explainer
    from logicoder.engine.arrays.array_derivations import Derivations
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.kb.schema import Schema

EXAMPLES = 3
"""Most ground instances to show of one clause."""


@dataclass(frozen=True)
class Example:
    """A ground instance of a clause; `right` says whether its head is a fact, None where nobody knows."""

    head: str
    body: tuple[str, ...]
    interpretation: str
    right: bool | None


@dataclass(frozen=True)
class Judged:
    """What a clause derives.

    Attributes:
        derived: distinct atoms.
        true: those that are facts of a level below.
        false: those that are wrong there; what is of unknown truth is neither.
        examples: some ground instances.
    """

    derived: int
    true: int = 0
    false: int = 0
    examples: tuple[Example, ...] = ()


class LevelCounts(ABC):
    """Counts on the levels of an explainer.

    Args:
        explainer: the programs, run on data.
    """

    def __init__(self, explainer: Explainer) -> None:
        self.explainer = explainer

    def schema(self, level: int) -> Schema:
        """Return the predicates of a level."""
        found: KnowledgeBase = self.explainer.levels[level - 1].outputs if level else self.explainer.data
        return found.schema

    @abstractmethod
    def count(self, level: int, name: str) -> int:
        """Return the number of facts of a predicate that a level has."""

    @abstractmethod
    def right(self, level: int, name: str, below: int) -> int:
        """Return how many facts of a predicate that one level has are facts of another."""

    @abstractmethod
    def judged(self, level: int, program: Program, below: int | None) -> list[Judged]:
        """Return what each clause of a program derives.

        Args:
            level: the level of the program.
            program: the clauses.
            below: the level that has the facts; None where nobody says what is right.
        """


class ArrayCounts(LevelCounts):
    """Counts in memory, with examples.

    Args:
        explainer: the programs, run on data in memory.
        examples: most ground instances of each clause.
    """

    def __init__(self, explainer: Explainer, examples: int = EXAMPLES) -> None:
        super().__init__(explainer)
        self._examples = examples

    def _facts(self, level: int) -> KnowledgeBase:
        found: KnowledgeBase = self.explainer.levels[level - 1].outputs if level else self.explainer.data
        return found

    def count(self, level: int, name: str) -> int:
        """See `LevelCounts.count`."""
        return self._facts(level).count(name)

    def right(self, level: int, name: str, below: int) -> int:
        """See `LevelCounts.right`."""
        facts = self._facts(below)
        if name not in facts.schema:
            return 0
        # Levels number the constants of the data as the data does, and new ones after them.
        return int(rows_inside(self._facts(level).table(name), facts.table(name)).sum())

    def judged(self, level: int, program: Program, below: int | None) -> list[Judged]:
        """See `LevelCounts.judged`."""
        facts = None if below is None else self._facts(below)
        derivations = self.explainer.levels[level - 1]
        return [self._judged(derivations, clause, facts) for clause in program]

    def _judged(self, level: Derivations, clause: Clause, facts: KnowledgeBase | None) -> Judged:
        parts = [level.heads(clause.head, body) for body in clause.alternatives]
        atoms = FactTable.distinct(
            np.concatenate([table.worlds for table in parts]),
            np.concatenate([table.arguments for table in parts]),
        )
        verdicts = np.zeros(len(atoms), np.int8)
        if facts is not None:
            verdicts = _verdicts(atoms, facts, clause.head.predicate)
        shown = tuple(_examples(level, clause, atoms, verdicts, self._examples, judged=facts is not None))
        return Judged(len(atoms), int((verdicts > 0).sum()), int((verdicts < 0).sum()), shown)


def _verdicts(atoms: FactTable, facts: KnowledgeBase, name: str) -> np.ndarray:
    """Return 1 for atoms that are facts, -1 for those that are wrong, 0 where nobody knows."""
    if name not in facts.schema:
        return np.full(len(atoms), -1, np.int8)
    right = rows_inside(atoms, facts.table(name))
    if facts.schema[name].open_world:
        wrong = rows_inside(atoms, facts.table(name, "false"))
    else:
        wrong = ~right & ~rows_inside(atoms, facts.table(name, "unknown"))
    return right.astype(np.int8) - wrong.astype(np.int8)


def _examples(
    level: Derivations, clause: Clause, atoms: FactTable, verdicts: np.ndarray, count: int, *, judged: bool
) -> Iterator[Example]:
    """Iterate over some instances: right ones, and in the last place a wrong one if there is any."""
    symbols = level.database.symbols
    wrong = np.flatnonzero(verdicts < 0)
    others = np.flatnonzero(verdicts >= 0)[: count - bool(len(wrong))]
    for row in [*others, *wrong[: count - len(others)]]:
        world = int(atoms.worlds[row])
        head = Atom(clause.head.predicate, tuple(Constant(symbols[i]) for i in atoms.arguments[row].tolist()))
        # A recursive clause may derive a fact again that came from another one: then there is no instance.
        instance = next(level.instances(head, world, clause), None)
        if instance is not None:
            verdict = int(verdicts[row])
            yield Example(
                str(head),
                tuple(map(str, instance.body)),
                level.outputs.interpretations[world],
                verdict > 0 if judged and verdict else None,
            )
