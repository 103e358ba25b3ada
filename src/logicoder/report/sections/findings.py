"""What the model found, in plain words: the first thing to read."""

from __future__ import annotations

from logicoder.autoencoder.insights import Insight
from logicoder.report.content import Content
from logicoder.report.markup import Markup, element
from logicoder.report.sections.frame import section

_MOST = 40
"""Sentences that are shown."""


def findings(content: Content) -> Markup | None:
    """Return sentences with their counts; None for models that have none."""
    if content.result("plan") is None:
        return None
    found = content.model.insights(content.data)
    follows = found.of("redundant", "nearly", "partly", "closed", "shorthand")
    others = found.of("function", "key", "within")
    parts: list[object] = [_listed(follows)] if follows else []
    if not follows:
        parts.append(element("p", "Nothing here follows from anything else: all facts are kept as they are."))
    parts += [element("p", row.text) for row in found.of("kept")]
    if others:
        parts.append(
            element(
                "details",
                element("summary", f"Functions, keys and inclusions in the data: {len(others):,}"),
                _listed(others),
            )
        )
    return section("findings", "What it found", *parts)


def _listed(rows: tuple[Insight, ...]) -> Markup:
    items = []
    for row in rows[:_MOST]:
        saved = element("span", f" saves {row.bits:,.0f} bits", class_="quiet") if row.bits >= 1 else None
        not_so = None
        if row.exceptions:
            atoms = [piece for atom in row.exceptions for piece in (", ", element("code", atom))][1:]
            not_so = element("div", "not so: ", atoms, class_="quiet")
        items.append(element("li", row.text, saved, not_so))
    if len(rows) > _MOST:
        items.append(element("li", f"and {len(rows) - _MOST:,} more"))
    return element("ul", items)
