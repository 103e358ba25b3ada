"""Counts of candidates, step by step, as runs tell and save them."""

from __future__ import annotations

from typing import TypedDict

from logicoder.base.saved_json import Count


class CandidateCounts(TypedDict):
    """How many candidates there were, and what each rule took away."""

    encoders: Count
    after_naming_variants: Count
    decoders_evaluated: Count
    decoders: Count
    rounds: Count
    pruned: dict[str, Count]
