"""Likely errors in data: facts that may be missing, facts that look wrong, and what was to be expected.

An atom that clauses derive but the data do not list may be a fact that nobody wrote down; a fact that no
clause derives, where they derive nearly all others, may be wrong; and where both meet, one value may stand
for another. What speaks for each is the record of the clause: decisions 12 and 38 have the choices.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from math import log2
from typing import TYPE_CHECKING, Any

from logicoder.autoencoder.bin_suggestions import only_of_bins
from logicoder.base.errors import InputError, UsageError, shown
from logicoder.kb.schema import Schema

if TYPE_CHECKING:
    from logicoder.kb.mapping.data_mapping import DataMapping

LIKELY = 0.5
"""The chance from which on something is suggested unless weak suggestions are wanted, too."""

_RARE = 0.1
"""The share of exceptions up to which a rule calls facts wrong."""

KINDS = ("change", "add", "check")
COLUMNS = (
    "kind", "bits", "score", "atom", "expected", "interpretation", "clauses", "true", "derived", "evidence",
)  # fmt: skip


@dataclass(frozen=True)
class Suggestion:
    """One atom, and what speaks for doing something about it.

    Attributes:
        kind: `change`: it is listed where another value is expected; `add`: it is expected but not listed;
            `check`: it is listed, and nothing derives it.
        score: the chance that this is right, from 0 to 1: for `add` by the record of its clause, for `check`
            by the share of its predicate's facts that are derived, for `change` by both.
        atom: the atom.
        expected: what should stand there instead, of a `change`; of an `add` the atom itself.
        interpretation: where.
        clauses: number of clauses that derive what is expected; for `check`, of clauses for its predicate.
        true: the record of the clause: facts among what it derives; for `check`, facts of the predicate that
            are derived.
        derived: atoms that the clause derives; for `check`, facts of the predicate.
        evidence: the clause; for `check` the one that comes nearest, if there is any.
    """

    kind: str
    score: float
    atom: str
    expected: str
    interpretation: str
    clauses: int
    true: int
    derived: int
    evidence: str

    @property
    def has_few_exceptions(self) -> bool:
        """Whether its clause is rarely wrong."""
        return few_exceptions(self.true, self.derived)

    @property
    def bits(self) -> float:
        """What it would save: the logarithm of the odds that it is right."""
        return log2(self.score / (1 - self.score))


def few_exceptions(true: int, derived: int) -> bool:
    """Return whether a clause is rarely wrong."""
    return derived - true <= _RARE * derived


@dataclass(frozen=True)
class Suggestions:
    """Suggestions, the best first.

    Attributes:
        rows: the suggestions.
        several: whether the data has several interpretations.
        silence: why there is nothing to suggest; otherwise empty.
        more: how many further suggestions were counted but not listed.
    """

    rows: tuple[Suggestion, ...]
    several: bool = False
    silence: str = ""
    more: int = 0

    def of(self, kind: str) -> tuple[Suggestion, ...]:
        """Return the suggestions of one kind: `change`, `add` or `check`."""
        if kind not in KINDS:
            raise UsageError(f"there is no kind {shown(kind)}; choose from: {', '.join(KINDS)}")
        return tuple(row for row in self.rows if row.kind == kind)

    def top(self, count: int | None) -> Suggestions:
        """Return the best of all."""
        shown = self.rows[:count]
        return Suggestions(shown, self.several, self.silence, self.more + len(self.rows) - len(shown))

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        rows = [{**asdict(row), "bits": round(row.bits, 3)} for row in self.rows]
        return {"suggestions": rows, "silence": self.silence, "more": self.more}

    def csv(self) -> str:
        """Return a table of comma-separated values."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in self.rows:
            values = asdict(row) | {"score": f"{row.score:.4f}", "bits": f"{row.bits:.2f}"}
            writer.writerow(values[name] for name in COLUMNS)
        return text.getvalue()

    def __iter__(self) -> Iterator[Suggestion]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        if not self.rows:
            return self.silence
        return "\n".join(
            f"{row.kind:<6}  {row.score:.2f}  {row.atom}"
            + (f" to {row.expected}" if row.kind == "change" else "")
            + (f"  in {row.interpretation}" if self.several else "")
            for row in self.rows
        )


