"""The language of encoder bodies: which literals there are besides the predicates as they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from logicoder.candidates.bodies import Symbol
from logicoder.engine.clauses import IndexLiteral, Template
from logicoder.engine.interface import Engine
from logicoder.kb.schema import Schema
from logicoder.logic.terms import Atom, Constant, Literal, Term, Variable


@dataclass(frozen=True)
class Switches:
    """Which literals the language has; each kind makes it richer and the search longer.

    Attributes:
        constants: greatest number of constants of a type whose constants may be named; 0 for none.
        negation: whether literals may be negated.
        inequality: whether variables of a type may be said to differ.
        recursion: whether definitions may be recursive.
        repeats: whether a variable may occur more than once in a literal.
    """

    constants: int = 0
    negation: bool = False
    inequality: bool = False
    recursion: bool = False
    repeats: bool = True


@dataclass(eq=False)
class EncoderLanguage:
    """The symbols of encoder bodies, with the templates behind them.

    Plain predicates come first, in their order; then those with constants, then tests.

    Attributes:
        engine: holds the data.
        schema: that of the data.
        predicates: predicates that bodies may use.
        switches: what bodies may hold besides plain literals.
        templates: the template of each symbol.
        symbols: the symbols, as the enumeration of bodies sees them.
    """

    engine: Engine
    schema: Schema
    predicates: Sequence[str]
    switches: Switches = field(default_factory=Switches)
    templates: list[Template] = field(default_factory=list)
    symbols: list[Symbol] = field(default_factory=list)

    def __post_init__(self) -> None:
        types = {name: self.engine.facts(name).types for name in self.predicates}
        repeats = self.switches.repeats
        for name, kinds in types.items():
            symbol = Symbol(kinds, self.schema[name].modes, repeats=repeats)
            self._add(Template(name, (None,) * len(kinds)), symbol)
        if self.switches.constants:
            for name, kinds in types.items():
                for constants in self.engine.selections(name, self.switches.constants):
                    free = (kind for kind, constant in zip(kinds, constants, strict=True) if constant is None)
                    self._add(Template(name, constants), Symbol(tuple(free), repeats=repeats))
        binding = list(zip(self.templates, self.symbols, strict=True))
        if self.switches.negation:
            for template, symbol in binding:
                negated = Template(template.predicate, template.constants, negated=True)
                self._add(negated, Symbol(symbol.types, tests=True, repeats=repeats))
        if self.switches.inequality:
            for kind in sorted({kind for _, symbol in binding for kind in symbol.types} - {0}):
                self._add(Template(None), Symbol((kind, kind), tests=True, symmetric=True))

    def _add(self, template: Template, symbol: Symbol) -> None:
        self.templates.append(template)
        self.symbols.append(symbol)

    @cached_property
    def _places(self) -> dict[object, int]:
        return {name: place for place, name in enumerate(self.predicates)}

    @cached_property
    def propositions(self) -> frozenset[str]:
        """Predicates without arguments."""
        return frozenset(name for name in self.predicates if not self.schema[name].arity)

    def predicates_of(self, literals: Sequence[IndexLiteral]) -> frozenset[int]:
        """Return the input predicates that some literals mention."""
        found = (self.templates[symbol].predicate for symbol, _ in literals)
        return frozenset(self._places[predicate] for predicate in found if predicate is not None)

    def literal(self, literal: IndexLiteral, names: Mapping[int, Variable]) -> Literal:
        """Return a literal with names for its variables."""
        symbol, arguments = literal
        template = self.templates[symbol]
        if template.predicate is None:
            return Literal.unequal(*(names[a] for a in arguments))
        rest = iter(arguments)
        terms: tuple[Term, ...] = tuple(
            names[next(rest)] if constant is None else Constant(constant) for constant in template.constants
        )
        return Literal(Atom(str(template.predicate), terms), positive=not template.negated)
