"""Programs with syntax colours: each kind of symbol in an element of its own."""

from __future__ import annotations

from collections.abc import Collection

from logicoder.logic.terms import Atom, Clause, Literal, Term, Variable
from logicoder.report.markup import Markup, element, joined


def clause_markup(clause: Clause, latents: Collection[str]) -> Markup:
    """Return a clause as it is written, with the names of latent predicates apart from those of the data."""
    if clause.is_fact:
        return joined([_atom(clause.head, latents), "."])
    bodies: list[object] = []
    for number, body in enumerate(clause.alternatives):
        bodies += [_mark(" ; ")] if number else []
        for place, literal in enumerate(body):
            bodies += [", "] if place else []
            bodies.append(_literal(literal, latents))
        bodies += [] if body else [_mark("true")]
    return joined([_atom(clause.head, latents), _mark(" :- "), bodies, "."])


def _literal(literal: Literal, latents: Collection[str]) -> Markup:
    if literal.inequality:
        left, right = literal.atom.arguments
        return joined([_term(left), _mark(f" {literal.atom.predicate} "), _term(right)])
    atom = _atom(literal.atom, latents)
    return atom if literal.positive else joined([_mark("\\+ "), atom])


def _atom(atom: Atom, latents: Collection[str]) -> Markup:
    kind = "latent" if atom.predicate in latents else "input"
    name = element("span", str(Atom(atom.predicate)), class_=f"name {kind}")
    inner = [piece for term in atom.arguments for piece in (",", _term(term))][1:]
    return joined([name, "(", inner, ")"] if inner else [name])


def _term(term: Term) -> Markup:
    if isinstance(term, Variable):
        return element("var", str(term))
    return element("bdi", str(term), class_="constant")


def _mark(text: str) -> Markup:
    return element("span", text, class_="mark")


def atom_markup(text: str) -> Markup:
    """Return an atom with constants of the data; letters that run from right to left stay inside."""
    return element("bdi", text)
