"""What holds of the data by themselves, whatever a message says of them: functions, keys and inclusions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import log2

from logicoder.autoencoder.case_words import value_words
from logicoder.autoencoder.column_dependencies import Dependency
from logicoder.autoencoder.counted_facts import Counted, Included
from logicoder.autoencoder.insight import Insight
from logicoder.logic.parser import parse_clause
from logicoder.logic.symbols import atom_text
from logicoder.logic.terms import Variable

_LEAST = 5
"""Facts of a predicate from which on it is said to be a function."""

_MANY = 3
"""Places whose values stand at the same other place, from which on they share a sentence."""

_SURPRISE = 5.0
"""Bits from which on it is no chance that some things all have a property."""

_EACH = " X has one Y."


def of_data(
    counted: Counted, told: Iterable[Insight], copies: Collection[str], symmetric: Collection[str]
) -> Iterator[Insight]:
    """Iterate over what holds of the facts of each predicate, and which values are among which others.

    Args:
        counted: the facts.
        told: sentences about what follows from what, which say by the way what stands where.
        copies: predicates that are the same as another one, or its inverse; what holds of that is enough.
        symmetric: predicates with the same values at both places; what holds of the first is enough.
    """
    yield from _functions(counted, copies)
    held: dict[tuple[str, int], list[Included]] = {}
    said = {place for row in told for place in _said(row)}
    for found in counted.included(_LEAST):
        known = found.name in copies or (found.place == 1 and found.name in symmetric) or found[:4] in said
        if found.own >= _LEAST and not known and not _chance(found, counted.attributes):
            held.setdefault((found.other, found.column), []).append(found)
    for (other, _), rows in held.items():
        if len(rows) < _MANY or other in counted.attributes:
            yield from (_inclusion(row, counted.attributes) for row in rows)
        else:
            yield _inclusions(rows)


def _said(row: Insight) -> Iterator[tuple[str, int, str, int]]:
    """Iterate over places whose values all stand at other places, too, as a sentence says by the way."""
    clauses = [clause for clause in map(parse_clause, row.clauses) if clause.head.predicate == row.predicate]
    held = []
    for clause in clauses:
        (body,) = clause.alternatives
        shared = {
            (row.predicate, place, literal.atom.predicate, column)
            for literal in body
            if literal.binds
            for place, own in enumerate(clause.head.arguments)
            for column, other in enumerate(literal.atom.arguments)
            if own == other and isinstance(own, Variable)
        }
        held.append(shared)
        if len(body) == 1 and not row.false:
            yield from ((other, column, name, place) for name, place, other, column in shared)
    if held and row.holds == row.total:
        yield from set.intersection(*held)


def _chance(found: Included, things: Mapping[str, str]) -> bool:
    """Return whether things may well all have a property by chance, since hardly any is without it."""
    nearly = found.own * log2(found.entities / found.size) < _SURPRISE
    return found.other in things and found.column == 0 and nearly


def of_dependency(found: Dependency, counted: Counted) -> Insight:
    """Return the sentence about a column that another one determines, be it too short to pay in bits."""
    own, other = (
        f"{the} range of {atom_text(name)}" if name in counted.ranges else atom_text(name)
        for the, name in (("The", found.predicate), ("the", found.by))
    )
    exactly = "" if found.holds == found.total else ", with exceptions,"
    both = "" if found.total == counted.count(found.predicate) else " that have both"
    text = f"{own} is{exactly} determined by {other}: {found.holds:,} of {found.total:,}{both}."
    odd = tuple(f"{atom_text(found.predicate)}({row},{value})" for row, value in found.exceptions)
    return Insight("determined", found.predicate, text, 0.0, found.holds, found.total, (), odd)


def _inclusion(found: Included, things: Mapping[str, str]) -> Insight:
    """Return the sentence about a place all of whose values stand at another place, too."""
    name, place, other, column, own, size, _ = found
    if other in things and column == 0:
        whose = f"with {atom_text(name)}" if place == 0 else f"that {atom_text(name)} names"
        text = f"Every {atom_text(things[other])} {whose} has {atom_text(other)}, too: {own:,} of {own:,}."
        return Insight("within", name, text, 0.0, own, own)
    if other in things and column == 1 and place == 1:
        text = f"Every value of {atom_text(name)} is also one of {atom_text(other)}"
        return Insight("within", name, f"{text}: {own:,} of its {size:,} values.", 0.0, own, size)
    first, second = (f"argument {i + 1} of {atom_text(n)}" for n, i in ((name, place), (other, column)))
    text = f"Every value of {first} is one of {second}: {own:,} of its {size:,} values."
    return Insight("within", name, text, 0.0, own, size)


def _inclusions(rows: Sequence[Included]) -> Insight:
    """Return the sentence about several places all of whose values stand at the same other place."""
    _, _, other, column, _, size, _ = rows[0]
    *first, last = (f"argument {row.place + 1} of {atom_text(row.name)} ({row.own:,})" for row in rows)
    text = f"Argument {column + 1} of {atom_text(other)} has {size:,} values, among them every value of"
    own = sum(row.own for row in rows)
    return Insight("within", other, f"{text} {', '.join(first)} and {last}.", 0.0, own, own)


def _functions(counted: Counted, copies: Collection[str]) -> Iterator[Insight]:
    """Iterate over what holds of the data by themselves; what the keys of tables make so, in one sentence."""
    expected: list[Insight] = []
    for name in counted.learnable:
        for row in _of_data(counted, name):
            if name in counted.attributes and row.kind == "function" and row.text.endswith(_EACH):
                expected.append(row)
            elif row.kind != "function" or name not in copies:
                yield row
    if expected:
        names = ", ".join(atom_text(row.predicate) for row in expected)
        text = f"By the keys of their tables, each X has one Y: {names}."
        facts = sum(row.total for row in expected)
        yield Insight("function", expected[0].predicate, text, 0.0, facts, facts)


def _of_data(counted: Counted, name: str) -> Iterator[Insight]:
    """Iterate over what holds of the facts of a predicate by themselves: functions and keys."""
    arity, facts = counted.arity(name), counted.count(name)
    if arity < 2 or facts < _LEAST:
        return
    for place in range(arity):
        if counted.distinct(name, [place]) == 1:
            what = (
                atom_text(name)
                if name in counted.attributes
                else f"Argument {place + 1} of {atom_text(name)}"
            )
            text = f"{what} is always {value_words(counted.value(name, place))}: {facts:,} of {facts:,}."
            yield Insight("constant", name, text, 0.0, facts, facts)
    single = [place for place in range(arity) if counted.distinct(name, [place]) == facts]
    shown = atom_text(name)
    if arity > 2:
        for place in single:
            text = f"Argument {place + 1} of {shown} is a key: no two of its {facts:,} facts share a value."
            yield Insight("key", name, text, 0.0, facts, facts)
        for pair in combinations(sorted(set(range(arity)) - set(single)), 2):
            if counted.distinct(name, pair) == facts:
                both = " and ".join(str(place + 1) for place in pair)
                text = f"Arguments {both} of {shown} are a key: no two of its {facts:,} facts share them."
                yield Insight("key", name, text, 0.0, facts, facts)
    elif single == [0, 1] and name in counted.attributes:
        thing = atom_text(counted.attributes[name])
        text = f"{shown} is different for each {thing}: {facts:,} of {facts:,}."
        yield Insight("function", name, text, 0.0, facts, facts)
    elif single == [0, 1] and counted.loops(name) == facts:
        text = f"{shown} relates each of {facts:,} values to itself alone."
        yield Insight("function", name, text, 0.0, facts, facts)
    elif single == [0, 1]:
        yield Insight("function", name, f"{shown} pairs {facts:,} values one to one.", 0.0, facts, facts)
    elif single:
        each = _EACH if single == [0] else " Y has one X."
        text = f"{shown}(X,Y) is a function: each of {facts:,}{each}"
        yield Insight("function", name, text, 0.0, facts, facts)
