"""Programs and knowledge bases as answer set programs, so that clingo says what they derive.

Every atom carries its interpretation as its first argument and every rule speaks of one interpretation W, so
that nothing crosses. The atoms that the data lists as true, false and unknown are three predicates; what a
negated literal means is written down with them:

    closed data predicate     listed neither as true nor as unknown
    open data predicate       listed as false
    derived predicate         not derived
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import clingo

from logicoder.logic import Clause, Literal, Program, Term, Variable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from logicoder.kb import KnowledgeBase

Ground = tuple[str, str, tuple[str, ...]]
"""Interpretation, predicate, constants as text."""


def model_of(text: str) -> list[clingo.Symbol]:
    """Return the shown atoms of the only answer set of a stratified program."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text)
    control.ground([("base", [])])
    found: list[list[clingo.Symbol]] = []
    control.solve(on_model=lambda model: found.append(model.symbols(shown=True)))
    assert len(found) == 1, "a stratified program has exactly one answer set"
    return found[0]


def derived(program: Program, kb: KnowledgeBase) -> set[Ground]:
    """Return what clingo derives with a program from a knowledge base."""
    arities = head_arities(program)
    text = [facts_text(kb), *rules(program, kb)]
    text += ["#show.", *(f"#show {predicate('true', name)}/{arity + 1}." for name, arity in arities.items())]
    names = {predicate("true", name): name for name in arities}
    return {
        (atom.arguments[0].string, names[atom.name], tuple(a.string for a in atom.arguments[1:]))
        for atom in model_of("\n".join(text))
    }


def predicate(truth: str, name: str) -> str:
    """Return the name of a predicate for clingo, which knows letters, digits and underscores."""
    return f"{truth}_{name if re.fullmatch('[A-Za-z0-9_]+', name) else f'_{name.encode().hex()}'}"


def head_arities(program: Program) -> dict[str, int]:
    return {clause.head.predicate: clause.head.arity for clause in program}


def facts_text(kb: KnowledgeBase) -> str:
    lines = [f"world({quoted(name)})." for name in kb.interpretations]
    for truth in ("true", "false", "unknown"):
        for fact in kb.facts(truth=truth):
            arguments = ",".join(quoted(str(a)) for a in (fact.interpretation, *fact.arguments))
            lines.append(f"{predicate(truth, fact.predicate)}({arguments}).")
    return "\n".join(lines)


def rules(program: Program, kb: KnowledgeBase) -> Iterable[str]:
    defined = set(head_arities(program))
    for clause in program:
        yield from _rules_of(clause, kb, defined)


def _rules_of(clause: Clause, kb: KnowledgeBase, defined: set[str]) -> Iterable[str]:
    head = _applied("true", clause.head.predicate, clause.head.arguments)
    for body in clause.alternatives:
        conditions = ["world(W)", *(c for literal in body for c in _conditions(literal, kb, defined))]
        yield f"{head} :- {', '.join(conditions)}."


def _conditions(literal: Literal, kb: KnowledgeBase, defined: set[str]) -> list[str]:
    name, arguments = literal.atom.predicate, literal.atom.arguments
    if literal.inequality:
        return [" != ".join(map(_term, arguments))]
    if literal.positive:
        return [_applied("true", name, arguments)]
    if name in defined:
        return [f"not {_applied('true', name, arguments)}"]
    if kb.schema[name].open_world:
        return [_applied("false", name, arguments)]
    return [f"not {_applied(truth, name, arguments)}" for truth in ("true", "unknown")]


def _applied(truth: str, name: str, arguments: Iterable[Term]) -> str:
    return f"{predicate(truth, name)}({','.join(['W', *map(_term, arguments)])})"


def _term(term: Term) -> str:
    if isinstance(term, Variable):
        return "_" if term.is_anonymous else f"V_{term}"
    return quoted(str(term.value))


def quoted(text: str) -> str:
    """Return a text as clingo reads it, with the only escapes that it knows."""
    text = text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
    return f'"{text}"'
