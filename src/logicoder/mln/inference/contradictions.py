"""Hard formulas that the evidence contradicts: counted and shown, not hidden."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

EXAMPLES = 3
"""How many contradicting groundings of a formula are shown."""


@dataclass(frozen=True)
class Contradiction:
    """Groundings of a hard formula that contradict the evidence; inference goes on without them.

    Attributes:
        interpretation: the world.
        number: of the formula in the network, from zero.
        formula: its text.
        count: how many groundings were dropped.
        examples: a few of them.
    """

    interpretation: str
    number: int
    formula: str
    count: int
    examples: tuple[str, ...]

    def __str__(self) -> str:
        shown = "; ".join(self.examples)
        return f"{self.interpretation}: {self.formula} is violated {self.count} times, such as {shown}"


def gathered(parts: Iterable[Contradiction]) -> tuple[Contradiction, ...]:
    """Return one entry per world and formula."""
    found: dict[tuple[str, int], Contradiction] = {}
    for part in parts:
        key = part.interpretation, part.number
        known = found.get(key)
        if known is None:
            found[key] = part
        else:
            examples = (*known.examples, *part.examples)[:EXAMPLES]
            found[key] = Contradiction(*key, known.formula, known.count + part.count, examples)
    return tuple(found[key] for key in sorted(found))
