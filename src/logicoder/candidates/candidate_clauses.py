"""Candidates as clauses, with names for their variables and latents."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from logicoder.candidates.encoders import variable
from logicoder.engine.clauses import DecoderBody, Head
from logicoder.logic.terms import Atom, Body, Clause, Constant, Literal, Program


def latent_name(position: int, taken: Collection[str] = ()) -> str:
    """Return the name of a latent predicate within a problem, where the data has predicates of other names.

    >>> latent_name(0), latent_name(0, ["latent7"])
    ('latent1', 'latent_1')
    """
    prefix = "latent"
    while any(name.startswith(prefix) and name[len(prefix) :].isdigit() for name in taken):
        prefix += "_"
    return f"{prefix}{position + 1}"


def decoder_clause(head: Head, body: DecoderBody, names: Mapping[int, str]) -> Clause:
    """Return the clause of a decoder candidate, with names for its variables."""
    bound = len(head.types) + body.shared
    following = bound
    literals = []
    for view in body.views:
        local: dict[int, int] = {}
        arguments = []
        for argument in view.arguments:
            # Head variables and shared existentials have the same number in all literals, others do not.
            common = argument < bound
            arguments.append(argument if common else local.setdefault(argument, following + len(local)))
        following += len(local)
        literals.append((view, tuple(arguments)))
    head_variables = [v for v in head.arguments if v >= 0]
    used = dict.fromkeys((*head_variables, *(a for _, arguments in literals for a in arguments)))
    letters = {number: variable(position) for position, number in enumerate(used)}
    found = [
        Literal(Atom(names[view.latent], tuple(letters[a] for a in arguments)), view.positive)
        for view, arguments in literals
    ]
    if body.unequal:
        found.append(Literal.unequal(letters[0], letters[1]))
    terms = (letters[v] if v >= 0 else Constant(head.constants[-1 - v][1]) for v in head.arguments)
    alternatives = tuple((literal,) for literal in found) if body.alternatives else (tuple(found),)
    return Clause(Atom(head.predicate, tuple(terms)), alternatives)


def decoder_definition(head: Head, body: DecoderBody, names: Mapping[int, str]) -> Program:
    """Return the clauses of a decoder candidate: one, or two if it is recursive."""
    base = decoder_clause(head, body, names)
    step = body.step
    if step is None:
        return Program((base,))
    start, end = (1, 2) if body.left else (0, 1)
    numbers = {0: start, 1: end} | {a: a + 1 for a in step.arguments if a > 1}
    order = dict.fromkeys((0, 2, start, end, *(numbers[a] for a in step.arguments)))
    letters = {number: variable(position) for position, number in enumerate(order)}
    literal = Literal(Atom(names[step.latent], tuple(letters[numbers[a]] for a in step.arguments)))

    def linked(first: int, second: int) -> Atom:
        ends = (letters[first], letters[second])
        return Atom(head.predicate, tuple(ends[v] for v in head.arguments))

    again = Literal(linked(0, 1) if body.left else linked(1, 2))
    literals = (again, literal) if body.left else (literal, again)
    return Program((base, Clause(linked(0, 2), (literals,))))


def as_written(program: Program, propositions: Collection[str]) -> Program:
    """Return clauses without the hidden variable that engines give to propositions: their world."""
    if not propositions:
        return program

    def written(atom: Atom) -> Atom:
        return replace(atom, arguments=()) if atom.predicate in propositions else atom

    def body(literals: Body) -> Body:
        return tuple(replace(literal, atom=written(literal.atom)) for literal in literals)

    return Program(
        tuple(Clause(written(clause.head), tuple(map(body, clause.alternatives))) for clause in program)
    )


def written_decoder(
    head: Head, body: DecoderBody, names: Mapping[int, str], propositions: Collection[str]
) -> Program:
    """Return the clauses of a decoder candidate as people write them."""
    return as_written(decoder_definition(head, body, names), propositions)
