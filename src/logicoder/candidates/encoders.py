"""Encoder candidates: enumerated, evaluated by the engine, and merged into naming variants."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product

from logicoder.candidates.bodies import (
    MOST_HEADS,
    BodyNode,
    conjunctions,
    disjunctions,
    heads,
    symmetric_symbols,
)
from logicoder.candidates.body_room import BodyRoom
from logicoder.candidates.encoder_limits import MEMORY, TOO_LARGE, UNEVALUATED, EncoderLimits, EncoderScreen
from logicoder.candidates.language import EncoderLanguage
from logicoder.engine.clauses import Conjunction, Definition, Disjunction, IndexBody, IndexLiteral, Recursion
from logicoder.engine.handles import Derived, Extension, Refused
from logicoder.logic.terms import Atom, Clause, Literal, Program, Variable

logger = logging.getLogger("logicoder")

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
        extension: what it derives.
        dependencies: indices of the input predicates that the definition mentions.
        step: the literal of a recursive definition, over the variables 0 and 2; see `_recursive_clause`.
    """

    head: tuple[int, ...]
    bodies: tuple[IndexBody, ...]
    extension: Extension
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
    by_dependencies: bool = True
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
        dependencies = latent.dependencies if self.by_dependencies else frozenset()
        if dependencies in self.dropped.get(key, ()):
            return
        variants = self.found.setdefault(key, {})
        known = variants.get(dependencies)
        if known is None or rank < known[0]:
            variants[dependencies] = (rank, latent)
            self.tuples += latent.extension.size if known is None else 0
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
            if self.tuples + latent.extension.size <= most:
                self.tuples += latent.extension.size
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


@dataclass(frozen=True)
class _Asked:
    """A definition that is to be evaluated, and what becomes of it.

    Attributes:
        definition: the definition, as the engine is told of it.
        heads: the head variables of each latent.
        bodies: the alternatives.
        literals: all literals.
        step: the step of a recursive definition.
    """

    definition: Definition
    heads: Sequence[tuple[int, ...]]
    bodies: tuple[IndexBody, ...]
    literals: IndexBody
    step: IndexLiteral | None = None


