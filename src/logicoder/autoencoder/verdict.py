"""What becomes of a clause that somebody proposes."""

from __future__ import annotations

from dataclasses import dataclass

_LEAST = 1e-6
"""Bits from which on something is saved."""


@dataclass(frozen=True)
class Verdict:
    """What became of one proposal.

    Attributes:
        line: where it stands in its file.
        clause: the clause, or the text that cannot be read as one.
        problem: why it cannot be judged; empty where it was.
        derived: atoms that it derives from the facts as they are.
        true: facts among them, its support.
        facts: facts of its predicate.
        bits: the length of the clause.
        alone: bits that it saves where its predicate has no other clause; negative where it does not pay.
        beside: bits that it saves in the program; None where it cannot be used there.
        bound: bits that no list of the program's clauses for the predicate with this one can save more of.
        implied: the clause of the program that implies it, or how else it is known; empty where it is new.
        program: the clauses of its predicate in the best program with it; none where it cannot be used.
        note: what the program gives up for it, or why it cannot be used there.
        exceptions: some atoms that it derives and that are not facts.
    """

    line: int
    clause: str
    problem: str = ""
    derived: int = 0
    true: int = 0
    facts: int = 0
    bits: float = 0.0
    alone: float = 0.0
    beside: float | None = None
    bound: float | None = None
    implied: str = ""
    program: tuple[str, ...] = ()
    note: str = ""
    exceptions: tuple[str, ...] = ()

    @property
    def accepted(self) -> bool:
        """Whether the program is shorter with it."""
        return self.beside is not None and self.beside > _LEAST
