"""Tables and programs for people; on a pipe without colours, and never cut to a width there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from logicoder import AutoEncoder, Program, Reconstruction, StackedAutoEncoder
    from logicoder.autoencoder.bits import Bits

_WIDE = 100_000
_SCOPES = {
    "pruned": "proven for the candidates that were left",
    "enumerated": "proven for all candidates",
    "language": "proven for the whole language",
}
_ENCODER_RULES = (
    "empty",
    "too_large",
    "unevaluated",
    "over_bottleneck",
    "memory",
    "forbidden",
    "naming_variants",
)
_RULES = {
    "empty": "derive nothing",
    "too_large": "too many tuples",
    "unevaluated": "beyond the limit on encoders",
    "over_bottleneck": "more facts than allowed",
    "memory": "beyond the memory",
    "forbidden": "forbidden",
    "naming_variants": "naming variants",
    "unsupported": "rebuild no fact",
    "corruption": "too many false atoms",
    "repeated": "come twice",
    "signature_variants": "signature variants",
    "extensions": "extensions of others",
    "dominated": "dominated by others",
    "limit": "beyond the limit",
    "forbidden_decoders": "forbidden",
}


def console() -> Console:
    """Return the console of standard output."""
    from rich.console import Console  # noqa: PLC0415  (not needed for JSON)

    class Output(Console):
        def on_broken_pipe(self) -> None:
            # Rich would exit with 1; `guarding` ends the command quietly, as for every other output.
            raise BrokenPipeError

    found = Output(highlight=False)
    # Nobody looks at a pipe: what reads it wants whole lines.
    return found if found.is_terminal else Output(highlight=False, width=_WIDE)


def print_json(content: dict[str, Any]) -> None:
    """Print one JSON object."""
    print(json.dumps(content, indent=2, ensure_ascii=False))


def clause_texts(model: AutoEncoder | StackedAutoEncoder) -> dict[str, list[str]]:
    """Return both programs as lists of clauses, for JSON."""
    return {"encoder": list(map(str, model.encoder_)), "decoder": list(map(str, model.decoder_))}


def print_heading(text: str) -> None:
    """Print a heading, with a blank line before it."""
    from rich.text import Text  # noqa: PLC0415

    out = console()
    out.print()
    out.print(Text(text, style="bold"), soft_wrap=True)


def print_lines(lines: Iterable[object]) -> None:
    """Print lines as they are: no wrapping, no markup."""
    for line in lines:
        print(line)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table; columns of numbers are set to the right."""
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    rows = [list(row) for row in rows]
    table = Table(box=SIMPLE_HEAD, show_header=any(columns), pad_edge=False, header_style="bold")
    for index, name in enumerate(columns):
        numeric = bool(rows) and all(isinstance(row[index], int | float) for row in rows)
        table.add_column(Text(name), justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(number_text(cell)) for cell in row))
    _print_stripped(table)


def print_pairs(pairs: Iterable[tuple[str, object, str]]) -> None:
    """Print named values, numbers set to the right, each with a remark."""
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(justify="right", overflow="fold")
    table.add_column(overflow="fold")
    for name, value, remark in pairs:
        table.add_row(Text(name, style="bold"), Text(number_text(value)), Text(remark))
    _print_stripped(table)


def _print_stripped(table: object) -> None:
    """Print a table without blanks at the ends of its lines."""
    out = console()
    with out.capture() as captured:
        out.print(table)
    lines = [line.rstrip() for line in captured.get().splitlines()]
    print("\n".join(lines).strip("\n"))


def number_text(value: object) -> str:
    """Return a value as text, thousands apart.

    >>> number_text(11759354), number_text(0.25), number_text("as it is"), number_text(None)
    ('11,759,354', '0.25', 'as it is', '-')
    """
    if value is None:
        return "-"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def seconds_text(seconds: float) -> str:
    """Return a duration.

    >>> seconds_text(0.1234), seconds_text(75.2)
    ('0.12 s', '1 min 15 s')
    """
    if seconds < 60:
        return f"{seconds:.2f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def print_programs(encoder: Program, decoder: Program, which: str = "") -> None:
    """Print the clauses of both programs, one per line, and what each latent predicate means."""
    from logicoder.logic.gloss import glossed  # noqa: PLC0415

    print_heading(f"Encoder{which}")
    print_lines(glossed(encoder))
    print_heading(f"Decoder{which}")
    print_lines(decoder)


def print_reconstruction(outcome: Reconstruction) -> None:
    """Print how each predicate came back."""
    print_heading("Reconstruction")
    print_table(
        ("predicate", "facts", "rebuilt", "missing", "false"),
        ((p.predicate, p.facts, p.rebuilt, p.missing, p.false) for p in outcome.predicates),
    )


