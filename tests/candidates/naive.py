"""Clauses evaluated one row at a time in plain Python, and all decoder clauses over some latents."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations
from typing import TYPE_CHECKING

from logicoder.logic import Clause, Variable

if TYPE_CHECKING:
    from logicoder.kb import KnowledgeBase

Row = tuple[str, ...]
"""Interpretation and constants."""
Literal = tuple[str, tuple[Hashable, ...]]
"""A predicate and its variables."""
Types = tuple[str, ...]


def rows_of(kb: KnowledgeBase, predicate: str, truth: str = "true") -> frozenset[Row]:
    return frozenset((f.interpretation, *map(str, f.arguments)) for f in kb.facts(predicate, truth))


def derived(
    head: Sequence[Hashable], body: Sequence[Literal], relations: Mapping[str, frozenset[Row]]
) -> frozenset[Row]:
    """Return the head tuples of a conjunction: the first argument everywhere is the interpretation."""
    bindings: list[dict[Hashable, str]] = [{}]
    bound: set[Hashable] = set()
    for predicate, arguments in body:
        places = ("world", *arguments)
        known = [place for place, variable in enumerate(places) if variable in bound]
        matching = defaultdict(list)
        for row in relations[predicate]:
            matching[tuple(row[place] for place in known)].append(row)
        bindings = [
            extended
            for binding in bindings
            for row in matching.get(tuple(binding[places[place]] for place in known), ())
            if (extended := _matched(binding, places, row)) is not None
        ]
        bound.update(places)
    return frozenset((binding["world"], *(binding[v] for v in head)) for binding in bindings)


def _matched(
    binding: dict[Hashable, str], arguments: Sequence[Hashable], row: Row
) -> dict[Hashable, str] | None:
    found = dict(binding)
    for argument, value in zip(arguments, row, strict=True):
        if found.setdefault(argument, value) != value:
            return None
    return found


@dataclass(frozen=True)
class DecoderClause:
    """A decoder clause in a form that does not depend on the names of its variables.

    Head variables are numbered by their first occurrence in the head, existential ones after them.
    """

    predicate: str
    head: tuple[int, ...]
    body: tuple[tuple[str, tuple[int, ...]], ...]

    @classmethod
    def of(cls, predicate: str, head: Sequence[Hashable], body: Sequence[Literal]) -> DecoderClause:
        forms = []
        for order in permutations(body):
            names: dict[Hashable, int] = {}
            numbers = tuple(names.setdefault(v, len(names)) for v in head)
            literals = tuple((p, tuple(names.setdefault(v, len(names)) for v in args)) for p, args in order)
            forms.append((numbers, literals))
        numbers, literals = min(forms)
        return cls(predicate, numbers, literals)

    @classmethod
    def of_clause(cls, clause: Clause) -> DecoderClause:
        (body,) = clause.alternatives
        literals = [(literal.atom.predicate, literal.atom.arguments) for literal in body]
        assert all(literal.positive for literal in body)
        assert all(isinstance(a, Variable) for _, arguments in literals for a in arguments)
        return cls.of(clause.head.predicate, clause.head.arguments, literals)


def decoder_clauses(
    predicate: str, types: Types, latents: Mapping[str, Types], length: int
) -> Iterator[DecoderClause]:
    """Return all clauses with this head predicate and connected bodies of 1..length different literals."""
    found: set[DecoderClause] = set()
    for head, kinds in fillings(types, {}):
        heads = set(kinds)
        for number in range(1, length + 1):
            for choice in combinations_with_replacement(latents, number):
                for body in _bodies(choice, latents, kinds):
                    if not heads <= {v for _, arguments in body for v in arguments}:
                        continue
                    if _repeats(body, heads) or not _connected(body):
                        continue
                    found.add(DecoderClause.of(predicate, head, body))
    yield from found


def _connected(body: Sequence[Literal]) -> bool:
    reached = set(body[0][1])
    rest = [set(arguments) for _, arguments in body[1:]]
    while near := [arguments for arguments in rest if arguments & reached]:
        reached = reached.union(*near)
        rest = [arguments for arguments in rest if not arguments & reached]
    return not rest


def fillings(types: Types, known: dict[int, str]) -> Iterator[tuple[tuple[int, ...], dict[int, str]]]:
    """Return all ways to fill arguments with typed variables, known or new, and the variables then known."""
    if not types:
        yield (), known
        return
    for variable, kind in [*known.items(), (len(known), types[0])]:
        if kind == types[0]:
            for rest, after in fillings(types[1:], known | {variable: kind}):
                yield (variable, *rest), after


def _bodies(
    choice: tuple[str, ...], latents: Mapping[str, Types], known: dict[int, str]
) -> Iterator[tuple[Literal, ...]]:
    if not choice:
        yield ()
        return
    for arguments, after in fillings(latents[choice[0]], known):
        for rest in _bodies(choice[1:], latents, after):
            yield ((choice[0], arguments), *rest)


def _repeats(body: tuple[Literal, ...], heads: set[int]) -> bool:
    """Whether two literals differ at most in the names of existential variables that no other literal has."""
    count = Counter(v for _, arguments in body for v in set(arguments))
    own = {v for v, times in count.items() if times == 1} - heads
    return len({(name, _renamed(arguments, own)) for name, arguments in body}) < len(body)


def _renamed(arguments: tuple[Hashable, ...], own: set[Hashable]) -> tuple[object, ...]:
    names: dict[Hashable, str] = {}
    return tuple(names.setdefault(a, f"own{len(names)}") if a in own else a for a in arguments)


@dataclass(frozen=True)
class Outcome:
    """What a decoder clause derives, and what of it counts for and against."""

    clause: DecoderClause
    atoms: frozenset[Row]
    true: int
    false: int


class Evaluation:
    """Evaluates decoder clauses over a knowledge base that holds the latent facts too."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self._rows = {
            (name, truth): rows_of(kb, name, truth)
            for name in kb.schema
            for truth in ("true", "false", "unknown")
        }
        self._facts = {name: rows for (name, truth), rows in self._rows.items() if truth == "true"}
        self._open = {name for name, predicate in kb.schema.items() if predicate.open_world}

    def outcome(self, clause: DecoderClause) -> Outcome:
        name = clause.predicate
        atoms = derived(clause.head, clause.body, self._facts)
        true = atoms & self._facts[name]
        if name in self._open:
            false = atoms & self._rows[name, "false"]
        else:
            false = atoms - true - self._rows[name, "unknown"]
        return Outcome(clause, atoms, len(true), len(false))
