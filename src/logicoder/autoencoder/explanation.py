"""Explanations as plain data: trees that print and serialise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from logicoder.logic.terms import Atom, Clause, Literal

WORDS = {
    "fact": "a fact",
    "not a fact": "not a fact",
    "known false": "known to be false",
    "unknown": "of unknown truth",
}
"""How the truth of an atom in the data is told."""

KEPT = "kept as it is"

_OUTCOMES = {
    "reconstructed": "and reconstructed",
    "missing": "but missing",
    "false": "but reconstructed",
    "correctly absent": "and not reconstructed",
    KEPT: KEPT,
}


@dataclass(frozen=True)
class Step:
    """One literal of a ground instance.

    Attributes:
        literal: the literal; a variable in it means "whatever it is".
        holds: whether it holds; None where too little is bound to tell.
        reason: in words: `fact`, `derived`, `not a fact`, `not derived`, ...
        because: the derivation of its atom, or why there is none; None for facts of the data.
    """

    literal: Literal
    holds: bool | None
    reason: str
    because: Node | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "literal": str(self.literal),
            "holds": self.holds,
            "reason": self.reason,
            "because": None if self.because is None else self.because.as_dict(),
        }


@dataclass(frozen=True)
class Derivation:
    """A clause, one alternative of it, and its literals under a binding."""

    clause: Clause
    steps: tuple[Step, ...]

    @property
    def holds(self) -> bool:
        """Whether all literals hold, so that the head is derived."""
        return all(step.holds for step in self.steps)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {"clause": str(self.clause), "literals": [step.as_dict() for step in self.steps]}


@dataclass(frozen=True)
class Node:
    """An atom of one level with what derives it, or with what would have to hold.

    Attributes:
        atom: the atom.
        level: 0 for the data, then one for each program.
        derived: whether it is derived there.
        ways: ground instances that derive it, or the clauses that come nearest.
        total: number of such instances or clauses, shown or not.
        cut: why there is nothing below: `above` (explained before), `again` (its predicate fails further up,
            by the same clauses) or `deep` (beyond the depth).
    """

    atom: Atom
    level: int
    derived: bool
    ways: tuple[Derivation, ...] = ()
    total: int = 0
    cut: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "atom": str(self.atom),
            "level": self.level,
            "derived": self.derived,
            "total": self.total,
            "cut": self.cut,
            "derivations" if self.derived else "attempts": [way.as_dict() for way in self.ways],
        }

    def lines(self) -> Iterator[str]:
        """Iterate over the lines of the tree below this atom."""
        if self.cut is not None or not self.ways:
            return
        blocks = [list(_derivation_lines(way)) for way in self.ways]
        if self.total > len(self.ways):
            more = self.total - len(self.ways)
            what = ("way", "ways") if self.derived else ("clause", "clauses")
            blocks.append([f"... and {more:,} more {what[more > 1]}"])
        yield from _branches(blocks)

    def remark(self) -> str:
        """Return what the tree does not show."""
        if self.cut is not None:
            return {"above": " (see above)", "again": " (and so on)", "deep": " (...)"}[self.cut]
        return "" if self.ways else f" (no clause for {self.atom})"


@dataclass(frozen=True)
class Answer:
    """The explanation of one ground atom in one interpretation.

    Attributes:
        atom: the atom.
        interpretation: the interpretation.
        truth: what the data says: `fact`, `not a fact`, `known false`, `unknown`; for a latent predicate
            whether the encoder derives it: `fact` or `not a fact`.
        rebuilt: whether it is derived in the end.
        verdict: `reconstructed`, `missing`, `false`, `correctly absent`, ...
        node: the tree.
    """

    atom: Atom
    interpretation: str
    truth: str
    rebuilt: bool
    verdict: str
    node: Node

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "atom": str(self.atom),
            "interpretation": self.interpretation,
            "truth": self.truth,
            "rebuilt": self.rebuilt,
            "verdict": self.verdict,
            "tree": self.node.as_dict(),
        }


@dataclass(frozen=True)
class Explanation:
    """Why an atom comes back or not, in each interpretation that was asked about.

    Attributes:
        atom: the atom as it was asked for; it may have variables.
        answers: one for each ground atom and interpretation.
        total: number of atoms that match, shown or not.
        several: whether the data has several interpretations.
        glosses: what the latent predicates in the trees mean.
    """

    atom: Atom
    answers: tuple[Answer, ...]
    total: int
    several: bool
    glosses: dict[str, str]

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "atom": str(self.atom),
            "total": self.total,
            "answers": [answer.as_dict() for answer in self.answers],
            "glosses": self.glosses,
        }

    def __str__(self) -> str:
        blocks = []
        for answer in self.answers:
            where = f" in {answer.interpretation}" if self.several else ""
            remark = "" if answer.verdict == KEPT else answer.node.remark()
            first = f"{answer.atom}{where}: {verdict_text(answer)}{remark}"
            blocks.append("\n".join([first, *answer.node.lines()]))
        if self.total > len(self.answers):
            blocks.append(f"... and {self.total - len(self.answers):,} more atoms match {self.atom}")
        if self.glosses:
            blocks.append("\n".join(f"{name}  {text}" for name, text in self.glosses.items()))
        return "\n\n".join(blocks)


def verdict_text(answer: Answer) -> str:
    """Return a verdict in words."""
    if answer.truth in WORDS and answer.verdict in _OUTCOMES:
        return f"{WORDS[answer.truth]}, {_OUTCOMES[answer.verdict]}"
    return answer.verdict


def _derivation_lines(way: Derivation) -> Iterator[str]:
    yield str(way.clause)
    blocks = []
    for step in way.steps:
        remark = "" if step.because is None else step.because.remark()
        sign = {True: "", False: "✗ ", None: "? "}[step.holds]
        lines = [f"{sign}{step.literal}  {step.reason}{remark}"]
        blocks.append(lines if step.because is None else [*lines, *step.because.lines()])
    yield from _branches(blocks)


def _branches(blocks: list[list[str]]) -> Iterator[str]:
    """Draw blocks of lines as the branches of a tree."""
    for number, block in enumerate(blocks, start=1):
        first, rest = ("└─ ", "   ") if number == len(blocks) else ("├─ ", "│  ")
        for place, line in enumerate(block):
            yield (rest if place else first) + line
