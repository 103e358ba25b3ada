"""Large neighbourhood search: solve, again and again, a part of a problem around the best selection.

The paper's neighbourhood is random: some selected decoders stay, most unselected encoders stay out. Where few
atoms are wrong, most such neighbourhoods hold nothing that could put them right. A *guided* search
therefore frees, every second round, the decoders of one predicate that loses atoms, and lets in encoders of
decoders that rebuild a missing one; and it goes on from the last selection found that is as good as the best,
so that it does not stand still where many are equally good.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass

from logicoder.problem.evaluate import encoders_of
from logicoder.problem.masking import MASKED
from logicoder.problem.model import Problem
from logicoder.selection.cp_sat import run
from logicoder.selection.outcome import Outcome
from logicoder.selection.search import Search, first_selection


@dataclass(frozen=True)
class Neighbourhood:
    """The paper's neighbourhood, and how long to look into it.

    Attributes:
        alpha: share of the selected decoders that stay selected.
        beta: share of the unselected encoders that stay unselected.
        round_effort: limit of one round in deterministic seconds.
        patience: rounds without improvement after which the search ends.
        guided: whether every second round looks where the program loses atoms, from selections as good as the
            best one too.
    """

    alpha: float = 0.5
    beta: float = 0.9
    round_effort: float = 2.0
    patience: int = 200
    guided: bool = False


def lns_stage(search: Search, seed: int, effort: float, neighbourhood: Neighbourhood) -> None:
    """Rounds of large neighbourhood search until nothing more is found or the effort is spent.

    After rounds without success the neighbourhood widens; a success narrows it again.
    """
    limit = search.effort + effort
    if search.begins:
        first_selection(search, seed, effort)
    generator = random.Random(seed)  # noqa: S311  (a search, not a secret)
    width = 1.0
    fruitless = 0
    turn = False
    current = search.best.decoders if search.best is not None else ()
    while search.best is not None and not search.finished and search.effort < limit:
        round_effort = min(neighbourhood.round_effort, limit - search.effort)
        # Narrow rounds are quick and wide ones thorough: both have their turn.
        narrowed = width * generator.uniform(0.5, 1.0)
        turn = neighbourhood.guided and search.goal == search.first and not turn
        choose = _guided if turn else random_part
        part = choose(search.problem, current, generator, neighbourhood, narrowed)
        outcome = _round(search, current, generator, part, round_effort)
        search.effort += outcome.effort
        if outcome.decoders is not None:
            progress = search.offer(outcome.decoders)
            if progress or (neighbourhood.guided and outcome.value == _value(search)):
                current = outcome.decoders
            if progress:
                fruitless, width = 0, 1.0
                continue
        fruitless += 1
        if fruitless >= neighbourhood.patience:
            break
        # Proved that this neighbourhood holds nothing better: look further. Undecided: look closer.
        width = width * 1.04 if outcome.status == "optimal" else max(width / 1.3, 0.2)


def _value(search: Search) -> int:
    """Return the value of the best selection for the present goal."""
    assert search.best is not None  # noqa: S101  (rounds start from a selection)
    return search.best.value(search.goal)


Part = tuple[list[int], list[int]]
"""Decoders that stay selected, and encoders that may be selected."""


def _round(
    search: Search, current: Collection[int], generator: random.Random, part: Part, effort: float
) -> Outcome:
    kept, allowed = part
    model = search.model(allowed, kept, current)
    outcome = run(model, seed=generator.randrange(2**31), effort=effort, stop=search.stop)
    if not kept and len(allowed) == len(search.problem.encoders):
        # The neighbourhood has grown into the whole problem: what holds for it holds for all.
        search.raise_bound(outcome.bound)
    return outcome


def random_part(
    problem: Problem,
    current: Collection[int],
    generator: random.Random,
    neighbourhood: Neighbourhood,
    width: float,
) -> Part:
    """Return the paper's neighbourhood."""
    active = set(encoders_of(problem, current))
    inactive = [e for e in range(len(problem.encoders)) if e not in active]
    kept = _share(generator, current, neighbourhood.alpha / max(width, 1.0))
    forbidden = set(_share(generator, inactive, 1.0 - min(1.0, (1.0 - neighbourhood.beta) * width)))
    return kept, [e for e in range(len(problem.encoders)) if e not in forbidden]


def _guided(
    problem: Problem,
    current: Collection[int],
    generator: random.Random,
    neighbourhood: Neighbourhood,
    width: float,
) -> Part:
    """Return a neighbourhood of the same size around what one predicate loses."""
    chosen = set(current)
    classes = (*problem.classes, *problem.families.get(MASKED, ()))
    wrong = [item for item in classes if item.true == chosen.isdisjoint(item.decoders)]
    if not wrong:
        return random_part(problem, current, generator, neighbourhood, width)
    predicate = generator.choice(sorted({item.predicate for item in wrong}))
    active = set(encoders_of(problem, current))
    useful = {
        latent
        for item in wrong
        if item.true and item.predicate == predicate
        for decoder in item.decoders
        for latent in problem.decoders[decoder].latents
        if latent not in active
    }
    count = round((len(problem.encoders) - len(active)) * min(1.0, (1.0 - neighbourhood.beta) * width))
    let_in = set(_sample(generator, useful, count // 2))
    others = set(range(len(problem.encoders))) - active - let_in
    let_in.update(_sample(generator, others, count - len(let_in)))
    name = problem.targets[predicate].name
    rest = [d for d in chosen if problem.decoders[d].predicate != name]
    return _share(generator, rest, neighbourhood.alpha / max(width, 1.0)), sorted(active | let_in)


def _sample(generator: random.Random, items: Collection[int], count: int) -> list[int]:
    """Return so many random items, or all."""
    return generator.sample(sorted(items), min(count, len(items)))


def _share(generator: random.Random, items: Collection[int], share: float) -> list[int]:
    """Return a random share of some items."""
    return _sample(generator, items, round(len(items) * share))
