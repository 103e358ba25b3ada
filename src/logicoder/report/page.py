"""A report as one HTML file: text, pictures, data and script are in it, and nothing has to be fetched."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import logicoder
from logicoder.base.errors import whole_characters
from logicoder.base.files import write_text
from logicoder.engine.sql.stored_data import StoredData
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.report import sections
from logicoder.report.browser_data import MOST_ATOMS, browsable
from logicoder.report.content import Content
from logicoder.report.markup import element, joined
from logicoder.report.shown_part import shown_part

if TYPE_CHECKING:
    from logicoder.autoencoder.auto_encoder import AutoEncoder
    from logicoder.autoencoder.following.state_file import Moment
    from logicoder.autoencoder.stacked_auto_encoder import StackedAutoEncoder
    from logicoder.logic.terms import Program

SCRIPTS = ("terms.js", "explain.js", "page.js", "browser.js")
_PLACE = re.compile(r"\{(\w+)\}")
_IN_SCRIPT = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def report_html(
    model: AutoEncoder | StackedAutoEncoder,
    data: KnowledgeBase | StoredData,
    *,
    title: str = "An auto-encoding logic program",
    record: Mapping[str, Any] | None = None,
    curve: Mapping[str, Any] | None = None,
    history: Sequence[Moment] = (),
    rules: str | Path | Program | None = None,
    most_atoms: int = MOST_ATOMS,
) -> str:
    """Return a report as the text of an HTML file.

    >>> from logicoder import AutoEncoder
    >>> kb = KnowledgeBase.from_facts([("mother", "padme", "luke"), ("father", "vader", "luke")])
    >>> alp = AutoEncoder.from_programs("l(X,Y) :- mother(X,Y).", "mother(X,Y) :- l(X,Y).")
    >>> "2 facts become 1 latent fact " in report_html(alp, kb)
    True

    Args:
        model: a model with programs, learned or written by hand.
        data: facts to show it on; of more stored ones than `max_sample`, a sample is shown, and all are
            counted.
        title: the heading of the page.
        record: where the model comes from, as in `run.json`.
        curve: a rate-distortion curve, as in `curve.json`.
        history: the bits of encoded data over time, as in `state.json`.
        rules: clauses to evaluate, as `AutoEncoder.audit` takes them.
        most_atoms: data with more atoms, latent ones included, is shown by a sample.
    """
    remark, whole = "", None
    if isinstance(data, StoredData):
        stored = data
        data, remark = shown_part(stored, model.max_sample)
        whole = stored if remark else None
    content = Content.of(model, data, record, curve, history, remark, rules, whole)
    facts = browsable(content.explainer, content.outcome, most=most_atoms)
    made = sections.everything(content, facts)
    style = _page_file("report.css")
    script = "\n".join(map(_page_file, SCRIPTS))
    return _filled(
        _page_file("report.html"),
        {
            "title": str(joined(title := whole_characters(title))),
            "heading": str(element("bdi", title)),
            "lead": str(element("p", sections.headline(content), class_="lead")),
            "navigation": "".join(
                str(element("li", element("a", words, href=f"#{key}"))) for key, words, _ in made
            ),
            "sections": "\n".join(str(markup) for _, _, markup in made),
            "data": in_script(facts),
            "style": style,
            "script": script,
            "style_hash": _hash(style),
            "script_hash": _hash(script),
            "version": logicoder.__version__,
        },
    )


def write_report(
    model: AutoEncoder | StackedAutoEncoder,
    data: KnowledgeBase | StoredData,
    path: str | Path,
    **options: Any,
) -> None:
    """Write a report; see `report_html` for the options."""
    write_text(Path(path), report_html(model, data, **options))


def in_script(content: Any) -> str:
    r"""Return plain data as JSON that no text in it can break out of.

    >>> in_script({"name": "</script>"})
    '{"name":"\\u003c/script\\u003e"}'
    """
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).translate(_IN_SCRIPT)


def _page_file(name: str) -> str:
    return (files("logicoder.report") / "page" / name).read_text(encoding="utf-8")


def _filled(template: str, values: Mapping[str, str]) -> str:
    """Put values into the places of a template, all at once: what is put in is not looked at again."""
    return _PLACE.sub(lambda match: values[match[1]], template)


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
