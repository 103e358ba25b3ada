"""Engines by name: the built-in one, and those of other packages; see `docs/howto/extending.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from logicoder.base.plugins import Registry

if TYPE_CHECKING:
    from logicoder.engine.interface import Engine

DEFAULT = "arrays"

ENGINES: Registry[type[Engine]] = Registry(
    "logicoder.engines", "engine", {DEFAULT: "logicoder.engine.arrays.array_engine:ArrayEngine"}
)
