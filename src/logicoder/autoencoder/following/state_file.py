"""A state: a folder with a lossless encoding and `state.json`, which tells how its bits went.

state/latent/…  state/exceptions.pl  state/state.json
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from msgspec import Struct

from logicoder.autoencoder.encoding_forms import EXCEPTIONS_FILE
from logicoder.autoencoder.lossless import LATENT_FOLDER, LosslessEncoding
from logicoder.base.errors import InputError, location_of
from logicoder.base.files import settle, write_text
from logicoder.base.saved_json import Count, read_json

STATE_FILE = "state.json"
VERSION = 1


@dataclass(frozen=True)
class Moment:
    """The encoding at one time.

    Attributes:
        facts: of the data.
        added: facts that came since the moment before.
        removed: facts that went.
        bits: of the encoding.
        plain_bits: of the plain facts.
        learned: whether the program was learned for these data.
        bound: bits that no message undercuts, where that was proved for these very data.
        bound_scope: which messages it is about, as `bound_scope_` of a model.
    """

    facts: Count
    added: Count
    removed: Count
    bits: float
    plain_bits: float
    learned: bool = False
    bound: float | None = None
    bound_scope: str = ""

    @property
    def share(self) -> float:
        """The bits of the encoding as a share of the plain ones."""
        return self.bits / self.plain_bits if self.plain_bits else 1.0

    @property
    def left(self) -> float | None:
        """The share of its bits that another message may save, as far as is proved; None without a bound."""
        return None if self.bound is None or not self.bits else max(0.0, 1 - self.bound / self.bits)


class _Versioned(Struct):
    """What `state.json` holds in every version."""

    version: Count


class _History(_Versioned):
    """What `state.json` holds."""

    history: tuple[Moment, ...]


def moment_of(
    encoding: LosslessEncoding,
    added: int = 0,
    removed: int = 0,
    *,
    learned: bool = False,
    proved: object = None,
) -> Moment:
    """Return what there is to say of an encoding.

    Args:
        encoding: the encoding.
        added: facts that came since the moment before.
        removed: facts that went.
        learned: whether its program was learned for these data.
        proved: a model that was learned for these data: its bound holds.
    """
    bits = encoding.bits
    total = round(bits.plain - bits.saved, 3)
    moment = Moment(encoding.data.size, added, removed, total, round(bits.plain, 3), learned)
    bound = getattr(proved, "bound_", 0.0)
    if getattr(proved, "goal_", "") != "bits" or bound <= 0:
        return moment
    scope = str(getattr(proved, "bound_scope_", ""))
    return replace(moment, bound=round(min(bound, total), 3), bound_scope=scope)


def is_state(path: Path) -> bool:
    """Whether a folder holds a lossless encoding as text."""
    settle(path)
    return (path / EXCEPTIONS_FILE).is_file() and (path / LATENT_FOLDER).is_dir()


def write_state(folder: Path, encoding: LosslessEncoding, history: Sequence[Moment]) -> None:
    """Write an encoding and how it came to be what it is."""
    encoding.save(folder)
    plain = {"version": VERSION, "history": [asdict(moment) for moment in history]}
    write_text(folder / STATE_FILE, json.dumps(plain, indent=1) + "\n")


def read_history(folder: Path) -> list[Moment]:
    """Return the moments of a state; none where it was written without them.

    Raises:
        InputError: for a damaged file or one of another version.
    """
    path = folder / STATE_FILE
    if not path.exists():
        return []
    if read_json(path, _Versioned, "this state").version != VERSION:
        raise InputError(f"this logicoder reads version {VERSION} of states", location_of(path, 1, 1))
    return list(read_json(path, _History, "this state").history)
