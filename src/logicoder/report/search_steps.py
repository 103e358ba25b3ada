"""How a search went, from what a model keeps of it: candidates step by step, improvements, seconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from logicoder.autoencoder.auto_encoder import AutoEncoder

ENCODER_RULES = {
    "empty": "derive nothing",
    "too_large": "too many tuples",
    "unevaluated": "beyond the limit on encoders",
    "over_bottleneck": "more facts than allowed",
    "memory": "beyond the memory",
    "forbidden": "forbidden",
    "naming_variants": "naming variants",
}
DECODER_RULES = {
    "unsupported": "rebuild no fact",
    "corruption": "too many false atoms",
    "repeated": "come twice",
    "signature_variants": "signature variants",
    "extensions": "extensions of others",
    "limit": "beyond the limit",
    "forbidden_decoders": "forbidden",
    "dominated": "dominated by others",
}
"""The rules that take candidates away, in the order in which they do, and words for them."""

NOT_REMOVED = {
    "partly_combined": "latents combined with some others only",
    "sampled_heads": "predicates judged by samples",
}
"""Counts beside those of the rules that take no candidate away."""

SCOPES = {
    "pruned": "proven for the remaining candidates",
    "enumerated": "proven for all candidates",
    "language": "proven for the whole language",
    "none": "no bound: nothing above zero is proven",
}
"""What a bound covers."""

FAR = 0.9
"""A bound that leaves more than this share open says nothing."""
TOO_FAR = "too far below to be informative"

STOPPED = {"effort": "all effort spent", "time limit": "stopped by the time limit"}

PHASES = {
    "read": "reading",
    "encoders": "encoder candidates",
    "decoders": "decoder candidates",
    "problem": "building the problem",
    "solve": "selecting",
    "rules": "looking for rules",
    "programs": "making programs",
    "write": "writing",
}


def rules_of(candidates: Mapping[str, Any], part: str) -> dict[str, str]:
    """Return the rules that took candidates of a part away; one without words is a decoder's, by its name."""
    counted = [rule for rule, number in candidates["pruned"].items() if number]
    known = ENCODER_RULES if part == "encoder" else DECODER_RULES
    found = {rule: words for rule, words in known.items() if rule in counted}
    if part == "decoder":
        strange = [rule for rule in counted if rule not in {**ENCODER_RULES, **DECODER_RULES, **NOT_REMOVED}]
        found |= {rule: rule.replace("_", " ") for rule in strange}
    return found


def gap_words(gap: float, scope: str) -> str:
    """Return what a bound in bits says.

    >>> gap_words(0.261, "pruned")
    'a gap of 26.1%, proven for the remaining candidates'
    >>> gap_words(0.995, "language")
    'too far below to be informative'
    """
    return f"a gap of {gap:.1%}, {SCOPES.get(scope, '')}" if gap < FAR else TOO_FAR


def why_stopped(model: object) -> str:
    """Return why a search ended early and what that leaves open; nothing for one that came to its end."""
    reason = getattr(model, "stopped_", None)
    if not reason:
        return ""
    text = STOPPED.get(reason, str(reason))
    if getattr(model, "status_", "") != "optimal":
        return text
    candidates = getattr(model, "statistics_", {}).get("candidates", {})
    if candidates.get("rounds") and getattr(model, "loss_", 0):
        return f"for these candidates; others may lose less: {text}"
    # The status concerns the objective; what was cut short then is the search for a smaller program.
    return f"a smaller program may exist: {text}"


@dataclass(frozen=True)
class PruningStep:
    """What one rule left of the candidates.

    Attributes:
        part: `encoder` or `decoder`.
        rule: the rule in words.
        before: candidates before it.
        after: candidates that are left.
    """

    part: str
    rule: str
    before: int
    after: int

    @property
    def removed(self) -> int:
        """Candidates that it took away."""
        return self.before - self.after


def pruning_steps(candidates: Mapping[str, Any]) -> list[PruningStep]:
    """Return the steps from all candidates to those that the solver chose among.

    >>> steps = pruning_steps({"encoders": 9, "after_naming_variants": 4, "decoders_evaluated": 7,
    ...     "decoders": 5, "rounds": 0, "pruned": {"empty": 2, "naming_variants": 3, "limit": 2}})
    >>> [(step.rule, step.before, step.after) for step in steps]
    [('derive nothing', 9, 7), ('naming variants', 7, 4), ('beyond the limit', 7, 5)]
    """
    ends = (
        ("encoder", candidates["encoders"], candidates["after_naming_variants"]),
        ("decoder", candidates["decoders_evaluated"], candidates["decoders"]),
    )
    found: list[PruningStep] = []
    for part, first, last in ends:
        left = first
        for rule, words in rules_of(candidates, part).items():
            removed = candidates["pruned"][rule]
            found.append(PruningStep(part, words, left, left - removed))
            left -= removed
        if left != last:  # rounds count every candidate that they evaluate and keep the best of all of them
            found.append(PruningStep(part, "left out or kept between rounds", left, last))
    return found


@dataclass(frozen=True)
class Progress:
    """One moment of a search: what the best program costs, and what is proven."""

    seconds: float
    objective: float
    bound: float


def progress_of(run: AutoEncoder) -> list[Progress]:
    """Return the moments of a search, from its first program to its end as far as that is known."""
    found = [
        Progress(
            event.seconds, float(event.loss if event.objective is None else event.objective), event.bound
        )
        for event in run.history_
    ]
    objective, bound = getattr(run, "objective_", None), getattr(run, "bound_", None)
    if found and objective is not None and bound is not None:
        spent = getattr(run, "statistics_", {}).get("seconds", {}).get("solve") or 0.0
        found.append(Progress(max(found[-1].seconds, spent), float(objective), float(bound)))
    return found
