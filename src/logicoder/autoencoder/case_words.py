r"""Which value a thing has in which case, in words: ranges are spelled out, equal values told together.

>>> from logicoder.logic.parser import parse_clause
>>> things = {"bird_kind": "bird", "bird_mass": "bird", "bird_ringed": "bird", "bird_sex": "bird"}
>>> bodies = r"bird_kind(X,owl), bird_mass(X,Y), mass(Y) < 50", r"bird_ringed(X), \+ bird_sex(X,_)"
>>> for body in bodies:
...     clause = parse_clause(f"l(X) :- {body}.")
...     print(any_of([demands_of(clause.alternatives[0], clause.head.arguments[0], things)]))
kind is owl and mass is below 50
ringed holds and sex is unknown
>>> [value_words(f"'{text}'") for text in ("[..10)", "[10..50)", "[50..)")]
['below 10', '10 to below 50', '50 or more']
>>> [value_words(f"'{text}'") for text in ("[..2024-05-01)", "[2024-05-01..)", "owl", "Not seen.")]
['before 2024-05-01', '2024-05-01 or later', 'owl', '"Not seen."']
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from logicoder.logic.comparisons import comparison_of
from logicoder.logic.ordered_values import OrderedValue, Point, ordered_value
from logicoder.logic.symbols import atom_text, quote, value_of
from logicoder.logic.terms import Body, Constant, Literal, Term

WHERE, USUALLY, GOING = " where ", "usually ", "whatever goes with the "

_MISREAD = re.compile(r"^$|^\s|\s$|[.,;:!?]$|;| (where|is|and|or) ")
"""Texts that would run into the words around them."""


class Demand(NamedTuple):
    """What is demanded of a thing: what is so of one of its properties, or which value that has."""

    name: str
    said: str
    value: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.said}" + (value_words(self.value) if self.value else "")


def value_words(symbol: str) -> str:
    """Return a constant as sentences have it."""
    text, order = str(value_of(symbol)), ordered_value(symbol)
    if order is None or not order.is_bin:
        return f'"{text}"' if _MISREAD.search(text) else text
    low, _, high = text[1:-1].partition("..")
    below, more = ("before", "later") if order.kind == "date" else ("below", "more")
    if not low:
        return f"{below} {high}" if high else "known"
    return f"{low} to {below} {high}" if high else f"{low} or {more}"


def values_in_words(symbols: Sequence[str]) -> str:
    """Return constants in words, of which there is one; ranges that meet are one range.

    >>> values_in_words(["a"]), values_in_words(["a", "b", "'[1..3)'", "c", "'[3..)'"])
    ('a', 'a, b, c or 1 or more')
    >>> values_in_words(["'[..10)'", "'[20..30)'", "'[..15)'", "'[30..40)'"])
    'below 15 or 20 to below 40'
    """
    ranges, others = [], []
    for symbol in dict.fromkeys(symbols):
        order = ordered_value(symbol)
        if order is None or not order.is_bin:
            others.append(value_words(symbol))
        else:
            low, _, high = str(value_of(symbol))[1:-1].partition("..")
            ranges.append((order, low, high))
    joined: list[tuple[OrderedValue, str, str]] = []
    for order, low, high in sorted(ranges, key=lambda one: (one[0].kind, one[0].low is not None, one[0].low)):
        last = joined[-1][0] if joined else None
        if last is None or last.kind != order.kind or not _meet(last.high, order.low):
            joined.append((order, low, high))
        elif last.high is not None and (order.high is None or not _meet(last.high, order.high)):
            joined[-1] = (last._replace(high=order.high), joined[-1][1], high)
    *first, final = [*others, *(value_words(quote(f"[{low}..{high})")) for _, low, high in joined)]
    return f"{', '.join(first)} or {final}" if first else final


def _meet(end: Point | None, begin: Point | None) -> bool:
    return end is None or begin is None or begin <= end  # type: ignore[operator]  # of one kind


def noun(predicate: str, things: Mapping[str, str]) -> str:
    """Return what a property of a thing is called, without what the thing is called."""
    return atom_text(predicate.removeprefix(f"{things[predicate]}_"))


def ranges_of(body: Body) -> tuple[dict[Term, str], tuple[Literal, ...]] | None:
    """Return the ranges that a body demands of its variables, and its other literals; None if it cannot."""
    ends: dict[Term, tuple[str, str]] = {}
    others = []
    for literal in body:
        comparison = comparison_of(literal.atom.predicate)
        if comparison is None:
            others.append(literal)
            continue
        (variable,) = literal.atom.arguments
        low, high = ends.get(variable, ("", ""))
        if not literal.positive or comparison.operator not in ("<", ">="):
            return None
        ends[variable] = (low, comparison.point) if comparison.operator == "<" else (comparison.point, high)
    return {variable: quote(f"[{low}..{high})") for variable, (low, high) in ends.items()}, tuple(others)


def demands_of(body: Body, start: Term, things: Mapping[str, str]) -> list[Demand] | None:
    """Return what a body demands of properties of one thing; None if it demands anything else."""
    found = ranges_of(body)
    if found is None:
        return None
    ends, own = found
    times = Counter(argument for literal in own for argument in literal.atom.arguments)
    tests = []
    for literal in own:
        predicate, (first, *others) = literal.atom.predicate, literal.atom.arguments
        if literal.inequality or predicate not in things or first != start:
            return None
        if any(times[end] > 1 or (end in ends and not literal.positive) for end in others):
            return None
        tests.append(_test(noun(predicate, things), literal, others, ends))
    return tests if ends.keys() <= times.keys() else None


def _test(name: str, literal: Literal, others: Sequence[Term], ends: Mapping[Term, str]) -> Demand:
    """Return what a literal says of a property."""
    yes = literal.positive
    if not others:
        return Demand(name, "holds" if yes else "does not hold")
    (end,) = others
    if isinstance(end, Constant):
        return Demand(name, "is " if yes else "is not ", end.symbol)
    if end in ends:
        return Demand(name, "is ", ends[end])
    return Demand(name, "is known" if yes else "is unknown")


def cases_in_words(cases: Iterable[tuple[str, Sequence[Demand]]]) -> str:
    """Return which value there is in which case; a value without demands is the usual one.

    >>> one, two, three = Demand("b", "is ", "1"), Demand("d", "is ", "2"), Demand("b", "is ", "3")
    >>> tests = [one], [two, Demand("e", "holds")], [three]
    >>> cases_in_words(zip("aca", tests))
    'a where b is 1 or 3; c where d is 2 and e holds'
    >>> cases_in_words([("a", tests[0]), ("c", []), (f"{GOING}d", [])])
    'a where b is 1; whatever goes with the d; otherwise usually c'
    """
    grouped: dict[str, list[Sequence[Demand]]] = {}
    usual: list[str] = []
    for value, tests in cases:
        if not tests and not value.startswith(GOING):
            usual.append(value)
        else:
            grouped.setdefault(value, []).append(tests)
    said = [f"{value}{WHERE}{any_of(ways)}" if all(ways) else value for value, ways in grouped.items()]
    return "; ".join([*said, *(f"{'otherwise ' if said else ''}{USUALLY}{value}" for value in usual)])


def any_of(ways: Iterable[Sequence[Demand]]) -> str:
    """Return in words that one of several conditions holds; values of one property are told together.

    >>> one, two, three, four = (Demand(name, "is ", value) for name, value in zip("bcbb", "1234"))
    >>> any_of([[one], [two], [three], [four, two]])
    'b is 1 or 3, or c is 2, or b is 4 and c is 2'
    """
    told: dict[tuple[str, ...], list[Sequence[Demand]]] = {}
    for number, tests in enumerate(ways):
        single = len(tests) == 1 and tests[0].said == "is "
        told.setdefault((tests[0].name,) if single else ("", str(number)), []).append(tests)
    return ", or ".join(
        f"{same[0][0].name} is {values_in_words([test.value for (test,) in same])}"
        if len(same) > 1
        else " and ".join(map(str, same[0]))
        for same in told.values()
    )
