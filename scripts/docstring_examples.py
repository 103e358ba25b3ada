"""An extension of Griffe: every name has an example, shown as code and not as quotations of quotations.

Google's style wants them in a section `Examples:`. Here they stand where they help, as doctests;
Markdown would read their `>>>` as three levels of quotation. What has none gets one from a session.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from griffe import Attribute, Extension, Object

sys.path.insert(0, str(Path(__file__).parent))
from session_examples import session_examples

# From a prompt up to an empty line, with what the lines before are indented by.
_EXAMPLE = re.compile(r"^([ \t]*)>>> .*(?:\n[ \t]*\S.*)*", re.MULTILINE)


def fenced(text: str) -> str:
    r"""Return a docstring with its doctests in fences.

    >>> fenced("Add.\n\n>>> 1 + 1\n2\n\nThat is all.")
    'Add.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nThat is all.'
    """
    return _EXAMPLE.sub(lambda found: f"{found[1]}```pycon\n{found[0]}\n{found[1]}```", text)


class DocstringExamples(Extension):
    """Puts the doctests of every docstring into fences, or one from the page's session below it."""

    def on_attribute(self, *, attr: Attribute, **_: Any) -> None:
        """Forget the docstring of an attribute that was inspected: it is that of its value's class."""
        if "property" not in attr.labels:
            attr.docstring = None

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change a docstring as soon as it is read."""
        if obj.docstring is None:
            return
        text = obj.docstring.value
        if ">>>" in text and "```" not in text:
            obj.docstring.value = fenced(text)
        elif ">>>" not in text and obj.path in session_examples():
            obj.docstring.value = f"{text}\n\n```pycon\n{session_examples()[obj.path]}\n```"
