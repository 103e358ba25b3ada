"""What a rule says about values that were put into bins: where one ends and the next begins is no error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from logicoder.logic.ordered_values import OrderedValue, ordered_value

if TYPE_CHECKING:
    from logicoder.autoencoder.suggestions import Suggestion

_QUOTED = re.compile(r"'\[[^']*\.\.[^']*\)'")


def only_of_bins(row: Suggestion) -> bool:
    """Return whether a suggestion rests on bins alone: a change to the next one, or one that nothing derives.

    >>> from logicoder.autoencoder.suggestions import Suggestion
    >>> only_of_bins(Suggestion("change", 0.9, "p(a,'[1..5)')", "p(a,'[5..)')", "", 1, 98, 99, "p(X,Y)."))
    True
    """
    own = _bins(row.atom)
    if row.kind == "check":
        return bool(own) and not row.evidence
    if row.kind != "change" or not own:
        return False
    wanted = _bins(row.expected)
    apart = [pair for pair in zip(own, wanted, strict=False) if pair[0] != pair[1]]
    return len(own) == len(wanted) and bool(apart) and all(_neighbours(*pair) for pair in apart)


def _bins(atom: str) -> list[OrderedValue]:
    found = (ordered_value(text) for text in _QUOTED.findall(atom))
    return [value for value in found if value is not None and value.is_bin]


def _neighbours(first: OrderedValue, second: OrderedValue) -> bool:
    if first.kind != second.kind:
        return False
    ends = (first.high, second.low), (second.high, first.low)
    return any(high is not None and high == low for high, low in ends)
