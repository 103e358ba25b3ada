r"""Clauses as one would write them by hand: on one line where there is room, else a line for each literal.

>>> clause = Clause.parse("grandparent(X,Y) :- father_or_mother(X,Z), father_or_mother(Z,Y).")
>>> print(*clause_lines(clause, 40), sep="\n")
grandparent(X,Y) :-
    father_or_mother(X,Z),
    father_or_mother(Z,Y).
>>> print(*clause_lines(Clause.parse("parent(X,Y) :- father(X,Y) ; mother(X,Y)."), 30), sep="\n")
parent(X,Y) :-
    father(X,Y)
  ; mother(X,Y).
"""

from __future__ import annotations

from logicoder.logic.terms import Clause


def clause_lines(clause: Clause, width: int | None = None) -> list[str]:
    """Return the lines of a clause; one that is longer than the width is broken between literals."""
    text = str(clause)
    if width is None or len(text) <= width or clause.is_fact:
        return [text]
    lines = [f"{clause.head} :-"]
    for number, body in enumerate(clause.alternatives):
        texts = list(map(str, body)) or ["true"]
        lines += [
            ("  ; " if number and not place else "    ") + item + "," for place, item in enumerate(texts)
        ]
        lines[-1] = lines[-1].removesuffix(",")
    return [*lines[:-1], f"{lines[-1]}."]
