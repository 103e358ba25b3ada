"""Schemas: predicates with argument types, optional modes, and whether they are background or open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from logicoder.base.errors import UsageError, require, shown
from logicoder.logic.comparisons import comparison_of
from logicoder.logic.symbols import atom_text

MODES = ("+", "-")


@dataclass(frozen=True)
class Predicate:
    """A predicate of the data.

    Attributes:
        name: the name, without quotation marks.
        types: one type per argument.
        modes: `+` (bound) or `-` (unbound) per argument, or None when the order of binding is free.
        background: usable by encoders, never reconstructed, not counted in F, P or G.
        open_world: atoms that are not listed are unknown rather than false.

    >>> print(Predicate("father", ("person", "person")))
    father(person,person)
    """

    name: str
    types: tuple[str, ...]
    modes: tuple[str, ...] | None = None
    background: bool = False
    open_world: bool = False

    def __post_init__(self) -> None:
        if self.modes is not None and len(self.modes) != len(self.types):
            raise UsageError(f"{self.name} has {len(self.types)} types but {len(self.modes)} modes")
        for mode in self.modes or ():
            if mode not in MODES:
                raise UsageError(f"{self.name}: mode {shown(mode)} is neither + nor -")

    @property
    def arity(self) -> int:
        """Number of arguments."""
        return len(self.types)

    @property
    def compares(self) -> bool:
        """Whether it compares values with a cut, rather than being a predicate of the data.

        >>> Predicate("price >= 50", ("price",), background=True).compares
        True
        """
        return self.background and self.arity == 1 and comparison_of(self.name) is not None

    @property
    def marks(self) -> str:
        """The keywords before its declaration.

        >>> Predicate("likes", ("person", "thing"), background=True, open_world=True).marks
        'background open '
        """
        return ("background " if self.background else "") + ("open " if self.open_world else "")

    def __str__(self) -> str:
        modes = self.modes or ("",) * self.arity
        arguments = ",".join(mode + kind for mode, kind in zip(modes, self.types, strict=True))
        return f"{atom_text(self.name)}({arguments})" if self.arity else atom_text(self.name)


@dataclass(frozen=True)
class Schema(Mapping[str, Predicate]):
    """The predicates by name, and the declared domains of types (constants that may occur in no fact).

    Undeclared types have `evidence`: why they are assumed.

    >>> father = Predicate("father", ("person", "person"))
    >>> schema = Schema.of(father, Predicate("saber", ("person", "colour")))
    >>> sorted(schema.types())
    ['colour', 'person']
    """

    predicates: Mapping[str, Predicate] = field(default_factory=dict)
    domains: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    evidence: Mapping[str, str] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, *predicates: Predicate) -> Schema:
        """Return the schema of these predicates."""
        for predicate in predicates:
            require("each predicate", predicate, Predicate)
        return cls({p.name: p for p in predicates})

    def __getitem__(self, name: str) -> Predicate:
        return self.predicates[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.predicates)

    def __len__(self) -> int:
        return len(self.predicates)

    def types(self) -> tuple[str, ...]:
        """Return the types, sorted."""
        used = {kind for predicate in self.values() for kind in predicate.types}
        return tuple(sorted(used | set(self.domains)))

    def restricted(self, names: Iterable[str]) -> Schema:
        """Return the schema of some of the predicates, with all domains."""
        wanted = set(names)
        return Schema({n: p for n, p in self.items() if n in wanted}, self.domains, self.evidence)

    def guessed(self) -> frozenset[str]:
        """Return the predicates with undeclared types."""
        return frozenset(n for n, p in self.items() if any(kind in self.evidence for kind in p.types))

    def with_one_type(self) -> Schema:
        """Return the schema with one type for all arguments of undeclared predicates."""
        guessed = self.guessed()
        found = {n: replace(p, types=("thing",) * p.arity) if n in guessed else p for n, p in self.items()}
        return Schema(found, self.domains)

    def __str__(self) -> str:
        return "\n".join(f"{predicate.marks}{predicate}" for predicate in self.values())
