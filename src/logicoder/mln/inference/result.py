"""What inference says: probabilities or a most probable world, how they were found, and how sure they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.logic.parser import Parser
from logicoder.mln.inference.atom_values import SOLVED, Method
from logicoder.mln.inference.chain_estimates import Sureness
from logicoder.mln.inference.contradictions import Contradiction
from logicoder.mln.inference.ground_solver import BestState
from logicoder.mln.inference.known_atoms import Evidence, atom_of


@dataclass(frozen=True)
class AtomProbability:
    """One open atom: how probable it is, with the standard error of that number (zero where it is exact)."""

    interpretation: str
    predicate: str
    atom: str
    probability: float
    error: float


class _Inferred:
    """Values of the open atoms of several worlds, and how they were found."""

    def __init__(
        self,
        query: Sequence[str],
        evidence: Sequence[Evidence],
        *,
        methods: Iterable[Method],
        contradictions: Sequence[Contradiction],
        stopped: str | None,
        seconds: float,
    ) -> None:
        self.query = tuple(query)
        self.methods = tuple(methods)
        self.contradictions = tuple(contradictions)
        self.stopped = stopped
        self.seconds = seconds
        self._evidence = {part.world.name: part for part in evidence}
        starts = np.cumsum([0, *(part.atoms for part in evidence)]).tolist()
        self._starts = dict(zip(self._evidence, starts, strict=False))

    @property
    def interpretations(self) -> tuple[str, ...]:
        """The names of the worlds."""
        return tuple(self._evidence)

    @property
    def predicates(self) -> tuple[str, ...]:
        """The predicates with open atoms in some world: those of the query, and others that are open."""
        found = (n for part in self._evidence.values() for n, k in part.knowledge.items() if k.open_count)
        return tuple(dict.fromkeys(found))

    def open_atoms(
        self, predicate: str, interpretation: str | None = None
    ) -> tuple[np.ndarray, list[tuple[str, ...]]]:
        """Return the numbers of the open atoms of a predicate, and the symbols of their arguments."""
        part = self._world(interpretation)
        numbers = part.knowledge[predicate].open_numbers()
        shape = part.world.shape(predicate)
        if not shape:
            return numbers, [()] * len(numbers)
        kinds = part.world.schema[predicate].types
        columns = [
            [part.world.domains[kind][place] for place in places.tolist()]
            for kind, places in zip(kinds, np.unravel_index(numbers, shape), strict=True)
        ]
        return numbers, list(zip(*columns, strict=True))

    def _summary(self, first: Mapping[str, Any], sureness: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return what there is to say as plain data."""
        methods = [
            {"name": m.name, "components": m.components, "atoms": m.atoms, "exact": m.exact}
            for m in self.methods
        ]
        contradictions = [
            {
                "interpretation": c.interpretation,
                "formula": c.number,
                "text": c.formula,
                "count": c.count,
                "examples": list(c.examples),
            }
            for c in self.contradictions
        ]
        return {
            "query": list(self.query),
            **first,
            "methods": methods,
            **(sureness or {}),
            "contradictions": contradictions,
            "stopped": self.stopped,
            "seconds": self.seconds,
        }

    def _text(self, head: str, *told: str) -> str:
        lines = [head, *map(str, self.methods), *told]
        if self.stopped:
            lines.append(f"  stopped: {self.stopped}")
        return "\n".join([*lines, *(f"  contradiction in {c}" for c in self.contradictions)])

    def _world(self, interpretation: str | None) -> Evidence:
        if interpretation is None:
            if len(self._evidence) > 1:
                raise UsageError(f"name one of the interpretations: {', '.join(self._evidence)}")
            return next(iter(self._evidence.values()))
        if interpretation not in self._evidence:
            raise UsageError(
                f"there is no interpretation {interpretation}; choose from: {', '.join(self._evidence)}"
            )
        return self._evidence[interpretation]

    def _filled(self, values: np.ndarray, predicate: str, interpretation: str | None) -> np.ndarray:
        """Return the values of all ground atoms of a predicate; known atoms have their truth values."""
        part = self._world(interpretation)
        if predicate not in part.knowledge:
            raise UsageError(f"there is no predicate {predicate}; choose from: {', '.join(part.knowledge)}")
        known = part.knowledge[predicate]
        found = np.zeros(known.size, values.dtype)
        found[known.true] = 1
        first = self._starts[part.world.name] + known.first
        found[known.open_numbers()] = values[first : first + known.open_count]
        return found

    def _number(self, atom: str, interpretation: str | None) -> tuple[str, int]:
        world = self._world(interpretation).world
        parsed = Parser(atom).atom()
        kinds = world.schema[parsed.predicate].types if parsed.predicate in world.schema else ()
        if parsed.predicate not in world.schema or len(kinds) != parsed.arity:
            raise UsageError(
                f"{atom} is not an atom of the schema: {'; '.join(map(str, world.schema.values()))}"
            )
        number = 0
        for argument, kind in zip(parsed.arguments, kinds, strict=True):
            domain = world.domains[kind]
            if str(argument) not in domain:
                raise UsageError(f"{atom}: {argument} is not a {kind} of {world.name}")
            number = number * len(domain) + domain.index(str(argument))
        return parsed.predicate, number

    def truth(self, predicate: str, interpretation: str | None = None) -> np.ndarray:
        """Return which ground atoms of a predicate are facts of the data, hidden ones included.

        They are numbered as in `World.numbers`: constants read as digits, the last argument the lowest.
        """
        world = self._world(interpretation).world
        found = np.zeros(world.groundings(predicate), bool)
        found[world.numbers(predicate)] = True
        return found

    def atoms(self, predicate: str, interpretation: str | None = None) -> list[str]:
        """Return the texts of all ground atoms of a predicate, in the order of the numbers."""
        world = self._world(interpretation).world
        return [atom_of(world, predicate, number) for number in range(world.groundings(predicate))]


