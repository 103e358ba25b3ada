"""What a message says of relations that are closed: symmetric, transitive, equivalences, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from logicoder.autoencoder.counted_facts import Counted
from logicoder.autoencoder.insight import Insight
from logicoder.autoencoder.insight_words import conditions
from logicoder.autoencoder.told_clauses import among, outside_domains, within_domains, without_domains
from logicoder.compression.plan import Plan
from logicoder.compression.plan_programs import decodes
from logicoder.compression.ways import Choice
from logicoder.engine.arrays.join import JoinTooLargeError
from logicoder.logic.parser import parse_clause
from logicoder.logic.rules import UNEQUAL, Literal, clause_of
from logicoder.logic.symbols import atom_text
from logicoder.logic.terms import Clause

_FORMS = {
    "symmetric": "is symmetric",
    "transitive": "is transitive",
    "equivalence": "is an equivalence",
}

_LAWS = {
    "symmetric": "{0}(X,Y) :- {0}(Y,X).",
    "transitive": "{0}(X,Z) :- {0}(X,Y), {0}(Y,Z).",
    "equivalence": "{0}(X,Z) :- {0}(X,Y), {0}(Z,Y).",
}


def of_closure(
    choice: Choice, clauses: Sequence[Clause], saved: float, counted: Counted, plan: Plan
) -> Insight:
    """Return the sentence about a relation that is closed.

    Args:
        choice: how it is said.
        clauses: its clauses, as the program has them.
        saved: the bits that this saves.
        counted: counts about the data.
        plan: how all data are said.
    """
    name = choice.space.predicate
    base, missing, false, within = _counts(choice, clauses, counted, plan)
    facts, loops = counted.count(name), counted.loops(name)
    form = _FORMS.get(choice.form, "extends step by step")
    if choice.form == "equivalence" and not loops:
        form += " between different things"
    laws = [_LAWS[choice.form].format(atom_text(name))] if choice.form in _LAWS else []
    if form.endswith("things"):
        laws = [f"{law.removesuffix('.')}, X \\= Z." for law in laws]
    text = f"{atom_text(name)} {form}: " + (f"{conditions(clauses)}{within}; " if clauses else "")
    text += _kept(base, facts, missing, false, beside=bool(clauses))
    examples: tuple[str, ...] = ()
    if false:
        with suppress(JoinTooLargeError):
            examples = counted.followed(name, [*clauses, *map(parse_clause, laws)], plan).false
    listed = (*map(str, clauses), *laws)
    follow = facts - base - missing
    return Insight("closed", name, text, saved, follow, facts, listed, false=examples)


def _kept(base: int, facts: int, missing: int, false: int, *, beside: bool) -> str:
    """Return how many facts of a closed relation determine the others, beside clauses or alone."""
    wrong = f"{false:,} that {'is not a fact' if false == 1 else 'are not facts'}" if false else ""
    if not base:
        given = f"{facts - missing:,} of its" if missing else "all"
        return f"that gives {given} {facts:,} facts{', and ' if false else ''}{wrong}."
    one = "s" if base == 1 else ""
    others = f"{max(0, facts - base - missing):,} others" if missing else "the others"
    text = f"{base:,} of its {facts:,} facts determine{one} {others}"
    if beside:
        return f"with that, {text}{'; together they give ' if false else ''}{wrong}."
    return f"{text}{f', and give{one} ' if false else ''}{wrong}."


def _counts(
    choice: Choice, clauses: Sequence[Clause], counted: Counted, plan: Plan
) -> tuple[int, int, int, str]:
    """Return how many facts are kept or do not follow, how many others follow, and which values are meant."""
    name, space = choice.space.predicate, choice.space
    if choice.closure is None:
        base = space.facts - sum(layer.true for layer in choice.layers if decodes(choice, layer))
        return base, 0, within_domains(_both_ways(choice), space, counted, plan)[1].wrong, ""
    sides = 2 if space.symmetric else 1  # of p(x,y) and p(y,x) one is counted
    base, missing, false = choice.closure.base, sides * choice.closure.missing, sides * choice.closure.false
    seeds = [clause for clause in clauses if name not in clause.body_predicates()]
    inside = within_domains(seeds, space, counted, plan)[0] if seeds else seeds
    if inside != seeds:
        return base, missing, false, among(inside, without_domains(inside)[1], counted.attributes)
    return base, missing, false + (outside_domains(seeds, space, counted, plan) if seeds else 0), ""


def _both_ways(choice: Choice) -> list[Clause]:
    """Return clauses for all that a symmetric relation is said to hold, read from its facts as they are."""
    name = choice.space.predicate
    apart = (Literal(UNEQUAL, (0, 1)),) if choice.space.apart else ()
    rules = [rule for layer in choice.layers if decodes(choice, layer) for rule in layer.rules]
    clauses = [
        clause_of(name, head, (*rule.body, *apart)) for rule in rules for head in (rule.head, rule.head[::-1])
    ]
    return [*clauses, clause_of(name, (1, 0), (Literal(name, (0, 1)),))]