def print_layers(layers: Sequence[AutoEncoder]) -> None:
    """Print what each layer of a stack came to, and its programs."""
    print_heading("Layers")
    print_table(
        ("layer", "facts", "latent predicates", "latent facts", "loss", "bound", "status"),
        (
            (
                number,
                getattr(layer, "facts_", None),
                len(layer.encoder_.defined()),
                getattr(layer, "latent_facts_", None),
                getattr(layer, "loss_", None),
                getattr(layer, "bound_", None),
                getattr(layer, "status_", None),
            )
            for number, layer in enumerate(layers, start=1)
        ),
    )
    for number, layer in enumerate(layers, start=1):
        print_programs(layer.encoder_, layer.decoder_, f" of layer {number}")


def print_bits(bits: Bits) -> None:
    """Print what a lossless encoding costs."""
    saved = f"{bits.saved / bits.plain:.1%} of the plain facts" if bits.plain else ""
    print_heading("Bits")
    print_pairs(
        (
            ("plain facts", round(bits.plain), ""),
            ("latent facts", round(bits.latent), ""),
            ("exceptions", round(bits.exceptions), ""),
            ("program", round(bits.program), ""),
            ("saved", round(bits.saved), saved),
        )
    )


def print_summary(model: AutoEncoder | StackedAutoEncoder, seconds: float | None = None) -> None:
    """Print what a fit came to; results that a model does not know are left out."""
    scope = getattr(model, "bound_scope_", None)
    latent = model.programs()[-1][0].defined()
    gap = getattr(model, "gap_", None)
    pairs: list[tuple[str, object, str]] = [
        ("facts", getattr(model, "facts_", None), ""),
        ("latent facts", getattr(model, "latent_facts_", None), f"of {len(latent)} latent predicates"),
        ("loss", getattr(model, "loss_", None), _parts(model)),
        ("minimised", _minimised(model), _quantity(model)),
        ("bound", getattr(model, "bound_", None), _SCOPES.get(str(scope), "")),
        ("gap", None if gap is None else f"{gap:.1%}", ""),
        ("size", getattr(model, "size_", None), "latent facts and body literals"),
        ("bits", _rounded(getattr(model, "bits_", None)), _plain_bits(model)),
        ("status", getattr(model, "status_", None), _stopped(model)),
        ("layers", len(getattr(model, "layers_", ())) or None, ""),
        ("time", None if seconds is None else seconds_text(seconds), ""),
    ]
    print_pairs(pair for pair in pairs if pair[1] is not None)


def _minimised(model: AutoEncoder | StackedAutoEncoder) -> object:
    """Return what was minimised, where it is not simply the loss."""
    value = getattr(model, "objective_", None)
    return None if value == getattr(model, "loss_", None) else _rounded(value)


def _quantity(model: AutoEncoder | StackedAutoEncoder) -> str:
    return "bits" if model.get_params()["objective"] == "bits" else "weighted loss"


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
    reason = getattr(model, "stopped_", None)
    texts = {"effort": "all effort spent", "time limit": "stopped by the time limit"}
    if not reason:
        return ""
    text = texts.get(reason, str(reason))
    if getattr(model, "status_", "") != "optimal":
        return text
    if model.statistics_["candidates"].get("rounds") and getattr(model, "loss_", 0):
        return f"(for these candidates; others may lose less: {text})"
    # The status concerns the objective; what was cut short then is the search for a smaller program.
    return f"(a smaller program may exist: {text})"


def print_candidates(candidates: dict[str, Any]) -> None:
    """Print how many candidates there were and what each pruning rule took away."""
    pruned = {rule: -number for rule, number in candidates["pruned"].items() if number}
    partly = -pruned.pop("partly_combined", 0)
    sampled = -pruned.pop("sampled_heads", 0)
    rows: list[tuple[str, object]] = [
        ("encoders enumerated", candidates["encoders"]),
        *((f"  {_RULES[rule]}", number) for rule, number in pruned.items() if rule in _ENCODER_RULES),
        ("encoders kept", candidates["after_naming_variants"]),
        ("decoders evaluated", candidates["decoders_evaluated"]),
        *(
            (f"  {_RULES.get(rule, rule)}", number)
            for rule, number in pruned.items()
            if rule not in _ENCODER_RULES
        ),
        ("decoders kept", candidates["decoders"]),
    ]
    if partly:
        rows.insert(-1, ("latents combined with some others only", partly))
    if sampled:
        rows.insert(-1, ("predicates judged by samples", sampled))
    print_heading("Candidates")
    print_table(("step", "clauses"), rows)
