"""What a model says that was learned by description length, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from logicoder.base.numbers import seconds_text
from logicoder.cli.output import print_heading, print_lines, print_pairs, print_programs, print_table

if TYPE_CHECKING:
    from logicoder import AutoEncoder, KnowledgeBase, Program
    from logicoder.engine.sql.stored_data import StoredData

_CLOSE = 1e-6
"""A gap that is none."""
_MOST = 20
"""Clauses whose worth is listed, and predicates that are named, at the end of a fit."""

_FEW = 6
"""Sentences about what was found that come first."""

_SLIGHT = 0.05
"""The share of its facts up to which a sentence about a predicate is not among those that come first."""

_QUICK = 1_000_000
"""Facts up to which these are found soon enough."""

_LONG = 60
"""Clauses of the decoder that are shown then."""


def says_message(model: object) -> TypeGuard[AutoEncoder]:
    """Whether a model was learned by description length."""
    return getattr(model, "plan_", None) is not None


def message_fields(model: AutoEncoder) -> dict[str, Any]:
    """Return what is particular to such a model, as plain data."""
    return {
        "bits": model.bits_,
        "plain_bits": model.plain_bits_,
        "domain_bits": model.domain_bits_,
        "bits_saved": model.bits_saved_,
        "exceptions": model.exceptions_,
        "kept": list(model.kept_),
        "kept_facts": model.kept_facts_,
        "bases": [base.name for base in model.bases_],
        "clauses": model.clauses_,
        "unseen": getattr(model, "unseen_", None),
    }


def print_message_run(model: AutoEncoder, seconds: float | None = None, *, every: bool = False) -> None:
    """Print what a fit by description length came to.

    Args:
        model: the model.
        seconds: how long that took.
        every: whether to list all clauses.
    """
    _print_figures(model, seconds)
    if not len(model.decoder_):
        print_heading(_nothing(model))
    else:
        decoder = _telling(model)
        shown = decoder if every or len(decoder) <= _LONG else type(decoder)(decoder.clauses[:_LONG])
        print_programs(model.encoder_, shown)
        if len(shown) < len(decoder):
            print_lines([f"... and {len(decoder) - len(shown):,} more; `logicoder show` lists all"])
    _print_predicates(model, None if every else _MOST)
    _print_clauses(model, None if every else _MOST)


def print_findings(model: AutoEncoder, kb: KnowledgeBase | StoredData) -> None:
    """Print the first few sentences about what was found; large data are left to `logicoder insights`."""
    from logicoder.base.errors import UsageError  # noqa: PLC0415  (not needed for JSON)

    if not len(model.decoder_) or len(kb) > _QUICK:
        return
    try:
        found = model.insights(kb).findings
    except UsageError:  # clauses that derive too much
        return
    if not found:
        return
    first = [row for row in found if row.holds >= _SLIGHT * row.total][:_FEW]
    print_lines(row.text for row in first)
    if len(found) > len(first):
        more = f"{len(found) - len(first):,} more" if first else "Little follows from anything else"
        print_lines([f"{'... and ' if first else ''}{more}; `logicoder insights` lists all"])
    print()


def _telling(model: AutoEncoder) -> Program:
    """Return the decoder without the clauses that only take over what others leave over."""
    from logicoder import Program  # noqa: PLC0415  (numpy takes its time)

    left = {base.name for base in model.bases_ if base.form == "rest"}
    return Program(tuple(clause for clause in model.decoder_ if not clause.body_predicates() & left))


def _nothing(model: AutoEncoder) -> str:
    from logicoder.report.search_steps import why_stopped  # noqa: PLC0415  (not needed for JSON)

    if why_stopped(model):
        return "The search ended before a clause was found: all facts are kept as they are"
    if model.bits_saved_ > 0:
        return "No clause here is right more often than wrong: all facts are kept as they are"
    return "Nothing here repeats: kept as it is"


def _print_figures(model: AutoEncoder, seconds: float | None) -> None:
    from logicoder.report.search_steps import gap_words, why_stopped  # noqa: PLC0415  (not needed for JSON)

    kept = f"{model.latent_facts_ / max(1, model.facts_):.1%} of the facts"
    if model.latent_facts_ > model.facts_:
        kept += "; latent predicates have facts of their own, which are counted, too"
    saved = (
        f"{model.bits_ / max(1.0, model.plain_bits_):.1%} of the {model.plain_bits_:,.1f} of the plain facts"
    )
    fewer = (
        f"{model.bits_saved_:,.1f} fewer than the {model.domain_bits_:,.1f} with domains of arguments alone"
    )
    missed, they = ("facts that clauses miss, and ", "they") if model.missing_ else ("", "clauses")
    pairs: list[tuple[str, object, str]] = [
        ("facts", model.facts_, ""),
        ("kept", model.latent_facts_, kept),
        ("bits", f"{model.bits_:,.1f}", saved),
        ("", "", fewer),
        ("exceptions", model.exceptions_, f"{missed}atoms that {they} derive but are not facts"),
        (
            "loss",
            model.loss_,
            f"= {model.missing_:,} missing + {model.false_:,} false, from kept facts alone",
        ),
    ]
    unseen = getattr(model, "unseen_", None)
    if unseen is not None:
        share = f"{unseen['bits'] / max(1.0, unseen['plain_bits']):.1%} of {unseen['plain_bits']:,.1f} bits"
        pairs.append(("unseen facts", unseen["facts"], f"{share}, loss {unseen['loss']:,}"))
    if model.bound_ > 0:
        pairs.append(("bound", f"{model.bound_:,.1f}", gap_words(model.gap_, model.bound_scope_)))
    pairs += [
        ("status", _status(model), why_stopped(model)),
        *([] if seconds is None else [("time", seconds_text(seconds), "")]),
    ]
    print_pairs(pairs)


def _status(model: AutoEncoder) -> str:
    """Return how good the message is known to be."""
    if model.status_ == "optimal":
        return "proved the best"
    return "best of the candidates" if model.gap_ <= _CLOSE else "best so far"


def _print_predicates(model: AutoEncoder, most: int | None) -> None:
    from logicoder.logic.symbols import atom_text  # noqa: PLC0415  (not needed for JSON)

    def some(texts: Sequence[str]) -> str:
        rest = f", and {len(texts) - most:,} more" if most is not None and len(texts) > most else ""
        return ", ".join(texts[:most]) + rest

    def listed(names: Sequence[str]) -> str:
        return some(list(map(atom_text, names)))

    if model.kept_ and len(model.decoder_):
        print_heading(f"Kept as they are: {listed(model.kept_)}")
    partly = [base for base in model.bases_ if base.form == "rest"]
    if partly:
        facts = {score.predicate: f" of {score.facts:,}" for score in getattr(model, "scores_", ())}
        told = [
            f"{atom_text(base.predicate)} ({model.kept_facts_[base.name]:,}{facts.get(base.predicate, '')})"
            for base in partly
        ]
        print_heading(f"Kept in part, what the clauses do not derive: {some(told)}")
    rebuilt = [
        score
        for score in getattr(model, "scores_", ())
        # A sample may have no facts of a predicate, and then nothing of it is rebuilt either.
        if score.predicate not in model.kept_ and (score.facts or score.loss)
    ]
    exact = [score.predicate for score in rebuilt if not score.loss]
    if exact:
        print_heading(f"Rebuilt exactly: {listed(exact)}")
    others = [score for score in rebuilt if score.loss]
    if others:
        print_heading("Rebuilt with exceptions")
        print_table(
            ("predicate", "facts", "rebuilt", "missing", "false"),
            ((atom_text(s.predicate), s.facts, s.rebuilt, s.missing, s.false) for s in others[:most]),
        )
        if most is not None and len(others) > most:
            print_lines([f"... and {len(others) - most:,} more"])


def _print_clauses(model: AutoEncoder, most: int | None) -> None:
    shown = model.clauses_[:most]
    if not shown:
        return
    print_heading("What each clause saves")
    print_table(
        ("bits", "right", "of", "clause", ""),
        (
            (
                round(item["saved"], 1),
                item["true"],
                item["derived"],
                item["clause"],
                "" if item["decodes"] else "only shows where to look",
            )
            for item in shown
        ),
    )
    if len(shown) < len(model.clauses_):
        print_lines([f"... and {len(model.clauses_) - len(shown):,} more; `logicoder show` lists all"])
