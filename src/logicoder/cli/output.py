"""Tables and programs for people; on a pipe without colours, and never cut to a width there."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from logicoder.base.errors import harmless

if TYPE_CHECKING:
    from rich.console import Console

    from logicoder import AutoEncoder, Program, StackedAutoEncoder
    from logicoder.autoencoder import PredicateScore
    from logicoder.autoencoder.lossless_bits import Bits

_WIDE = 100_000
_WORD = 16
_LARGE = 1000
"""Longer words in a table may be broken where the terminal is narrow."""
_BETWEEN = 3
"""Blanks between the columns of a table."""
_NAME = re.compile(r"[a-z]\w*(?=\()")


def console() -> Console:
    """Return the console of standard output."""
    from rich.console import Console  # noqa: PLC0415  (not needed for JSON)

    class Output(Console):
        def on_broken_pipe(self) -> None:
            # Rich would exit with 1; `guard` ends the command quietly, as for every other output.
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
    out.print(Text(harmless(text), style="bold"), soft_wrap=True)


def print_lines(lines: Iterable[object]) -> None:
    """Print lines without wrapping and markup; control characters are spelled out."""
    for line in lines:
        print(harmless(str(line)))


MOST_ROWS = 500
"""Nobody reads more rows of a table."""


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]], rest: str | None = None) -> None:
    """Print a table; columns of numbers are set to the right.

    Args:
        columns: their names.
        rows: the cells.
        rest: how to see all rows: of many, some are shown then.
    """
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    rows = [list(row) for row in rows]
    more = len(rows) - MOST_ROWS if rest is not None else 0
    rows = rows[:MOST_ROWS] if more > 0 else rows
    cells, right = [], []
    for index in range(len(columns)):
        column = [row[index] for row in rows]
        numeric = any(_is_number(cell) for cell in column) and all(c is None or _is_number(c) for c in column)
        right.append(numeric)
        cells.append(aligned(column) if numeric else [number_text(cell) for cell in column])
    widths = _widths(columns, cells, right, console().width)
    table = Table(
        box=SIMPLE_HEAD,
        show_header=any(columns),
        pad_edge=False,
        header_style="bold",
        padding=(0, 1) if widths is None else (0, 0),
    )
    fixed: Sequence[int | None] = widths or [None] * len(columns)
    for name, numeric, width in zip(columns, right, fixed, strict=True):
        table.add_column(Text(name), justify="right" if numeric else "left", overflow="fold", width=width)
    for texts in zip(*cells, strict=True):
        table.add_row(*map(Text, texts))
    _print_stripped(table)
    if more > 0:
        print(f"... and {more:,} more; {rest}")


def _widths(
    columns: Sequence[str], cells: Sequence[Sequence[str]], right: Sequence[bool], width: int
) -> list[int] | None:
    """Return the widths of columns: where space is short headings give way before numbers and words do.

    They are None where everything fits, or where not even numbers and words do.

    >>> _widths(["compression", "status"], [["1,200.5", "7.0"], ["not optimal"]], [True, False], 19)
    [8, 8]
    >>> _widths(["compression", "status"], [["1,200.5", "7.0"], ["not optimal"]], [True, False], 60) is None
    True
    """
    from rich.cells import cell_len  # noqa: PLC0415  (not needed for JSON)

    found = [max(map(cell_len, (name, *texts))) for name, texts in zip(columns, cells, strict=True)]
    words = [[cell_len(word) for text in texts for word in text.split()] for texts in cells]
    least = [
        max(sizes, default=1) if numeric else min(max(sizes, default=1), _WORD)
        for sizes, numeric in zip(words, right, strict=True)
    ]
    room = width - len(found) - 1  # a blank around each column
    if sum(found) + _BETWEEN * len(found) <= width or sum(least) > room:
        return None
    while sum(found) > room:
        loosest = max(range(len(found)), key=lambda place: found[place] - least[place])
        found[loosest] -= 1
    return found


def _is_number(cell: object) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def aligned(column: Sequence[Any]) -> list[str]:
    """Return the numbers of a column as texts that line up at their points when they are set to the right.

    >>> aligned([0.5, 12, None, 0.25])
    ['0.50', '12.00', '-', '0.25']
    >>> aligned([1200, 7])
    ['1,200', '7']
    """
    digits = max((len(number_text(n).partition(".")[2]) for n in column if isinstance(n, float)), default=0)
    if any("e" in number_text(n) for n in column if isinstance(n, float)):
        return [number_text(number) for number in column]
    return [number_text(None) if number is None else f"{number:,.{digits}f}" for number in column]


def print_pairs(pairs: Iterable[tuple[str, object, str]]) -> None:
    """Print named values, numbers set to the right, each with a remark."""
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(justify="right", overflow="fold")
    table.add_column(overflow="fold")
    for name, value, remark in pairs:
        table.add_row(Text(harmless(name), style="bold"), Text(number_text(value)), Text(harmless(remark)))
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

    >>> number_text(11759354), number_text(26605.71), number_text(0.25), number_text("as it is")
    ('11,759,354', '26,605.7', '0.25', 'as it is')
    """
    if value is None:
        return "-"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return harmless(str(value))
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.1f}" if _LARGE <= abs(value) < math.inf else f"{value:.4g}"


