"""The folder of an experiment: its configuration, the models, and a file for each finished unit of work.

Files are written beside and renamed, so a unit is there as a whole or not at all: whoever starts the
experiment again goes on where it ended.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NotRequired, Protocol, TypedDict

import logicoder
from logicoder.base.errors import LogicoderError, UsageError
from logicoder.base.files import sha256_of, write_text
from logicoder.base.saved_json import Count, Number, Plain, as_declared, read_json
from logicoder.evaluation.configuration import Cell, Configuration
from logicoder.evaluation.splits import Split

logger = logging.getLogger("logicoder")

Unit = dict[str, Any]
_CONFIGURATION = "this configuration of an experiment"

VALIDATION, TEST, ENCODING = "validation", "test", "encoding"

Measures = dict[str, Number | None]


class _Begun(TypedDict):
    """What `configuration.json` holds."""

    version: NotRequired[str]
    configuration: dict[str, Plain]
    data: dict[str, str]


class _Unit(TypedDict):
    """What every unit of work says, failed ones included."""

    split: str
    name: str
    role: Literal["validation", "test", "encoding"]
    cell: Cell
    failed: NotRequired[str]


class _Encoding(_Unit):
    """An auto-encoder that was learned."""

    loss: Count
    facts: Count
    programs: str
    variables: Count
    phases: dict[str, Number]


class _Answers(TypedDict):
    """How a predicate was answered."""

    auc_pr: Number | None
    average_precision: Number | None
    auc_roc: Number | None
    notes: dict[str, Plain]
    known: NotRequired[Measures]
    only_here: NotRequired[tuple[Count, Count]]


class _Fold(_Unit):
    """A model that was asked for every predicate of a fold."""

    variant: str
    mean: Measures
    mean_nontrivial: Measures
    mean_known: NotRequired[Measures]
    mean_explicit: NotRequired[Measures]
    predicates: dict[str, _Answers]
    learned: dict[str, Plain]


class _Ranks(TypedDict):
    """How facts of a relation, or of all of them, were ranked."""

    facts: Count
    mrr: Number


class _Links(_Unit):
    """A model that ranked the facts of a graph."""

    variant: str
    mean: _Ranks
    relations: dict[str, _Ranks]


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
            known = read_json(path, _Begun, _CONFIGURATION)
            version = known.get("version")
            if version not in (None, wanted["version"]):
                logger.warning(
                    "%s was started with logicoder %s, but this is %s: results may differ",
                    *(self.folder, version, wanted["version"]),
                )
            if {**known, "version": wanted["version"]} != wanted:
                raise UsageError(
                    f"{self.folder} has another experiment (it differs in: {_difference(known, wanted)}); "
                    "choose another folder, or use the same options and data to continue it"
                )
            return
        write_text(path, json.dumps(wanted, indent=2, ensure_ascii=False) + "\n")

    def configuration(self) -> Configuration:
        """Return the configuration of the folder."""
        path = self.folder / "configuration.json"
        known = read_json(path, _Begun, _CONFIGURATION)["configuration"]
        return as_declared(known, Configuration, _CONFIGURATION, path).checked()

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
        return _read_unit(self.unit_path(split, name, role))

    def units(self) -> Iterator[Unit]:
        """Iterate over all finished units."""
        for path in sorted((self.folder / "units").glob("*/*.json")):
            yield _read_unit(path)

    def forget_failures(self) -> None:
        """Make room for another try of networks that failed, and of whatever failed unexpectedly.

        Auto-encoders that cannot be, or that took too long, stay as they are.
        """
        for path in (self.folder / "units").glob("*/*.json"):
            unit = _read_unit(path)
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


def _read_unit(path: Path) -> Unit:
    """Return a unit, whatever else it says than what is declared."""
    what, hint = "this unit of an experiment", "delete it to do it again"
    unit = read_json(path, Unit, what, hint)
    kind: type[_Unit] = _Links if "relations" in unit else _Fold
    if unit.get("role") == ENCODING:
        kind = _Encoding
    as_declared(unit, _Unit if "failed" in unit else kind, what, path, hint)
    return unit


def _difference(known: _Begun, wanted: Mapping[str, Any]) -> str:
    parts = ((known["configuration"], wanted["configuration"]), (known["data"], wanted["data"]))
    names = [n for old, new in parts for n in {**old, **new} if old.get(n) != new.get(n)]
    return ", ".join(sorted(names)) or "everything"
