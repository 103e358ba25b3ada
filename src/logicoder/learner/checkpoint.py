"""Checkpoints: the problem and the best selection on disk, so that an interrupted run can go on."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from logicoder.base.errors import InputError, location_of
from logicoder.base.files import read_text, write_text
from logicoder.kb.data_hash import data_hash
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.learner.settings import Settings
from logicoder.problem.evaluate import violations
from logicoder.problem.model import Problem
from logicoder.problem.storage import load_problem, save_problem
from logicoder.selection import Solution

logger = logging.getLogger("logicoder")

_IDENTITY_FILE = "checkpoint.json"


def belongs_to(folder: str | Path | None, kb: KnowledgeBase) -> bool:
    """Whether a folder holds the checkpoint of a run on this data."""
    file = Path(folder or ".") / _IDENTITY_FILE
    return folder is not None and file.exists() and _read_json(file).get("data") == data_hash(kb)


class Checkpoint:
    """A folder that holds the state of one run.

    Args:
        folder: where to keep it.
        kb: the data of the run.
        settings: the settings of the run.
        resume: take up what is there; otherwise it is overwritten.
    """

    def __init__(self, folder: str | Path, kb: KnowledgeBase, settings: Settings, *, resume: bool) -> None:
        self.folder = Path(folder)
        self._identity = {"data": data_hash(kb), "settings": settings.candidate_settings()}
        self._resume = resume and self._identity_file.exists()
        self._problem: Problem | None = None
        self._fingerprint = ""
        if self._resume:
            self._check()
        else:
            self._selection_file.unlink(missing_ok=True)
            self._problem_file.unlink(missing_ok=True)
            self._candidates_file.unlink(missing_ok=True)
            if resume:
                logger.warning("there is no checkpoint in %s yet: the run starts from the beginning", folder)
            write_text(self._identity_file, json.dumps(self._identity, indent=2) + "\n")

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
    def _selection_file(self) -> Path:
        return self.folder / "best.json"

    def _check(self) -> None:
        known = _read_json(self._identity_file)
        if known.get("data") != self._identity["data"]:
            raise InputError(
                "this checkpoint belongs to other data",
                location_of(self._identity_file),
                "choose another folder",
            )
        if known.get("settings") != json.loads(json.dumps(self._identity["settings"])):
            raise InputError(
                "this checkpoint was made with other settings",
                location_of(self._identity_file),
                f"it has {json.dumps(known.get('settings'))}",
            )

    def problem(self) -> tuple[Problem, dict[str, Any]] | None:
        """Return the problem of an earlier run, with its counts of candidates."""
        if not self._resume or not self._problem_file.exists() or not self._candidates_file.exists():
            return None
        try:
            self._problem = load_problem(self._problem_file)
            self._fingerprint = _fingerprint(self._problem)
        except InputError as error:
            raise InputError(error.message, error.location, "start anew without `resume`") from None
        return self._problem, _read_json(self._candidates_file)

    def save_problem(
        self, problem: Problem, candidates: Mapping[str, Any], start: Sequence[int] | None = None
    ) -> None:
        """Keep the problem.

        Args:
            problem: the problem.
            candidates: counts of its candidates.
            start: the best selection so far, as one from this problem. It is kept beside that from the
                problem before, so that one of them fits whenever the run is cut off.
        """
        self._problem, self._fingerprint = problem, _fingerprint(problem)
        if start is not None:
            former = _read_json(self._selection_file) if self._selection_file.exists() else {}
            following = {"problem": self._fingerprint, "decoders": list(start)}
            write_text(self._selection_file, json.dumps({**former, "next": following}) + "\n")
        # The problem comes last: where it is, everything that belongs to it is there too.
        write_text(self._candidates_file, json.dumps(candidates, indent=2) + "\n")
        save_problem(problem, self._problem_file)

    def selection(self) -> list[int] | None:
        """Return the best selection of an earlier run, if it fits the problem."""
        if not self._resume or self._problem is None or not self._selection_file.exists():
            return None
        kept = _read_json(self._selection_file)
        if kept.get("problem") != self._fingerprint and isinstance(kept.get("next"), dict):
            kept = kept["next"]
        decoders = kept.get("decoders", [])
        valid = isinstance(decoders, list) and all(
            isinstance(d, int) and 0 <= d < len(self._problem.decoders) for d in decoders
        )
        if kept.get("problem") != self._fingerprint or not valid or violations(self._problem, decoders):
            raise InputError(
                "this selection does not fit the problem beside it", location_of(self._selection_file)
            )
        return list(decoders)

    def save_selection(self, solution: Solution) -> None:
        """Keep a selection from the problem that was saved."""
        data = {
            "problem": self._fingerprint,
            "decoders": list(solution.decoders),
            "loss": solution.loss,
            "bound": solution.bound,
        }
        write_text(self._selection_file, json.dumps(data) + "\n")


def _fingerprint(problem: Problem) -> str:
    """Return what tells the problems of the rounds of a run apart: their candidates, in order."""
    digest = hashlib.sha256()
    clauses = [*(e.clause for e in problem.encoders), *(d.clause for d in problem.decoders)]
    for clause in clauses:
        digest.update(f"{clause}\n\n".encode())
    return digest.hexdigest()


def _read_json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError(
            f"this checkpoint file is damaged ({error.msg})",
            location_of(path, error.lineno, error.colno),
            "start anew without `resume`",
        ) from None
    if not isinstance(found, dict):
        raise InputError("this checkpoint file is damaged", location_of(path), "start anew without `resume`")
    return found