def print_programs(encoder: Program, decoder: Program, which: str = "") -> None:
    """Print the clauses of both programs, one per line, and what each latent predicate means."""
    from logicoder.logic.gloss import glosses  # noqa: PLC0415

    latents = encoder.defined()
    if len(encoder):
        print_heading(f"Encoder{which}")
        _print_program(encoder, latents, glosses(encoder))
    print_heading(f"Decoder{which}")
    _print_program(decoder, latents, {})


def _print_program(program: Program, latents: Collection[str], remarks: Mapping[str, str]) -> None:
    """Print clauses: plain on a pipe; on a terminal long ones are broken, and names of latents coloured."""
    from rich.text import Text  # noqa: PLC0415

    from logicoder.logic.layout import clause_lines  # noqa: PLC0415

    out = console()
    width = out.width if out.is_terminal else None
    said = dict(remarks)
    for clause in program:
        remark = said.pop(clause.head.predicate, None)
        if remark is not None:
            out.print(Text(f"% {remark}", style="dim"), soft_wrap=True)
        for line in clause_lines(clause, width):
            text = Text(line)
            for place in _NAME.finditer(line):
                if place[0] in latents:
                    text.stylize("cyan", *place.span())
            out.print(text, soft_wrap=True)


def print_compared(
    told: Mapping[str, Any],
    predicates: Sequence[PredicateScore],
    first: Mapping[str, Sequence[str]],
    *,
    as_json: bool,
) -> None:
    """Print what came back of data.

    Args:
        told: the counts.
        predicates: the same for each predicate.
        first: some facts that are missing, and some that are false.
        as_json: whether to print one JSON object.
    """
    if as_json:
        print_json({**told, "first_missing": first["missing"], "first_false": first["false"]})
        return
    parts = f"= {told['missing']:,} missing + {told['false']:,} false"
    print_pairs(
        [
            ("facts", told["facts"], ""),
            ("latent facts", told["latent_facts"], ""),
            ("loss", told["loss"], parts),
        ]
    )
    print_reconstruction(predicates)
    for name, texts in first.items():
        if texts:
            shown, total = len(texts), told[name]
            which = f"first {shown:,} of {total:,}" if shown < total else f"{total:,}"
            print_heading(f"{name.capitalize()} ({which})")
            print_lines(texts)


def print_reconstruction(scores: Sequence[PredicateScore]) -> None:
    """Print how each predicate came back."""
    from logicoder.logic.symbols import atom_text  # noqa: PLC0415  (not needed for JSON)

    print_heading("Reconstruction")
    print_table(
        ("predicate", "facts", "rebuilt", "missing", "false"),
        ((atom_text(p.predicate), p.facts, p.rebuilt, p.missing, p.false) for p in scores),
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
