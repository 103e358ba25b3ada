"""Programs as answer set programs, for clingo, and as Datalog, for Soufflé."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from logicoder.export.interface import Exporter, Writer, different, word
from logicoder.logic.plain_constants import plain_constant
from logicoder.logic.symbols import value_of

if TYPE_CHECKING:
    from logicoder.export.script import Rule, Script

_BARE = re.compile(r"[a-z][A-Za-z0-9_]*\Z")
_LARGEST = 2**31 - 1
_WORDS = re.compile(
    r"not|true|false|and|or|xor|count|sum|min|max|mean|in|as|if|match|cat|ord|range|contains|to_number|to_string"
    r"|substr|strlen|nil|inf|sup|number|symbol|float|unsigned|autoinc|land|lor|lnot"
)


def _escaped(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


class RuleExporter(Exporter):
    """What both languages share: rules over words, strings in double quotes.

    Attributes:
        negation: what stands before a negated atom.
        nullary: what follows the name of a predicate without arguments.
        variable: what variables start with; `V` keeps the names of the program.
    """

    negation: ClassVar[str]
    nullary: ClassVar[str] = ""
    variable: ClassVar[str] = "V"

    def names(self, predicates: Iterable[str]) -> dict[str, str]:
        """See `Exporter.names`."""
        return different(predicates, lambda name: f"p_{name}" if _WORDS.fullmatch(name) else word(name))

    def rules(self, script: Script, names: Mapping[str, str]) -> Iterable[str]:
        """Return facts and rules."""
        for name, rows in script.input_rows():
            for row in rows:
                arguments = ", ".join(map(self.constant, row))
                yield f"{names[name]}({arguments})." if row else f"{names[name]}{self.nullary}."
        yield from (self._rule(rule, names) for rule in script.rules)

    def _rule(self, rule: Rule, names: Mapping[str, str]) -> str:
        writer = Writer(rule, names, self.constant, self.nullary, self.variable)
        body = [
            *map(writer.atom, rule.positive),
            *(f"{self.negation}{writer.atom(atom)}" for atom in rule.negated),
            *(f"{writer.term(left)} != {writer.term(right)}" for left, right in rule.unequal),
        ]
        head = writer.atom(rule.head)
        return f"{head} :- {', '.join(body)}." if body else f"{head}."


class AspExporter(RuleExporter):
    """An answer set program with one answer set."""

    name = "asp"
    summary = "an answer set program for clingo"
    comment = "%"
    negation = "not "

    def constant(self, symbol: str) -> str:
        """See `Exporter.constant`: small whole numbers and simple atoms as such, all else as strings."""
        value = value_of(symbol)
        if isinstance(value, int) and abs(value) <= _LARGEST:
            return symbol
        bare = _BARE.match(symbol) and not _WORDS.fullmatch(symbol)
        return symbol if bare else _escaped(plain_constant(symbol))

    def lines(self, script: Script, names: Mapping[str, str]) -> Iterable[str]:
        """See `Exporter.lines`."""
        for name, arity in script.inputs.items():
            yield f"#defined {names[name]}/{arity}."
        yield from self.rules(script, names)
        for name, arity in script.defined.items():
            yield f"#show {names[name]}/{arity}."


class DatalogExporter(RuleExporter):
    """A Datalog program; all constants are symbols."""

    name = "datalog"
    summary = "Datalog for Soufflé"
    comment = "//"
    negation = "!"
    nullary = "()"
    variable = "x"

    def constant(self, symbol: str) -> str:
        """See `Exporter.constant`."""
        return _escaped(plain_constant(symbol))

    def lines(self, script: Script, names: Mapping[str, str]) -> Iterable[str]:
        """See `Exporter.lines`."""
        for name, arity in script.arities.items():
            columns = ", ".join(f"argument{number}: symbol" for number in range(1, arity + 1))
            yield f".decl {names[name]}({columns})"
        if script.facts is None:
            yield from (f".input {names[name]}" for name in script.inputs)
        yield from (f".output {names[name]}" for name in script.defined)
        yield from self.rules(script, names)
