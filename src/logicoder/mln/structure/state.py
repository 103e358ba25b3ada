"""The state of a run: what is known so far, as plain data, on disk where a run may be taken up again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from logicoder.base.errors import InputError, location_of
from logicoder.base.files import read_text, write_text
from logicoder.kb.data_hash import data_hash
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.terms import Variable
from logicoder.mln.alchemy.notation import clause_text
from logicoder.mln.formulas import Literals, variables_of
from logicoder.mln.structure.clauses import clause_of
from logicoder.mln.structure.settings import Settings

FORMAT = 1
PHASES = ("candidates", "scoring", "adding", "pruning", "done")


@dataclass(frozen=True)
class NetworkChange:
    """One change of the network.

    Attributes:
        action: `unit`, `add` or `prune`.
        clause: what was added or pruned.
        value: the weighted pseudo-log-likelihood afterwards, less the prior.
        score: that less the penalty for literals.
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

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> State:
        """Return the state of plain data."""
        if data["phase"] not in PHASES:
            raise ValueError(data["phase"])
        return cls(
            phase=data["phase"],
            clauses=[_clause(plain) for plain in data["clauses"]],
            weights=[float(weight) for weight in data["weights"]],
            candidates=[_clause(plain) for plain in data["candidates"]],
            gains=[float(gain) for gain in data["gains"]],
            queue=[(float(gain), _clause(plain)) for gain, plain in data["queue"]],
            position=int(data["position"]),
            stage=int(data["stage"]),
            best=[(float(gain), _clause(plain)) for gain, plain in data["best"]],
            counts={str(name): int(number) for name, number in data["counts"].items()},
            history=[NetworkChange(a, _clause(c), float(v), float(s)) for a, c, v, s in data["history"]],
            seconds=float(data["seconds"]),
        )


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


def _clause(plain: Sequence[Any]) -> Literals:
    skeleton = [(str(name), tuple(slots)) for name, slots, _ in plain]
    if not all(isinstance(slot, (int, str)) for _, slots in skeleton for slot in slots):
        raise ValueError(plain)
    return clause_of(skeleton, [bool(positive) for _, _, positive in plain])


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
        try:
            found = json.loads(read_text(self._path))
        except json.JSONDecodeError as error:
            raise self._damaged(error.msg, error.lineno, error.colno) from None
        if not isinstance(found, dict):
            raise self._damaged("no object")
        for key, wanted in self._identity.items():
            if found.get(key) != wanted:
                raise InputError(
                    f"this checkpoint was made with {'another' if key == 'format' else 'other'} {key}",
                    location_of(self._path),
                    f"it has {json.dumps(found.get(key))}; choose another file, or delete this one",
                )
        try:
            return State.from_json(found["state"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise self._damaged(f"{type(error).__name__}: {error}") from None

    def save(self, state: State) -> None:
        """Keep the state."""
        if self._path is not None:
            write_text(self._path, json.dumps({**self._identity, "state": state.to_json()}) + "\n")

    def _damaged(self, why: str, *place: int) -> InputError:
        where = location_of(self._path, *place) if self._path is not None else None
        return InputError(f"this checkpoint is damaged ({why})", where, "delete it to start anew")
