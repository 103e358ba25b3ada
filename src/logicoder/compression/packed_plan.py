"""Plans as bytes: flags, domains and clauses, each choice in as many bits as `code` counts for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from logicoder.compression.arithmetic_coder import ArithmeticDecoder, ArithmeticEncoder
from logicoder.compression.definitions import head_types
from logicoder.compression.plan import FORMS, Definition, Domain, Plan, Step
from logicoder.logic.rules import UNEQUAL, Literal, Rule

_LATENT = "latent {}"


@dataclass(frozen=True)
class Vocabulary:
    """What sender and receiver know of the data before a message.

    Attributes:
        types: types of each predicate, in an order that both know.
        said: the predicates that are to be said, in that order.
        constants: names of the constants of each type, sorted.
    """

    types: Mapping[str, tuple[int, ...]]
    said: Sequence[str]
    constants: Mapping[int, Sequence[str]]

    @property
    def usable(self) -> list[str]:
        """The predicates that may stand in bodies."""
        return [name for name, types in self.types.items() if types != (0,)]

    @property
    def places(self) -> list[tuple[str, int]]:
        """All places of predicates."""
        return [(name, place) for name in self.usable for place in range(len(self.types[name]))]


def in_order(plan: Plan) -> Plan:
    """Return a plan in the order that a receiver finds by itself: by name, but after what is needed.

    >>> from logicoder.logic.rules import Rule, Literal
    >>> steps = Step("b"), Step("a", layers=((Rule((0,), (Literal("b", (0,)),)),),))
    >>> [step.predicate for step in in_order(Plan(steps[::-1]))]
    ['b', 'a']
    """
    parts = {latent.name: latent.needs for latent in plan.latents if not latent.stored}
    waiting = {step.predicate: step for step in plan}
    needs = {
        name: frozenset[str]().union(*(parts.get(other, {other}) for other in step.needs))
        for name, step in waiting.items()
    }
    # Names of latents are not carried: they come after all others, in the order of their definitions.
    latent = {own.name: number for number, own in enumerate(plan.latents)}
    order = sorted(waiting, key=lambda name: (latent.get(name, -1), name))
    found: list[Step] = []
    while waiting:
        ready = [name for name in order if name in waiting and not needs[name] & waiting.keys()]
        if not ready:
            raise ValueError("predicates need each other")
        found += [waiting.pop(name) for name in ready]
    return Plan(tuple(found), plan.latents)


class Channel(Protocol):
    """Carries choices; only the sender has values to carry."""

    def choose(self, total: int, value: int | None) -> int:
        """Return one of the numbers below `total`."""


class Writer:
    """Writes choices."""

    def __init__(self, encoder: ArithmeticEncoder) -> None:
        self.encoder = encoder

    def choose(self, total: int, value: int | None) -> int:
        """Write a choice."""
        if value is None:
            raise ValueError("there is nothing to write")
        self.encoder.choose(value, total)
        return value


class Reader:
    """Reads choices."""

    def __init__(self, decoder: ArithmeticDecoder) -> None:
        self.decoder = decoder

    def choose(self, total: int, value: int | None) -> int:  # noqa: ARG002
        """Read a choice."""
        return self.decoder.choose(total)


def carried(channel: Channel, vocabulary: Vocabulary, plan: Plan | None) -> Plan:
    """Write a plan, or read one where none is given; names of latents are not carried."""
    return _Carrier(channel, vocabulary).plan(plan)


def _number(channel: Channel, value: int | None) -> int:
    """Carry a whole number from zero on by Elias' gamma code; see `problem.bits.number_bits`."""
    code = None if value is None else value + 1
    length = 0
    while channel.choose(2, None if code is None else int(code >> (length + 1) > 0)):
        length += 1
    found = 1
    for place in reversed(range(length)):
        found = 2 * found + channel.choose(2, None if code is None else (code >> place) & 1)
    return found - 1


