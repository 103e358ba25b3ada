"""Encoder candidates: enumerated, evaluated with shared prefixes, and merged into naming variants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import permutations, product

import numpy as np

from logicoder.candidates.bodies import (
    BodyNode,
    IndexBody,
    IndexLiteral,
    conjunctions,
    disjunctions,
    heads,
    symmetric_symbols,
)
from logicoder.candidates.language import EncoderLanguage, Switches
from logicoder.candidates.screening import EMPTY, TOO_LARGE, UNEVALUATED, EncoderLimits, EncoderScreen
from logicoder.engine.closure import closure
from logicoder.engine.database import Database
from logicoder.engine.fingerprint import Fingerprint, normalised
from logicoder.engine.join import Bindings, JoinTooLargeError, join
from logicoder.engine.relation import Column, Relation, distinct
from logicoder.logic.terms import Atom, Clause, Literal, Program, Variable

_MANY = 200_000
"""Of joins of more tuples, heads are evaluated side by side."""

_SMALL = 100_000
"""Extensions of so many facts are kept even where no selection can afford them: they cost little."""

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
        step: the literal of a recursive definition, over the variables 0 and 2; see `_recursive_clause`.
    """

    head: tuple[int, ...]
    bodies: tuple[IndexBody, ...]
    relation: Relation
    dependencies: frozenset[int]
    step: IndexLiteral | None = None

    @property
    def literals(self) -> int:
        """Number of body literals."""
        return sum(len(body) for body in self.bodies) + (2 if self.step else 0)

    def definition(self, name: str, language: EncoderLanguage) -> Program:
        """Return the encoder clauses with a name for the latent predicate: one, or two if recursive."""
        used = dict.fromkeys((*self.head, *(a for body in self.bodies for _, args in body for a in args)))
        names = {number: variable(position) for position, number in enumerate(used)}
        alternatives = tuple(
            tuple(language.literal(literal, names) for literal in body) for body in self.bodies
        )
        clause = Clause(Atom(name, tuple(names[v] for v in self.head)), alternatives)
        if self.step is None:
            return Program((clause,))
        return Program((clause, self._recursive_clause(name, self.step, language)))

    def _recursive_clause(self, name: str, step: IndexLiteral, language: EncoderLanguage) -> Clause:
        """Return `l(X,Y) :- step(X,Z), l(Z,Y)`: the definition is over 0, 1; the step leads from 0 to 2."""
        own = dict.fromkeys(v for v in step[1] if v not in (0, 2))
        names = {v: variable(position) for position, v in enumerate((*self.head, 2, *own))}
        head = Atom(name, tuple(names[v] for v in self.head))
        again = Atom(name, tuple(names[2 if v == 0 else v] for v in self.head))
        return Clause(head, ((language.literal(step, names), Literal(again)),))


@dataclass
class EncoderStatistics:
    """What happened to the encoder candidates, step by step."""

    encoders: int = 0
    empty: int = 0
    too_large: int = 0
    unevaluated: int = 0
    over_bottleneck: int = 0
    memory: int = 0
    forbidden: int = 0
    naming_variants: int = 0
    after_naming_variants: int = 0


