"""What a saved model keeps of a fit: the attributes that end in an underscore, as plain data."""

from __future__ import annotations

from typing import TypedDict

from logicoder.base.saved_json import Count, Number
from logicoder.candidates.candidate_counts import CandidateCounts


class ClauseResult(TypedDict):
    """What a clause is worth; see `compression.programs.ClauseScore`."""

    clause: str
    saved: Number
    derived: Count
    true: Count
    decodes: bool


class Unseen(TypedDict):
    """What a program makes of facts that it was not learned from."""

    held_out: str
    facts: Count
    bits: Number | None
    plain_bits: Number | None
    loss: Count
    missing: Count
    false: Count


class Statistics(TypedDict, total=False):
    """Counts of candidates and times of phases."""

    candidates: CandidateCounts
    problem: dict[str, Count]
    seconds: dict[str, Number]


class Results(TypedDict, total=False):
    """Results in the order of run records; each may be missing, since learners know different things."""

    facts_: Count
    loss_: Count
    objective_: Number
    goal_: str
    bits_: Number
    plain_bits_: Number
    domain_bits_: Number
    bits_saved_: Number
    exceptions_: Count
    clauses_: list[ClauseResult]
    kept_facts_: dict[str, Count]
    size_: Count
    size_bound_: Count
    missing_: Count
    false_: Count
    masked_: Count
    bound_: Number
    gap_: Number
    status_: str
    stopped_: str | None
    bound_scope_: str
    latent_facts_: Count
    unseen_: Unseen | None
    statistics_: Statistics


RESULTS = tuple(Results.__annotations__)
