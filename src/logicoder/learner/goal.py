"""What is minimised, and by which learner: a solver that selects clauses, or a search for a short message."""

from __future__ import annotations

from logicoder.base.errors import UsageError
from logicoder.base.setting import settings_of
from logicoder.learner.parameters import LearnerParameters

MESSAGES = ("bits", "stored")
"""What a search for a short message can minimise."""

OF_BOTH = frozenset({"objective", "effort", "time_limit", "max_memory", "seed", "jobs"})
"""Settings that both learners have; all others are those of the selection."""


def goal_of(settings: LearnerParameters) -> str:
    """Return the objective: unless given the bits, or the loss where there are settings of the selection.

    >>> goal_of(LearnerParameters()), goal_of(LearnerParameters(compression=0.5))
    ('bits', 'lexicographic')
    """
    if settings.objective is not None:
        return settings.objective
    return "lexicographic" if _of_selection(settings) else "bits"


def selects(settings: LearnerParameters) -> bool:
    """Whether a solver selects the clauses: under other objectives, and under settings of the selection.

    >>> selects(LearnerParameters(seed=3)), selects(LearnerParameters(objective="bits", compression=0.5))
    (False, True)
    """
    given = _of_selection(settings)
    if settings.objective == "stored" and given:
        raise UsageError(
            f"the objective stored does not support {', '.join(given)}: these settings belong to the "
            f"selection by a solver, which has other objectives"
        )
    return bool(given) or goal_of(settings) not in MESSAGES


def _of_selection(settings: LearnerParameters) -> list[str]:
    """Return the settings of the selection that differ from their defaults."""
    declared = settings_of(LearnerParameters)
    return [
        name
        for name, setting in declared.items()
        if name not in OF_BOTH and getattr(settings, name) != setting.default
    ]
