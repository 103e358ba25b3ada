r"""What a definition says, in a line of plain words.

>>> print(gloss(Program.parse("l(X,Y) :- mother(X,Y) ; father(X,Y).")))
X, Y: mother(X,Y) or father(X,Y)
>>> print(gloss(Program.parse("l(Y) :- movie(X,Y), director(Y).")))
Y: some X with movie(X,Y), and director(Y)
>>> print(gloss(Program.parse(r"l(X) :- person(X), \+ professor(X).")))
X: person(X), and not professor(X)
>>> print(gloss(Program.parse(r"l(X,Y) :- parent(Z,X), parent(Z,Y), X \= Y.")))
X, Y: some Z with parent(Z,X) and parent(Z,Y), and X and Y differ
>>> print(gloss(Program.parse("l(X,Y) :- edge(X,Y). l(X,Z) :- edge(X,Y), l(Y,Z).")))
X, Y: edge(X,Y); or some Z with edge(X,Z) and l(Z,Y)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from logicoder.logic.terms import Body, Clause, Literal, Program, Term, Variable


def glosses(program: Program) -> dict[str, str]:
    """Return a line for each predicate that a program defines."""
    definitions: dict[str, list[Clause]] = {}
    for clause in program:
        definitions.setdefault(clause.head.predicate, []).append(clause)
    return {name: gloss(clauses) for name, clauses in definitions.items()}


def glossed(program: Program) -> Iterator[str]:
    r"""Iterate over the lines of a program, with a comment above each definition that says what it means.

    >>> print(*glossed(Program.parse("l(X) :- mother(X,Y).")), sep="\n")
    % X: some Y with mother(X,Y)
    l(X) :- mother(X,Y).
    """
    told = glosses(program)
    for clause in program:
        text = told.pop(clause.head.predicate, None)
        if text is not None:
            yield f"% {text}"
        yield str(clause)


def gloss(definition: Iterable[Clause]) -> str:
    """Return the clauses of one predicate in words: which arguments, and what they have in common."""
    clauses = list(definition)
    first = clauses[0].head
    told: list[str] = []
    for clause in clauses:
        aligned = _aligned(clause, first.arguments)
        told += [_body(aligned, body) for body in aligned.alternatives]
    plain = all(len(body) == 1 for c in clauses for body in c.alternatives)
    separator = " or " if plain and not any(text.startswith("some ") for text in told) else "; or "
    arguments = ", ".join(map(str, first.arguments))
    return f"{arguments}: {separator.join(told)}" if arguments else separator.join(told)


def _aligned(clause: Clause, arguments: tuple[Term, ...]) -> Clause:
    """Return a clause with the head variables of another one, so that both can be told together."""
    mine = clause.head.arguments
    if mine == arguments or len(set(mine)) < len(mine) or not all(isinstance(a, Variable) for a in mine):
        return clause
    renaming: dict[Term, Term] = dict(zip(mine, arguments, strict=True))
    free = (Variable(f"{letter}{number or ''}") for number in range(99) for letter in "ZUVWXYABC")
    everywhere = dict.fromkeys(v for literal in clause.literals() for v in literal.atom.variables())
    for variable in everywhere:
        if variable not in renaming and not variable.name.startswith("_"):
            renaming[variable] = next(v for v in free if v not in arguments)
    return Clause(
        replace(clause.head, arguments=arguments),
        tuple(tuple(_renamed(literal, renaming) for literal in body) for body in clause.alternatives),
    )


def _renamed(literal: Literal, renaming: dict[Term, Term]) -> Literal:
    arguments = tuple(renaming.get(a, a) for a in literal.atom.arguments)
    return replace(literal, atom=replace(literal.atom, arguments=arguments))


def _body(clause: Clause, body: Body) -> str:
    """Tell a conjunction: literals that share a variable of their own belong together."""
    if not body:
        return "always"
    head = set(clause.head.variables())
    groups: list[tuple[list[Variable], list[Literal]]] = []
    for literal in body:
        own = [v for v in literal.atom.variables() if v not in head]
        together = [group for group in groups if set(group[0]) & set(own)]
        variables = [v for group in together for v in group[0]]
        members = [item for group in together for item in group[1]]
        place = groups.index(together[0]) if together else len(groups)
        groups = [group for group in groups if group not in together]
        groups.insert(place, ([*variables, *(v for v in own if v not in variables)], [*members, literal]))
    return ", and ".join(_group(variables, literals) for variables, literals in groups)


def _group(variables: list[Variable], literals: list[Literal]) -> str:
    told = " and ".join(map(_literal, literals))
    named = [str(v) for v in variables if str(v) != "_"]
    return f"some {', '.join(named)} with {told}" if named else told


def _literal(literal: Literal) -> str:
    if literal.inequality:
        first, second = literal.atom.arguments
        if literal.orders:
            return str(literal)
        return f"{first} and {second} differ"
    return str(literal.atom) if literal.positive else f"not {literal.atom}"
