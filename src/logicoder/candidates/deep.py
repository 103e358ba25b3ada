"""Decoder candidates of three literals and more, grown literal by literal, best first.

Only the most promising bodies are extended further, and where that leaves some out it is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import nlargest

from logicoder.candidates.bodies import canonical
from logicoder.engine.clauses import IndexBody
from logicoder.engine.handles import Counted, Grown
from logicoder.engine.interface import Advanced, Engine, Growth
from logicoder.engine.questions import DecoderQuestion


@dataclass(frozen=True)
class DeepEnumeration:
    """Evaluates decoder candidates of at least three literals.

    Attributes:
        engine: holds the data.
        question: the heads, the latents to combine, and what is accepted.
        max_bodies: most bodies of one length to extend for each head, and most candidates of one length to
            keep; the others are counted.
        drop_extensions: leave out extensions of a body that derives nothing false.
    """

    engine: Engine
    question: DecoderQuestion
    max_bodies: int | None
    drop_extensions: bool

    def run(self, advanced: Advanced) -> Iterator[Counted]:
        """Yield the accepted candidates; `advanced` is told how many heads are done, of how many."""
        heads = self.question.heads
        growths = self.engine.grow(self.question, drop_clean=self.drop_extensions)
        for done, (head, growth) in enumerate(zip(heads, growths, strict=True)):
            yield from self._grown(len(head.types), growth, lambda: advanced(done, len(heads)))  # noqa: B023
        advanced(len(heads), len(heads))

    def _grown(self, size: int, growth: Growth, alive: Callable[[], None]) -> Iterator[Counted]:
        frontier = self._first(growth)
        for length in range(2, self.question.length + 1):
            level: list[Grown] = []
            for body in frontier:
                alive()
                for extension in growth.extensions(body):
                    if length >= 3 and extension.false is not None and not self._counted(extension):
                        continue
                    level.append(extension)
            # Bodies that leave a head variable free have places of their own: they promise much.
            frontier = self._first_of_each([body for body in level if body.false is not None], size)
            frontier += self._first_of_each([body for body in level if body.false is None], size)
            if length >= 3:
                chosen = [b for b in frontier if self._acceptable(b) and not self._redundant(b, size)]
                listed = growth.listed(chosen)
                if listed is not None:
                    yield listed

    def _first(self, growth: Growth) -> list[Grown]:
        """Return the single literals that bind a head variable, those that most facts agree with first."""
        found = sorted(growth.first(), key=lambda body: (-body.worth, body.literals))
        most = len(found) if self.max_bodies is None else self.max_bodies
        self.question.statistics.limit += max(0, len(found) - most)
        return found[:most]

    def _acceptable(self, body: Grown) -> bool:
        return body.false is not None and bool(self.question.acceptance.mask(body.true, body.false))

    def _counted(self, body: Grown) -> bool:
        """Count a complete candidate; returns whether it is accepted or may be extended."""
        kept = self._acceptable(body)
        self.question.statistics.count(1, int(body.true > 0), int(kept))
        return kept or len(body.literals) < self.question.length

    def _redundant(self, body: Grown, size: int) -> bool:
        """Whether a shorter body says the same; on the way to longer ones such a body is still of use."""
        redundant = _repeats(body.literals, size)
        self.question.statistics.repeated += redundant
        return redundant

    def _first_of_each(self, level: list[Grown], size: int) -> list[Grown]:
        """Return the best bodies, each once whatever the order in which it was grown."""
        seen: set[IndexBody] = set()
        ordered = (
            sorted(level, key=_rank, reverse=True)
            if self.max_bodies is None
            else nlargest(3 * self.max_bodies, level, key=_rank)
        )
        statistics = self.question.statistics
        statistics.limit += len(level) - len(ordered)
        best: list[Grown] = []
        for body in ordered:
            form = canonical([(-1, tuple(range(size))), *body.literals])[0]
            if form in seen:
                statistics.repeated += body.false is not None and len(body.literals) >= 3
                continue
            if self.max_bodies is not None and len(best) >= self.max_bodies:
                statistics.limit += 1
                continue
            seen.add(form)
            best.append(body)
        return best


def _rank(body: Grown) -> tuple[float, float, IndexBody]:
    """Most worth first, false atoms held against it; ties are broken by the text."""
    return (body.worth - (body.false or 0), -body.variables, body.literals)


def _repeats(literals: IndexBody, head: int) -> bool:
    """Whether two literals differ only in existentials of their own: then a shorter body says the same."""
    users: dict[int, int] = {}
    for _, arguments in literals:
        for variable in set(arguments):
            users[variable] = users.get(variable, 0) + 1
    forms = set()
    for latent, arguments in literals:
        names: dict[int, int] = {}
        own = tuple(
            (a,) if users[a] > 1 or a < head else (-1, names.setdefault(a, len(names))) for a in arguments
        )
        forms.add((latent, own))
    return len(forms) < len(literals)
