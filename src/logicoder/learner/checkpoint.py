"""Checkpoints: the problem and the best selection, or the best plan, on disk: an interrupted run can go on.

A run has its folder to itself. Every file in it names the problem that it belongs to by a sum over the data,
the settings and the candidates, so that no file of another run is taken for one of this.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Self, TypeVar

from msgspec import Struct, structs, to_builtins

from logicoder.base.errors import InputError, LogicoderError, location_of
from logicoder.base.files import write_text
from logicoder.base.folder_lock import FolderLock
from logicoder.base.saved_json import Count, Number, Plain, read_json
from logicoder.candidates.candidate_counts import CandidateCounts
from logicoder.compression.plan import Plan
from logicoder.compression.plan_data import StoredPlan
from logicoder.kb.data_hash import data_hash
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.learner.settings import Settings
from logicoder.problem.evaluate import violations
from logicoder.problem.model import Problem
from logicoder.problem.storage import load_problem, save_problem
from logicoder.selection import Solution

T = TypeVar("T")

logger = logging.getLogger("logicoder")

_IDENTITY_FILE = "checkpoint.json"
_ANEW = "start anew without `resume`"


class _Identity(Struct):
    """What a run is about: the sum of its data, and its settings."""

    data: str
    settings: dict[str, Plain]


class _Counts(Struct):
    """Counts of the candidates of a problem."""

    problem: str
    counts: CandidateCounts


class _Candidates(_Counts):
    """The same for the problem that was saved last, and for the one before: a run may end between the two."""

    former: _Counts | None = None


class _Next(Struct):
    """A selection from the problem that is about to be saved."""

    problem: str
    decoders: tuple[Count, ...]


class _Selection(Struct):
    """The best selection so far."""

    problem: str = ""
    decoders: tuple[Count, ...] = ()
    loss: Count = 0
    bound: Number = 0
    next: _Next | None = None


class _Said(Struct):
    """How the data of a run are said."""

    data: str
    plan: StoredPlan


def belongs_to(folder: str | Path | None, kb: KnowledgeBase) -> bool:
    """Whether a folder holds the checkpoint of a run on this data."""
    file = Path(folder or ".") / _IDENTITY_FILE
    return folder is not None and file.exists() and _read(file, _Identity).data == data_hash(kb)


class Checkpoint:
    """A folder that holds the state of one run, and is locked until `close`.

    Args:
        folder: where to keep it.
        kb: the data of the run.
        settings: the settings of the run.
        resume: take up what is there; otherwise it is overwritten.
    """

    def __init__(self, folder: str | Path, kb: KnowledgeBase, settings: Settings, *, resume: bool) -> None:
        self.folder = Path(folder)
        self._lock = FolderLock(self.folder)
        try:
            self._open(kb, settings, resume=resume)
        except BaseException:
            self.close()
            raise

    def _open(self, kb: KnowledgeBase, settings: Settings, *, resume: bool) -> None:
        # As the file gives it back: with lists in place of tuples.
        self._identity = to_builtins(_Identity(data_hash(kb), settings.candidate_settings()))
        self._resume = resume and self._identity_file.exists()
        self._problem: Problem | None = None
        self._fingerprint = ""
        self._counts: _Counts | None = None
        if self._resume:
            self._check()
        else:
            self._selection_file.unlink(missing_ok=True)
            self._problem_file.unlink(missing_ok=True)
            self._candidates_file.unlink(missing_ok=True)
            self._plan_file.unlink(missing_ok=True)
            if resume:
                logger.warning(
                    "there is no checkpoint in %s yet: the run starts from the beginning", self.folder
                )
            write_text(self._identity_file, json.dumps(self._identity, indent=2) + "\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let other runs have the folder."""
        self._lock.release()

    @property
    def _identity_file(self) -> Path:
        return self.folder / _IDENTITY_FILE

    @property
    def _problem_file(self) -> Path:
        return self.folder / "problem.json.gz"

    @property
    def _candidates_file(self) -> Path:
        return self.folder / "candidates.json"

    @property
    def _plan_file(self) -> Path:
        return self.folder / "plan.json"

    @property
    def _selection_file(self) -> Path:
        return self.folder / "best.json"

    def _check(self) -> None:
        known = _read(self._identity_file, _Identity)
        if known.data != self._identity["data"]:
            raise InputError(
                "this checkpoint belongs to other data",
                location_of(self._identity_file),
                "choose another folder",
            )
        if known.settings != self._identity["settings"]:
            raise InputError(
                "this checkpoint was made with other settings",
                location_of(self._identity_file),
                f"it has {json.dumps(known.settings)}",
            )

    def problem(self) -> tuple[Problem, CandidateCounts] | None:
        """Return the problem of an earlier run, with its counts of candidates."""
        if not self._resume or not self._problem_file.exists() or not self._candidates_file.exists():
            return None
        try:
            self._problem = load_problem(self._problem_file)
            self._fingerprint = self._fingerprint_of(self._problem)
        except InputError as error:
            raise InputError(error.message, error.location, _ANEW) from None
        kept = _read(self._candidates_file, _Candidates)
        self._counts = kept if kept.problem == self._fingerprint else kept.former
        if self._counts is None or self._counts.problem != self._fingerprint:
            raise InputError(
                "this file does not belong to the problem next to it, or to this data and these settings",
                location_of(self._candidates_file),
                _ANEW,
            )
        return self._problem, self._counts.counts

    def save_problem(
        self, problem: Problem, candidates: CandidateCounts, start: Sequence[int] | None = None
    ) -> None:
        """Keep the problem.

        Args:
            problem: the problem.
            candidates: counts of its candidates.
            start: the best selection so far, as one from this problem. It is kept beside that from the
                problem before, so that one of them fits whenever the run is cut off.
        """
        self._problem, self._fingerprint = problem, self._fingerprint_of(problem)
        if start is not None:
            file = self._selection_file
            former = _read(file, _Selection) if file.exists() else _Selection()
            _write(file, structs.replace(former, next=_Next(self._fingerprint, tuple(start))))
        # The problem comes last: where it is, everything that belongs to it is there too.
        former_counts = None if self._counts is None else _Counts(self._counts.problem, self._counts.counts)
        self._counts = _Candidates(self._fingerprint, candidates, former_counts)
        _write(self._candidates_file, self._counts)
        save_problem(problem, self._problem_file)

    def selection(self) -> list[int] | None:
        """Return the best selection of an earlier run, if it fits the problem."""
        if not self._resume or self._problem is None or not self._selection_file.exists():
            return None
        kept = _read(self._selection_file, _Selection)
        found = kept if kept.problem == self._fingerprint or kept.next is None else kept.next
        decoders, known = list(found.decoders), len(self._problem.decoders)
        misfit = found.problem != self._fingerprint or max(decoders, default=-1) >= known
        if misfit or violations(self._problem, decoders):
            raise InputError(
                "this selection does not fit the problem next to it", location_of(self._selection_file), _ANEW
            )
        return decoders

    def save_selection(self, solution: Solution) -> None:
        """Keep a selection from the problem that was saved."""
        decoders = tuple(solution.decoders)
        _write(self._selection_file, _Selection(self._fingerprint, decoders, solution.loss, solution.bound))

    def plan(self) -> Plan | None:
        """Return how an earlier run would say the data."""
        if not self._resume or not self._plan_file.exists():
            return None
        said = _read(self._plan_file, _Said)
        try:
            if said.data != self._identity["data"]:
                raise ValueError("it belongs to other data")
            return said.plan.plan()
        except (ValueError, LogicoderError) as error:
            raise InputError(
                f"this checkpoint file is damaged: {error}", location_of(self._plan_file), _ANEW
            ) from None

    def save_plan(self, plan: Plan) -> None:
        """Keep how the data are said."""
        _write(self._plan_file, _Said(self._identity["data"], StoredPlan.of(plan)))

    def _fingerprint_of(self, problem: Problem) -> str:
        """Return what tells the problems of runs and of their rounds apart."""
        digest = hashlib.sha256(json.dumps(self._identity, sort_keys=True).encode())
        for target in problem.targets:
            digest.update(f"{target.name!r} {target.facts}\n".encode())
        for encoder in problem.encoders:
            digest.update(f"{encoder.clause} {encoder.weight}\n\n".encode())
        for decoder in problem.decoders:
            digest.update(f"{decoder.clause} {decoder.true} {decoder.false}\n\n".encode())
        return digest.hexdigest()


def _read(path: Path, kind: type[T]) -> T:
    return read_json(path, kind, "this checkpoint file", _ANEW)


def _write(path: Path, content: Struct) -> None:
    write_text(path, json.dumps(to_builtins(content)) + "\n")
