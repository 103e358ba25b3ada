"""Checkpoints: the problem and the best selection, or the best plan, on disk: an interrupted run can go on.

A run has its folder to itself. Every file in it names the problem that it belongs to by a sum over the data,
the settings and the candidates, so that no file of another run is taken for one of this.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from logicoder.base.errors import InputError, LogicoderError, location_of
from logicoder.base.files import read_text, write_text
from logicoder.base.folder_lock import FolderLock
from logicoder.compression.plan import Plan
from logicoder.compression.plan_data import plain_plan, plan_of_plain
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
        self._identity = {"data": data_hash(kb), "settings": settings.candidate_settings()}
        self._resume = resume and self._identity_file.exists()
        self._problem: Problem | None = None
        self._fingerprint = ""
        self._counts: dict[str, Any] | None = None
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
            self._fingerprint = self._fingerprint_of(self._problem)
        except InputError as error:
            raise InputError(error.message, error.location, "start anew without `resume`") from None
        kept: dict[str, Any] | None = _read_json(self._candidates_file)
        if kept is not None and kept.get("problem") != self._fingerprint:
            kept = kept.get("former")
        if not isinstance(kept, dict) or kept.get("problem") != self._fingerprint:
            raise InputError(
                "this file does not belong to the problem beside it, or to these data and settings",
                location_of(self._candidates_file),
                "start anew without `resume`",
            )
        self._counts = {"problem": self._fingerprint, "counts": kept["counts"]}
        return self._problem, kept["counts"]

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
        self._problem, self._fingerprint = problem, self._fingerprint_of(problem)
        if start is not None:
            former = _read_json(self._selection_file) if self._selection_file.exists() else {}
            following = {"problem": self._fingerprint, "decoders": list(start)}
            write_text(self._selection_file, json.dumps({**former, "next": following}) + "\n")
        # The problem comes last: where it is, everything that belongs to it is there too.
        kept = {"problem": self._fingerprint, "counts": candidates, "former": self._counts}
        write_text(self._candidates_file, json.dumps(kept, indent=2) + "\n")
        self._counts = {"problem": self._fingerprint, "counts": candidates}
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

    def plan(self) -> Plan | None:
        """Return how an earlier run would say the data."""
        if not self._resume or not self._plan_file.exists():
            return None
        try:
            return plan_of_plain(_read_json(self._plan_file))
        except (KeyError, TypeError, ValueError, LogicoderError) as error:
            raise InputError(
                f"this checkpoint file is damaged: {error!r}",
                location_of(self._plan_file),
                "start anew without `resume`",
            ) from None

    def save_plan(self, plan: Plan) -> None:
        """Keep how the data are said."""
        write_text(self._plan_file, json.dumps(plain_plan(plan), indent=1) + "\n")

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
