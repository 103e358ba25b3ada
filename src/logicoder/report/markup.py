"""HTML and SVG as plain values: every text is escaped when it is written, so that no data can become markup.

>>> print(element("p", "a < b", element("bdi", "</script>"), class_="note"))
<p class="note">a &lt; b<bdi>&lt;/script&gt;</bdi></p>
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

VOID = frozenset(("br", "col", "input", "meta", "wbr"))
"""Elements of HTML that have no content and no end."""


@dataclass(frozen=True)
class Markup:
    """Text that is markup already."""

    text: str

    def __str__(self) -> str:
        return self.text


def element(name: str, *content: object, **attributes: object) -> Markup:
    """Return an element.

    Args:
        name: its name.
        content: markup, or texts and numbers to be escaped, or lists of these; None is left out.
        attributes: `class_` and `for_` stand for the words that Python has taken, `data_x` for `data-x`; True
            is an attribute without a value, None and False are left out.
    """
    start = f"<{name}{''.join(_attribute(key, value) for key, value in attributes.items())}>"
    if name in VOID:
        return Markup(start)
    return Markup(f"{start}{joined(content)}</{name}>")


def joined(content: object) -> Markup:
    """Return several pieces of content as one."""
    return Markup("".join(_pieces(content)))


def _pieces(content: object) -> Iterable[str]:
    if content is None:
        return
    if isinstance(content, Markup):
        yield content.text
    elif isinstance(content, str):
        yield escape(content, quote=False)
    elif isinstance(content, Iterable):
        for item in content:
            yield from _pieces(item)
    else:
        yield escape(str(content), quote=False)


def _attribute(key: str, value: object) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    text = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return f' {name}="{escape(text)}"'
