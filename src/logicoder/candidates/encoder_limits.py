"""Which encoder bodies are evaluated at all: decided by exact sizes of joins, before any join is made.

On small data every body is evaluated. On large data most bodies are empty, which their size tells without a
join, and a few would take more time or memory than all others together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from logicoder.candidates.bodies import BodyNode, heads
from logicoder.candidates.language import EncoderLanguage
from logicoder.engine.clauses import IndexBody, Join

EMPTY, TOO_LARGE, UNEVALUATED, MEMORY = "empty", "too_large", "unevaluated", "memory"
"""Why a body is not evaluated; also the names of the counts."""


@dataclass(frozen=True)
class EncoderLimits:
    """Limits on encoder candidates; None where there is none.

    Attributes:
        max_tuples: most tuples of one join.
        joined_tuples: most tuples of all joins of two literals together; the largest joins go first.
        max_encoders: most candidates to evaluate; those of larger joins and of more overlap come first.
        largest: most facts of a latent predicate that any selection can afford.
        memory_tuples: most tuples of one join that fit into memory.
        kept_tuples: most tuples of all kept extensions together that fit into memory.
        most_bodies: most bodies that fit into memory.
    """

    max_tuples: int | None = None
    joined_tuples: int | None = None
    max_encoders: int | None = None
    largest: int | None = None
    memory_tuples: int | None = None
    kept_tuples: int | None = None
    most_bodies: int | None = None

    def refused(self, tuples: int) -> str | None:
        """Return why a join of so many tuples is not made, or None if it is."""
        if self.max_tuples is not None and tuples > self.max_tuples:
            return TOO_LARGE
        return MEMORY if self.memory_tuples is not None and tuples > self.memory_tuples else None

    @property
    def most_tuples(self) -> int | None:
        """Most tuples of one join for either reason."""
        given = [limit for limit in (self.max_tuples, self.memory_tuples) if limit is not None]
        return min(given, default=None)


@dataclass(frozen=True)
class EncoderScreen:
    """The bodies that are evaluated.

    Attributes:
        pairs: for each body of two literals why it is not evaluated, or None.
        disjunctions: whether each disjunction is evaluated.
    """

    pairs: list[str | None]
    disjunctions: list[bool]

    @classmethod
    def of(
        cls,
        language: EncoderLanguage,
        levels: Sequence[Sequence[BodyNode]],
        disjunctions: Sequence[tuple[tuple[int, ...], IndexBody]],
        largest_head: int,
        limits: EncoderLimits,
    ) -> EncoderScreen:
        """Look at all bodies of two literals and at all disjunctions.

        Args:
            language: the language of bodies.
            levels: bodies by length.
            disjunctions: head types and literals of the disjunctions.
            largest_head: greatest arity of a latent predicate.
            limits: the limits.
        """
        pairs: list[str | None] = []
        heads_of: dict[int, int] = {}
        sizes: list[int] = []
        if len(levels) > 1:
            sizes = _pair_sizes(language, levels[0], levels[1])
            for number, size in enumerate(sizes):
                reason = None if size < 0 else EMPTY if size == 0 else limits.refused(size)
                pairs.append(reason)
                if reason is None and limits.max_encoders is not None:
                    node = levels[1][number]
                    heads_of[number] = len(heads(node.body, len(node.types), largest_head))
            _limit_work(pairs, sizes, limits.joined_tuples)
        chosen = [True] * len(disjunctions)
        if limits.max_encoders is not None:
            wanted = [n for n, reason in enumerate(pairs) if reason is None]
            bodies = sum(heads_of[n] for n in wanted)
            if bodies + len(disjunctions) > limits.max_encoders:
                # Disjunctions get what the conjunctions leave, and a quarter in any case.
                room = max(limits.max_encoders // 4, limits.max_encoders - bodies)
                chosen = _overlapping(language, disjunctions, room)
                left = limits.max_encoders - sum(chosen)
                for number in sorted(wanted, key=lambda n: (-sizes[n], n)):
                    left -= heads_of[number]
                    if left < 0:
                        pairs[number] = UNEVALUATED
        return cls(pairs, chosen)


def _pair_sizes(
    language: EncoderLanguage, singles: Sequence[BodyNode], pairs: Sequence[BodyNode]
) -> list[int]:
    """Return the sizes of the joins of two literals; -1 where the second one is a test."""
    joins = {}
    for number, node in enumerate(pairs):
        if not language.symbols[node.literal[0]].tests:
            (first,) = singles[node.parent].body
            shared = tuple(v for v in dict.fromkeys(node.literal[1]) if v in first[1])
            joins[number] = Join(first, node.literal, shared)
    found = dict(zip(joins, language.engine.sizes(language.templates, list(joins.values())), strict=True))
    return [found.get(number, -1) for number in range(len(pairs))]


def _limit_work(pairs: list[str | None], sizes: Sequence[int], most: int | None) -> None:
    """Leave out the largest joins where all together have too many tuples."""
    if most is None:
        return
    left = most
    wanted = (number for number, reason in enumerate(pairs) if reason is None)
    for number in sorted(wanted, key=lambda n: sizes[n]):
        left -= max(0, sizes[number])
        if left < 0:
            pairs[number] = TOO_LARGE


def _overlapping(
    language: EncoderLanguage, disjunctions: Sequence[tuple[tuple[int, ...], IndexBody]], count: int
) -> list[bool]:
    """Return which disjunctions are among those whose disjuncts have most tuples in common.

    A disjunction of disjoint relations is as large as both together: it saves nothing by itself.
    """
    joins, owners = [], []
    for number, (kinds, literals) in enumerate(disjunctions):
        for first, second in pairwise(literals):
            joins.append(Join(first, second, tuple(range(len(kinds))), distinct=True))
            owners.append(number)
    common = [0] * len(disjunctions)
    for number, size in zip(owners, language.engine.sizes(language.templates, joins), strict=True):
        common[number] += size
    best = sorted(range(len(common)), key=lambda n: -common[n])[:count]
    chosen = {number for number in best if common[number] > 0}
    return [number in chosen for number in range(len(common))]
