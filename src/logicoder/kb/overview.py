"""What is in a knowledge base, at a glance, and what looks odd about it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from logicoder.logic.symbols import plain_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from logicoder.kb.knowledge_base import KnowledgeBase

_EXAMPLES = 5


@dataclass(frozen=True)
class PredicateOverview:
    """Numbers about a predicate; `facts` are the true atoms, `negatives` the explicitly false ones."""

    name: str
    types: tuple[str, ...]
    facts: int
    negatives: int
    unknown: int
    background: bool
    open_world: bool


@dataclass(frozen=True)
class Overview:
    """Numbers about a knowledge base.

    Attributes:
        facts: number of true facts, background included, but not that 7 is less than 10.
        predicates: numbers about each predicate.
        constants: number of constants of each type.
        evidence: of types that nobody declared, why they are thought to be there.
        interpretations: number of true facts in each interpretation.
        oddities: sentences about what is likely to be a mistake.
    """

    facts: int
    predicates: tuple[PredicateOverview, ...]
    constants: dict[str, int]
    evidence: dict[str, str]
    interpretations: dict[str, int]
    oddities: list[str]

    def as_dict(self) -> dict[str, Any]:
        """Return the same as dictionaries, lists and numbers, ready for JSON."""
        content = asdict(self)
        content["predicates"] = [p | {"types": list(p["types"])} for p in content["predicates"]]
        return content


def overview(kb: KnowledgeBase) -> Overview:
    """Count what is in a knowledge base and look for oddities.

    >>> from logicoder.kb import KnowledgeBase
    >>> kb = KnowledgeBase.from_facts([("likes", "anna", "bob"), ("likes", "Anna", "carl"), ("rich", "bob")])
    >>> found = overview(kb)
    >>> found.facts, found.constants, found.interpretations
    (3, {'thing': 4}, {'data': 3})
    >>> for sentence in found.oddities:
    ...     print(sentence)
    1 predicate has one fact only: rich
    1 pair or group of constants differs in case only: Anna/anna
    """
    predicates = tuple(
        PredicateOverview(
            name,
            predicate.types,
            kb.count(name),
            kb.count(name, "false"),
            kb.count(name, "unknown"),
            predicate.background,
            predicate.open_world,
        )
        for name, predicate in kb.schema.items()
        if not predicate.compares
    )
    constants = kb.constants()
    worlds = np.zeros(len(kb.interpretations), np.int64)
    for name in (predicate.name for predicate in predicates):
        worlds += np.bincount(kb.table(name).worlds, minlength=len(worlds))
    interpretations = dict(zip(kb.interpretations, worlds.tolist(), strict=True))
    return Overview(
        int(worlds.sum()),
        predicates,
        {kind: len(symbols) for kind, symbols in constants.items()},
        {kind: kb.schema.evidence[kind] for kind in constants if kind in kb.schema.evidence},
        interpretations,
        _oddities(predicates, constants, interpretations),
    )


def _oddities(
    predicates: Sequence[PredicateOverview],
    constants: dict[str, tuple[str, ...]],
    interpretations: dict[str, int],
) -> list[str]:
    symbols = {symbol for several in constants.values() for symbol in several}
    kinds = (
        ("predicate", "has", "have", "one fact only", [p.name for p in predicates if p.facts == 1]),
        ("predicate", "is", "are", "declared without facts", [p.name for p in predicates if not p.facts]),
        (
            "type",
            "has",
            "have",
            "one constant only",
            [k for k, several in constants.items() if len(several) == 1],
        ),
        (
            "interpretation",
            "has",
            "have",
            "no facts",
            [w for w, facts in interpretations.items() if not facts],
        ),
        ("pair or group of constants", "differs", "differ", "in case only", _differing_in_case(symbols)),
    )
    return [
        f"{len(names)} {_plural(noun, len(names))} {one if len(names) == 1 else many} {what}: "
        + ", ".join(names[:_EXAMPLES])
        + (", ..." if len(names) > _EXAMPLES else "")
        for noun, one, many, what, names in kinds
        if names
    ]


def _plural(noun: str, number: int) -> str:
    if number == 1:
        return noun
    return "pairs or groups of constants" if " " in noun else noun + "s"


def _differing_in_case(symbols: set[str]) -> list[str]:
    spellings: dict[str, set[str]] = {}
    for symbol in symbols:
        text = plain_text(symbol)
        spellings.setdefault(text.casefold(), set()).add(text)
    return ["/".join(sorted(several)) for _, several in sorted(spellings.items()) if len(several) > 1]
