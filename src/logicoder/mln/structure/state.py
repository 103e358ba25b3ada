"""The state of a run: what is known so far, as plain data, on disk where a run may be taken up again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from logicoder.base.errors import InputError, LogicoderError, location_of, shown
from logicoder.base.files import read_text, write_text
from logicoder.base.saved_json import Count, json_of
from logicoder.kb.data_hash import data_hash
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.terms import Variable
from logicoder.mln.alchemy.notation import clause_text
from logicoder.mln.formulas import Literals, variables_of
from logicoder.mln.structure.skeletons import clause_of
from logicoder.mln.structure.structure_settings import Settings

FORMAT = 1
_WHAT, _ANEW = "this checkpoint", "delete it to start anew"


@dataclass(frozen=True)
class NetworkChange:
    """One change of the network.

    Attributes:
        action: `unit`, `add` or `prune`.
        clause: what was added or pruned.
        value: the weighted pseudo-log-likelihood afterwards, less the prior.
        score: the value minus the penalty for literals.
    """

    action: str
    clause: Literals
    value: float
    score: float

    def __str__(self) -> str:
        return f"{self.action} {clause_text(self.clause)}: {self.value:.4f}"


@dataclass
class State:
    """Where a run stands.

    Attributes:
        phase: what comes next.
        clauses: the network.
        weights: its weights.
        candidates: the clauses to choose from.
        gains: the penalised gains of the first of them, each alone on top of the unit clauses.
        queue: candidates with known gains that are still to be tried, the best first.
        position: how much of the phase is done.
        stage: which kind of clauses is looked at, where one kind comes after the other.
        best: estimated gain and clause of the best that screening found.
        counts: how many clauses there were at each stage.
        history: the changes of the network.
        seconds: the time of earlier runs.
    """

    phase: str = "candidates"
    clauses: list[Literals] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    candidates: list[Literals] = field(default_factory=list)
    gains: list[float] = field(default_factory=list)
    queue: list[tuple[float, Literals]] = field(default_factory=list)
    position: int = 0
    stage: int = 0
    best: list[tuple[float, Literals]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    history: list[NetworkChange] = field(default_factory=list)
    seconds: float = 0.0

    def go_to(self, phase: str) -> None:
        """Begin another phase."""
        self.phase, self.position = phase, 0

    def to_json(self) -> dict[str, Any]:
        """Return the state as plain data."""
        return {
            "phase": self.phase,
            "clauses": [_plain(clause) for clause in self.clauses],
            "weights": self.weights,
            "candidates": [_plain(clause) for clause in self.candidates],
            "gains": self.gains,
            "queue": [[gain, _plain(clause)] for gain, clause in self.queue],
            "position": self.position,
            "stage": self.stage,
            "best": [[gain, _plain(clause)] for gain, clause in self.best],
            "counts": self.counts,
            "history": [[s.action, _plain(s.clause), s.value, s.score] for s in self.history],
            "seconds": self.seconds,
        }


_Clause = tuple[tuple[str, tuple[Count | str, ...], bool], ...]
"""Predicate, numbers of variables or constants, and sign of each literal."""


class _StoredState(Struct):
    """A `State` as `to_json` tells it."""

    phase: Literal["candidates", "scoring", "adding", "pruning", "done"]
    clauses: tuple[_Clause, ...]
    weights: list[float]
    candidates: tuple[_Clause, ...]
    gains: list[float]
    queue: tuple[tuple[float, _Clause], ...]
    position: Count
    stage: Count
    best: tuple[tuple[float, _Clause], ...]
    counts: dict[str, Count]
    history: tuple[tuple[str, _Clause, float, float], ...]
    seconds: float

    def state(self) -> State:
        """Return the state."""
        if len(self.weights) != len(self.clauses) or len(self.gains) > len(self.candidates):
            raise ValueError("it has weights or gains of clauses that do not exist")
        return State(
            phase=self.phase,
            clauses=list(map(_clause, self.clauses)),
            weights=self.weights,
            candidates=list(map(_clause, self.candidates)),
            gains=self.gains,
            queue=[(gain, _clause(plain)) for gain, plain in self.queue],
            position=self.position,
            stage=self.stage,
            best=[(gain, _clause(plain)) for gain, plain in self.best],
            counts=self.counts,
            history=[NetworkChange(a, _clause(c), value, score) for a, c, value, score in self.history],
            seconds=self.seconds,
        )


class _Stored(Struct):
    """A checkpoint, but for what it is about."""

    state: _StoredState


def _plain(clause: Literals) -> list[Any]:
    numbers = {variable: i for i, variable in enumerate(variables_of(clause))}
    return [
        [
            literal.atom.predicate,
            [numbers[a] if isinstance(a, Variable) else a.symbol for a in literal.atom.arguments],
            literal.positive,
        ]
        for literal in clause
    ]


def _clause(plain: _Clause) -> Literals:
    return clause_of([(name, slots) for name, slots, _ in plain], [positive for _, _, positive in plain])


class StructureCheckpoint:
    """A file that holds the state of a run.

    Args:
        path: where to keep it; None for nowhere.
        kb: the data.
        settings: the settings.
        domains: further constants of types. A file of other data, settings or constants is refused.
    """

    def __init__(
        self,
        path: str | Path | None,
        kb: KnowledgeBase,
        settings: Settings,
        domains: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self._path = None if path is None else Path(path)
        self._identity: dict[str, Any] = {}
        if path is not None:
            self._identity = {
                "format": FORMAT,
                "data": data_hash(kb),
                "domains": {kind: sorted(symbols) for kind, symbols in (domains or {}).items()},
                "settings": settings.to_json(),
            }

    def load(self) -> State:
        """Return the state of an earlier run, or a new one."""
        if self._path is None or not self._path.exists():
            return State()
        text = read_text(self._path)
        found = json_of(text, dict[str, Any], _WHAT, self._path, hint=_ANEW)
        for key, wanted in self._identity.items():
            if found.get(key) != wanted:
                raise InputError(
                    f"this checkpoint was made with {'another' if key == 'format' else 'other'} {key}",
                    location_of(self._path),
                    f"it has {shown(found.get(key))}; choose another file, or delete this one",
                )
        stored = json_of(text, _Stored, _WHAT, self._path, hint=_ANEW).state
        try:
            return stored.state()
        except (ValueError, LogicoderError) as error:
            raise InputError(f"{_WHAT} is damaged: {error}", location_of(self._path), _ANEW) from None

    def save(self, state: State) -> None:
        """Keep the state."""
        if self._path is not None:
            write_text(self._path, json.dumps({**self._identity, "state": state.to_json()}) + "\n")
