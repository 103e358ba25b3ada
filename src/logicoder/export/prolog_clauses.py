"""Programs as Prolog, for SWI-Prolog: tabled, so that recursion ends and each answer comes once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from logicoder.export.interface import Exporter, Writer, different
from logicoder.logic.symbols import atom_text, value_of

if TYPE_CHECKING:
    from logicoder.export.script import Rule, Script

# What SWI-Prolog compiles in place: a definition of such a name would never be called.
_COMPILED = re.compile(
    r"true|fail|false|call|not|var|nonvar|integer|float|number|atom|atomic|compound|callable|string|rational|ground"
    r"|is|is_list|is_dict|blob|cyclic_term|arg|functor|once|ignore|repeat|halt|table|dynamic|discontiguous"
    r"|multifile|module|initialization|use_module|ensure_loaded|include|term_expansion|goal_expansion|op|catch"
    r"|throw|findall|bagof|setof|forall|member|predicate_property|redefine_system_predicate"
    r"|\$.*|[^\w\s]+",
    re.DOTALL,
)


class PrologExporter(Exporter):
    """Clauses, with the declarations that make them run whatever their order."""

    name = "prolog"
    summary = "clauses for SWI-Prolog"
    comment = "%"

    def names(self, predicates: Iterable[str]) -> dict[str, str]:
        """See `Exporter.names`."""
        return different(predicates, lambda name: f"p_{name}" if _COMPILED.fullmatch(name) else name)

    def constant(self, symbol: str) -> str:
        """See `Exporter.constant`: the canonical text is Prolog, but for fractions without a point."""
        if isinstance(value_of(symbol), float) and "." not in symbol:
            return symbol.replace("e", ".0e")
        return symbol

    def lines(self, script: Script, names: Mapping[str, str]) -> Iterable[str]:
        """See `Exporter.lines`."""
        quoted = {name: atom_text(new) for name, new in names.items()}

        def indicators(arities: Mapping[str, int]) -> str:
            return ",\n   ".join(f"{quoted[name]}/{arity}" for name, arity in arities.items())

        heads = ",\n    ".join(
            f"{quoted[name]}({','.join('_' * arity)})" if arity else quoted[name]
            for name, arity in script.arities.items()
        )
        yield "% Names that the system has for itself are taken over."
        yield f":- forall((member(Head, [\n    {heads}]),"
        yield "           predicate_property(system:Head, defined)),"
        yield "          redefine_system_predicate(Head))."
        if script.inputs:
            yield f":- dynamic\n   {indicators(script.inputs)}."
            yield f":- multifile\n   {indicators(script.inputs)}."
            yield f":- discontiguous\n   {indicators(script.inputs)}."
        if script.defined:
            yield f":- discontiguous\n   {indicators(script.defined)}."
            yield f":- table\n   {indicators(script.defined)}."
        yield ""
        for name, rows in script.input_rows():
            for row in rows:
                arguments = ", ".join(map(self.constant, row))
                yield f"{quoted[name]}({arguments})." if row else f"{quoted[name]}."
        for rule in script.rules:
            yield self._clause(rule, quoted)

    def _clause(self, rule: Rule, names: Mapping[str, str]) -> str:
        writer = Writer(rule, names, self.constant)
        body = [
            *map(writer.atom, rule.positive),
            *(f"{writer.term(left)} \\== {writer.term(right)}" for left, right in rule.unequal),
            *(f"\\+ {writer.atom(atom)}" for atom in rule.negated),
        ]
        head, conditions = writer.atom(rule.head), ",\n    ".join(body)
        return f"{head} :-\n    {conditions}." if body else f"{head}."
