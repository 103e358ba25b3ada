"""The frame that all sections of a report share."""

from __future__ import annotations

from logicoder.report.markup import Markup, element


def section(key: str, heading: str, *content: object) -> Markup:
    """Return a section of the page with its heading."""
    return element(
        "section",
        element("h2", heading, id=f"{key}-heading"),
        *content,
        id=key,
        aria_labelledby=f"{key}-heading",
    )
