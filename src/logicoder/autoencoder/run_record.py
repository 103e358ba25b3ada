"""`run.json`: everything needed to tell where a saved model comes from and to make it again."""

from __future__ import annotations

import json
import logging
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypedDict

from logicoder.autoencoder.saved_results import Results
from logicoder.base.errors import InputError, UsageError, shown, whole_characters
from logicoder.base.files import sha256_of, write_text
from logicoder.base.saved_json import Plain, read_json

logger = logging.getLogger("logicoder")

Inputs = Sequence[Path] | Mapping[Path, str]
"""Files that were read, perhaps with their SHA-256 sums."""

PACKAGES = ("logicoder", "numpy", "scipy", "ortools")


class InputFile(TypedDict):
    """A file that was read."""

    path: str
    sha256: str


class RunRecord(TypedDict, total=False):
    """What `run.json` holds."""

    parameters: dict[str, Plain]
    seed: Plain
    versions: dict[str, str]
    inputs: list[InputFile]
    command: list[str] | None
    results: Results


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that results depend on."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def run_record_path(model: Path) -> Path:
    """Return the path of the record beside a model file: `run.json`, or `NAME.run.json` for other names."""
    return model.with_name("run.json" if model.name == "model.alp" else f"{model.stem}.run.json")


def run_record(
    *,
    parameters: Mapping[str, Any],
    results: Results,
    inputs: Inputs = (),
    command: Sequence[str] | None = None,
) -> RunRecord:
    """Return the record of a run.

    Args:
        parameters: parameters of the estimator, the seed among them.
        results: what came out.
        inputs: files that were read, to be recorded with their SHA-256 sums; with sums, if they are known.
        command: the command line, where there was one.
    """
    sums = inputs if isinstance(inputs, Mapping) else {item: sha256_of(Path(item)) for item in inputs}
    for item, digest in sums.items():
        if not isinstance(digest, str):
            raise UsageError(f"the SHA-256 sum of {shown(item)} is not text")
    return {
        "parameters": dict(parameters),
        "seed": parameters.get("seed"),
        "versions": versions(),
        "inputs": [{"path": whole_characters(str(item)), "sha256": digest} for item, digest in sums.items()],
        "command": [*map(whole_characters, command)] if command is not None else None,
        "results": results,
    }


def write_run_record(path: Path, **content: Any) -> None:
    """Write the record of a run; see `run_record` for its content."""
    write_text(path, json.dumps(run_record(**content), indent=2, ensure_ascii=False) + "\n")


def read_run_record(model: Path) -> RunRecord:
    """Return the record beside a model file; an empty one where there is none, or none that can be read."""
    path = run_record_path(model)
    if not path.exists():
        return {}
    try:
        return read_json(path, RunRecord, "this run record")
    except InputError as error:
        logger.warning("%s", error)
        return {}
