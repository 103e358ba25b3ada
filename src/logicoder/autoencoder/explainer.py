"""Why an atom is derived through a sequence of programs, or why it is not.

Each program reads what the one before derived: data, encoder, decoder; or, in a stack, data, encoder 1, ...,
encoder n, decoder n, ..., decoder 1. Level 0 is the data, level i what program i derives.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import islice
from typing import Any

import numpy as np

from logicoder.autoencoder.explanation import KEPT, Answer, Derivation, Explanation, Node, Step
from logicoder.base.errors import InputError, UsageError, require, shown
from logicoder.base.kinds import MANY, Whole
from logicoder.engine.arrays.array_derivations import Derivations
from logicoder.engine.derivations import AnyDerivations, Instance
from logicoder.engine.programs import with_derived
from logicoder.kb.knowledge_base import TRUTHS, Fact, KnowledgeBase
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.gloss import glosses
from logicoder.logic.parser import Parser
from logicoder.logic.symbols import plain_text, symbol_of
from logicoder.logic.terms import Atom, Constant, Program, Variable

DEEPEST = 100
"""Most clauses between an atom and the data in one tree; to see more, explain the atom at its end."""

MATCHES = 5
"""Most atoms that one question with variables explains."""


class Explainer:
    """Programs of which each reads the facts of the one before, run on data once: to be asked about any atom.

    >>> facts = [("mother", "padme", "leia"), ("woman", "padme"), ("father", "vader", "leia")]
    >>> kb = KnowledgeBase.from_facts(facts)
    >>> encoder = Program.parse("parent(X,Y) :- mother(X,Y) ; father(X,Y).  female(X) :- woman(X).")
    >>> decoder = Program.parse("mother(X,Y) :- parent(X,Y), female(X).")
    >>> print(Explainer([encoder, decoder], kb, outputs=[None, kb.schema]).explain("mother(vader,leia)"))
    mother(vader,leia): not a fact, and not reconstructed
    └─ mother(X,Y) :- parent(X,Y), female(X).
       ├─ parent(vader,leia)  derived
       │  └─ parent(X,Y) :- father(X,Y).
       │     └─ father(vader,leia)  fact
       └─ ✗ female(vader)  not derived
          └─ female(X) :- woman(X).
             └─ ✗ woman(vader)  not a fact
    <BLANKLINE>
    parent  X, Y: mother(X,Y) or father(X,Y)
    female  X: woman(X)

    Args:
        programs: the programs, the one that reads the data first.
        kb: the data.
        outputs: for each program the declared types of its heads, where they are known.
        background: predicates of the first program that nobody has to reconstruct.
        kept: predicates of the data that the last program may read as they are.
        left_over: those among them that hold what other clauses of a predicate do not derive.
    """

    def __init__(
        self,
        programs: Sequence[Program],
        kb: KnowledgeBase,
        *,
        outputs: Sequence[Schema | None] | None = None,
        background: Collection[str] = (),
        kept: Collection[str] = (),
        left_over: Collection[str] = (),
    ) -> None:
        self.data = kb
        self.background = frozenset(background)
        self.kept = frozenset(kept)
        self.left_over = frozenset(left_over)
        self.levels: list[Any] = []
        for program, declared in zip(programs, outputs or [None] * len(programs), strict=True):
            source = with_derived(self.kept_facts, self.levels[-1].outputs) if self.levels else kb
            self.levels.append(Derivations(program, source, declared))

    @property
    def kept_facts(self) -> KnowledgeBase:
        """The facts of the data that are kept as they are."""
        return self.data.restricted(name for name in self.data.schema if name in self.kept)

    # -- levels ---------------------------------------------------------------------------------------

    def _homes(self, predicate: str) -> list[int]:
        """Return the levels that know a predicate: 0 for the data, i for the i-th program."""
        found = [0] if predicate in self.data.schema else []
        return found + [i for i, level in enumerate(self.levels, 1) if predicate in level.defined]

    def _declared(self, level: int, predicate: str) -> Predicate:
        schema = self.levels[level - 1].outputs.schema if level else self.data.schema
        return schema[predicate]

    def _reader(self, level: int) -> AnyDerivations:
        """Return the derivations whose database holds the facts of a level."""
        reader: AnyDerivations = self.levels[max(level - 1, 0)]
        return reader

    def _source(self, level: int, predicate: str) -> int:
        """Return the level that a body literal of a level's clauses reads."""
        if predicate in self.levels[level - 1].defined:
            return level
        return 0 if predicate in self.kept else level - 1

    # -- asking ---------------------------------------------------------------------------------------

    def explain(
        self,
        atom: str | Atom | Fact,
        *,
        interpretation: str | None = None,
        limit: int = 3,
        depth: int = 12,
    ) -> Explanation:
        """Explain one atom; the first that match, if it has variables.

        Args:
            atom: what to explain.
            interpretation: the world to look at; otherwise all in which the atom is found.
            limit: most derivations to show of the atom itself, and most clauses that come near.
            depth: most clauses on the way from the atom to the data.
        """
        require("interpretation", interpretation, str, type(None))
        for name, value, most in (("limit", limit, MANY), ("depth", depth, DEEPEST)):
            if not Whole(1, most).accepts(value):
                raise UsageError(f"{name} must be {Whole(1, most).wanted}, not {shown(value)}")
        wanted = self._checked(read_atom(atom))
        homes = self._homes(wanted.predicate)
        if wanted.is_ground:
            taken = [(wanted, world) for world in self._worlds(wanted, homes, interpretation)]
            total = len(taken)
        else:
            world = None if interpretation is None else self._world(interpretation)
            taken, total = self._matching(wanted, homes, world)
        if not taken:
            variables = ", ".join(map(str, wanted.variables()))
            raise InputError(
                f"no atom matches {wanted}",
                hint=f"{variables}: words that start with a capital letter or _ are variables; put such "
                f"constants in quotation marks",
            )
        answers = tuple(self._answer(ground, where, homes, limit, depth) for ground, where in taken)
        return Explanation(wanted, answers, total, len(self.data.interpretations) > 1, self._glosses(answers))

    def _worlds(self, atom: Atom, homes: list[int], interpretation: str | None) -> list[int]:
        """Return the interpretations to look at: the one named, or those that have the atom."""
        if interpretation is not None:
            return [self._world(interpretation)]
        found = {world for level in homes for world in self._reader(level).worlds_of(atom)}
        if found or not atom.arguments:
            return sorted(found) or list(range(len(self.data.interpretations)))
        # Nowhere true: where could it be? Where all of its constants are.
        known = [self._constant_worlds(atom, place, homes[0]) for place in range(atom.arity)]
        common = set.intersection(*known)
        if not common:
            raise InputError(
                f"no interpretation has all constants of {atom}", hint="name one with `interpretation`"
            )
        return sorted(common)

    def _world(self, interpretation: str) -> int:
        names = self.data.interpretations
        if interpretation not in names:
            raise InputError(
                f"there is no interpretation {interpretation}", hint=_hint(interpretation, names)
            )
        return names.index(interpretation)

    def _matching(
        self, atom: Atom, homes: list[int], world: int | None
    ) -> tuple[list[tuple[Atom, int]], int]:
        """Return the first atoms that match one with variables, facts first, and how many there are."""
        names = {name: number for number, name in enumerate(self.data.interpretations)}
        found: dict[tuple[Atom, int], None] = {}
        for level in dict.fromkeys((homes[0], homes[-1])):
            for fact in (self.levels[level - 1].outputs if level else self.data).facts(atom.predicate):
                one = atom_of(fact), names[fact.interpretation]
                if world in (None, one[1]) and _matches(atom, one[0]):
                    found[one] = None
        return list(islice(found, MATCHES)), len(found)

    # -- checking -------------------------------------------------------------------------------------

    def _checked(self, atom: Atom) -> Atom:
        """Return the atom, or say which part of it the data and the programs do not know."""
        homes = self._homes(atom.predicate)
        if not homes:
            names = sorted({*self.data.schema, *(name for level in self.levels for name in level.defined)})
            raise InputError(f"there is no predicate {atom.predicate}", hint=_hint(atom.predicate, names))
        declared = self._declared(homes[0], atom.predicate)
        if declared.arity != atom.arity:
            raise InputError(
                f"{atom.predicate} has {declared.arity} arguments, not {atom.arity}",
                hint=f"it is declared as {declared}",
            )
        for place, (argument, kind) in enumerate(zip(atom.arguments, declared.types, strict=True)):
            if isinstance(argument, Constant) and not self._constant_worlds(atom, place, homes[0]):
                names = sorted(self._constants(kind, str(argument)))
                raise InputError(
                    f"in {atom}: there is no constant {argument} of the type {kind}",
                    hint=_hint(str(argument), names),
                )
        return atom

    def _constants(self, kind: str, like: str) -> set[str]:  # noqa: ARG002  (all are at hand)
        """Return constants of a type, those that begin like a text among them."""
        databases = [level.database for level in self.levels if kind in level.database.types]
        return {d.symbols[i] for d in databases for i in d.symbol_of[d.types[kind]].tolist()}

    def _constant_worlds(self, atom: Atom, place: int, home: int) -> set[int]:
        """Return the interpretations that have the constant at a place of an atom."""
        kind = self._declared(home, atom.predicate).types[place]
        found: set[int] = set()
        for level in self.levels:
            database = level.database
            if kind in database.types:
                number = database.types[kind]
                everyone = np.arange(database.sizes[number], dtype=np.int32)
                here = database.is_constant(number, everyone, str(atom.arguments[place]))
                found |= set(database.world_of[number][here].tolist())
        return found

    # -- answering ------------------------------------------------------------------------------------

    def _answer(self, atom: Atom, world: int, homes: list[int], limit: int, depth: int) -> Answer:
        first, last = homes[0], homes[-1]
        truth = "not a fact" if self._without_data(homes) else self._truth(atom, world, first)
        rebuilt = last > 0 and self.levels[last - 1].holds(atom, world)
        verdict = self._verdict(atom.predicate, homes, truth, rebuilt)
        if last == 0:
            node = Node(atom, 0, derived=False)
        else:
            node = self._node(atom, world, last, depth, limit, _Seen())
        return Answer(atom, self.data.interpretations[world], truth, rebuilt, verdict, node)

    def _without_data(self, homes: list[int]) -> bool:
        """Whether a predicate is one of the decoder's heads of which the data has no facts."""
        return homes[0] == len(self.levels) > 1

    def _truth(self, atom: Atom, world: int, level: int) -> str:
        reader = self._reader(level)
        for truth, word in zip(TRUTHS, ("fact", "known false", "unknown"), strict=True):
            if world in reader.worlds_of(atom, truth):
                return word
        return "unknown" if self._declared(level, atom.predicate).open_world else "not a fact"

    def _verdict(self, predicate: str, homes: list[int], truth: str, rebuilt: bool) -> str:
        is_background = predicate in self.background or (
            homes[0] == 0 and self.data.schema[predicate].background
        )
        if predicate in self.kept:
            return KEPT if truth == "fact" else "correctly absent"
        if is_background:
            return "a background fact" if rebuilt or truth == "fact" else "not a background fact"
        if homes[0] == homes[-1] > 0 and not self._without_data(homes):
            return "a latent fact" if rebuilt else "not a latent fact"
        if truth == "unknown":
            return f"of unknown truth, {'reconstructed' if rebuilt else 'not reconstructed'}"
        if truth == "fact":
            return "reconstructed" if rebuilt else "missing"
        return "false" if rebuilt else "correctly absent"

    def _node(self, atom: Atom, world: int, level: int, depth: int, limit: int, seen: _Seen) -> Node:
        """Return the tree of an atom that a program derives, or fails to derive."""
        reader = self.levels[level - 1]
        derived = reader.holds(atom, world)
        if derived:
            atom = reader.witness(atom, world)
        cut = seen.cut(level, atom, derived) or (None if depth else "deep")
        if cut is not None:
            return Node(atom, level, derived, cut=cut)
        ways: Iterable[Instance]
        if derived:
            total = reader.count(atom, world)
            ways = islice(reader.instances(atom, world), limit)
        else:
            attempts = sorted(reader.near_misses(atom, world), key=_distance)
            total, ways = len(attempts), attempts[:limit]
        below = seen.below(level, atom, derived)
        built = tuple(self._way(way, world, level, depth, limit, below) for way in ways)
        return Node(atom, level, derived, built, total)

    def _way(self, way: Instance, world: int, level: int, depth: int, limit: int, seen: _Seen) -> Derivation:
        steps = []
        for literal, holds in zip(way.body, way.holds, strict=True):
            if literal.inequality or holds is None:
                steps.append(Step(literal, holds, "undecided" if holds is None else _yes_no(holds)))
                continue
            source = self._source(level, literal.atom.predicate)
            present = holds == literal.positive
            because = None
            # A negated literal that holds is told as absent; why it is absent would be another question.
            if source and (literal.positive or not holds):
                # One derivation is enough of what holds; of what does not, every clause matters.
                because = self._node(literal.atom, world, source, depth - 1, 1 if present else limit, seen)
            reason = self._reason(literal.atom, world, source, present)
            steps.append(Step(literal, holds, reason if literal.positive else f"it is {reason}", because))
        return Derivation(way.clause, tuple(steps))

    def _reason(self, atom: Atom, world: int, level: int, present: bool) -> str:
        if level:
            return "derived" if present else "not derived"
        if present and self.levels[0].holds(atom, world):
            # What is kept of a closed relation, or of what clauses miss, has a name that no fact has.
            base = atom.predicate in self.kept and self.data.schema[atom.predicate].background
            return "kept" if base else "fact"
        return self._truth(atom, world, 0) if atom.is_ground else "no such fact"

    def _glosses(self, answers: tuple[Answer, ...]) -> dict[str, str]:
        """Return what the latent predicates in some trees mean, in the order of the programs."""
        used: set[str] = set()
        todo = [answer.node for answer in answers]
        while todo:
            node = todo.pop()
            used.add(node.atom.predicate)
            for way in node.ways:
                for step in way.steps:
                    used.add(step.literal.atom.predicate)
                    if step.because is not None:
                        todo.append(step.because)
        return {name: text for name, text in self.glosses().items() if name in used}

    def glosses(self) -> dict[str, str]:
        """Return what the latent predicates mean, in the order of the programs."""
        told: dict[str, str] = {}
        for level in self.levels:
            for name, text in glosses(level.program).items():
                if name not in self.data.schema and name not in self.background:
                    told.setdefault(name, text)
        return told


