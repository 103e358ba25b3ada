"""The settings of structure learning."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from logicoder.base.errors import UsageError

METHODS = ("busl", "exhaustive")
SYMMETRIES = ("either", "both")
SELECTIONS = ("greedy", "l1")


@dataclass(frozen=True)
class Settings:
    """What a run of structure learning does; see `learn_structure`."""

    method: str = "busl"
    max_literals: int = 3
    max_variables: int = 3
    constants: int = 0
    sigma: float = 100.0
    length_penalty: float = 0.01
    min_gain: float = 0.0
    min_support: float = 0.0
    independence_level: float = 0.15
    tnode_atoms: int = 2
    free_variables: int = 1
    symmetry: str = "either"
    cliques: bool = False
    in_order: bool = False
    selection: str = "greedy"
    max_rows: int = 2_000_000
    max_candidates: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        for name, known in (
            ("method", METHODS),
            ("symmetry", SYMMETRIES),
            ("selection", SELECTIONS),
        ):
            if getattr(self, name) not in known:
                raise UsageError(f"{name} must be {' or '.join(known)}, not {getattr(self, name)!r}")
        for name, least in (
            ("max_literals", 1),
            ("max_variables", 1),
            ("constants", 0),
            ("free_variables", 0),
            ("max_rows", 1),
            ("max_candidates", 1),
        ):
            if not isinstance(getattr(self, name), int) or getattr(self, name) < least:
                raise UsageError(f"{name} must be a whole number from {least}, not {getattr(self, name)!r}")
        if self.tnode_atoms not in (1, 2):
            raise UsageError(f"tnode_atoms must be 1 or 2, not {self.tnode_atoms!r}")
        if not self.sigma > 0:
            raise UsageError(f"sigma must be above 0, not {self.sigma!r}")
        for name in ("length_penalty", "min_gain"):
            if not getattr(self, name) >= 0:
                raise UsageError(f"{name} must be 0 or more, not {getattr(self, name)!r}")
        for name in ("independence_level", "min_support"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"{name} must be between 0 and 1, not {getattr(self, name)!r}")

    def to_json(self) -> dict[str, Any]:
        """Return the settings as plain data."""
        return asdict(self)
