"""Candidates of short clauses as rows of a table: a head, and one step or two from its first variable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from logicoder.engine.sql.step_tables import Step
from logicoder.logic.rules import Rule

if TYPE_CHECKING:
    from logicoder.engine.sql.session import Session

STRAIGHT, CHAIN, OPEN = "p(X,Y) :- q1(X,Y)", "p(X,Y) :- q1(X,Z), q2(Z,Y)", "p(X) :- q1(X,Z), q2(Z)"
"""Shapes of bodies. Literals may be turned round, and X and Y the same."""

SHAPES = (STRAIGHT, CHAIN, OPEN)

NONE = -1
"""In place of a second step."""


@dataclass(frozen=True)
class Head:
    """A predicate that clauses are looked for.

    Attributes:
        name: its name.
        types: of its one or two places.
        facts: how many it has.
        least: true atoms with which a clause can pay.
        turned: whether bodies begin at its second place.
    """

    name: str
    types: tuple[str, ...]
    facts: int
    least: int
    turned: bool = False

    @property
    def unary(self) -> bool:
        """Whether bodies return to where they began."""
        return len(self.types) == 1

    @property
    def ends(self) -> tuple[str, str]:
        """The types where bodies begin and end."""
        return (self.types[-1], self.types[0]) if self.turned else (self.types[0], self.types[-1])

    @property
    def places(self) -> tuple[int, int]:
        """The places where bodies begin and end."""
        last = len(self.types) - 1
        return (last, 0) if self.turned else (0, last)


@dataclass(frozen=True)
class CandidateRow:
    """A candidate.

    Attributes:
        shape: of its body.
        head: number of the head.
        first: number of the first step.
        second: number of the second one, or `NONE`.
    """

    shape: str
    head: int
    first: int
    second: int = NONE

    def rule(self, heads: Sequence[Head], steps: Sequence[Step]) -> Rule:
        """Return the candidate as a rule."""
        head, first = heads[self.head], steps[self.first]
        begin, end = head.places
        arguments = tuple(range(len(head.types)))
        fresh = len(arguments)
        if self.second == NONE:
            made, _ = first.literal(begin, end, fresh)
            return Rule(arguments, (made,))
        second = steps[self.second]
        middle = begin if first.stays else end if second.stays and self.shape == CHAIN else fresh
        one, fresh = first.literal(begin, middle, fresh + 1 if middle == fresh else fresh)
        other, _ = second.literal(middle, middle if self.shape == OPEN else end, fresh)
        return Rule(arguments, (one, other))


def straight(head: Head, step: Step) -> bool:
    """Whether a step can be the body of a clause, and no other candidate says the same."""
    if head.name == step.predicate or step.types != head.ends:
        return False
    return step.places == _key(step)[1] if head.unary else not step.stays


def chained(head: Head, first: Step, second: Step) -> bool:
    """Whether two steps can be the body of a clause, and no other candidate says the same."""
    if head.name in (first.predicate, second.predicate):
        return False
    if (first.types[0], second.types[1]) != head.ends or first.types[1] != second.types[0]:
        return False
    if head.unary:  # both stay, or lead away and back: in one of the two orders
        if _key(first) == _key(second):
            return not first.stays and first.places == second.places == _key(first)[1]
        return first.stays == second.stays and _key(first) < _key(second)
    if first.stays or second.stays:
        return first.stays != second.stays and not _told(first, second)
    return True


def opened(head: Head, first: Step, second: Step) -> bool:
    """Whether a step away from a unary head and a test of where it leads can be the body of a clause."""
    return (
        head.unary
        and head.name not in (first.predicate, second.predicate)
        and not first.stays
        and second.stays
        and first.types == (head.types[0], second.types[0])
        and not _told(first, second)
    )


def _key(step: Step) -> tuple[str, tuple[int, ...]]:
    return step.predicate, tuple(sorted(step.places))


def _told(first: Step, second: Step) -> bool:
    """Whether one of two steps that meet is a part of the other."""
    return first.predicate == second.predicate and first.places[1] == second.places[0]


def table_of(session: Session, rows: Iterable[tuple[int, CandidateRow]]) -> str:
    """Return the table of candidates: `id`, `shape`, `head`, `p1`, `p2`."""
    texts = [
        tuple(map(str, (number, SHAPES.index(row.shape), row.head, row.first, row.second)))
        for number, row in rows
    ]
    columns = ("id", "shape", "head", "p1", "p2")
    given = session.filled(columns, texts, "listing candidates")
    numbers = ", ".join(f"CAST({column} AS INTEGER) AS {column}" for column in columns)
    made = session.table(f"SELECT {numbers} FROM {given}", "listing candidates")
    session.drop(given)
    return made
