"""Types of the values of columns: which columns share one, and which are ordered."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from logicoder.kb.mapping.bins import INFORMATIVE, INFORMATIVE_BINS
from logicoder.kb.mapping.column_profile import ColumnProfile
from logicoder.kb.mapping.data_mapping import ORDERED, Kind, ValueType
from logicoder.kb.mapping.names import identifier, last_word, unused

_OVERLAP = 0.5
"""Columns of the same last word share a type if so much of the smaller set of values is in the larger."""
SAME = 0.8
"""Columns of text share one whatever their names, if so many of all their values are common."""
ENOUGH = 4
"""With fewer values, that may be chance."""


@dataclass(frozen=True)
class Attribute:
    """A column that says something about the rows of its table.

    Attributes:
        table: the name of the table.
        entity: the type of its rows.
        profile: what its values look like.
        kind: the kind of its type.
    """

    table: str
    entity: str
    profile: ColumnProfile
    kind: Kind

    @property
    def called(self) -> str:
        """The name of the column as an identifier."""
        return identifier(self.profile.name)

    @property
    def digits(self) -> bool:
        """Whether its text is numbers."""
        return all(isinstance(value, str) and value.isdigit() for value in self.profile.values)


def value_types(
    attributes: Sequence[Attribute], taken: set[str]
) -> tuple[dict[tuple[str, str], str], dict[str, ValueType]]:
    """Return the name of the type of each column, by table and column, and the types.

    Args:
        attributes: the columns.
        taken: names of types that are used already; those of the new types are added.
    """
    groups = _groups(attributes)
    firsts = Counter(_common_name(group) for group in groups)
    names: dict[tuple[str, str], str] = {}
    types: dict[str, ValueType] = {}
    for group in groups:
        common = _common_name(group)
        # A name that several types would have tells them apart only with that of the thing.
        wanted = common if firsts[common] == 1 and common not in taken else f"{group[0].entity}_{common}"
        name = unused(wanted, taken)
        taken.add(name)
        for attribute in group:
            names[attribute.table, attribute.profile.name] = name
        types[name] = _type(name, group)
    return names, types


def _common_name(group: Sequence[Attribute]) -> str:
    """Return the name that the others end in, as ship_country ends in country, or else the first one."""
    short = min((attribute.called for attribute in group), key=len)
    return short if all(f"_{a.called}".endswith(f"_{short}") for a in group) else group[0].called


def _groups(attributes: Sequence[Attribute]) -> list[list[Attribute]]:
    """Return the columns that share values, in the order of the first of each group."""
    groups: list[list[Attribute]] = []
    # Only columns with something in common are compared: thousands of tables stay quick.
    by_hint: dict[tuple[str, object], list[int]] = defaultdict(list)
    for attribute in attributes:
        hints: list[tuple[str, object]] = [(attribute.kind, last_word(attribute.called))]
        if attribute.kind == "text" and attribute.profile.distinct >= ENOUGH:
            hints += [("value", value) for value in sorted(map(str, attribute.profile.values))[:ENOUGH]]
        candidates = sorted({number for hint in hints for number in by_hint[hint][:50]})
        found = next((n for n in candidates if any(_share(attribute, other) for other in groups[n])), None)
        if found is None:
            found = len(groups)
            groups.append([])
        groups[found].append(attribute)
        for hint in hints:
            if found not in by_hint[hint]:
                by_hint[hint].append(found)
    return groups


def _share(one: Attribute, other: Attribute) -> bool:
    if one.kind != other.kind:
        return False
    common = len(one.profile.values & other.profile.values)
    if not common:
        return False
    enough = common >= _OVERLAP * min(one.profile.distinct, other.profile.distinct)
    if one.kind == "code" or (one.kind == "text" and (one.digits or other.digits)):
        return enough and one.called == other.called  # small whole numbers are the same everywhere
    if one.kind == "text" and common >= max(ENOUGH, SAME * len(one.profile.values | other.profile.values)):
        return True
    return enough and last_word(one.called) == last_word(other.called)


def _type(name: str, group: Sequence[Attribute]) -> ValueType:
    kind = group[0].kind
    values = frozenset[Any]().union(*(attribute.profile.values for attribute in group))
    why = f"{len(values):,} values"
    if len(group) > 1:
        first, *others = group
        common = min(len(first.profile.values & other.profile.values) for other in others)
        places = ", ".join(f"{a.table}.{a.profile.name}" for a in group)
        why += f"; shared by {places}, which have {common:,} or more in common"
    if kind not in ORDERED:
        return ValueType(name, kind, why=why)
    return ValueType(name, kind, bins=f"{INFORMATIVE}:{INFORMATIVE_BINS}", why=why)
