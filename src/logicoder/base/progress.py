"""Progress as plain events: the library reports them, and the caller decides what to show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PhaseStarted:
    """A phase of the work begins; `total` is the number of steps when it is known."""

    phase: str
    total: int | None = None


@dataclass(frozen=True)
class PhaseAdvanced:
    """A phase has done `done` of its steps.

    Attributes:
        phase: the phase.
        done: number of steps done.
        total: number of all steps, if known.
        left: estimated seconds left, if known better than from the steps.
        what: the step that begins now, in a word or two.
    """

    phase: str
    done: int
    total: int | None = None
    left: float | None = None
    what: str = ""


@dataclass(frozen=True)
class PhaseFinished:
    """A phase is over; `counts` holds what there is to say about it."""

    phase: str
    seconds: float
    counts: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Improved:
    """The search has a better program or a better bound.

    Attributes:
        loss: missing and false atoms.
        size: latent facts plus body literals.
        bound: proven lower bound on the objective.
        gap: (objective - bound) / max(1, objective).
        seconds: since the search began.
        method: the solver at work.
        objective: what is minimised: the weighted loss, or the description length in bits; None in records
            that knew only the loss.
    """

    loss: int
    size: int
    bound: float
    gap: float
    seconds: float
    method: str
    objective: float | None = None


@dataclass(frozen=True)
class LayerStarted:
    """The phases that follow are those of one layer of a stack."""

    layer: int
    layers: int


Event = LayerStarted | PhaseStarted | PhaseAdvanced | PhaseFinished | Improved
Reporter = Callable[[Event], None]


def silent(event: Event) -> None:
    """Report to nobody."""
