"""What a reconstruction says about the data: facts that may be missing, and facts that look odd.

An atom that the decoder derives but the data does not list may be a fact that nobody wrote down. What speaks
for it is the share of facts among all that a clause derives: the clause is a rule, and its share of facts is
how often the rule was right. A fact that does not come back is odd if almost all facts of its predicate do.
See decision 12 for the choices.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logicoder.autoencoder.explainer import Explainer
from logicoder.base.errors import InputError, UsageError
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.table import FactTable, number_rows
from logicoder.logic.terms import Atom, Clause, Constant

Numbers = NDArray[np.intp]

KINDS = ("add", "check")
COLUMNS = ("kind", "score", "atom", "interpretation", "clauses", "derivations", "true", "derived", "evidence")


@dataclass(frozen=True)
class Suggestion:
    """One atom, and what speaks for it.

    Attributes:
        kind: `add`: it comes back but is not listed; `check`: it is listed but does not come back.
        score: from 0 to 1; `add`: the chance that it is a fact, going by the best clause that derives it;
            `check`: the share of its predicate's facts that come back.
        atom: the atom.
        interpretation: where.
        clauses: `add`: number of clauses that derive it; `check`: of clauses for its predicate.
        derivations: `add`: number of ground instances that derive it; `check`: the most literals of a clause
            that hold for it, each taken alone.
        true: facts among what the best clause derives; for `check`, facts of the predicate that come back.
        derived: atoms that the best clause derives; for `check`, facts of the predicate.
        evidence: the best clause; for `check` the one that comes nearest, if there is any.
    """

    kind: str
    score: float
    atom: str
    interpretation: str
    clauses: int
    derivations: int
    true: int
    derived: int
    evidence: str


@dataclass(frozen=True)
class Suggestions:
    """Suggestions, the best of each kind first."""

    rows: tuple[Suggestion, ...]
    several: bool = False

    def of(self, kind: str) -> tuple[Suggestion, ...]:
        """Return the suggestions of one kind, `add` or `check`."""
        if kind not in KINDS:
            raise UsageError(f"there is no kind {kind!r}; choose from: {', '.join(KINDS)}")
        return tuple(row for row in self.rows if row.kind == kind)

    def top(self, count: int | None) -> Suggestions:
        """Return the best of each kind."""
        return Suggestions(tuple(row for kind in KINDS for row in self.of(kind)[:count]), self.several)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {kind: [_without_kind(row) for row in self.of(kind)] for kind in KINDS}

    def csv(self) -> str:
        """Return a table of comma-separated values."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in self.rows:
            values = asdict(row) | {"score": f"{row.score:.4f}"}
            writer.writerow(values[name] for name in COLUMNS)
        return text.getvalue()

    def __iter__(self) -> Iterator[Suggestion]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __str__(self) -> str:
        return "\n".join(
            f"{row.kind:<5}  {row.score:.2f}  {row.atom}"
            + (f"  in {row.interpretation}" if self.several else "")
            for row in self.rows
        )


def smoothed(true: int, derived: int) -> float:
    """Return the share of facts among derived atoms, by Laplace's rule: a small clause proves little.

    >>> smoothed(98, 98), smoothed(1, 2)
    (0.99, 0.5)
    """
    return (true + 1) / (derived + 2)


def suggest_from(explainer: Explainer, predicates: Collection[str] = ()) -> Suggestions:
    """Return suggestions of both kinds from the last of the programs.

    >>> from logicoder import Program
    >>> kb = KnowledgeBase.from_facts(["p(a)", "p(b)", "p(c)", "q(a)", "q(b)", "r(d)"])
    >>> programs = Program.parse("l(X) :- p(X)."), Program.parse("p(X) :- l(X). q(X) :- l(X).")
    >>> print(suggest_from(Explainer(programs, kb)))
    add    0.60  q(c)
    check  0.33  r(d)

    Args:
        explainer: the programs, run on the data.
        predicates: only these; all that are to be reconstructed unless given.
    """
    found: list[Suggestion] = []
    for name in _wanted(explainer.data, predicates):
        if name in explainer.kept:
            continue
        evidence = _Evidence(explainer, name)
        found += evidence.additions()
        found += evidence.doubts()
    order = {kind: number for number, kind in enumerate(KINDS)}
    found.sort(key=lambda row: (order[row.kind], -row.score, *_ties(row), row.atom, row.interpretation))
    return Suggestions(tuple(found), len(explainer.data.interpretations) > 1)


def _ties(row: Suggestion) -> tuple[int, int]:
    """Of equal scores: more clauses and instances speak for an addition; fewer literals for a doubt."""
    return (-row.clauses, -row.derivations) if row.kind == "add" else (row.derivations, 0)


