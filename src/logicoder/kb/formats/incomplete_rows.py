"""Rows that are not facts, since a value is missing in each of them."""

from __future__ import annotations

import logging

_log = logging.getLogger("logicoder")


def tell_incomplete(where: object, number: int, advice: str = "") -> None:
    """Warn of incomplete rows.

    Args:
        where: the file, or the place of the first.
        number: how many there are; nothing is said of none.
        advice: what to do about them.
    """
    if number:
        rows = "1 row with missing values is" if number == 1 else f"{number:,} rows with missing values are"
        _log.warning("%s: %s left out%s", where, rows, advice and f"; {advice}")
