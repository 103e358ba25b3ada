"""Engines by name: the built-in one, and those that other packages declare as `logicoder.engines`."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from logicoder.base.errors import UsageError

if TYPE_CHECKING:
    from logicoder.engine.interface import Engine

GROUP = "logicoder.engines"
"""The group of entry points by which a package declares an engine."""

DEFAULT = "arrays"

_BUILT_IN = {DEFAULT: EntryPoint(DEFAULT, "logicoder.engine.arrays.array_engine:ArrayEngine", GROUP)}


def engine_names() -> list[str]:
    """Return the names of all engines, built-in ones first."""
    return list(dict.fromkeys([*_BUILT_IN, *sorted(entry_points(group=GROUP).names)]))


def engine_named(name: str = DEFAULT) -> type[Engine]:
    """Return the engine of a name.

    >>> engine_named("arrays").name
    'arrays'
    """
    found = _BUILT_IN.get(name) or next(iter(entry_points(group=GROUP, name=name)), None)
    if found is None:
        raise UsageError(f"there is no engine {name!r}; choose from: {', '.join(engine_names())}")
    engine: type[Engine] = found.load()
    return engine
