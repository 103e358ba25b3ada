"""Markov logic networks: a schema and weighted formulas over it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from logicoder.base.errors import UsageError
from logicoder.base.files import write_text
from logicoder.kb.schema import Schema
from logicoder.logic.terms import Variable
from logicoder.mln.alchemy.network_text import network_text
from logicoder.mln.formulas import Formula, Literals


@dataclass(frozen=True)
class MarkovLogicNetwork:
    """Formulas over the predicates of a schema.

    The probability of a world is proportional to exp(Σ weight × satisfied groundings), and zero where a
    hard formula is violated. Domains are those of the data that the network is used with.
    """

    schema: Schema
    formulas: tuple[Formula, ...] = ()

    def __post_init__(self) -> None:
        for formula in self.formulas:
            types_of(formula.literals, self.schema)

    @classmethod
    def load(
        cls,
        path: str | Path,
        schema: Schema | None = None,
        domains: Mapping[str, Sequence[str]] | None = None,
    ) -> MarkovLogicNetwork:
        """Read an `.mln` file of Alchemy.

        Args:
            path: the file.
            schema: the predicates, where the file does not declare them itself (without this, they are
                taken from `schema.mln` in its folder, or the only other `.mln` file there that has some).
            domains: further constants of types, for `+` templates and `EXIST`; those of
                a knowledge base are `kb.constants()`.

        Raises:
            InputError: with line and column, if the file is not a network.
        """
        from logicoder.mln.alchemy.network_reader import read_network  # noqa: PLC0415  (the reader builds on this)

        return read_network(path, schema, domains)

    @classmethod
    def parse(
        cls,
        text: str,
        schema: Schema | None = None,
        domains: Mapping[str, Sequence[str]] | None = None,
    ) -> MarkovLogicNetwork:
        """Read a network from text; see `load`.

        >>> network = MarkovLogicNetwork.parse('''
        ...     smokes(person)
        ...     friends(person,person)
        ...     1.1 smokes(x) ^ friends(x,y) => smokes(y)
        ...     friends(x,y) => friends(y,x).
        ... ''')
        >>> print(network)
        smokes(person)
        friends(person,person)
        <BLANKLINE>
        1.1 !smokes(x) v !friends(x,y) v smokes(y)
        !friends(x,y) v friends(y,x).
        """
        from logicoder.mln.alchemy.network_reader import parse_network  # noqa: PLC0415  (the reader builds on this)

        return parse_network(text, schema, domains)

    def save(self, path: str | Path) -> None:
        """Write an `.mln` file that `load` and Alchemy read; weights are written with all their digits."""
        write_text(Path(path), f"{self}\n")

    def __str__(self) -> str:
        return network_text(self.schema, self.formulas)

    @property
    def soft(self) -> tuple[Formula, ...]:
        """The formulas with weights."""
        return tuple(formula for formula in self.formulas if not formula.hard)

    @property
    def hard(self) -> tuple[Formula, ...]:
        """The formulas that every world satisfies."""
        return tuple(formula for formula in self.formulas if formula.hard)

    def schema_with(self, given: Schema) -> Schema:
        """Return the predicates and constants of both this network and some data.

        Where the two differ in the types of a predicate, the network's count.
        """
        domains = dict(given.domains)
        for kind, symbols in self.schema.domains.items():
            domains[kind] = tuple(dict.fromkeys((*domains.get(kind, ()), *symbols)))
        return Schema({**given, **self.schema}, domains)

    def with_weights(self, weights: Sequence[float]) -> MarkovLogicNetwork:
        """Return the network with other weights of the soft formulas, in their order."""
        given = iter(map(float, weights))
        found = tuple(f if f.hard else replace(f, weight=next(given)) for f in self.formulas)
        return replace(self, formulas=found)

    def extended(self, *formulas: Formula | str) -> MarkovLogicNetwork:
        r"""Return the network with more formulas, given as such or as text in the notation of Alchemy.

        >>> network = MarkovLogicNetwork.parse("smokes(person)\ncancer(person)")
        >>> len(network.extended("1.5 smokes(x) => cancer(x)", "-2 cancer(x)"))
        2
        """
        found: list[Formula] = []
        for formula in formulas:
            found.extend(
                [formula] if isinstance(formula, Formula) else Formula.parse_all(formula, self.schema)
            )
        return replace(self, formulas=(*self.formulas, *found))

    def __iter__(self) -> Iterator[Formula]:
        return iter(self.formulas)

    def __len__(self) -> int:
        return len(self.formulas)


def types_of(literals: Literals, schema: Schema) -> dict[Variable, str]:
    """Return the type of each variable of a clause.

    Raises:
        UsageError: for unknown predicates, wrong numbers of arguments, and variables of no or two types.
    """
    found: dict[Variable, str] = {}
    for literal in literals:
        if literal.inequality:
            continue
        atom = literal.atom
        if atom.predicate not in schema:
            raise UsageError(f"there is no predicate {atom.predicate}; choose from: {', '.join(schema)}")
        kinds = schema[atom.predicate].types
        if len(kinds) != atom.arity:
            raise UsageError(f"{atom}: {atom.predicate} has {len(kinds)} arguments, not {atom.arity}")
        for argument, kind in zip(atom.arguments, kinds, strict=True):
            if isinstance(argument, Variable) and found.setdefault(argument, kind) != kind:
                raise UsageError(f"{atom}: {argument} is a {found[argument]} elsewhere, and a {kind} here")
    for literal in literals:
        for variable in literal.atom.variables():
            if variable not in found:
                raise UsageError(f"{literal}: the type of {variable} is unknown; use it in an atom, too")
    return found
