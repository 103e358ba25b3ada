"""One text for all clauses that differ only in names of latents and variables, and in the order of things."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from logicoder.logic.orders import Numbers, least_readings, number_of, orders
from logicoder.logic.terms import Atom, Body, Clause, Program, Term, Variable

_MOST_ORDERS = 6
"""Literals of which all orders are tried; longer bodies are put in one order, and may look different."""


@dataclass(frozen=True)
class Meaning:
    """What a latent predicate stands for.

    Attributes:
        text: the canonical text of its definition.
        columns: the order of its arguments in that text.
    """

    text: str
    columns: tuple[int, ...]


def meanings(program: Program) -> dict[str, Meaning]:
    r"""Return the meaning of every predicate that a program defines.

    >>> first = meanings(Program.parse("l(X,Y) :- p(X,Z), q(Z,Y)."))["l"]
    >>> second = meanings(Program.parse("m(B,A) :- q(C,B), p(A,C)."))["m"]
    >>> first.text == second.text, first.columns, second.columns
    (True, (0, 1), (1, 0))
    """
    definitions: dict[str, list[Clause]] = {}
    for clause in program:
        definitions.setdefault(clause.head.predicate, []).append(clause)
    found: dict[str, Meaning] = {}

    def settle(name: str, open_names: frozenset[str]) -> None:
        # What a definition uses is settled first; predicates that use each other keep their names.
        for clause in definitions[name]:
            for other in sorted(clause.body_predicates()):
                if other in definitions and other not in found and other not in open_names:
                    settle(other, open_names | {name})
        orders = permutations(range(definitions[name][0].head.arity))
        text, columns = min((_definition(definitions[name], columns, found), columns) for columns in orders)
        found[name] = Meaning(text, columns)

    for name in definitions:
        if name not in found:
            settle(name, frozenset({name}))
    return found


def _definition(clauses: Sequence[Clause], columns: tuple[int, ...], known: Mapping[str, Meaning]) -> str:
    own = clauses[0].head.predicate

    def told(atom: Atom) -> tuple[str, tuple[Term, ...]]:
        if atom.predicate == own:
            return "itself", tuple(atom.arguments[i] for i in columns)
        return _told(atom, known)

    bodies = {
        _canonical([clause.head.arguments[i] for i in columns], body, told)
        for clause in clauses
        for body in clause.alternatives
    }
    return " ; ".join(sorted(bodies))


def canonical_clause(clause: Clause, known: Mapping[str, Meaning]) -> str:
    """Return one text for a decoder clause under the meanings of its latent predicates."""
    head = clause.head
    name = str(Atom(head.predicate))
    return " ; ".join(
        sorted(
            f"{name}{_canonical(head.arguments, body, lambda a: _told(a, known))}"
            for body in clause.alternatives
        )
    )


def _told(atom: Atom, known: Mapping[str, Meaning]) -> tuple[str, tuple[Term, ...]]:
    meaning = known.get(atom.predicate)
    if meaning is None:
        return str(Atom(atom.predicate)), atom.arguments
    return f"<{meaning.text}>", tuple(atom.arguments[i] for i in meaning.columns)


def _canonical(head: Iterable[Term], body: Body, told: Callable[[Atom], tuple[str, tuple[Term, ...]]]) -> str:
    """Return the smallest text of a head and a body over all orders of the literals."""
    literals = [(item.positive, *told(item.atom)) for item in body if not item.inequality]
    compared = [item.atom for item in body if item.inequality]
    arguments = tuple(head)

    def written(order: tuple[_Told, ...], numbers: Numbers) -> str:
        def term(item: Term) -> str:
            return f"V{number_of(item, numbers)}" if isinstance(item, Variable) else str(item)

        def listed(items: Iterable[Term]) -> str:
            return f"({','.join(map(term, items))})"

        parts = [
            listed(arguments),
            *(f"{'' if yes else 'not '}{name}{listed(of)}" for yes, name, of in order),
        ]
        # Inequalities come last: by then all of their variables have numbers, and sides can be put in order.
        parts += sorted(_comparison(atom, term) for atom in compared)
        return ", ".join(parts)

    literals.sort(key=lambda item: (item[1], not item[0], len(item[2])))
    return least_readings(orders(literals, most=_MOST_ORDERS), written)[0]


def _comparison(atom: Atom, term: Callable[[Term], str]) -> str:
    r"""Return the one text of a comparison: X > Y is Y < X, and X \= Y is Y \= X."""
    sides, operator = [term(argument) for argument in atom.arguments], atom.predicate
    if operator in (">", ">="):
        sides.reverse()
        operator = "<" if operator == ">" else "=<"
    return f" {operator} ".join(sides if operator in ("<", "=<") else sorted(sides))


_Told = tuple[bool, str, tuple[Term, ...]]
