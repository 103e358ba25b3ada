"""The clauses of a candidate, printed or parsed only where somebody asks: most candidates are never read."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from logicoder.logic.terms import Program


class ClauseText:
    """Clauses that are made and printed on demand; equal to their text.

    Args:
        make: makes the clauses; it must not hold on to what they derive.
    """

    def __init__(self, make: Callable[[], Program]) -> None:
        self._make = make

    @cached_property
    def program(self) -> Program:
        """The clauses."""
        return self._make()

    def __str__(self) -> str:
        return str(self.program)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str | ClauseText) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(str(self))

    def __deepcopy__(self, memo: dict[int, Any]) -> ClauseText:
        return self


def program_of(clause: str | ClauseText) -> Program:
    """Return the clauses of a candidate.

    >>> print(program_of("p(X) :- l(X)."))
    p(X) :- l(X).
    """
    return clause.program if isinstance(clause, ClauseText) else Program.parse(clause)
