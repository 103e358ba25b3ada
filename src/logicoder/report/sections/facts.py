"""The facts: the frame of the browser that the script of the page fills."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from logicoder.report.content import Content
from logicoder.report.markup import Markup, element
from logicoder.report.sections.frame import section


def facts(content: Content, browsable: Mapping[str, Any]) -> Markup:
    """Return the frame of the fact browser."""
    notes = [
        "Search for words of a fact, or write one out, such as ",
        element("code", _some_atom(content)),
        ": atoms that are not facts are explained as well.",
    ]
    if "answers" in browsable:
        counts = browsable["counts"]
        listing = ", ".join(f"{total:,} {state}" for state, total in counts.items())
        notes = [
            f"The data is too large for one page ({listing}): it holds a sample of "
            f"{len(browsable['answers']):,} facts, a third of each kind if there are that many. "
            "logicoder explain answers for all others."
        ]

    def choice(name: str, words: str, every: str) -> Markup:
        options = element("option", every, value="")
        return element("label", words, element("select", options, data_part=name, id=f"browser-{name}"))

    form = element(
        "form",
        element(
            "label",
            "Search",
            element(
                "input",
                type="search",
                data_part="search",
                id="browser-search",
                autocomplete="off",
                spellcheck="false",
            ),
            class_="grow",
        ),
        choice("predicate", "Predicate", "all"),
        choice("state", "State", "all"),
        choice("world", "Interpretation", "all"),
        class_="controls",
        role="search",
    )
    pager = element(
        "div",
        element(
            "button", "Previous", type="button", class_="button", data_part="back", aria_label="Previous page"
        ),
        element("span", data_part="page"),
        element("button", "Next", type="button", class_="button", data_part="forth", aria_label="Next page"),
        element(
            "button",
            "CSV",
            type="button",
            class_="button",
            data_part="export",
            aria_label="Save as CSV: all facts that were found",
        ),
        class_="pager",
    )
    lists = element(
        "div",
        element("p", data_part="count", class_="note", role="status"),
        element("ul", data_part="results", class_="results", aria_label="Facts"),
        pager,
    )
    panel = element(
        "div",
        element("p", "Choose a fact to see how it is derived.", class_="quiet"),
        class_="panel",
        data_part="panel",
        role="region",
        aria_label="Derivation",
        tabindex=0,
    )
    browser = element(
        "div",
        element("p", notes, class_="note"),
        form,
        element("div", lists, panel, class_="browser"),
        id="browser",
        class_="needs-js",
    )
    without = element(
        "p",
        "The fact browser needs JavaScript and a screen. On the command line, "
        "logicoder explain shows the same.",
        class_="note without-js",
    )
    return section("facts", "Facts", browser, without)


def _some_atom(content: Content) -> str:
    return next((str(fact) for fact in content.data.facts()), "p(a,b)")