class EncoderEnumeration:
    """Enumerates and evaluates the encoder candidates of a language.

    Args:
        language: the language of bodies.
        length: the greatest number of body literals.
        largest_head: the greatest arity of a latent predicate.
        merge_naming_variants: keep one of each set of naming variants with equal dependencies.
        by_dependencies: keep those of different dependencies apart.
        limits: what is left out, and counted, on large data.
        score: how promising a candidate is: where memory runs short, the least promising go first.
        forbidden: says which candidates are left out, and counted.
        protected: says which candidates are kept although they are naming variants of others.
    """

    def __init__(
        self,
        language: EncoderLanguage,
        length: int,
        largest_head: int,
        *,
        merge_naming_variants: bool = True,
        by_dependencies: bool = True,
        limits: EncoderLimits | None = None,
        score: Callable[[Latent], float] | None = None,
        forbidden: Callable[[Latent], bool] | None = None,
        protected: Callable[[Latent], bool] | None = None,
    ) -> None:
        self.language = language
        self.largest_head = largest_head
        self.limits = limits or EncoderLimits()
        self.forbidden = forbidden
        self.protected = protected
        self.statistics = EncoderStatistics()
        self._pool = _Pool(merge_naming_variants, by_dependencies, self.limits.kept_tuples, score)
        self._symmetric = symmetric_symbols(language.symbols)
        self._length = length
        self._levels: list[list[BodyNode]] = []
        self._disjunctions: list[tuple[tuple[int, ...], IndexBody]] = []
        self._recursions: list[Recursion] = []

    @property
    def total(self) -> int:
        """Number of bodies to evaluate, once they are listed."""
        return sum(map(len, self._levels)) + len(self._disjunctions) + len(self._recursions)

    def run(self, advanced: Callable[[int], None]) -> list[Latent]:
        """Evaluate everything and return the surviving latent predicates; `advanced` is told of each body."""
        self._done = 0
        self._advanced = advanced
        self._list_bodies()
        screen = EncoderScreen.of(
            self.language, self._levels, self._disjunctions, self.largest_head, self.limits
        )
        self._evaluate(self._asked_conjunctions(screen))
        self._evaluate(self._asked_disjunctions(screen))
        self._evaluate(self._asked_recursions())
        latents = self._pool.survivors()
        statistics = self.statistics
        statistics.after_naming_variants = len(latents)
        statistics.memory += sum(map(len, self._pool.dropped.values()))
        evaluated = statistics.encoders - statistics.empty - statistics.too_large - statistics.forbidden
        evaluated -= statistics.unevaluated + statistics.over_bottleneck + statistics.memory
        statistics.naming_variants = evaluated - len(latents)
        return latents

    def _list_bodies(self) -> None:
        """List all bodies, or as many as there is room for: conjunctions have half of it."""
        symbols, largest, most = self.language.symbols, self.largest_head, self.limits.most_bodies
        room = BodyRoom(None if most is None else most // 2, lambda: self._advanced(0))
        self._levels = conjunctions(symbols, self._length, room)
        self._disjunctions = disjunctions(symbols, self._length, largest, room)
        if self.language.switches.recursion and largest >= 2:
            self._recursions = room.taken(self._recursive_definitions(), room.most)
        if room.left_out:
            logger.warning(
                "not all bodies of latents fit: only %s are evaluated",
                f"{self.total:,}",
            )
        self.statistics.encoders += room.left_out
        self.statistics.memory += room.left_out

    def _evaluate(self, asked: Iterable[_Asked]) -> None:
        """Have definitions evaluated, and take in what they derive."""
        waiting: deque[_Asked] = deque()

        def definitions() -> Iterator[Definition]:
            for item in asked:
                waiting.append(item)
                yield item.definition

        answers = self.language.engine.evaluate(
            self.language.templates, definitions(), self.limits.most_tuples
        )
        for answer in answers:
            item = waiting.popleft()
            if isinstance(answer, Refused):
                self._left_out(self.limits.refused(answer.tuples) or TOO_LARGE, len(item.heads))
            else:
                dependencies = self.language.predicates_of(item.literals)
                for head, derived in zip(item.heads, answer, strict=True):
                    self._add(derived, head, item, dependencies)
            self._advance()

    def _advance(self) -> None:
        self._done += 1
        self._advanced(self._done)

    def _left_out(self, reason: str, count: int) -> None:
        setattr(self.statistics, reason, getattr(self.statistics, reason) + count)

    def _asked_conjunctions(self, screen: EncoderScreen) -> Iterator[_Asked]:
        """Walk the tree of bodies depth first, so that each join extends the one of its parent."""
        children: list[dict[int, list[tuple[int, BodyNode]]]] = [{} for _ in self._levels]
        for level, nodes in zip(children, self._levels[1:], strict=False):
            for number, node in enumerate(nodes):
                level.setdefault(node.parent, []).append((number, node))
        stack: list[tuple[int, int, BodyNode, str | None]] = [
            (0, number, node, None) for number, node in reversed(list(enumerate(self._levels[0])))
        ]
        while stack:
            depth, number, node, refused = stack.pop()
            if depth == 1:
                refused = screen.pairs[number]
            chosen = heads(node.body, len(node.types), self.largest_head, self._symmetric)
            self.statistics.encoders += len(chosen)
            if len(chosen) == MOST_HEADS:  # there are more
                self.statistics.encoders += 1
                self._left_out(MEMORY, 1)
            if refused is None:
                tests = self.language.symbols[node.literal[0]].tests
                definition = Conjunction(
                    node.body, node.types, tuple(chosen), node.literal, node.renaming, tests
                )
                yield _Asked(definition, chosen, (node.body,), node.body)
            else:
                self._left_out(refused, len(chosen))
                self._advance()
            offspring = children[depth].get(number, ())
            stack.extend((depth + 1, place, child, refused) for place, child in reversed(offspring))

    def _asked_disjunctions(self, screen: EncoderScreen) -> Iterator[_Asked]:
        for (kinds, literals), wanted in zip(self._disjunctions, screen.disjunctions, strict=True):
            self.statistics.encoders += 1
            if wanted:
                bodies = tuple((literal,) for literal in _apart(literals, len(kinds)))
                head = tuple(range(len(kinds)))
                yield _Asked(Disjunction(kinds, literals), [head], bodies, literals)
            else:
                self._left_out(UNEVALUATED, 1)
                self._advance()

    def _asked_recursions(self) -> Iterator[_Asked]:
        for found in self._recursions:
            self.statistics.encoders += 1
            yield _Asked(found, [(0, 1)], ((found.base,),), (found.base, found.step), found.step)

    def _recursive_definitions(self) -> Iterator[Recursion]:
        """Return the definitions `l(X,Y) :- base(X,Y).  l(X,Z) :- step(X,Y), l(Y,Z).`.

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
                yield Recursion(kind, _link(*base, 0, 1), _link(*step, 0, 2))

    def _add(
        self, derived: Derived | None, head: tuple[int, ...], item: _Asked, dependencies: frozenset[int]
    ) -> None:
        if derived is None:
            self.statistics.empty += 1
            return
        extension = derived.extension
        ordered = tuple(head[i] for i in derived.order)
        latent = Latent(ordered, item.bodies, extension, dependencies, item.step)
        if self.forbidden is not None and self.forbidden(latent):
            self.statistics.forbidden += 1
            return
        protected = self.protected is not None and self.protected(latent)
        largest = self.limits.largest
        if largest is not None and extension.size > max(largest, _SMALL) and not protected:
            self.statistics.over_bottleneck += 1
            return
        key = (extension.types, extension.size, extension.fingerprint)
        self._pool.add(key, (latent.literals, len(item.bodies)), latent, merge=not protected)


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