@dataclass(frozen=True)
class _Seen:
    """What a tree has shown so far: every atom once, and every predicate that fails once on the way down."""

    atoms: set[tuple[int, Atom]] = field(default_factory=set)
    failing: frozenset[tuple[int, str]] = frozenset()

    def cut(self, level: int, atom: Atom, derived: bool) -> str | None:
        if (level, atom) in self.atoms:
            return "above"
        return "again" if not derived and (level, atom.predicate) in self.failing else None

    def below(self, level: int, atom: Atom, derived: bool) -> _Seen:
        self.atoms.add((level, atom))
        return self if derived else _Seen(self.atoms, self.failing | {(level, atom.predicate)})


def read_atom(atom: str | Atom | Fact) -> Atom:
    """Return an atom that may be given as text or as a fact."""
    if isinstance(atom, Fact):
        return atom_of(atom)
    if isinstance(atom, Atom):
        return atom
    parser = Parser(atom, "<atom>")
    found = parser.atom()
    parser.accept(".")
    if not parser.at_end:
        raise parser.error("expected one atom only, such as mother(padme,leia)")
    return found


def atom_of(fact: Fact) -> Atom:
    """Return the atom of a fact."""
    return Atom(fact.predicate, tuple(Constant(symbol_of(value)) for value in fact.arguments))


def _matches(pattern: Atom, ground: Atom) -> bool:
    values: dict[Variable, object] = {}
    return all(
        values.setdefault(term, value) == value if isinstance(term, Variable) else term == value
        for term, value in zip(pattern.arguments, ground.arguments, strict=True)
    )


def _distance(way: Instance) -> tuple[int, int]:
    return len(way.body) - way.fulfilled, len(way.body)


def _yes_no(holds: bool) -> str:
    return "holds" if holds else "does not hold"


def _hint(word: str, names: Collection[str]) -> str:
    """Return the names that a wrong word may have meant, or some of all."""
    plain = {plain_text(name).lower(): name for name in names}
    close = get_close_matches(word.lower(), plain, 3)
    if close:
        return f"did you mean {' or '.join(plain[name] for name in close)}?"
    shown = sorted(names)[:10]
    return f"choose from: {', '.join(shown)}{', ...' if len(names) > len(shown) else ''}"
