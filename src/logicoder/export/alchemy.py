"""Programs as hard formulas of Alchemy: declarations of the predicates, and an implication for each rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from logicoder.base.errors import UsageError
from logicoder.export.interface import Exporter, Writer, different, word
from logicoder.logic.plain_constants import plain_constant
from logicoder.logic.symbols import quote

if TYPE_CHECKING:
    from logicoder.export.script import Rule, Script


class AlchemyExporter(Exporter):
    """Implications that always hold; all constants are of one type."""

    name = "alchemy"
    summary = "hard formulas for Alchemy"
    comment = "//"

    def names(self, predicates: Iterable[str]) -> dict[str, str]:
        """See `Exporter.names`: upper and lower case of the first letter are the same."""
        return different(predicates, lambda name: "p_" + name if name.lower() in _WORDS else word(name))

    def constant(self, symbol: str) -> str:
        """See `Exporter.constant`."""
        return quote(plain_constant(symbol), '"')

    def lines(self, script: Script, names: Mapping[str, str]) -> Iterator[str]:
        """See `Exporter.lines`."""
        if script.facts is not None:
            raise UsageError("Alchemy keeps facts in a .db file: write them with `encode -o FILE.db`")
        for name, arity in script.arities.items():
            yield f"{names[name]}({', '.join(['constant'] * arity)})" if arity else names[name]
        yield ""
        for rule in script.rules:
            yield self._formula(rule, names)

    def _formula(self, rule: Rule, names: Mapping[str, str]) -> str:
        writer = _AlchemyWriter(rule, names, self.constant, variable="x")
        body = [
            *map(writer.atom, rule.positive),
            *(f"!{writer.atom(atom)}" for atom in rule.negated),
            *(f"!({writer.term(left)} = {writer.term(right)})" for left, right in rule.unequal),
        ]
        head = writer.atom(rule.head)
        return f"{' ^ '.join(body)} => {head}." if body else f"{head}."


_WORDS = frozenset({"exist", "forall", "constant", "not", "and", "or"})


class _AlchemyWriter(Writer):
    """There is no `_`: a variable that occurs once has a name like the others."""

    _unnamed = 0

    def term(self, term: object) -> str:
        text = super().term(term)  # type: ignore[arg-type]
        if text == "_":
            self._unnamed += 1
            return f"any{self._unnamed}"
        return text