@dataclass
class _Pool:
    """Representatives of naming variants: by signature, size and fingerprint, then by dependency set."""

    merge: bool
    most: int | None = None
    score: Callable[[Latent], float] | None = None
    found: dict[object, dict[frozenset[int], tuple[tuple[int, ...], Latent]]] = field(default_factory=dict)
    serial: int = 0
    tuples: int = 0
    dropped: dict[object, set[frozenset[int]]] = field(default_factory=dict)
    scores: dict[int, float] = field(default_factory=dict)

    def add(self, key: object, rank: tuple[int, ...], latent: Latent, *, merge: bool = True) -> None:
        self.serial += 1
        rank = (*rank, self.serial)
        if not (self.merge and merge):
            key = (key, self.serial)
        if latent.dependencies in self.dropped.get(key, ()):
            return
        variants = self.found.setdefault(key, {})
        known = variants.get(latent.dependencies)
        if known is None or rank < known[0]:
            variants[latent.dependencies] = (rank, latent)
            self.tuples += len(latent.relation) if known is None else 0
        if self.most is not None and self.tuples > self.most + self.most // 4:
            self._shrink(self.most)

    def _shrink(self, most: int) -> None:
        """Drop the extensions of the least promising candidates; their fingerprints stay known."""
        entries = [
            (key, dependencies, rank, latent)
            for key, variants in self.found.items()
            for dependencies, (rank, latent) in variants.items()
        ]
        entries.sort(key=lambda e: (e[3].literals > 1, -self._score(e[2][-1], e[3]), e[2]))
        self.tuples = 0
        for key, dependencies, rank, latent in entries:
            if self.tuples + len(latent.relation) <= most:
                self.tuples += len(latent.relation)
            else:
                del self.found[key][dependencies]
                self.scores.pop(rank[-1], None)
                self.dropped.setdefault(key, set()).add(dependencies)

    def _score(self, serial: int, latent: Latent) -> float:
        if serial not in self.scores:
            self.scores[serial] = self.score(latent) if self.score is not None else 0.0
        return self.scores[serial]

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
        switches: what bodies may hold besides plain literals.
        merge_naming_variants: keep one of each set of naming variants with equal dependencies.
        limits: what is left out, and counted, on large data.
        score: how promising a candidate is: where memory runs short, the least promising go first.
        forbidden: says which candidates are left out, and counted.
        protected: says which candidates are kept although they are naming variants of others.
        jobs: number of threads for large joins; the result does not depend on it.
    """

    def __init__(
        self,
        database: Database,
        predicates: Sequence[str],
        length: int,
        largest_head: int,
        *,
        switches: Switches | None = None,
        merge_naming_variants: bool = True,
        limits: EncoderLimits | None = None,
        score: Callable[[Latent], float] | None = None,
        forbidden: Callable[[Latent], bool] | None = None,
        protected: Callable[[Latent], bool] | None = None,
        jobs: int = 1,
    ) -> None:
        self.database = database
        self.predicates = tuple(predicates)
        self.length = length
        self.largest_head = largest_head
        self.limits = limits or EncoderLimits()
        self.forbidden = forbidden
        self.protected = protected
        self.jobs = jobs
        self.statistics = EncoderStatistics()
        self._threads: ThreadPoolExecutor | None = None
        self._pool = _Pool(merge_naming_variants, self.limits.kept_tuples, score)
        self.language = EncoderLanguage(database, self.predicates, switches or Switches())
        self._symmetric = symmetric_symbols(self.language.symbols)
        self._levels = conjunctions(self.language.symbols, length)
        self._disjunctions = disjunctions(self.language.symbols, length, largest_head)
        recursive = self.language.switches.recursion and largest_head >= 2
        self._definitions = list(self._recursive_definitions()) if recursive else []

    @property
    def total(self) -> int:
        """Number of bodies to evaluate."""
        return sum(map(len, self._levels)) + len(self._disjunctions) + len(self._definitions)

    def run(self, advanced: Callable[[int], None]) -> list[Latent]:
        """Evaluate everything and return the surviving latent predicates; `advanced` is told of each body."""
        done = 0
        self._screen = EncoderScreen.of(
            self.language, self._levels, self._disjunctions, self.largest_head, self.limits
        )
        with ThreadPoolExecutor(self.jobs, "logicoder-encoders") as self._threads:
            for found in (self._run_conjunctions(), self._run_disjunctions(), self._run_definitions()):
                for _ in found:
                    done += 1
                    advanced(done)
        latents = self._pool.survivors()
        statistics = self.statistics
        statistics.after_naming_variants = len(latents)
        statistics.memory += sum(map(len, self._pool.dropped.values()))
        evaluated = statistics.encoders - statistics.empty - statistics.too_large - statistics.forbidden
        evaluated -= statistics.unevaluated + statistics.over_bottleneck + statistics.memory
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
        stack: list[tuple[int, BodyNode, Bindings | str]] = [
            (0, node, EMPTY) for node in reversed(self._levels[0])
        ]
        while stack:
            depth, node, parent = stack.pop()
            refused = self._screen.pairs[numbers[id(node)]] if depth == 1 else None
            bindings = refused or (self._extended(parent, node) if depth else self._single(node))
            self._add_heads(node, bindings)
            yield
            if depth + 1 < len(self._levels):
                offspring = children[depth].get(numbers[id(node)], ())
                stack.extend((depth + 1, child, bindings) for child in reversed(offspring))

    def _single(self, node: BodyNode) -> Bindings:
        return self.language.bindings(node.body[0])

    def _extended(self, bindings: Bindings | str, child: BodyNode) -> Bindings | str:
        """Join a parent's bindings with the added literal; of a body that is not joined, the reason."""
        if isinstance(bindings, str):
            return bindings
        if self.language.symbols[child.literal[0]].tests:
            grown = self.language.tested(child.literal, bindings)
        else:
            try:
                grown = join(
                    self.database, bindings, self.language.bindings(child.literal), self.limits.most_tuples
                )
            except JoinTooLargeError as error:
                return self.limits.refused(error.tuples) or TOO_LARGE
        rename = child.renaming
        return Bindings(
            {rename[v]: kind for v, kind in grown.types.items()},
            {rename[v]: column for v, column in grown.columns.items()},
            grown.rows,
        )

    def _left_out(self, reason: str) -> None:
        setattr(self.statistics, reason, getattr(self.statistics, reason) + 1)

    def _add_heads(self, node: BodyNode, bindings: Bindings | str) -> None:
        dependencies = self.language.predicates_of(node.body)
        chosen = heads(node.body, len(node.types), self.largest_head, self._symmetric)
        self.statistics.encoders += len(chosen)
        if isinstance(bindings, str):
            for _ in chosen:
                self._left_out(bindings)
            return

        def projected(head: tuple[int, ...]) -> _Normal | None:
            columns = bindings.project(head, self.database.sizes)
            return _normal([node.types[v] for v in head], columns)

        threads = self._threads if bindings.rows > _MANY else None
        found = threads.map(projected, chosen) if threads is not None else map(projected, chosen)
        for head, normal in zip(chosen, found, strict=True):
            self._add(normal, head, (node.body,), dependencies)

    def _run_disjunctions(self) -> Iterator[None]:
        projected: dict[tuple[int, tuple[int, ...], int], tuple[np.ndarray, ...]] = {}
        for (kinds, literals), wanted in zip(self._disjunctions, self._screen.disjunctions, strict=True):
            self.statistics.encoders += 1
            if not wanted:
                self._left_out(UNEVALUATED)
                yield
                continue
            size = len(kinds)
            parts = []
            for symbol, arguments in literals:
                key = (symbol, arguments, size)
                if key not in projected:
                    bindings = self.language.bindings((symbol, arguments))
                    projected[key] = bindings.project(range(size), self.database.sizes)
                parts.append(projected[key])
            columns = distinct(
                [np.concatenate([part[i] for part in parts]) for i in range(size)],
                [self.database.sizes[kind] for kind in kinds],
            )
            bodies = tuple((literal,) for literal in _apart(literals, size))
            dependencies = self.language.predicates_of(literals)
            self._add(_normal(kinds, columns), tuple(range(size)), bodies, dependencies)
            yield

    def _recursive_definitions(self) -> Iterator[tuple[int, IndexLiteral, IndexLiteral]]:
        """Return the types, base cases and steps of `l(X,Y) :- base(X,Y).  l(X,Z) :- step(X,Y), l(Y,Z).`.

        Both are single literals that link two variables of a type, in either direction. Recursion on the
        left, `l(X,Y), step(Y,Z)`, is the same with all directions turned round.
        """
        links: dict[int, list[tuple[IndexLiteral, int, int]]] = {}
        for node in self._levels[0]:
            for first, second in permutations(range(len(node.types)), 2):
                if node.types[first] == node.types[second]:
                    links.setdefault(node.types[first], []).append((node.body[0], first, second))
        for kind, found in links.items():
            for base, step in product(found, repeat=2):
                yield kind, _link(*base, 0, 1), _link(*step, 0, 2)

    def _run_definitions(self) -> Iterator[None]:
        for kind, base, step in self._definitions:
            self.statistics.encoders += 1
            columns = self._closed(kind, base, step)
            if isinstance(columns, str):
                self._left_out(columns)
            else:
                dependencies = self.language.predicates_of((base, step))
                self._add(_normal((kind, kind), columns), (0, 1), ((base,),), dependencies, step)
            yield

    def _closed(self, kind: int, base: IndexLiteral, step: IndexLiteral) -> tuple[Column, ...] | str:
        pairs = []
        for literal, ends in ((base, (0, 1)), (step, (0, 2))):
            pairs.append(self.language.bindings(literal).project(ends, self.database.sizes))
        try:
            return closure(self.database, kind, pairs[0], pairs[1], self.limits.most_tuples)
        except JoinTooLargeError as error:
            return self.limits.refused(error.tuples) or TOO_LARGE

    def _add(
        self,
        normal: _Normal | None,
        head: tuple[int, ...],
        bodies: tuple[IndexBody, ...],
        dependencies: frozenset[int],
        step: IndexLiteral | None = None,
    ) -> None:
        if normal is None:
            self.statistics.empty += 1
            return
        mark, order, relation = normal
        key: tuple[tuple[int, ...], int, Fingerprint] = (relation.types, len(relation), mark)
        latent = Latent(tuple(head[i] for i in order), bodies, relation, dependencies, step)
        if self.forbidden is not None and self.forbidden(latent):
            self.statistics.forbidden += 1
            return
        protected = self.protected is not None and self.protected(latent)
        largest = self.limits.largest
        if largest is not None and len(relation) > max(largest, _SMALL) and not protected:
            self.statistics.over_bottleneck += 1
            return
        self._pool.add(key, (latent.literals, len(bodies)), latent, merge=not protected)


_Normal = tuple[Fingerprint, tuple[int, ...], Relation]


def _normal(types: Sequence[int], columns: Sequence[Column]) -> _Normal | None:
    """Return an extension in its normal column order; None where it is empty."""
    return normalised(types, columns) if len(columns[0]) else None


def _apart(literals: IndexBody, size: int) -> IndexBody:
    """Give the existential variables of each disjunct numbers of their own."""
    found = []
    following = size
    for symbol, arguments in literals:
        local = {a: following + i for i, a in enumerate(dict.fromkeys(a for a in arguments if a >= size))}
        following += len(local)
        found.append((symbol, tuple(local.get(a, a) for a in arguments)))
    return tuple(found)


def _link(literal: IndexLiteral, first: int, second: int, start: int, end: int) -> IndexLiteral:
    """Number the two linked variables of a literal `start` and `end`, and the others from 3 on."""
    symbol, arguments = literal
    names = {first: start, second: end}
    for argument in arguments:
        names.setdefault(argument, 1 + len(names))
    return symbol, tuple(names[a] for a in arguments)