class _Carrier:
    """Walks through a plan for sender and receiver alike."""

    def __init__(self, channel: Channel, vocabulary: Vocabulary) -> None:
        self._channel, self._vocabulary = channel, vocabulary
        self._types = dict(vocabulary.types)
        self._symbols = vocabulary.usable
        self._tests = False

    def plan(self, plan: Plan | None) -> Plan:
        tests = None if plan is None else int(any(rule.tested for rule in plan.rules()))
        self._tests = bool(self._channel.choose(2, tests))
        count = _number(self._channel, None if plan is None else len(plan.latents))
        names = [d.name for d in plan.latents] if plan else [_LATENT.format(i) for i in range(count)]
        self._symbols = [*self._symbols, *names]
        latents = tuple(
            self._definition(name, None if plan is None else plan.latents[number])
            for number, name in enumerate(names)
        )
        given = {} if plan is None else {step.predicate: step for step in plan}
        stored = (latent.name for latent in latents if latent.stored)
        steps = tuple(self._step(name, given.get(name)) for name in (*self._vocabulary.said, *stored))
        return in_order(Plan(steps, latents))

    def _definition(self, name: str, given: Definition | None) -> Definition:
        arity = _number(self._channel, None if given is None else given.arity - 1) + 1
        rules = tuple(self._clauses((None,) * arity, None if given is None else given.rules))
        self._types[name] = head_types(rules[0], self._types)
        stored = self._channel.choose(2, None if given is None else int(given.stored))
        return Definition(name, rules, bool(stored))

    def _step(self, name: str, given: Step | None) -> Step:
        types = self._types[name]
        form = "plain"
        if len(types) == 2 and types[0] == types[1]:
            other = None if given is None else FORMS.index(given.form)
            if self._channel.choose(2, None if other is None else int(other > 0)):
                form = FORMS[1 + self._channel.choose(4, None if other is None else other - 1)]
        told = None if given is None else {domain.place: domain for domain in given.domains}
        places = [
            place
            for place in range(len(types))
            if self._channel.choose(2, None if told is None else int(place in told))
        ]
        domains = tuple(self._domain(place, None if told is None else told[place]) for place in places)
        rules = None if given is None else given.rules
        return Step(name, form, domains, tuple((rule,) for rule in self._clauses(types, rules)))

    def _domain(self, place: int, given: Domain | None) -> Domain:
        places = self._vocabulary.places
        if not self._channel.choose(2, None if given is None else int(given.within is not None)):
            return Domain(place)
        within = None if given is None or given.within is None else places.index(given.within)
        return Domain(place, places[self._channel.choose(len(places), within)])

    def _clauses(self, types: Sequence[int | None], given: Sequence[Rule] | None) -> Iterator[Rule]:
        waiting = None if given is None else list(given)
        while self._channel.choose(2, None if waiting is None else int(bool(waiting))):
            yield self._clause(types, None if waiting is None else waiting.pop(0))

    def _clause(self, types: Sequence[int | None], given: Rule | None) -> Rule:
        named = self._channel.choose(2, None if given is None else int(given.constants))
        length = _number(self._channel, None if given is None else len(given.body) - 1) + 1
        numbers: dict[int | str, int] = {}
        head: list[int | str] = []
        for place, kind in enumerate(types):
            argument = None if given is None else given.head[place]
            if named and self._channel.choose(
                2, None if argument is None else int(isinstance(argument, str))
            ):
                head.append(self._constant(kind, argument))
            else:
                head.append(len(numbers))
                numbers[len(numbers) if argument is None else argument] = len(numbers)
        body = [
            self._literal(numbers, named, None if given is None else given.body[n]) for n in range(length)
        ]
        return Rule(tuple(head), tuple(body))

    def _literal(self, numbers: dict[int | str, int], named: int, given: Literal | None) -> Literal:
        symbols = len(self._symbols) + self._tests
        wanted = None if given is None else _symbols(given, self._symbols)
        symbol = self._channel.choose(symbols, None if wanted is None else wanted[0])
        tested = symbol == len(self._symbols)
        if tested:
            symbol = self._channel.choose(symbols, None if wanted is None else wanted[1])
        name = UNEQUAL if symbol == len(self._symbols) else self._symbols[symbol]
        arguments: list[int | str] = []
        for place in range(2 if name == UNEQUAL else len(self._types[name])):
            argument = None if given is None else given.arguments[place]
            known = len(numbers)
            value = None
            if argument is not None:
                value = known + 1 if isinstance(argument, str) else numbers.get(argument, known)
            chosen = self._channel.choose(known + 1 + named, value)
            if chosen == known + 1:
                arguments.append(self._constant(self._types[name][place], argument))
            else:
                if chosen == known:
                    numbers[known if argument is None else argument] = known
                arguments.append(chosen)
        return Literal(name, tuple(arguments), negated=tested and name != UNEQUAL)

    def _constant(self, kind: int | None, given: int | str | None) -> str:
        if kind is None:
            raise ValueError("heads of latent predicates name no constants")
        names = self._vocabulary.constants[kind]
        return names[self._channel.choose(len(names), None if given is None else names.index(str(given)))]


def _symbols(literal: Literal, symbols: Sequence[str]) -> tuple[int, ...]:
    """Return the symbols of a literal: "not", which comes after all predicates, before what it negates."""
    last = len(symbols)
    if literal.predicate == UNEQUAL:
        return last, last
    number = symbols.index(literal.predicate)
    return (last, number) if literal.negated else (number,)