def _wanted(data: KnowledgeBase, predicates: Collection[str]) -> list[str]:
    names = [name for name, predicate in data.schema.items() if not predicate.background]
    for name in predicates:
        if name not in names:
            close = get_close_matches(name, names, 1)
            hint = f"did you mean {close[0]}?" if close else f"known are: {', '.join(names)}"
            raise InputError(f"there is no predicate {name} to be reconstructed", hint=hint)
    return [name for name in names if not predicates or name in predicates]


def _without_kind(row: Suggestion) -> dict[str, Any]:
    return {name: value for name, value in asdict(row).items() if name != "kind"}


class _Evidence:
    """Everything that the clauses for one predicate derive, beside what the data says.

    Atoms are numbered: all that some clause derives and all that the data lists as true or false.
    """

    def __init__(self, explainer: Explainer, predicate: str) -> None:
        self._level = explainer.levels[-1]
        self._data = explainer.data
        self._name = predicate
        self._alternatives = [
            (clause.head, body)
            for clause in self._level.program
            if clause.head.predicate == predicate
            for body in clause.alternatives
            # What is kept because no clause derives it is no evidence of anything.
            if not clause.body_predicates() & explainer.left_over
        ]
        instances = [self._level.heads(head, body) for head, body in self._alternatives]
        # Levels number the constants of the data as the data does, and new ones after them.
        listed = [self._data.table(predicate, truth) for truth in ("true", "false")]
        self._atoms, numbers = number_rows([*instances, *listed])
        self._clauses = [np.unique(rows, return_counts=True) for rows in numbers[: len(self._alternatives)]]
        self._facts, self._denied = numbers[-2:]
        self._is_fact = np.zeros(len(self._atoms), np.bool_)
        self._is_fact[self._facts] = True

    def additions(self) -> Iterator[Suggestion]:
        """Iterate over what is derived and neither a fact nor known to be false."""
        size = len(self._atoms)
        best = np.full(size, -1)
        score = np.zeros(size)
        clauses = np.zeros(size, np.int64)
        derivations = np.zeros(size, np.int64)
        totals = [(int(self._is_fact[rows].sum()), len(rows)) for rows, _ in self._clauses]
        for number, (rows, counts) in enumerate(self._clauses):
            share = smoothed(*totals[number])
            better = rows[score[rows] < share]
            best[better], score[better] = number, share
            clauses[rows] += 1
            derivations[rows] += counts
        wanted = (best >= 0) & ~self._is_fact
        wanted[self._denied] = False
        for row in np.flatnonzero(wanted).tolist():
            clause = int(best[row])
            support = int(clauses[row]), int(derivations[row]), *totals[clause]
            yield Suggestion("add", float(score[row]), *self._text(row), *support, self._clause(clause))

    def doubts(self) -> Iterator[Suggestion]:
        """Iterate over the facts that nothing derives."""
        derived = np.zeros(len(self._atoms), np.bool_)
        for rows, _ in self._clauses:
            derived[rows] = True
        missing = self._facts[~derived[self._facts]]
        total = len(self._facts)
        back = total - len(missing)
        for row, literals, clause in zip(missing.tolist(), *self._nearest(missing), strict=True):
            support = len(self._alternatives), literals, back, total
            nearest = self._clause(clause) if literals else ""
            yield Suggestion("check", smoothed(back, total), *self._text(row), *support, nearest)

    def _nearest(self, rows: Numbers) -> tuple[list[int], list[int]]:
        """Return for each atom the most literals of one clause that hold, each alone, and that clause."""
        atoms = self._atoms.select(rows)
        most = np.zeros(len(rows), np.int64)
        which = np.zeros(len(rows), np.int64)
        for number, (head, body) in enumerate(self._alternatives):
            holds = np.zeros(len(rows), np.int64)
            for literal in body:
                shared = [v for v in literal.atom.variables() if v in head.variables()]
                if literal.binds and shared:
                    places = [head.arguments.index(v) for v in shared]
                    asked = FactTable(atoms.worlds, atoms.arguments[:, places])
                    given = self._level.heads(Atom(self._name, tuple(shared)), (literal,))
                    _, (here, there) = number_rows([asked, given])
                    holds += np.isin(here, there)
            better = holds > most
            most[better], which[better] = holds[better], number
        return most.tolist(), which.tolist()

    def _clause(self, number: int) -> str:
        head, body = self._alternatives[number]
        return str(Clause(head, (body,)))

    def _text(self, row: int) -> tuple[str, str]:
        symbols = self._level.database.symbols
        constants = tuple(Constant(symbols[i]) for i in self._atoms.arguments[row].tolist())
        return str(Atom(self._name, constants)), self._data.interpretations[int(self._atoms.worlds[row])]
