"""Likely errors by the decoders of a program: what they derive beside the data, and what they do not.

This is for programs of any origin; those that were learned as a message have `message_suggestions`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
from numpy.typing import NDArray

from logicoder.autoencoder.explainer import Explainer
from logicoder.autoencoder.suggestions import Suggestion, Suggestions, asked_for, ranked, smoothed
from logicoder.kb.table import FactTable, number_rows
from logicoder.logic.terms import Atom, Body, Clause, Constant

Numbers = NDArray[np.intp]

SILENCE = "nothing contradicts this program: what its clauses derive are facts, and all facts come back"


def suggest_from(explainer: Explainer, predicates: Collection[str] = ()) -> Suggestions:
    """Return suggestions from the last of the programs.

    >>> from logicoder import KnowledgeBase, Program
    >>> kb = KnowledgeBase.from_facts(["p(a)", "p(b)", "p(c)", "q(a)", "q(b)", "r(d)"])
    >>> programs = Program.parse("l(X) :- p(X)."), Program.parse("p(X) :- l(X). q(X) :- l(X).")
    >>> print(suggest_from(Explainer(programs, kb)))
    add     0.60  q(c)
    check   0.33  r(d)

    Args:
        explainer: the programs, run on the data.
        predicates: only these; all that are to be reconstructed unless given.
    """
    found: list[Suggestion] = []
    for name in asked_for(explainer.data.schema, predicates):
        if name not in explainer.kept:
            evidence = _Evidence(explainer, name)
            found += [*evidence.additions(), *evidence.doubts()]
    return ranked(found, SILENCE, several=len(explainer.data.interpretations) > 1)


def alternatives_of(explainer: Explainer, predicate: str) -> list[tuple[Atom, Body]]:
    """Return heads and bodies by which the last of the programs derives a predicate."""
    return [
        (clause.head, body)
        for clause in explainer.levels[-1].program
        if clause.head.predicate == predicate
        for body in clause.alternatives
        # What is kept because no clause derives it is no evidence of anything.
        if not clause.body_predicates() & explainer.left_over
    ]


class _Evidence:
    """Everything that the clauses for one predicate derive, beside what the data says.

    Atoms are numbered: all that some clause derives and all that the data lists as true or false.
    """

    def __init__(self, explainer: Explainer, predicate: str) -> None:
        self._level = explainer.levels[-1]
        self._data = explainer.data
        self._name = predicate
        self._alternatives = alternatives_of(explainer, predicate)
        instances = [self._level.heads(head, body) for head, body in self._alternatives]
        # Levels number the constants of the data as the data does, and new ones after them.
        listed = [self._data.table(predicate, truth) for truth in ("true", "false")]
        self._atoms, numbers = number_rows([*instances, *listed])
        self._clauses = [np.unique(rows) for rows in numbers[: len(self._alternatives)]]
        self._facts, self._denied = numbers[-2:]
        self._is_fact = np.zeros(len(self._atoms), np.bool_)
        self._is_fact[self._facts] = True

    def additions(self) -> Iterator[Suggestion]:
        """Iterate over what is derived and neither a fact nor known to be false."""
        size = len(self._atoms)
        best = np.full(size, -1)
        score = np.zeros(size)
        clauses = np.zeros(size, np.int64)
        totals = [(int(self._is_fact[rows].sum()), len(rows)) for rows in self._clauses]
        for number, rows in enumerate(self._clauses):
            share = smoothed(*totals[number])
            better = rows[score[rows] < share]
            best[better], score[better] = number, share
            clauses[rows] += 1
        wanted = (best >= 0) & ~self._is_fact
        wanted[self._denied] = False
        for row in np.flatnonzero(wanted).tolist():
            clause = int(best[row])
            atom, world = self._text(row)
            support = int(clauses[row]), *totals[clause], self._clause(clause)
            yield Suggestion("add", float(score[row]), atom, atom, world, *support)

    def doubts(self) -> Iterator[Suggestion]:
        """Iterate over the facts that nothing derives."""
        derived = np.zeros(len(self._atoms), np.bool_)
        for rows in self._clauses:
            derived[rows] = True
        missing = self._facts[~derived[self._facts]]
        total = len(self._facts)
        back = total - len(missing)
        for row, literals, clause in zip(missing.tolist(), *self._nearest(missing), strict=True):
            atom, world = self._text(row)
            support = len(self._alternatives), back, total, self._clause(clause) if literals else ""
            yield Suggestion("check", smoothed(back, total), atom, "", world, *support)

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
