"""Handles: what an engine answers. Counts are there to be read; facts stay in the engine.

An engine derives classes of its own from these and puts into them what it needs to find its facts again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from logicoder.engine.clauses import DecoderBody, Head

Fingerprint = tuple[int, int]
"""128 bits that are equal for equal sets of facts, and almost never for others."""


@dataclass(frozen=True, eq=False)
class Extension:
    """The facts of one predicate of the data, or of one that was evaluated.

    Attributes:
        types: types of the arguments, as numbers; a proposition has one argument, its interpretation.
        size: number of facts.
        fingerprint: equal for equal facts. What was evaluated has its arguments in a normal order, see
            `Derived`; a predicate of the data has them in its own.
    """

    types: tuple[int, ...]
    size: int
    fingerprint: Fingerprint


@dataclass(frozen=True)
class Derived:
    """What a definition derives for one head.

    Attributes:
        order: places of the head variables in the order of the extension's arguments.
        extension: the facts, never none. Extensions that are equal up to the order of arguments of equal type
            are equal as they stand.
    """

    order: tuple[int, ...]
    extension: Extension


@dataclass(frozen=True)
class Refused:
    """A definition that was not evaluated, since a join would have had so many tuples."""

    tuples: int


@dataclass(frozen=True, eq=False)
class Missed:
    """The facts that a program misses.

    Attributes:
        facts: how many there are of each predicate to be reconstructed.
    """

    facts: Mapping[str, int]


class Counted(Protocol):
    """Decoder candidates of one head that were counted and accepted; its length is how many there are."""

    @property
    def head(self) -> Head:
        """The head."""

    def __len__(self) -> int: ...


@dataclass(frozen=True, eq=False)
class Decoder:
    """A decoder candidate that was chosen, with what it rebuilds.

    Attributes:
        head: the head.
        body: what stands below it.
        true: number of true atoms that it derives.
        false: number of false ones (unknown atoms are neither).
    """

    head: Head
    body: DecoderBody
    true: int
    false: int

    @property
    def predicate(self) -> str:
        """The head's predicate."""
        return self.head.predicate

    @property
    def latents(self) -> tuple[int, ...]:
        """The latent predicates of the body, ascending."""
        return self.body.latents


@dataclass(frozen=True)
class Grown:
    """A body that is grown literal by literal.

    Attributes:
        literals: its literals over latents; head variables are numbered first, then existentials.
        worth: worth of the facts that it rebuilds, or could rebuild once it binds all head variables.
        true: number of those facts.
        false: number of false atoms; None where it does not bind all head variables.
        variables: number of variables of the body that it extends.
    """

    literals: tuple[tuple[int, tuple[int, ...]], ...]
    worth: float
    true: int
    false: int | None
    variables: int


@dataclass(frozen=True, eq=False)
class Coverage:
    """The atoms of one predicate, in classes of equal truth and equal covering decoders.

    Attributes:
        classes: truth, number of atoms, and covering decoders (by position, ascending) of each class.
        uncovered: facts that no decoder covers.
        atoms: number of atoms that some decoder covers and that are true or false.
    """

    classes: list[tuple[bool, int, tuple[int, ...]]]
    uncovered: int
    atoms: int


Order = tuple[list[int], list[tuple[int, int]]]
"""Things ordered by inclusion: the node of each, equal ones sharing one, and the edges (larger, smaller)
between nodes, transitively reduced."""
