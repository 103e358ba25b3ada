"""A part of a search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Phase:
    """A part of the search.

    Attributes:
        name: for people.
        share: the part of the work that is left that it may take.
        steps: does the work, a little at a time.
    """

    name: str
    share: float
    steps: Iterator[None]
