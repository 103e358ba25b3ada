"""What the model found, in plain words: the first thing to read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

from logicoder.autoencoder.insight import Insight
from logicoder.logic.symbols import atom_text
from logicoder.report.content import Content
from logicoder.report.markup import Markup, element
from logicoder.report.sections.frame import section

_MOST = 40
"""Sentences that are shown."""


def findings(content: Content) -> Markup | None:
    """Return sentences with their counts; None for models that have none."""
    if content.result("plan") is None:
        return None
    found = content.model.insights(content.whole)
    places = {
        str(item.clause): item.key for layer in content.layers for item in (*layer.encoder, *layer.decoder)
    }
    follows = found.findings
    others = found.of("constant", "function", "key", "within")
    parts: list[object] = [_listed(follows, places, content)] if follows else []
    if not follows:
        parts.append(element("p", "Nothing here follows from anything else: all facts are kept as they are."))
    parts += [element("p", row.text) for row in found.of("kept")]
    if others:
        parts.append(
            element(
                "details",
                element("summary", f"Functions, keys and inclusions in the data: {len(others):,}"),
                _listed(others, places, content),
            )
        )
    return section("findings", "What it found", *parts)


def _listed(rows: tuple[Insight, ...], places: Mapping[str, str], content: Content) -> Markup:
    items = []
    for row in rows[:_MOST]:
        saved = element("span", f" saves {row.bits:,.0f} bits", class_="quiet") if row.bits >= 1 else None
        facts = element("a", "its facts", href=facts_link(row.predicate))
        items.append(element("li", row.text, saved, " ", facts, _behind(row, places, content)))
    if len(rows) > _MOST:
        items.append(element("li", f"and {len(rows) - _MOST:,} more"))
    return element("ul", items)


def _behind(row: Insight, places: Mapping[str, str], content: Content) -> Markup | None:
    """Return what a sentence is made of, which opens on demand: a clause and what does not fit."""
    clauses, exceptions = _clauses(row, places), list(_exceptions(row, content))
    if len(clauses) == 1 and not exceptions:
        return element("div", clauses, class_="quiet")
    if not clauses and not exceptions:
        return None
    names = [f"{len(clauses)} clause{'s' if len(clauses) > 1 else ''}"] if clauses else []
    names += ["some exceptions"] if exceptions else []
    listed = [element("div", clause, class_="quiet") for clause in clauses]
    return element("details", element("summary", " and ".join(names)), listed, exceptions)


def _clauses(row: Insight, places: Mapping[str, str]) -> list[Markup]:
    """Return the clauses behind a sentence, with links to those that the program has as they are."""
    own = f"{atom_text(row.predicate)}("
    # A program closes a relation from its base, by clauses that are not those of its laws.
    closing = [clause for clause in places if clause.startswith(own)] if row.kind == "closed" else []
    return [
        element("a", element("code", clause), href=f"#{places[clause]}")
        if clause in places
        else element("code", clause)
        for clause in closing or row.clauses
    ]


def _exceptions(row: Insight, content: Content) -> Iterator[Markup]:
    """Yield atoms where a sentence does not hold."""
    for why, atoms in row.exceptions.items():
        linked = [atom_of(content, atom) for atom in atoms]
        if linked:
            yield element("div", f"{why}: ", _apart(linked), class_="quiet")


def _apart(pieces: list[Markup]) -> Sequence[object]:
    return [part for piece in pieces for part in (", ", piece)][1:]


def atom_of(content: Content, atom: str) -> Markup:
    """Return an atom, with a link to the fact browser if that has all facts."""
    code = breakable(atom)
    return code if content.partial else element("a", code, href=fact_link(atom))


def breakable(atom: str) -> Markup:
    """Return an atom that may be broken where its arguments begin."""
    return element("code", [(part, element("wbr")) for part in re.split(r"(?<=[(,])", atom)])


def fact_link(atom: str) -> str:
    """Return a link to an atom in the fact browser.

    >>> fact_link("p(a,'b c')")
    '#fact=p(a%2C%27b%20c%27)'
    """
    return f"#fact={quote(atom, safe='()')}"


def facts_link(predicate: str) -> str:
    """Return a link to the facts of a predicate in the fact browser.

    >>> facts_link("price >= 50")
    '#facts=price%20%3E%3D%2050'
    """
    return f"#facts={quote(predicate, safe='')}"
