"""Programs as SPARQL: a CONSTRUCT query for each rule.

A predicate of one argument is a class, one of two arguments a property. The queries are to be asked in their
order, adding what each constructs to the graph; those between `# repeat` and `# end` again and again until
nothing is new. They are separated by lines of `# query`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING
from urllib.parse import quote

from logicoder.base.errors import UsageError
from logicoder.export.interface import Exporter, different
from logicoder.logic.plain_constants import plain_constant
from logicoder.logic.terms import Constant

if TYPE_CHECKING:
    from logicoder.export.script import Rule, Script
    from logicoder.logic.terms import Atom, Term, Variable

PREDICATES = "urn:logicoder:predicate:"
CONSTANTS = "urn:logicoder:constant:"


class SparqlExporter(Exporter):
    """CONSTRUCT queries over classes and properties."""

    name = "sparql"
    summary = "SPARQL CONSTRUCT queries, for predicates of one or two arguments"
    comment = "#"

    def names(self, predicates: Iterable[str]) -> dict[str, str]:
        """See `Exporter.names`."""
        return different(predicates, lambda name: f"<{PREDICATES}{_encoded(name)}>")

    def constant(self, symbol: str) -> str:
        """See `Exporter.constant`: a name, since literals cannot be subjects."""
        return f"<{CONSTANTS}{_encoded(plain_constant(symbol))}>"

    def lines(self, script: Script, names: Mapping[str, str]) -> Iterator[str]:
        """See `Exporter.lines`."""
        for name, arity in script.arities.items():
            if arity not in (1, 2):
                raise UsageError(f"{name} has {arity} arguments, but SPARQL has only classes and properties")
        for name, rows in script.input_rows():
            triples = "\n".join(self._triple(names[name], [*map(self.constant, row)]) for row in rows)
            yield f"# query\nCONSTRUCT {{\n{triples}\n}} WHERE {{ }}"
        for component in script.components:
            repeated = script.is_recursive(component)
            yield from ["# repeat"] * repeated
            for name in component:
                yield from (f"# query\n{self._query(rule, names)}" for rule in script.rules_for(name))
            yield from ["# end"] * repeated

    def _query(self, rule: Rule, names: Mapping[str, str]) -> str:
        numbers: dict[Variable, str] = {}

        def term(given: Term) -> str:
            if isinstance(given, Constant):
                return self.constant(given.symbol)
            return numbers.setdefault(given, f"?x{len(numbers) + 1}")

        def triple(atom: Atom) -> str:
            return self._triple(names[atom.predicate], [*map(term, atom.arguments)])

        where = [
            *map(triple, rule.positive),
            *(f"FILTER ({term(left)} != {term(right)})" for left, right in rule.unequal),
            *(f"FILTER NOT EXISTS {{ {triple(atom)} }}" for atom in rule.negated),
        ]
        conditions = "\n  ".join(where)
        return f"CONSTRUCT {{ {triple(rule.head)} }} WHERE {{\n  {conditions}\n}}"

    def _triple(self, name: str, terms: list[str]) -> str:
        return f"{terms[0]} a {name} ." if len(terms) == 1 else f"{terms[0]} {name} {terms[1]} ."


def _encoded(text: str) -> str:
    return quote(text, safe="", errors="surrogatepass")
