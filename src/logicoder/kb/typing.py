"""Types for data that declares none: one for all, or one for each group of arguments that share constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from logicoder.base.errors import UsageError


def undeclared_types(predicates: Mapping[str, Sequence[set[int]]], how: str) -> dict[str, tuple[str, ...]]:
    """Give types to the arguments of undeclared predicates.

    With `one`, every argument has the type `thing`. With `infer`, arguments that share a constant
    share a type; types are numbered in the order of the arguments.
    """
    if how == "one":
        return {name: ("thing",) * len(columns) for name, columns in predicates.items()}
    if how != "infer":
        raise UsageError(f"types must be 'infer' or 'one', not {how!r}")
    parent: dict[tuple[str, int], tuple[str, int]] = {}

    def find(place: tuple[str, int]) -> tuple[str, int]:
        while parent[place] != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    seen: dict[int, tuple[str, int]] = {}
    for name, columns in predicates.items():
        for index, constants in enumerate(columns):
            place = (name, index)
            parent[place] = place
            for constant in constants:
                parent[find(place)] = find(seen.setdefault(constant, place))
    names: dict[tuple[str, int], str] = {}
    for place in parent:
        names.setdefault(find(place), f"type{len(names) + 1}")
    return {
        name: tuple(names[find((name, index))] for index in range(len(columns)))
        for name, columns in predicates.items()
    }
