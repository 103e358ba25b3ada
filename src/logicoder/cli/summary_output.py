"""What a fit came to, for people: its figures, and how many candidates there were."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from logicoder.base.numbers import seconds_text
from logicoder.cli.output import print_heading, print_pairs, print_table

if TYPE_CHECKING:
    from logicoder import AutoEncoder, StackedAutoEncoder


def print_summary(model: AutoEncoder | StackedAutoEncoder, seconds: float | None = None) -> None:
    """Print what a fit came to; results that a model does not know are left out."""
    from logicoder.report.search_steps import SCOPES  # noqa: PLC0415  (not needed for JSON)

    scope = getattr(model, "bound_scope_", None)
    latent = model.programs()[-1][0].defined()
    gap = getattr(model, "gap_", None)
    pairs: list[tuple[str, object, str]] = [
        ("facts", getattr(model, "facts_", None), _learned_from(model)),
        ("latent facts", getattr(model, "latent_facts_", None), f"of {len(latent)} latent predicates"),
        ("loss", getattr(model, "loss_", None), _parts(model)),
        ("masked", _masked(model), "missing without looking at their own predicate"),
        ("minimised", _minimised(model), _quantity(model)),
        ("bound", "none" if scope == "none" else getattr(model, "bound_", None), SCOPES.get(str(scope), "")),
        ("gap", None if gap is None else f"{gap:.1%}", ""),
        ("size", getattr(model, "size_", None), "latent facts and body literals"),
        ("bits", _rounded(getattr(model, "bits_", None)), _plain_bits(model)),
        ("status", getattr(model, "status_", None), _stopped(model)),
        ("layers", len(getattr(model, "layers_", ())) or None, ""),
        ("time", None if seconds is None else seconds_text(seconds), ""),
    ]
    print_pairs(pair for pair in pairs if pair[1] is not None)


def _learned_from(model: AutoEncoder | StackedAutoEncoder) -> str:
    """Return that the program is that of a sample, where it is, and all figures those of all facts."""
    record = getattr(model, "statistics_", {}).get("engine") or {}
    if not record or record["facts_in_memory"] >= model.facts_:
        return ""
    return f"counted by {record['name']}; the program is that of {record['facts_in_memory']:,} facts"


def _minimised(model: AutoEncoder | StackedAutoEncoder) -> object:
    """Return what was minimised, where it is not simply the loss."""
    value = getattr(model, "objective_", None)
    return None if value == getattr(model, "loss_", None) else _rounded(value)


def _quantity(model: AutoEncoder | StackedAutoEncoder) -> str:
    names = {"bits": "bits", "masked": "loss and masked loss"}
    return names.get(_goal(model), "weighted loss")


def _masked(model: AutoEncoder | StackedAutoEncoder) -> object:
    """Return the masked loss, where it was of interest."""
    return getattr(model, "masked_", None) if "masked" in _goal(model) else None


def _goal(model: AutoEncoder | StackedAutoEncoder) -> str:
    """Return what was minimised; models of version 0.1 say so in their parameters alone."""
    return str(getattr(model, "goal_", None) or model.get_params()["objective"])


def _rounded(value: float | None) -> object:
    return value if value is None or isinstance(value, int) else f"{value:,.1f}"


def _plain_bits(model: AutoEncoder | StackedAutoEncoder) -> str:
    saved = getattr(model, "bits_saved_", None)
    if saved is None:
        return ""
    return f"{abs(saved):,.1f} {'fewer' if saved >= 0 else 'more'} than the facts themselves"


def _parts(model: AutoEncoder | StackedAutoEncoder) -> str:
    missing, false = getattr(model, "missing_", None), getattr(model, "false_", None)
    return f"= {missing:,} missing + {false:,} false" if missing is not None and false is not None else ""


def _stopped(model: AutoEncoder | StackedAutoEncoder) -> str:
    from logicoder.report.search_steps import why_stopped  # noqa: PLC0415  (not needed for JSON)

    text = why_stopped(model)
    return f"({text})" if text and getattr(model, "status_", "") == "optimal" else text


def print_candidates(candidates: dict[str, Any]) -> None:
    """Print how many candidates there were and what each pruning rule took away."""
    from logicoder.report.search_steps import NOT_REMOVED, rules_of  # noqa: PLC0415  (not needed for JSON)

    pruned = candidates["pruned"]

    def lines(part: str) -> list[tuple[str, object]]:
        return [(f"  {words}", -pruned[rule]) for rule, words in rules_of(candidates, part).items()]

    rows: list[tuple[str, object]] = [
        ("encoders enumerated", candidates["encoders"]),
        *lines("encoder"),
        ("encoders kept", candidates["after_naming_variants"]),
        ("decoders evaluated", candidates["decoders_evaluated"]),
        *lines("decoder"),
        *((words, pruned[rule]) for rule, words in NOT_REMOVED.items() if pruned.get(rule)),
        ("decoders kept", candidates["decoders"]),
    ]
    print_heading("Candidates")
    print_table(("step", "clauses"), rows)
