"""What constants look like: numbers, dates, words, or names such as `person12` that say what they are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

NUMBERS, DATES, WORDS = "number", "date", ""

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\Z")
_DATE = re.compile(r"'?\d{4}-\d\d-\d\d(?:[ T][\d:.+\-Z]+)?'?\Z")
_STEM = re.compile(r"'?([A-Za-z]+)[\d_:#/]")
_NEARLY_ALL = 0.95
_MOST = 2000


def look_of(symbols: Sequence[str]) -> tuple[str, float]:
    """Return what constants look like if nearly all look so (else nothing), and the share of them that do.

    The look of names such as `person12`, `person_anna` and `'person:12'` is `person`; words have
    none. Of many constants some are looked at, evenly spread.

    >>> look_of(["12", "-3.5"]), look_of(["person1", "person_x", "'Person:2'"]), look_of(["anna", "bob7"])
    (('number', 1.0), ('person', 1.0), ('', 1.0))

    Args:
        symbols: the canonical texts of constants.
    """
    looked_at = symbols[:: -(-len(symbols) // _MOST) or 1]
    looks = Counter(map(_look, looked_at))
    look, number = max(looks.items(), key=lambda item: (item[1], item[0]), default=(WORDS, 0))
    share = number / max(1, len(looked_at))
    return (look, share) if share >= _NEARLY_ALL else (WORDS, 1.0)


def _look(symbol: str) -> str:
    if _NUMBER.match(symbol):
        return NUMBERS
    if _DATE.match(symbol):
        return DATES
    stem = _STEM.match(symbol)
    return stem[1].lower() if stem else WORDS