def worth_listing(
    rows: Iterable[Suggestion], predicate: str, mapping: DataMapping | None
) -> list[Suggestion]:
    """Return suggestions about a predicate without values for empty cells that a rule is not sure of.

    In a table, that a value is missing is mostly meant so; among facts of any other kind, it is not.
    """
    column = mapping is not None and predicate in mapping.attributes()
    return [row for row in rows if not column or row.kind != "add" or row.has_few_exceptions]


def likely(rows: Iterable[Suggestion]) -> Iterator[Suggestion]:
    """Iterate over suggestions that are more likely right than not, of facts to be changed the best of each.

    Data are mostly right. Where a rule has many exceptions, it is the rule that is wrong about them, not the
    data: facts are called wrong only by what has few.

    Args:
        rows: the suggestions, in order.
    """
    changed = set()
    for row in rows:
        sure = row.kind == "add" or row.has_few_exceptions
        if row.score < LIKELY or only_of_bins(row) or not sure:
            continue
        about = row.atom, row.interpretation
        if row.kind == "change" and about in changed:
            continue
        changed.add(about)
        yield row


def smoothed(true: int, derived: int) -> float:
    """Return the share of facts among derived atoms, by Laplace's rule: a small clause proves little.

    >>> smoothed(98, 98), smoothed(1, 2)
    (0.99, 0.5)
    """
    return (true + 1) / (derived + 2)


def both(first: float, second: float) -> float:
    """Return the chance that two independent signs give together: their odds are multiplied.

    >>> both(0.75, 0.75)
    0.9
    """
    odds = first / (1 - first) * second / (1 - second)
    return odds / (1 + odds)


def ranked(
    rows: Iterable[Suggestion], silence: str, *, several: bool, more: int = 0, weak: bool = True
) -> Suggestions:
    """Return suggestions in order; of equal scores those that more clauses speak for come first.

    Args:
        rows: the suggestions.
        silence: why there is nothing to suggest, should there be nothing.
        several: whether the data has several interpretations.
        more: suggestions that were counted and not listed.
        weak: whether those are kept that are not likely.
    """
    order = sorted(rows, key=_rank)
    order = order if weak else list(likely(order))
    seen: set[tuple[str, str, str, str]] = set()
    order = [  # an atom may be doubted for several reasons: the best counts
        row
        for row in order
        if (about := (row.kind, row.atom, row.expected, row.interpretation)) not in seen
        and not seen.add(about)  # type: ignore[func-returns-value]
    ]
    return Suggestions(tuple(order), several, "" if order else silence, more)


def _rank(row: Suggestion) -> tuple[float, int, int, str, str]:
    return -row.score, KINDS.index(row.kind), -row.clauses, row.atom, row.interpretation


def asked_for(schema: Schema, predicates: Collection[str], mapping: DataMapping | None = None) -> list[str]:
    """Return the predicates that suggestions are wanted for: all that are rebuilt unless some are named.

    What is part of the key of a row is not doubted unless it is named: its constant says it again.
    """
    names = [name for name, predicate in schema.items() if not predicate.background]
    if not predicates and mapping is not None:
        keys = mapping.parts_of_keys()
        names = [name for name in names if name not in keys]
    for name in predicates:
        if name not in names:
            close = get_close_matches(name, names, 1)
            hint = f"did you mean {close[0]}?" if close else f"choose from: {', '.join(names)}"
            raise InputError(f"{name} is not a predicate to reconstruct", hint=hint)
    return [name for name in names if not predicates or name in predicates]
