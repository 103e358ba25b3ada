"""How models and knowledge bases show themselves in a notebook: plain HTML without any script."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from logicoder.base.numbers import seconds_text
from logicoder.kb.overview import overview
from logicoder.logic.symbols import atom_text
from logicoder.logic.terms import Program
from logicoder.report.clause_markup import clause_markup
from logicoder.report.markup import Markup, element, joined
from logicoder.report.page_tables import counted, number

if TYPE_CHECKING:
    from logicoder.autoencoder.model_codec import Codec
    from logicoder.kb.knowledge_base import KnowledgeBase

MOST_CLAUSES = 60
MOST_ROWS = 60
SOME_FACTS = 10

# Colours that can be read on white and on black alike; everything else is the notebook's own.
_STYLE = """
.logicoder-view{font-family:system-ui,sans-serif;line-height:1.45}
.logicoder-view pre{margin:.2em 0 .6em;padding:0;background:none;white-space:pre-wrap;font-size:.92em}
.logicoder-view h4{margin:.6em 0 .1em;font-size:1em}
.logicoder-view var{font-style:normal}
.logicoder-view .latent{color:#b5651d}.logicoder-view .input{color:#2a7fb8}
.logicoder-view table{border-collapse:collapse;margin:.3em 0}
.logicoder-view th,.logicoder-view td{padding:.1em .9em .1em 0;text-align:left;background:none}
.logicoder-view .n{text-align:right;font-variant-numeric:tabular-nums}
.logicoder-view caption{text-align:left;opacity:.75}
"""


def model_html(model: Codec) -> str:
    """Return a model as HTML: what it came to, and its programs.

    >>> from logicoder import AutoEncoder
    >>> alp = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X).")
    >>> "l</span>(<var>X</var>)" in model_html(alp)
    True
    """
    if not model.__sklearn_is_fitted__():
        return str(_view(element("p", f"{model!r}, not fitted yet")))
    pairs = model.programs()
    latents = {name for encoder, _ in pairs for name in encoder.defined()}
    parts: list[Markup] = [element("p", " · ".join(_results(model)))]
    for place, (encoder, decoder) in enumerate(pairs, start=1):
        which = f" of layer {place}" if len(pairs) > 1 else ""
        for name, program in (("Encoder", encoder), ("Decoder", decoder)):
            parts += [element("h4", f"{name}{which}"), _program(program, latents)]
    return str(_view(*parts))


def _results(model: Codec) -> Iterator[str]:
    yield type(model).__name__
    found = {
        name: getattr(model, f"{name}_", None)
        for name in ("facts", "latent_facts", "loss", "bound", "status")
    }
    if found["facts"] is not None and found["latent_facts"] is not None:
        yield f"{counted(found['facts'], 'fact')} in {counted(found['latent_facts'], 'latent fact')}"
    if found["loss"] is not None:
        yield f"loss {number(found['loss'])}"
    if found["bound"] is not None:
        yield f"bound {number(found['bound'])} ({found['status']})"
    if seconds := getattr(model, "statistics_", {}).get("seconds"):
        yield seconds_text(sum(seconds.values()))


def _program(program: Program, latents: set[str]) -> Markup:
    lines: list[object] = []
    for clause in islice(program, MOST_CLAUSES):
        lines += [clause_markup(clause, latents), "\n"]
    if len(program) > MOST_CLAUSES:
        lines.append(f"% ... and {len(program) - MOST_CLAUSES:,} more clauses")
    return element("pre", element("code", lines[:-1] if len(program) <= MOST_CLAUSES else lines))


def knowledge_base_html(kb: KnowledgeBase) -> str:
    """Return a knowledge base as HTML: its predicates, and some facts.

    >>> from logicoder import KnowledgeBase
    >>> "2 facts" in knowledge_base_html(KnowledgeBase.from_facts([("p", "a"), ("p", "b")]))
    True
    """
    found = overview(kb)
    counts = (
        (found.facts, "fact"),
        (len(found.predicates), "predicate"),
        (sum(found.constants.values()), "constant"),
        (len(found.interpretations), "interpretation"),
    )
    rows = [
        element(
            "tr",
            element("th", atom_text(p.name), scope="row"),
            element("td", ", ".join(p.types)),
            element("td", f"{p.facts:,}", class_="n"),
        )
        for p in found.predicates[:MOST_ROWS]
    ]
    heads = (("predicate", None), ("types", None), ("facts", "n"))
    more = len(found.predicates) - MOST_ROWS
    table = element(
        "table",
        element("caption", f"and {more:,} more predicates") if more > 0 else None,
        element(
            "thead", element("tr", [element("th", word, scope="col", class_=kind) for word, kind in heads])
        ),
        element("tbody", rows),
    )
    facts = "\n".join(f"{fact}." for fact in islice(kb.facts(), SOME_FACTS))
    some = element(
        "details",
        element("summary", f"the first {counted(min(SOME_FACTS, len(kb)), 'fact')}"),
        element("pre", element("bdi", facts)),
    )
    summary = element("p", " · ".join(["KnowledgeBase", *(counted(*pair) for pair in counts)]))
    return str(_view(summary, table, some if len(kb) else None))


def _view(*content: object) -> Markup:
    return element("div", element("style", Markup(_STYLE)), joined(content), class_="logicoder-view")
