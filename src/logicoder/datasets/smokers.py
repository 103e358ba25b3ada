"""Friends and smokers: a world drawn from a planted Markov logic network, of any size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from logicoder.base.errors import UsageError
from logicoder.kb import KnowledgeBase
from logicoder.kb.builder import KnowledgeBaseBuilder
from logicoder.kb.schema import Schema
from logicoder.logic.symbols import symbol_of
from logicoder.mln import MarkovLogicNetwork


@dataclass(frozen=True)
class Smokers:
    """Generated data and the network that was planted in it.

    Attributes:
        kb: `smokes`, `cancer` and the symmetric `friends`; its schema declares all people.
        network: the formulas with their true weights.
    """

    kb: KnowledgeBase
    network: MarkovLogicNetwork


def smokers(
    people: int = 100,
    degree: float = 10.0,
    *,
    seed: int = 0,
    interpretations: int = 1,
    friends_weight: float | None = None,
    cancer_weight: float = 2.0,
    sweeps: int = 100,
) -> Smokers:
    """Generate people, their friends, and who smokes and has cancer.

    Friends are drawn at random: pairs of different people, `degree` for each person on average. Then
    `smokes` and `cancer` are drawn, by Gibbs sampling, from the planted network given the friends:

        1 smokes(x)
        -2 cancer(x)
        cancer_weight   smokes(x) => cancer(x)
        friends_weight  friends(x,y) ^ smokes(x) => smokes(y)

    The network says nothing about `friends`, so learn weights for the query predicates `smokes` and
    `cancer`, with `friends` given.

    Args:
        people: of all interpretations together.
        degree: the mean number of friends.
        seed: of the random numbers; the same arguments give the same data.
        interpretations: number of separate worlds, equally large, over the same names.
        friends_weight: how strongly friends resemble each other; 1.2 / `degree` unless given. Far above that,
            nearly all people smoke, or nearly none does.
        cancer_weight: how much smoking matters.
        sweeps: how often each person is drawn again, on average, before the world is used.

    Raises:
        UsageError: if a parameter is out of range.

    >>> world = smokers(people=50, degree=4)
    >>> print(world.network)
    smokes(person)
    cancer(person)
    friends(person,person)
    <BLANKLINE>
    1.0 smokes(x)
    -2.0 cancer(x)
    2.0 !smokes(x) v cancer(x)
    0.3 !friends(x,y) v !smokes(x) v smokes(y)
    >>> world.kb.count("friends")
    200
    """
    if interpretations < 1:
        raise UsageError(f"there must be at least one interpretation, not {interpretations}")
    size = people // interpretations
    if size < 2 or people % interpretations:
        raise UsageError(
            f"{people} people are too few for {interpretations} interpretations with at least 2 each"
        )
    if not 0 < degree <= size - 1:
        raise UsageError(
            f"degree must be above 0 and at most {size - 1}, the number of others, not {degree:g}"
        )
    alike = round(1.2 / degree, 6) if friends_weight is None else friends_weight
    network = MarkovLogicNetwork.parse(
        f"""
        smokes(person)
        cancer(person)
        friends(person,person)
        1 smokes(x)
        -2 cancer(x)
        {cancer_weight!r} smokes(x) => cancer(x)
        {alike!r} friends(x,y) ^ smokes(x) => smokes(y)
        """
    )
    weights = [formula.weight for formula in network]
    names = tuple(symbol_of(f"P{number + 1}") for number in range(size))
    # People without friends exist, too: their names are declared.
    builder = KnowledgeBaseBuilder(Schema(network.schema, {"person": names}))
    for name in names:
        builder.intern(name)
    for number, rng in enumerate(np.random.default_rng(seed).spawn(interpretations), start=1):
        name = f"smokers{number}" if interpretations > 1 else "smokers"
        friends = _friends(size, round(size * degree / 2), rng)
        smokes, cancer = _drawn(size, friends, weights, sweeps, rng)
        world = builder.interpretation(name)
        builder.add_rows("smokes", np.flatnonzero(smokes)[:, None].astype(np.int32), world)
        builder.add_rows("cancer", np.flatnonzero(cancer)[:, None].astype(np.int32), world)
        builder.add_rows("friends", friends.astype(np.int32), world)
    return Smokers(builder.build(), network)


def _friends(people: int, pairs: int, rng: np.random.Generator) -> np.ndarray:
    """Return both directions of so many different pairs, sorted."""
    most = people * (people - 1) // 2
    found = np.empty(0, np.int64)
    if pairs > most // 2:
        found = rng.choice(most, pairs, replace=False)
        # Numbers of the pairs (i, j), i > j, row by row.
        first = ((1 + np.sqrt(1 + 8 * found.astype(float))) / 2).astype(np.int64)
        first += first * (first + 1) // 2 <= found
        first -= first * (first - 1) // 2 > found
        second = found - first * (first - 1) // 2
    else:
        while len(found) < pairs:
            drawn = rng.integers(people, size=(2 * (pairs - len(found)) + 8, 2))
            drawn = drawn[drawn[:, 0] != drawn[:, 1]]
            keys = drawn.min(axis=1) * people + drawn.max(axis=1)
            merged = np.concatenate([found, keys])
            _, places = np.unique(merged, return_index=True)
            found = merged[np.sort(places)][:pairs]
        first, second = found // people, found % people
    both = np.concatenate([np.column_stack([first, second]), np.column_stack([second, first])])
    return both[np.lexsort((both[:, 1], both[:, 0]))]


def _drawn(
    people: int, friends: np.ndarray, weights: list[float], sweeps: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw who smokes and who has cancer, given the friends.

    In each step those people are drawn anew, all at once, who have a greater random number than all of their
    friends: no two of them are friends. Cancer is summed out, and drawn at the end.
    """
    smoking, cancer_alone, smoking_to_cancer, alike = weights
    odds = smoking + np.logaddexp(0, cancer_alone + smoking_to_cancer)
    odds -= smoking_to_cancer + np.logaddexp(0, cancer_alone)
    source, target = friends.T
    starts = np.flatnonzero(np.diff(source, prepend=-1))
    having = source[starts]
    degrees = np.bincount(source, minlength=people)
    smokes = rng.random(people) < _chance(odds)
    drawn = 0
    while drawn < sweeps * people:
        numbers = rng.random(people)
        highest = np.zeros(people)
        highest[having] = np.maximum.reduceat(numbers[target], starts)
        chosen = np.flatnonzero(numbers > highest)
        smoking_friends = np.bincount(source, weights=smokes[target], minlength=people)
        field = odds + alike * (2 * smoking_friends - degrees)
        smokes[chosen] = rng.random(len(chosen)) < _chance(field[chosen])
        drawn += len(chosen)
    cancer = rng.random(people) < _chance(cancer_alone + smoking_to_cancer * smokes)
    return smokes, cancer


def _chance(odds: np.ndarray | float) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-np.asarray(odds))))
