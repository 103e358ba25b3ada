"""The folder of an experiment: its configuration, the models, and a file for each finished unit of work.

Files are written beside and renamed, so a unit is there as a whole or not at all: whoever starts the
experiment again goes on where it ended.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import logicoder
from logicoder.base.errors import InputError, LogicoderError, UsageError, location_of
from logicoder.base.files import read_text, sha256_of, write_text
from logicoder.evaluation.configuration import Cell, Configuration
from logicoder.evaluation.splits import Split

logger = logging.getLogger("logicoder")

Unit = dict[str, Any]

VALIDATION, TEST, ENCODING = "validation", "test", "encoding"


class Described(Protocol):
    """A configuration of any kind."""

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain data."""


class Store:
    """What is known so far.

    Args:
        folder: where everything is kept.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = Path(folder)

    # -- configuration --------------------------------------------------------------------------------

    def begin(self, data: Path, files: list[Path], configuration: Described) -> None:
        """Keep the configuration; refuse a folder that holds another experiment."""
        sums = {path.relative_to(data).as_posix(): sha256_of(path) for path in sorted(files)}
        wanted = {"version": logicoder.__version__, "configuration": configuration.as_dict(), "data": sums}
        path = self.folder / "configuration.json"
        if path.exists():
            known = _read_json(path)
            version = known.get("version") if isinstance(known, dict) else None
            if version not in (None, wanted["version"]):
                logger.warning(
                    "%s was begun with logicoder %s, and this is %s: its results may differ",
                    *(self.folder, version, wanted["version"]),
                )
            if not isinstance(known, dict) or {**known, "version": wanted["version"]} != wanted:
                differing = _difference(known, wanted)
                raise UsageError(
                    f"{self.folder} holds another experiment (it differs in: {differing}); "
                    "choose another folder, or the same options and data to go on with it"
                )
            return
        write_text(path, json.dumps(wanted, indent=2, ensure_ascii=False) + "\n")

    def configuration(self) -> Configuration:
        """Return the configuration of the folder."""
        path = self.folder / "configuration.json"
        try:
            return Configuration.from_dict(_read_json(path)["configuration"])
        except (KeyError, TypeError) as error:
            raise InputError(
                f"this is no configuration of an experiment: {error!r}", location_of(path)
            ) from None

    # -- units ----------------------------------------------------------------------------------------

    def model_folder(self, split: Split, name: str) -> Path:
        """Return where a model is kept."""
        return self.folder / "models" / split.name / name

    def unit_path(self, split: Split, name: str, role: str) -> Path:
        """Return the file of a unit of work."""
        return self.folder / "units" / split.name / f"{name}.{role}.json"

    def has(self, split: Split, name: str, role: str) -> bool:
        """Whether a unit is finished."""
        return self.unit_path(split, name, role).exists()

    def write(self, split: Split, name: str, role: str, unit: Unit) -> None:
        """Keep a finished unit."""
        text = json.dumps({"split": split.name, "name": name, "role": role, **unit}, ensure_ascii=False)
        write_text(self.unit_path(split, name, role), text + "\n")

    def read(self, split: Split, name: str, role: str) -> Unit:
        """Return a finished unit."""
        return dict(_read_json(self.unit_path(split, name, role)))

    def units(self) -> Iterator[Unit]:
        """Iterate over all finished units."""
        for path in sorted((self.folder / "units").glob("*/*.json")):
            yield _read_json(path)

    def forget_failures(self) -> None:
        """Make room for another try of networks that failed, and of whatever failed unexpectedly.

        Auto-encoders that cannot be, or that took too long, stay as they are.
        """
        for path in (self.folder / "units").glob("*/*.json"):
            unit = _read_json(path)
            if "failed" in unit and (unit["role"] != ENCODING or "unexpected" in unit):
                path.unlink()

    def programs(self, split: Split, cell: Cell) -> str | None:
        """Return the mark of the programs that a cell rests on; None where there are none."""
        if cell.encoding is None or not self.encoded(split, cell):
            return None
        return str(self.read(split, cell.encoding, ENCODING)["programs"])

    def encoded(self, split: Split, cell: Cell) -> bool:
        """Whether the auto-encoder that a cell rests on is there; a failed one is not."""
        name = cell.encoding
        return name is None or (
            self.has(split, name, ENCODING) and "failed" not in self.read(split, name, ENCODING)
        )


def failure(error: Exception) -> Unit:
    """Return why a unit has no result; what nobody expected is marked, since it may not happen again.

    >>> failure(MemoryError())
    {'failed': 'out of memory', 'unexpected': True}
    >>> failure(ZeroDivisionError("division by zero"))
    {'failed': 'ZeroDivisionError: division by zero', 'unexpected': True}
    """
    logger.debug("a unit failed", exc_info=error)
    kind = "out of memory" if isinstance(error, MemoryError) else type(error).__name__
    if isinstance(error, LogicoderError):
        return {"failed": str(error) or kind}
    return {"failed": f"{kind}: {error}" if str(error) else kind, "unexpected": True}


def _read_json(path: Path) -> Any:
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError(
            f"this is no JSON: {error.msg}", location_of(path, error.lineno, error.colno)
        ) from None


def _difference(known: Any, wanted: dict[str, Any]) -> str:
    if not isinstance(known, dict):
        return "everything"
    names = [
        name
        for part in ("configuration", "data")
        for name in {**known.get(part, {}), **wanted[part]}
        if known.get(part, {}).get(name) != wanted[part].get(name)
    ]
    return ", ".join(sorted(names)) or "everything"