class Marginals(_Inferred):
    """The probability of every open atom.

    Attributes:
        query: the predicates asked for.
        methods: how the atoms were solved.
        exact: whether no probability was sampled.
        sureness: how reliable sampled probabilities are; None if there are none.
        contradictions: groundings of hard formulas that were left out, since the evidence contradicts them.
        clauses: the number of ground clauses of two and more literals.
        stopped: why sampling ended early, or None.
        seconds: how long it took.
    """

    def __init__(
        self,
        query: Sequence[str],
        evidence: Sequence[Evidence],
        probabilities: np.ndarray,
        errors: np.ndarray,
        *,
        sureness: Sureness | None,
        clauses: int,
        **found: Any,
    ) -> None:
        super().__init__(query, evidence, **found)
        self._probabilities = probabilities
        self._errors = errors
        self.exact = all(method.exact for method in self.methods)
        self.sureness = sureness
        self.clauses = clauses

    def array(self, predicate: str, interpretation: str | None = None) -> np.ndarray:
        """Return the probabilities of all ground atoms of a predicate; 0 and 1 for those that are known.

        They are numbered as in `World.numbers`: constants read as digits, the last argument the lowest.
        """
        return self._filled(self._probabilities, predicate, interpretation)

    def errors(self, predicate: str, interpretation: str | None = None) -> np.ndarray:
        """Return the standard errors of `array`."""
        found = self._filled(self._errors, predicate, interpretation)
        found[self._world(interpretation).knowledge[predicate].true] = 0.0
        return found

    def probability(self, atom: str, interpretation: str | None = None) -> float:
        """Return the probability of an atom such as `"smokes(anna)"`."""
        predicate, number = self._number(atom, interpretation)
        return float(self.array(predicate, interpretation)[number])

    def __iter__(self) -> Iterator[AtomProbability]:
        for name, part in self._evidence.items():
            for predicate, known in part.knowledge.items():
                first = self._starts[name] + known.first
                for place, number in enumerate(known.open_numbers().tolist() if known.open_count else ()):
                    yield AtomProbability(
                        name,
                        predicate,
                        atom_of(part.world, predicate, number),
                        float(self._probabilities[first + place]),
                        float(self._errors[first + place]),
                    )

    def __len__(self) -> int:
        return len(self._probabilities)

    def summary(self) -> dict[str, Any]:
        """Return how the numbers were found and how reliable they are, as plain data."""
        sureness = self.sureness.as_dict() if self.sureness else None
        return self._summary(
            {"atoms": len(self), "clauses": self.clauses, "exact": self.exact}, {"sureness": sureness}
        )

    def __str__(self) -> str:
        sure = (self.sureness, self.sureness.doubt) if self.sureness else ()
        return self._text(
            f"{len(self):,} open atoms, {self.clauses:,} ground clauses, {self.seconds:.2f} s",
            *(f"  {told}" for told in sure if told),
        )


class MostProbable(_Inferred):
    """A most probable world: the truth of every open atom, all of them together.

    Attributes:
        query: the predicates asked for.
        value: the log weight of the world, up to a constant of the evidence.
        bound: no world has a higher one.
        proved: whether it is proved that no world is more probable (for weights rounded to `rounding`).
        rounding: by how much the rounding of weights to integers can change a log weight; zero where the
            method needs none.
        methods: how the atoms were solved.
        contradictions: groundings of hard formulas that were left out, since the evidence contradicts them.
        stopped: why the search ended early, or None.
        seconds: how long it took.
    """

    def __init__(
        self,
        query: Sequence[str],
        evidence: Sequence[Evidence],
        best: BestState,
        *,
        methods: Iterable[Method],
        **found: Any,
    ) -> None:
        unproved = (replace(m, unproved=m.name == SOLVED) for m in methods)
        super().__init__(query, evidence, methods=methods if best.proved else unproved, **found)
        self._state = best.state
        self.value, self.bound = best.value, best.bound
        self.proved, self.rounding = best.proved, best.rounding

    def array(self, predicate: str, interpretation: str | None = None) -> np.ndarray:
        """Return the truth of all ground atoms of a predicate, numbered as in `World.numbers`."""
        return self._filled(self._state, predicate, interpretation)

    def holds(self, atom: str, interpretation: str | None = None) -> bool:
        """Return whether an atom such as `"smokes(anna)"` is true."""
        predicate, number = self._number(atom, interpretation)
        return bool(self.array(predicate, interpretation)[number])

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Iterate over interpretation and text of the atoms that were open and are true."""
        for name, part in self._evidence.items():
            for predicate, known in part.knowledge.items():
                if known.open_count:
                    first = self._starts[name] + known.first
                    true = self._state[first : first + known.open_count]
                    for number in known.open_numbers()[true].tolist():
                        yield name, atom_of(part.world, predicate, number)

    def summary(self) -> dict[str, Any]:
        """Return how the world was found and whether it is proved to be the most probable, as plain data."""
        told = {name: getattr(self, name) for name in ("value", "bound", "proved", "rounding")}
        return self._summary({"atoms": len(self._state), **told})

    def __str__(self) -> str:
        proof = "proved" if self.proved else f"not proved: no world is above {self.bound:.6g}"
        return self._text(
            f"{len(self._state):,} open atoms, log weight {self.value:.6g}, {proof}, {self.seconds:.2f} s"
        )
