"""A family over a few generations: sixteen relations, of which few say all the others."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count

from logicoder.base.errors import UsageError
from logicoder.engine.programs import run_program, with_derived
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.terms import Program

_MEN = """
adam albert anton bruno carl conrad david emil erik felix frank georg hans henry hugo ivan jakob john
jonas karl leo linus lukas marc martin max milan nico noah oscar otto paul peter philip ralph robert
simon stefan thomas tim victor walter"""
_WOMEN = """
ada agnes alma anna bella berta carla clara dora edith ella emma erika eva flora frida gerda greta hanna
helen ida ines irma jana julia karen laura lea lena lisa luise maria marta mia nina nora olga paula rosa
ruth sara sofia"""

RULES = Program.parse(
    r"""
    parent(X,Y) :- father(X,Y) ; mother(X,Y).
    son(X,Y) :- parent(Y,X), male(X).
    daughter(X,Y) :- parent(Y,X), female(X).
    married(X,Y) :- wife(X,Y) ; wife(Y,X).
    husband(X,Y) :- wife(Y,X).
    brother(X,Y) :- mother(Z,X), mother(Z,Y), male(X), X \= Y.
    sister(X,Y) :- mother(Z,X), mother(Z,Y), female(X), X \= Y.
    grandparent(X,Y) :- parent(X,Z), parent(Z,Y).
    uncle(X,Y) :- brother(X,Z), parent(Z,Y).
    aunt(X,Y) :- sister(X,Z), parent(Z,Y).
    ancestor(X,Y) :- parent(X,Y).
    ancestor(X,Z) :- parent(X,Y), ancestor(Y,Z).
    """,
    "<family>",
)
"""What the relations mean, given who is male or female, and who is whose wife, father and mother."""


def family(couples: int = 3, generations: int = 3, *, seed: int = 0) -> KnowledgeBase:
    """Return a family: its founders are couples, and their children marry each other or newcomers.

    >>> family()
    <KnowledgeBase: 349 facts, 16 predicates, 1 interpretation>

    Args:
        couples: number of couples in the first generation.
        generations: how many there are.
        seed: of the random numbers.
    """
    if couples < 1 or generations < 1:
        raise UsageError("a family needs at least one couple and one generation")
    made = _Family(random.Random(seed))  # noqa: S311  (no secret)
    pairs = [(made.born(male=True), made.born(male=False)) for _ in range(couples)]
    made.marry(pairs)
    for _ in range(generations - 1):
        pairs = made.weddings([made.children(man, wife) for man, wife in pairs])
        made.marry(pairs)
    kb = KnowledgeBase.from_facts(made.facts)
    return with_derived(kb, run_program(RULES, kb))


class _Family:
    """People as they are born and marry."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._names = {male: _names(names.split(), rng) for male, names in ((True, _MEN), (False, _WOMEN))}
        self.facts: list[tuple[str, ...]] = []

    def born(self, *, male: bool) -> str:
        name = next(self._names[male])
        self.facts.append(("male" if male else "female", name))
        return name

    def marry(self, pairs: list[tuple[str, str]]) -> None:
        self.facts += [("wife", wife, man) for man, wife in pairs]

    def children(self, man: str, wife: str) -> dict[bool, list[str]]:
        found: dict[bool, list[str]] = {True: [], False: []}
        for _ in range(self._rng.choice((1, 2, 2, 3, 3, 4))):
            male = self._rng.random() < 0.5
            child = self.born(male=male)
            self.facts += [("father", man, child), ("mother", wife, child)]
            found[male].append(child)
        return found

    def weddings(self, houses: list[dict[bool, list[str]]]) -> list[tuple[str, str]]:
        """Marry sons of each house to daughters of the next; who is left marries a newcomer, or nobody."""
        pairs: list[tuple[str, str]] = []
        for place, house in enumerate(houses):
            brides = houses[(place + 1) % len(houses)][False] if len(houses) > 1 else []
            for son in house[True]:
                if self._rng.random() < 0.7:
                    pairs.append((son, brides.pop() if brides else self.born(male=False)))
        for house in houses:
            pairs += [(self.born(male=True), d) for d in house[False] if self._rng.random() < 0.7]
        return pairs


def _names(names: list[str], rng: random.Random) -> Iterator[str]:
    """Iterate over names in random order; when all are used they come again with numbers."""
    for number in count(1):
        for name in rng.sample(names, len(names)):
            yield name if number == 1 else f"{name}{number}"
