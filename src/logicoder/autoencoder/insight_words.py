r"""What clauses say in a few words, where a few words say it: the same, the inverse, the ward of the doctor.

>>> from logicoder.logic.parser import parse_clause
>>> things = {"stay_doctor": "stay", "doctor_ward": "doctor", "ward_building": "ward"}
>>> clause = parse_clause("stay_building(X,Y) :- stay_doctor(X,Z), doctor_ward(Z,U), ward_building(U,Y).")
>>> in_words([clause], {}, things, ())
"the building of the ward of the stay's doctor"
>>> in_words([parse_clause("likes(X,Y) :- liked(Y,X).")], {}, {}, ())
'the inverse of liked'
>>> flags = [parse_clause(f"far(X) :- stay_doctor(X,Z), doctor_ward(Z,{ward}).") for ward in ("a", "b", "c")]
>>> in_words(flags, {}, things, ())
"the ward of the stay's doctor is a, b or c"
>>> things = {"bird_kind": "bird", "bird_isle": "bird"}
>>> texts = "bird_isle(X,dream) :- bird_kind(X,gentoo)", "bird_isle(X,torgersen) :- bird_kind(X,adelie)"
>>> in_words([parse_clause(f"{text}.") for text in texts], {}, things, ())
'dream where kind is gentoo; torgersen where kind is adelie'
>>> in_words([parse_clause("bird_isle(X,dream) :- bird_kind(X,_).")], {}, things, ())
'dream where kind is known'
>>> things["bird_ringed"] = "bird"
>>> in_words([parse_clause("bird_isle(X,dream) :- bird_ringed(X).")], {}, things, ())
'dream where ringed holds'
>>> things = {"sale_item": "sale", "stock_item": "stock", "stock_bin": "stock"}
>>> clause = parse_clause("sale_bin(X,Y) :- sale_item(X,Z), stock_item(U,Z), stock_bin(U,Y).")
>>> in_words([clause], {}, things, ())
"the bin of a stock whose item is the sale's item"
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from logicoder.autoencoder.case_words import (
    GOING,
    Demand,
    any_of,
    cases_in_words,
    demands_of,
    noun,
    ranges_of,
    value_words,
    values_in_words,
)
from logicoder.compression.plan import Definition
from logicoder.logic.gloss import gloss
from logicoder.logic.symbols import atom_text
from logicoder.logic.terms import Atom, Body, Clause, Constant, Term

DETERMINED, NARROWED = "determined by ", "narrowed down by "
COPIES = ("the same as ", "the inverse of ")


def in_words(
    clauses: Sequence[Clause],
    tables: Mapping[str, Definition],
    things: Mapping[str, str],
    ranges: Collection[str],
) -> str:
    """Return what a predicate is of others, if a few words say it; empty otherwise.

    Args:
        clauses: how it follows from the others.
        tables: the latent predicates; one may list which values of one place go with which of another.
        things: the predicates whose second argument is a property of the first, each with what has it.
        ranges: those whose second argument is a range of numbers or dates.
    """
    clause = clauses[0]
    head = clause.head.arguments
    if len(head) == 1:
        return _condition(clauses, things)
    if len(clauses) > 1 or isinstance(head[-1], Constant):
        return _cases(clauses, tables, things)
    (body,) = clause.alternatives
    if len(set(head)) != 2 or any(not i.binds or len(set(i.atom.arguments)) < 2 for i in body):
        return ""
    if len(body) == 1:
        other, turned = atom_text(body[0].atom.predicate), body[0].atom.arguments == head[::-1]
        same = "the same as" if body[0].atom.arguments == head else "the inverse of" if turned else ""
        return f"{same} {other}" if same else ""
    # Read of relations among people, it would be wrong: an aunt is the sister of a parent.
    return _path(body, head[0], head[1], things) or _by_table(clause, body, tables, ranges)


def meaning(clauses: Collection[Clause]) -> str:
    r"""Return what a latent predicate stands for, if a few words say it; empty otherwise.

    >>> from logicoder.logic.terms import Program
    >>> meaning(Program.parse("parent(X,Y) :- father(X,Y). parent(X,Y) :- mother(X,Y).").clauses)
    'father or mother'
    >>> meaning(Program.parse(r"t(X,Y) :- town(Z,X), land(Z,Y), town(U,X), land(U,Y), Z \= U.").clauses)
    'which town goes with which land, at least twice'
    """
    bodies = [(clause.head.arguments, body) for clause in clauses for body in clause.alternatives]
    if len(bodies) > 1 and all(
        len(body) == 1 and body[0].binds and body[0].atom.arguments == head for head, body in bodies
    ):
        return " or ".join(atom_text(body[0].atom.predicate) for _, body in bodies)
    return _pairs(*bodies[0]) if len(bodies) == 1 else ""


def conditions(clauses: Sequence[Clause]) -> str:
    """Return clauses in words: the head once where all have the same."""
    bodies = [gloss([clause]).partition(": ")[2] or str(clause) for clause in clauses]
    if len({clause.head for clause in clauses}) == 1:
        return f"{clauses[0].head}, if {'; or '.join(bodies)}"
    return "; ".join(f"{c.head}, if {body}" for c, body in zip(clauses, bodies, strict=True))


def _pairs(head: tuple[Term, ...], body: Body) -> str:
    """Return which values go together, if that is all that a body says of them."""
    places: dict[Term, dict[Term, str]] = {}
    for literal in body:
        if literal.inequality:
            continue
        if not literal.binds or len(literal.atom.arguments) != 2:
            return ""
        row, value = literal.atom.arguments
        places.setdefault(row, {})[value] = literal.atom.predicate
    first, *others = places.values()
    if len(set(head)) != 2 or set(first) != set(head) or any(other != first for other in others):
        return ""
    if len(places) > 2 or len(body) != sum(map(len, places.values())) + len(others):
        return ""
    names = [atom_text(first[value]) for value in head]
    return f"which {names[0]} goes with which {names[1]}" + (", at least twice" if others else "")


def _cases(clauses: Sequence[Clause], tables: Mapping[str, Definition], things: Mapping[str, str]) -> str:
    """Return which value a thing has where properties of it have some values."""
    cases: list[tuple[str, list[Demand]]] = []
    for clause in clauses:
        start, *others = clause.head.arguments
        (body,) = clause.alternatives
        if len(others) != 1:
            return ""
        (end,) = others
        value, rest = (end.symbol, body) if isinstance(end, Constant) else _going_with(clause, tables, things)
        tests = demands_of(rest, start, things)
        if not value or tests is None:
            return ""
        cases.append((value_words(value) if isinstance(end, Constant) else value, tests))
    return cases_in_words(cases)


def _going_with(
    clause: Clause, tables: Mapping[str, Definition], things: Mapping[str, str]
) -> tuple[str, Body]:
    """Return which values a table has beside another property of a thing, and what else a body demands."""
    value, ranges = clause.head.arguments[1], ranges_of(clause.alternatives[0])
    limits, body = ranges if ranges is not None else ({}, ())
    listing = [literal for literal in body if literal.atom.predicate in tables]
    places = {argument for literal in listing for argument in literal.atom.arguments}
    telling = [
        literal for literal in body if set(literal.atom.arguments[1:]) & places and literal not in listing
    ]
    table = (*telling, *listing)
    if any(i.atom.predicate not in things for i in telling) or limits.keys() - {value}:
        return "", ()
    if not listing or not _by_table(clause, table, tables, ()):
        return "", ()
    named = " and ".join(noun(literal.atom.predicate, things) for literal in telling)
    within = f" ({value_words(limits[value])})" if value in limits else ""
    return f"{GOING}{named}{within}", tuple(literal for literal in body if literal not in table)


def _condition(clauses: Sequence[Clause], things: Mapping[str, str]) -> str:
    """Return when something holds of a thing: where a property of it, or of another thing, has some value."""
    own = [demands_of(clause.alternatives[0], clause.head.arguments[0], things) for clause in clauses]
    if None not in own:
        return any_of(tests for tests in own if tests is not None)
    paths, values = set(), []
    for clause in clauses:
        (body,) = clause.alternatives
        ends = {a for literal in body for a in literal.atom.arguments if isinstance(a, Constant)}
        if len(ends) != 1:
            return ""
        (end,) = ends
        paths.add(_path(body, clause.head.arguments[0], end, things))
        values.append(end.symbol)
    if len(paths) != 1 or "" in paths:
        return ""
    return f"{paths.pop()} is {values_in_words(values)}"


def _path(body: Body, start: Term, end: Term, things: Mapping[str, str]) -> str:
    """Return the property of a property of a thing that leads from one argument to another."""
    left = [literal.atom for literal in body if literal.binds and len(set(literal.atom.arguments)) == 2]
    if len(left) != len(body) or any(step.predicate not in things for step in left):
        return ""
    said, at = "", start
    while left:
        step = next((step for step in left if at in step.arguments), None)
        if step is None:
            return ""
        left.remove(step)
        thing = atom_text(things[step.predicate])
        own = noun(step.predicate, things)
        if step.arguments[0] == at:
            said = f"the {own} of {said}" if said else f"the {thing}'s {own}"
        elif said:
            said = f"a {thing} whose {own} is {said}"
        else:
            return ""
        at = step.arguments[1] if step.arguments[0] == at else step.arguments[0]
    return said if at == end else ""


def in_common(clause: Clause, things: Mapping[str, str]) -> str:
    r"""Return which property both arguments of a relation share, if a few words say it; empty otherwise.

    >>> from logicoder.logic.parser import parse_clause
    >>> things = {"doctor_ward": "doctor", "ward_house": "ward", "mark_pupil": "mark", "pupil_class": "pupil"}
    >>> text = r"knows(X,Y) :- doctor_ward(X,Z), ward_house(Z,U), doctor_ward(Y,V), ward_house(V,U), X \= Y."
    >>> in_common(parse_clause(text), things)
    'X and Y differ and have the same house of the ward'
    >>> things |= {"mark_lesson": "mark", "lesson_class": "lesson"}
    >>> text = "mark_lesson(X,Y) :- mark_pupil(X,Z), pupil_class(Z,U), lesson_class(Y,U)."
    >>> in_common(parse_clause(text), things)
    "the class of the mark's lesson is the class of the mark's pupil"
    >>> in_common(parse_clause("knows(X,Y) :- doctor_ward(X,a), doctor_ward(Y,a)."), things)
    ''
    """
    head, (body,) = clause.head, clause.alternatives
    steps = {literal.atom.arguments[0]: literal.atom for literal in body if literal.binds}
    tests = [literal for literal in body if not literal.binds]
    apart = [test for test in tests if test.inequality and set(test.atom.arguments) == set(head.arguments)]
    if len(head.arguments) != 2 or len(apart) != len(tests) or len(steps) + len(tests) != len(body):
        return ""
    chains: list[list[Atom]] = []
    ends = list(head.arguments)
    for place, _ in enumerate(head.arguments):
        chains.append([])
        while ends[place] in steps and len(steps[ends[place]].arguments) == 2:
            chains[place].append(steps.pop(ends[place]))
            ends[place] = chains[place][-1].arguments[1]
    left, right = chains
    named = isinstance(ends[0], Constant) or ends[0] in head.arguments
    if steps or not left or not right or len(set(ends)) > 1 or named:
        return ""
    if any(atom.predicate not in things for atom in (*left, *right)):
        return ""
    if head.predicate in things:
        row = f"the {atom_text(things[head.predicate])}'s"
        other = _of(right, f"{row} {noun(head.predicate, things)}", things)
        return f"{other} is {_of(left[1:], f'{row} {noun(left[0].predicate, things)}', things)}"
    names = [atom.predicate for atom in left]
    if names == [atom.predicate for atom in right]:
        first, *others = [noun(name, things) for name in names]
        same = "".join(f"{other} of the " for other in reversed(others)) + first
        both = " and ".join(map(str, head.arguments))
        return f"{both} {'differ and ' if apart else ''}have the same {same}"
    return ""


def _of(chain: Sequence[Atom], said: str, things: Mapping[str, str]) -> str:
    for step in chain:
        said = f"the {noun(step.predicate, things)} of {said}"
    return said


def _by_table(clause: Clause, body: Body, tables: Mapping[str, Definition], ranges: Collection[str]) -> str:
    """Return what a predicate is that a table determines, by another property of the same thing."""
    row, value = clause.head.arguments
    listed = [literal.atom for literal in body if literal.atom.predicate in tables]
    telling = [literal.atom for literal in body if literal.atom.predicate not in tables]
    if len(listed) != 1 or any(len(atom.arguments) != 2 or atom.arguments[0] != row for atom in telling):
        return ""
    through = {atom.arguments[1] for atom in telling}
    if not through or value in through or set(listed[0].arguments) != {value, *through}:
        return ""
    table = tables[listed[0].predicate]
    used = {predicate for one in table.clauses() for predicate in one.body_predicates()}
    if used != {clause.head.predicate, *(atom.predicate for atom in telling)}:
        return ""
    names = [("the range of " if a.predicate in ranges else "") + atom_text(a.predicate) for a in telling]
    return DETERMINED + " and ".join(names) + (" together" if len(names) > 1 else "")
