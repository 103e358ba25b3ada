"""The language of encoder bodies: which literals there are besides the predicates as they stand.

A *template* is a literal with its arguments left open: a predicate, perhaps with constants of small types in
some places, perhaps negated; or the inequality of two variables of a type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

import numpy as np

from logicoder.candidates.bodies import IndexLiteral, Symbol
from logicoder.engine.database import WORLD, Database
from logicoder.engine.evaluate import denied
from logicoder.engine.join import Bindings, bindings_of
from logicoder.engine.relation import Relation
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.terms import Atom, Constant, Literal, Term, Variable


@dataclass(frozen=True)
class Template:
    """A literal whose arguments are open.

    Attributes:
        predicate: index of the predicate; None for inequality.
        constants: for each argument of the predicate a constant, or None where the argument is open.
        negated: whether the literal is negated.
    """

    predicate: int | None
    constants: tuple[str | None, ...] = ()
    negated: bool = False


@dataclass(frozen=True)
class Switches:
    """Which literals the language has besides plain ones; each makes it richer and the search longer.

    Attributes:
        constants: greatest number of constants of a type whose constants may be named; 0 for none.
        negation: whether literals may be negated.
        inequality: whether variables of a type may be said to differ.
        recursion: whether definitions may be recursive.
    """

    constants: int = 0
    negation: bool = False
    inequality: bool = False
    recursion: bool = False


@dataclass(eq=False)
class EncoderLanguage:
    """The symbols of encoder bodies, with the templates and relations behind them.

    Plain predicates come first, in their order; then those with constants, then tests.
    """

    database: Database
    predicates: Sequence[str]
    switches: Switches = field(default_factory=Switches)
    templates: list[Template] = field(default_factory=list)
    symbols: list[Symbol] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)

    def __post_init__(self) -> None:
        relations = [self.database.relation(name) for name in self.predicates]
        for index, (name, relation) in enumerate(zip(self.predicates, relations, strict=True)):
            modes = self.database.kb.schema[name].modes
            self._add(Template(index, (None,) * relation.arity), Symbol(relation.types, modes), relation)
        if self.switches.constants:
            for index, relation in enumerate(relations):
                for constants, part in with_constants(self.database, relation, self.switches.constants):
                    self._add(Template(index, constants), Symbol(part.types), part)
        binding = list(zip(self.templates, self.symbols, strict=True))
        if self.switches.negation:
            for template, symbol in binding:
                negated = Template(template.predicate, template.constants, negated=True)
                self._add(negated, Symbol(symbol.types, tests=True), None)
        if self.switches.inequality:
            for kind in sorted({kind for _, symbol in binding for kind in symbol.types} - {0}):
                self._add(Template(None), Symbol((kind, kind), tests=True, symmetric=True), None)

    def _add(self, template: Template, symbol: Symbol, relation: Relation | None) -> None:
        self.templates.append(template)
        self.symbols.append(symbol)
        if relation is not None:
            self.relations.append(relation)

    def predicates_of(self, literals: Sequence[IndexLiteral]) -> frozenset[int]:
        """Return the input predicates that some literals mention."""
        found = (self.templates[symbol].predicate for symbol, _ in literals)
        return frozenset(predicate for predicate in found if predicate is not None)

    def bindings(self, literal: IndexLiteral) -> Bindings:
        """Return the bindings of a literal that is no test."""
        symbol, arguments = literal
        return bindings_of(self.relations[symbol], arguments)

    def tested(self, literal: IndexLiteral, bindings: Bindings) -> Bindings:
        """Return the bindings that pass a test."""
        symbol, arguments = literal
        template = self.templates[symbol]
        if template.predicate is None:
            left, right = (bindings.columns[v] for v in arguments)
            return bindings.select(left != right)

        def match(relation: Relation) -> Bindings:
            return bindings_of(selected(self.database, relation, template.constants), arguments)

        return bindings.select(denied(self.database, self.predicates[template.predicate], bindings, match))

    def literal(self, literal: IndexLiteral, names: dict[int, Variable]) -> Literal:
        """Return a literal with names for its variables."""
        symbol, arguments = literal
        template = self.templates[symbol]
        if template.predicate is None:
            return Literal.unequal(*(names[a] for a in arguments))
        rest = iter(arguments)
        terms: tuple[Term, ...] = tuple(
            names[next(rest)] if constant is None else Constant(constant) for constant in template.constants
        )
        return Literal(Atom(self.predicates[template.predicate], terms), positive=not template.negated)


def selected(database: Database, relation: Relation, constants: Sequence[str | None]) -> Relation:
    """Return the tuples of a relation with constants in some places, without these places."""
    keep = np.ones(len(relation), np.bool_)
    for kind, column, constant in zip(relation.types, relation.columns, constants, strict=True):
        if constant is not None:
            keep &= database.is_constant(kind, column, constant)
    open_places = [i for i, constant in enumerate(constants) if constant is None]
    return Relation(
        tuple(relation.types[i] for i in open_places), tuple(relation.columns[i][keep] for i in open_places)
    )


def with_constants(
    database: Database, relation: Relation, most: int
) -> Iterator[tuple[tuple[str | None, ...], Relation]]:
    """Return the non-empty selections of a relation by constants of small types.

    Args:
        database: the data.
        relation: the relation.
        most: greatest number of constants of a small type.
    """
    small = [place for place, kind in enumerate(relation.types) if is_small(database, kind, most)]
    present = {place: constants_in(database, relation, place) for place in small}
    for count in range(1, min(len(small), relation.arity - 1) + 1):
        for places in combinations(small, count):
            for choice in product(*(present[place] for place in places)):
                named = dict(zip(places, choice, strict=True))
                constants = tuple(named.get(place) for place in range(relation.arity))
                part = selected(database, relation, constants)
                if len(part):
                    yield constants, part


def is_small(database: Database, kind: int, most: int) -> bool:
    """Whether a type has at most so many constants, over all interpretations."""
    return kind != database.types[WORLD] and len(np.unique(database.symbol_of[kind])) <= most


def database_with_constants(kb: KnowledgeBase, most: int) -> Database:
    """Return the database of some data in which constants of small types exist in every world.

    A head such as `likes(X,red)` holds its constant wherever it is derived, also in a world whose facts do
    not mention it.
    """
    plain = Database(kb)
    if not most:
        return plain
    return Database(
        kb,
        [
            (name, plain.symbols[symbol])
            for name, kind in plain.types.items()
            if is_small(plain, kind, most)
            for symbol in np.unique(plain.symbol_of[kind]).tolist()
        ],
    )


def constants_in(database: Database, relation: Relation, place: int) -> list[str]:
    """Return the constants in one column of a relation, sorted."""
    symbols = np.unique(database.symbol_of[relation.types[place]][relation.columns[place]])
    return sorted(database.symbols[i] for i in symbols.tolist())
