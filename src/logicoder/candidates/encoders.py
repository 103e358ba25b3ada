"""Encoder candidates: enumerated, evaluated with shared prefixes, and merged into naming variants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from logicoder.candidates.bodies import (
    BodyNode,
    IndexBody,
    Symbol,
    conjunctions,
    disjunctions,
    heads,
)
from logicoder.engine.database import Database
from logicoder.engine.fingerprint import Fingerprint, normalised
from logicoder.engine.join import Bindings, JoinTooLargeError, bindings_of, join
from logicoder.engine.relation import Relation, distinct
from logicoder.logic.terms import Atom, Clause, Literal, Variable

VARIABLE_NAMES = ("X", "Y", "Z", "U", "V", "W", "A", "B", "C", "D")


def variable(number: int) -> Variable:
    """Return the variable of a number: X, Y, Z, U, V, W, A, B, C, D, X10, X11, ..."""
    return Variable(VARIABLE_NAMES[number] if number < len(VARIABLE_NAMES) else f"X{number}")


@dataclass(frozen=True, eq=False)
class Latent:
    """A latent predicate: its definition and what it derives from the data.

    Attributes:
        head: head variables, in the normal column order of the extension.
        bodies: alternatives; one conjunction, or several single literals.
        relation: the extension.
        dependencies: indices of the input predicates that the definition mentions.
    """

    head: tuple[int, ...]
    bodies: tuple[IndexBody, ...]
    relation: Relation
    dependencies: frozenset[int]

    @property
    def literals(self) -> int:
        """Number of body literals."""
        return sum(len(body) for body in self.bodies)

    def clause(self, name: str, predicates: Sequence[str]) -> Clause:
        """Return the encoder clause with a name for the latent predicate."""
        used = dict.fromkeys((*self.head, *(a for body in self.bodies for _, args in body for a in args)))
        names = {number: variable(position) for position, number in enumerate(used)}
        alternatives = tuple(
            tuple(Literal(Atom(predicates[p], tuple(names[a] for a in args))) for p, args in body)
            for body in self.bodies
        )
        return Clause(Atom(name, tuple(names[v] for v in self.head)), alternatives)


@dataclass
class EncoderStatistics:
    """What happened to the encoder candidates, step by step."""

    encoders: int = 0
    empty: int = 0
    too_large: int = 0
    forbidden: int = 0
    naming_variants: int = 0
    after_naming_variants: int = 0


@dataclass
class _Pool:
    """Representatives of naming variants: by signature, size and fingerprint, then by dependency set."""

    merge: bool
    found: dict[object, dict[frozenset[int], tuple[tuple[int, ...], Latent]]] = field(default_factory=dict)
    serial: int = 0

    def add(self, key: object, rank: tuple[int, ...], latent: Latent, *, merge: bool = True) -> None:
        self.serial += 1
        rank = (*rank, self.serial)
        if not (self.merge and merge):
            key = (key, self.serial)
        variants = self.found.setdefault(key, {})
        known = variants.get(latent.dependencies)
        if known is None or rank < known[0]:
            variants[latent.dependencies] = (rank, latent)

    def survivors(self) -> list[Latent]:
        kept = []
        for variants in self.found.values():
            for dependencies, (rank, latent) in variants.items():
                # A superset of another variant's dependencies can do nothing that the other cannot.
                if not any(other < dependencies for other in variants):
                    kept.append((rank, latent))
        return [latent for _, latent in sorted(kept, key=lambda item: item[0])]


class EncoderEnumeration:
    """Enumerates and evaluates the encoder candidates of a database.

    Args:
        database: the data.
        predicates: names of the predicates that bodies may use.
        length: the greatest number of body literals.
        largest_head: the greatest arity of a latent predicate.
        merge_naming_variants: keep one of each set of naming variants with equal dependencies.
        max_tuples: bodies whose join has more tuples are left out, and counted.
        forbidden: says which candidates are left out, and counted.
        protected: says which candidates are kept although they are naming variants of others.
    """

    def __init__(
        self,
        database: Database,
        predicates: Sequence[str],
        length: int,
        largest_head: int,
        *,
        merge_naming_variants: bool = True,
        max_tuples: int | None = None,
        forbidden: Callable[[Latent], bool] | None = None,
        protected: Callable[[Latent], bool] | None = None,
    ) -> None:
        self.database = database
        self.predicates = tuple(predicates)
        self.length = length
        self.largest_head = largest_head
        self.max_tuples = max_tuples
        self.forbidden = forbidden
        self.protected = protected
        self.statistics = EncoderStatistics()
        self._pool = _Pool(merge_naming_variants)
        self._relations = [database.relation(name) for name in predicates]
        self._symbols = []
        for name, relation in zip(predicates, self._relations, strict=True):
            modes = database.kb.schema[name].modes
            self._symbols.append(Symbol(relation.types, modes))
        self._levels = conjunctions(self._symbols, length)
        self._disjunctions = disjunctions(self._symbols, length, largest_head)

    @property
    def total(self) -> int:
        """Number of bodies to evaluate."""
        return sum(map(len, self._levels)) + len(self._disjunctions)

    def run(self, advanced: Callable[[int], None]) -> list[Latent]:
        """Evaluate everything and return the surviving latent predicates; `advanced` is told of each body."""
        done = 0
        for found in (self._run_conjunctions(), self._run_disjunctions()):
            for _ in found:
                done += 1
                advanced(done)
        latents = self._pool.survivors()
        statistics = self.statistics
        statistics.after_naming_variants = len(latents)
        evaluated = statistics.encoders - statistics.empty - statistics.too_large - statistics.forbidden
        statistics.naming_variants = evaluated - len(latents)
        return latents

    def _run_conjunctions(self) -> Iterator[None]:
        """Walk the tree of bodies depth first, so that each join extends the one of its parent."""
        children: list[dict[int, list[BodyNode]]] = []
        numbers: dict[int, int] = {}
        for level in self._levels:
            for index, node in enumerate(level):
                numbers[id(node)] = index
        for level in self._levels[1:]:
            by_parent: dict[int, list[BodyNode]] = {}
            for node in level:
                by_parent.setdefault(node.parent, []).append(node)
            children.append(by_parent)
        stack: list[tuple[int, BodyNode, Bindings | None]] = [
            (0, node, None) for node in reversed(self._levels[0])
        ]
        while stack:
            depth, node, parent = stack.pop()
            bindings = self._extended(parent, node) if depth else self._single(node)
            self._add_heads(node, bindings)
            yield
            if depth + 1 < len(self._levels):
                offspring = children[depth].get(numbers[id(node)], ())
                stack.extend((depth + 1, child, bindings) for child in reversed(offspring))

    def _single(self, node: BodyNode) -> Bindings:
        symbol, arguments = node.body[0]
        return bindings_of(self._relations[symbol], arguments)

    def _extended(self, bindings: Bindings | None, child: BodyNode) -> Bindings | None:
        """Join a parent's bindings with the added literal; None where a join was too large."""
        if bindings is None:
            return None
        symbol, arguments = child.literal
        try:
            grown = join(
                self.database, bindings, bindings_of(self._relations[symbol], arguments), self.max_tuples
            )
        except JoinTooLargeError:
            return None
        rename = child.renaming
        return Bindings(
            {rename[v]: kind for v, kind in grown.types.items()},
            {rename[v]: column for v, column in grown.columns.items()},
            grown.rows,
        )

    def _add_heads(self, node: BodyNode, bindings: Bindings | None) -> None:
        dependencies = frozenset(symbol for symbol, _ in node.body)
        for head in heads(node.body, len(node.types), self.largest_head):
            self.statistics.encoders += 1
            if bindings is None:
                self.statistics.too_large += 1
                continue
            columns = bindings.project(head, self.database.sizes)
            types = [node.types[v] for v in head]
            self._add(types, columns, head, (node.body,), dependencies)

    def _run_disjunctions(self) -> Iterator[None]:
        projected: dict[tuple[int, tuple[int, ...], int], tuple[np.ndarray, ...]] = {}
        for kinds, literals in self._disjunctions:
            size = len(kinds)
            parts = []
            for symbol, arguments in literals:
                key = (symbol, arguments, size)
                if key not in projected:
                    bindings = bindings_of(self._relations[symbol], arguments)
                    projected[key] = bindings.project(range(size), self.database.sizes)
                parts.append(projected[key])
            columns = distinct(
                [np.concatenate([part[i] for part in parts]) for i in range(size)],
                [self.database.sizes[kind] for kind in kinds],
            )
            self.statistics.encoders += 1
            bodies = tuple((literal,) for literal in _apart(literals, size))
            dependencies = frozenset(symbol for symbol, _ in literals)
            self._add(kinds, columns, tuple(range(size)), bodies, dependencies)
            yield

    def _add(
        self,
        types: Sequence[int],
        columns: tuple[np.ndarray, ...],
        head: tuple[int, ...],
        bodies: tuple[IndexBody, ...],
        dependencies: frozenset[int],
    ) -> None:
        if not len(columns[0]):
            self.statistics.empty += 1
            return
        mark, order, relation = normalised(types, columns)
        key: tuple[tuple[int, ...], int, Fingerprint] = (relation.types, len(relation), mark)
        latent = Latent(tuple(head[i] for i in order), bodies, relation, dependencies)
        if self.forbidden is not None and self.forbidden(latent):
            self.statistics.forbidden += 1
            return
        protected = self.protected is not None and self.protected(latent)
        self._pool.add(key, (latent.literals, len(bodies)), latent, merge=not protected)


def _apart(literals: IndexBody, size: int) -> IndexBody:
    """Give the existential variables of each disjunct numbers of their own."""
    found = []
    following = size
    for symbol, arguments in literals:
        local = {a: following + i for i, a in enumerate(dict.fromkeys(a for a in arguments if a >= size))}
        following += len(local)
        found.append((symbol, tuple(local.get(a, a) for a in arguments)))
    return tuple(found)
