"""What is known of one world when a question is asked: which ground atoms are true, false or open.

- Of a **query** predicate every ground atom is open: its facts are hidden, unless `hide` is off; then the
  atoms that are explicitly true or false are evidence, and all others are open.
- Of an **open** predicate (named in `open`, or declared open in the schema) explicitly true and false atoms
  are evidence, all others are open.
- Every other predicate is **closed**: its facts are true, atoms listed as unknown open, all others false.

Constants count even where the facts that mention them are hidden. Those that only formulas mention do not
exist: their atoms are false.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.symbols import atom_text
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.worlds import World, worlds_of

Status = Literal["true", "false", "open"]

MOST_ATOMS = 50_000_000
"""More open atoms than this are refused: their probabilities alone would fill the memory."""


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What is known of one predicate. Atoms are numbers, as in `World.numbers`.

    Attributes:
        size: the number of ground atoms.
        true: the numbers of the true atoms, sorted.
        listed: sorted; of a closed predicate its open atoms, of an open one its false atoms.
        closed: whether atoms that are not listed are false (else they are open).
        first: where the open atoms start in the numbering of all open atoms of the world.
    """

    size: int
    true: np.ndarray
    listed: np.ndarray
    closed: bool
    first: int = 0

    def having(self, status: Status) -> tuple[bool, np.ndarray]:
        """Return the atoms of a status: those in (True) or outside (False) a sorted array of numbers."""
        if status == "true":
            return True, self.true
        if (status == "open") == self.closed:
            return True, self.listed
        return False, np.union1d(self.true, self.listed)

    @property
    def open_count(self) -> int:
        """How many atoms are open."""
        return len(self.listed) if self.closed else self.size - len(self.true) - len(self.listed)

    def open_numbers(self) -> np.ndarray:
        """Return the numbers of the open atoms, sorted."""
        inside, numbers = self.having("open")
        return numbers if inside else np.delete(np.arange(self.size), numbers)

    def open_places(self, numbers: np.ndarray) -> np.ndarray:
        """Return where open atoms, given as numbers, stand among all open atoms of the world."""
        inside, known = self.having("open")
        if not len(known):
            return numbers + self.first
        places = np.searchsorted(known, numbers)
        return (places if inside else numbers - places) + self.first


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known of one world.

    Attributes:
        world: the constants, and all facts, hidden ones included.
        knowledge: what is known of each predicate.
        atoms: the number of open atoms.
    """

    world: World
    knowledge: Mapping[str, Knowledge]
    atoms: int

    def atom_at(self, place: int) -> str:
        """Return the text of an open atom."""
        for name, known in self.knowledge.items():
            if known.first <= place < known.first + known.open_count:
                return atom_of(self.world, name, int(known.open_numbers()[place - known.first]))
        raise IndexError(place)


def atom_of(world: World, predicate: str, number: int) -> str:
    """Return the text of a ground atom, given as its number."""
    shape = world.shape(predicate)
    if not shape:
        return atom_text(predicate)
    kinds = world.schema[predicate].types
    places = np.unravel_index(number, shape)
    arguments = (world.domains[kind][int(place)] for kind, place in zip(kinds, places, strict=True))
    return f"{atom_text(predicate)}({','.join(arguments)})"


def evidence_of(
    network: MarkovLogicNetwork,
    kb: KnowledgeBase,
    query: Sequence[str],
    *,
    open: Sequence[str] = (),  # noqa: A002
    closed: Sequence[str] = (),
    hide: bool = True,
    domains: Mapping[str, Sequence[str]] | None = None,
) -> list[Evidence]:
    """Return what is known of each world; see the head of this module.

    Raises:
        UsageError: for unknown predicates, and those that are said to be two things at once.
    """
    schema = network.schema_with(kb.schema)
    for option, names in (("query", query), ("open", open), ("closed", closed)):
        for name in names:
            if name not in schema:
                raise UsageError(f"{option}: there is no predicate {name}; choose from: {', '.join(schema)}")
    if not query:
        raise UsageError("query: name at least one predicate")
    for word, names in (("query", query), ("open", open)):
        for name in sorted(set(names) & set(closed)):
            raise UsageError(f"{name} cannot be both {word} and closed; name it once")
    unlisted = {p.name for p in schema.values() if p.open_world and p.name not in closed} | {*open, *query}
    hidden = set(query) if hide else set()
    worlds = worlds_of(kb.with_schema(schema), domains)
    return [_evidence(world, unlisted, hidden) for world in worlds]


def _evidence(world: World, unlisted: Iterable[str], hidden: set[str]) -> Evidence:
    knowledge: dict[str, Knowledge] = {}
    first = 0
    nothing = np.empty(0, np.int64)
    for name in world.schema:
        closed = name not in unlisted
        if name in hidden:
            true = listed = nothing
        else:
            true, listed = world.numbers(name), world.numbers(name, "unknown" if closed else "false")
        known = Knowledge(world.groundings(name), true, listed, closed, first)
        if known.open_count > MOST_ATOMS:
            raise UsageError(
                f"{name} has {known.open_count:,} open atoms in {world.name}, more than {MOST_ATOMS:,}; "
                "close it, or restrict its domains"
            )
        knowledge[name] = known
        first += known.open_count
    return Evidence(world, knowledge, first)
