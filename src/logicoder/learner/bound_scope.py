"""What a proven bound is about: the remaining candidates, all that were enumerated, or the language."""

from __future__ import annotations

from logicoder.candidates.candidate_counts import CandidateCounts
from logicoder.learner.settings import Settings
from logicoder.problem.bottlenecks import bottlenecks_of
from logicoder.selection import Solution


def bound_scope(candidates: CandidateCounts, settings: Settings, solution: Solution | None = None) -> str:
    """Return what a bound covers: all `enumerated` candidates if no rule can have lost the optimum.

    A program without loss is the best of the whole `language`, whatever was pruned; that no loss is below
    zero, while one was found that is above it, is no bound: `none`.

    Signature variants can stand for each other in every selection, and so can naming variants as long as
    generality lets only one of them be selected. Clauses that rebuild nothing are no loss by themselves, but
    under a bottleneck on the mean a small latent that only they use could make room for a larger one.
    Under other bottlenecks they are no loss at all, nor is a second name for the same facts, unless something
    is required that only they have. What is forbidden is not in question. Where bits count, a clause that was
    left out for another one of no more literals may still be the cheaper one.
    """
    if solution is not None and solution.bound == 0:
        return "language" if solution.objective == 0 else "none"
    kinds = {bottleneck.kind for bottleneck in bottlenecks_of(settings.bottlenecks)}
    harmless = {"forbidden", "forbidden_decoders", "repeated"}
    if not settings.require and "average" not in kinds:
        harmless |= {"empty", "unsupported"}
    if settings.goal != "bits" and "bits" not in kinds:
        harmless.add("signature_variants")
        apart = settings.dependency_variants or not settings.masks
        if apart and (settings.generality or harmless >= {"empty", "unsupported"}):
            harmless.add("naming_variants")
        if settings.prunes_dominated:
            harmless.add("dominated")
            # Long bodies are left out whatever the size of their latents, and parts may be forbidden later.
            if not settings.forbid and (settings.decoder_length < 3 or "average" not in kinds):
                harmless.add("extensions")
    lost = any(count for rule, count in candidates["pruned"].items() if rule not in harmless)
    # Rounds look only where the program of the moment can gain.
    return "pruned" if lost or candidates["rounds"] else "enumerated"
