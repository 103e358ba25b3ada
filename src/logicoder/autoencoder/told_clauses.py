"""Clauses as sentences tell them: within the domains that their program has, and nothing said twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from logicoder.autoencoder.counted_facts import Counted, Followed
from logicoder.compression.plan import Definition, Plan
from logicoder.engine.arrays.rules.spaces import Space
from logicoder.logic.subsumption import subsumes
from logicoder.logic.symbols import atom_text
from logicoder.logic.terms import Atom, Clause, Constant, Literal, Term, Variable

_NEARLY = 0.9
"""The share of things from which on nearly all have a property."""


def within_domains(
    clauses: Sequence[Clause], space: Space, facts: Counted, plan: Plan
) -> tuple[list[Clause], Followed]:
    """Return clauses guarded by the domains of their predicate as in a program, and what they derive.

    A program has guards where clauses derive more outside of the domains than the domains have values.
    """
    name, own = space.predicate, list(clauses)
    found = facts.followed(name, own, plan)
    values = sum(number for number, _ in space.domains)
    places = (0, 1) if space.symmetric and space.places else space.places
    if len(space.types) < 2 or found.wrong <= values or not places:
        return own, found
    inside = [_guarded(clause, places) for clause in own]
    less = facts.followed(name, inside, plan)
    if found.wrong - less.wrong <= values:
        return own, found
    for place in places:  # a domain that leaves nothing out is not worth a word
        others = [other for other in places if other != place]
        fewer = [_guarded(clause, others) for clause in own]
        if len(places) > 1 and facts.followed(name, fewer, plan).wrong == less.wrong:
            return fewer, less
    return inside, less


def outside_domains(clauses: Sequence[Clause], space: Space, facts: Counted, plan: Plan) -> int:
    """Return how many atoms clauses derive outside of the domains of their predicate, where no facts are."""
    name, places = space.predicate, (0, 1) if space.symmetric and space.places else space.places
    inside = [_guarded(clause, places) for clause in clauses]
    return facts.followed(name, clauses, plan).wrong - facts.followed(name, inside, plan).wrong


def _guarded(clause: Clause, places: Collection[int]) -> Clause:
    """Return a clause that holds only of values that its predicate has at some places."""
    head, (body,) = clause.head, clause.alternatives
    guards = [domain_of(head, place) for place in places if isinstance(head.arguments[place], Variable)]
    return Clause(head, ((*body, *(Literal(guard) for guard in guards if Literal(guard) not in body)),))


def domain_of(head: Atom, place: int) -> Atom:
    """Return the atom that says of an argument that the predicate has it at its place.

    >>> print(domain_of(Clause.parse("p(X,Y) :- q(X,Y).").head, 1))
    p(_,Y)
    """
    own = (Variable(f"_AnonymousOf{place}{other}") for other in range(head.arity))
    arguments = tuple(
        a if i == place else free for i, (a, free) in enumerate(zip(head.arguments, own, strict=True))
    )
    return Atom(head.predicate, arguments)


def without_domains(clauses: Sequence[Clause]) -> tuple[list[Clause], tuple[int, ...]]:
    """Return clauses without what all of them demand of the domains of their heads, and the places of that.

    >>> clauses, places = without_domains([Clause.parse("p(X,Y) :- q(Y,X), p(_,Y).")])
    >>> print(*clauses, places)
    p(X,Y) :- q(Y,X). (1,)
    """
    found = [
        {place for literal in c.literals() if (place := _place(c.head, literal)) is not None} for c in clauses
    ]
    common = set[int]().union(*found)
    for clause, own in zip(clauses, found, strict=True):
        named = {place for place, a in enumerate(clause.head.arguments) if isinstance(a, Variable)}
        common -= named - own
    bare = [
        Clause(
            c.head,
            tuple(tuple(i for i in body if _place(c.head, i) not in common) for body in c.alternatives),
        )
        for c in clauses
    ]
    return bare, tuple(sorted(common))


def _place(head: Atom, literal: Literal) -> int | None:
    """Return the place of the argument of a head of which a literal says only that it stands there."""
    if not literal.binds or literal.atom.predicate != head.predicate or head.arity != literal.atom.arity:
        return None
    named = [
        i for i, a in enumerate(literal.atom.arguments) if not (isinstance(a, Variable) and a.is_anonymous)
    ]
    if len(named) != 1 or head.arity < 2:
        return None
    (place,) = named
    own = head.arguments[place]
    return place if isinstance(own, Variable) and literal.atom.arguments[place] == own else None


def among(clauses: Sequence[Clause], places: Sequence[int], things: Mapping[str, str]) -> str:
    """Return in words that clauses are about values that their predicate has at some places.

    >>> clauses = [Clause.parse("p(X,Y) :- q(Y,X).")]
    >>> among(clauses, [0, 1], {})
    ', among X with some p(X,_) and Y with some p(_,Y)'
    >>> among(clauses, [0], {"p": "thing"}), among(clauses, [], {})
    (', where there is one', '')
    """
    name = clauses[0].head.predicate
    if not places:
        return ""
    if name in things:
        said = ("where there is one", "among the values that it has")
        return ", " + " and ".join(said[place] for place in places)
    told = []
    for place in places:
        heads = [c.head for c in clauses if isinstance(c.head.arguments[place], Variable)]
        variables = {head.arguments[place] for head in heads}
        told.append(
            f"{variables.pop()} with some {domain_of(heads[0], place)}"
            if len(variables) == 1
            else f"what is argument {place + 1} of some {atom_text(name)}"
        )
    return f", among {' and '.join(told)}"


def spelled_out(clauses: Sequence[Clause], latents: Sequence[Definition]) -> list[Clause]:
    """Return clauses with what latent predicates stand for, where that is one literal."""
    meant = {}
    for latent in latents:
        defined = list(latent.clauses())
        if len(defined) == 1 and defined[0].length == 1 and next(defined[0].literals()).binds:
            meant[latent.name] = defined[0]
    return [
        Clause(
            c.head, tuple(tuple(_spelled(i, n, meant) for n, i in enumerate(body)) for body in c.alternatives)
        )
        for c in clauses
    ]


def _spelled(literal: Literal, number: int, meant: Mapping[str, Clause]) -> Literal:
    definition = meant.get(literal.atom.predicate)
    if definition is None or not literal.binds:
        return literal
    put: dict[Term, Term] = dict(zip(definition.head.arguments, literal.atom.arguments, strict=True))
    (own,) = definition.literals()
    free = (Variable(f"_AnonymousIn{number}{place}") for place in range(own.atom.arity))
    arguments = tuple(
        a if isinstance(a, Constant) else put.get(a, other)
        for a, other in zip(own.atom.arguments, free, strict=True)
    )
    return replace(own, atom=replace(own.atom, arguments=arguments))


def without_special_cases(clauses: Sequence[Clause]) -> list[Clause]:
    """Return clauses without those of which another one says all.

    >>> texts = "p(X) :- q(X,a), r(X).", "p(X) :- q(X,_).", "p(X) :- s(X).", "p(X) :- q(X,_)."
    >>> print(*without_special_cases([Clause.parse(text) for text in texts]))
    p(X) :- q(X,_). p(X) :- s(X).
    """
    kept: list[Clause] = []
    for clause in clauses:
        if not any(subsumes(other, clause) for other in kept):
            kept = [other for other in kept if not subsumes(clause, other)]
            kept.append(clause)
    return kept


def without_needless(
    clauses: Sequence[Clause], found: Followed, facts: Counted, plan: Plan
) -> Sequence[Clause]:
    """Return clauses for values without what is so of nearly every thing, if as many facts follow without.

    What remains without any condition is told as the usual value: it has to be that of most facts which the
    other clauses leave over.
    """
    told = [_demanding(clause, facts) if clause.head.arity == 2 else clause for clause in clauses]
    if told == list(clauses):
        return clauses
    name = clauses[0].head.predicate
    counted = [_guarded(c, [0]) if c.head.arity == 2 else c for c in told]  # facts alone are counted
    if facts.followed(name, counted, plan).holds != found.holds:
        return clauses
    others = [own for own, clause in zip(counted, told, strict=True) if all(clause.alternatives)]
    before = facts.followed(name, others, plan).holds if others else 0
    usual = len(others) == len(told) or 2 * (found.holds - before) > found.facts - before
    return told if usual else clauses


def _demanding(clause: Clause, facts: Counted) -> Clause:
    (body,) = clause.alternatives
    return Clause(clause.head, (tuple(i for i in body if not _always(i, clause, facts)),))


def _always(literal: Literal, clause: Clause, facts: Counted) -> bool:
    """Return whether a literal only says that a thing has a property, or the one value that all have."""
    things, name, (first, *others) = facts.attributes, literal.atom.predicate, literal.atom.arguments
    atoms = (clause.head, *(other.atom for other in clause.literals()))
    used = Counter(argument for atom in atoms for argument in atom.arguments)
    shared = any(used[other] > 1 for other in others if isinstance(other, Variable))
    if not literal.binds or first != clause.head.arguments[0] or shared:
        return False
    if name not in things or len(others) != 1:
        return False
    rows = max(facts.count(other) for other, thing in things.items() if thing == things[name])
    if name != clause.head.predicate and facts.count(name) < _NEARLY * rows:
        return False
    return isinstance(others[0], Variable) or facts.distinct(name, [1]) == 1
