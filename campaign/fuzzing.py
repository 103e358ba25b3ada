"""Damaged files by the hundred thousand: what each makes the library do decides which of them grow further.

A target is something that reads one file. Its files start from sound ones. Whatever does something new (fails
at another line, or is read as something of another shape) joins them, and is damaged again later. The pools
are kept in `campaign-results/grown`, so that a campaign goes on from where the last one came to.
"""

from __future__ import annotations

import gzip
import hashlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import process_time

from campaign.damage import damaged
from campaign.kind import Case, FoundError, packed, set_limit, unpacked
from logicoder.base.errors import LogicoderError

BATCH = 200
GROWN = Path(__file__).resolve().parent.parent / "campaign-results" / "grown"
CURRENT = "current"
"""Where a worker tells which file it is at: see `campaign.worker`."""
_MOST_GROWN = 400
_LONGEST = 6000
_INPUT_SECONDS = 10
"""For one file, of a few thousand bytes; the machine may be busy."""


@dataclass
class Target:
    """Something that reads a file.

    Attributes:
        name: the file that is damaged, in its folder.
        sound: contents that it may have.
        read: what reads it, given its path; what it returns tells inputs apart.
        beside: other files of the folder, which stay sound.
        packed: whether the file is packed by gzip on the way.
    """

    name: str
    sound: list[bytes]
    read: Callable[[Path], object]
    beside: Mapping[str, bytes] = field(default_factory=dict)
    packed: bool = False
    _seen: set[object] = field(default_factory=set)
    _grown: list[bytes] = field(default_factory=list)

    def placed(self, folder: Path) -> Path:
        """Write the sound files into an empty folder; return where the damaged one goes."""
        for name, data in self.beside.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        path = folder / self.name
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def tried(self, path: Path, data: bytes) -> object:
        """Read a damaged file; return what tells its effect from that of others.

        Raises:
            FoundError: for any other error than one that the library makes, or one without words.
        """
        path.write_bytes(gzip.compress(data, 1) if self.packed else data)
        try:
            return self.read(path)
        except FoundError:
            raise
        except LogicoderError as error:
            if not str(error).strip():
                raise FoundError(f"{self.name}: an error without a word") from None
            return _place(error)
        except Exception as error:
            raise FoundError(f"{self.name}: {type(error).__name__}: {error}"[:1500]) from error

    def drawn(self, random: Random) -> bytes:
        """Return a damaged file."""
        pool = self._grown if self._grown and random.random() < 0.5 else self.sound
        return damaged(random, random.choice(pool), self.sound)

    def learn(self, effect: object, data: bytes, folder: Path | None) -> None:
        """Keep a file that did something new."""
        if effect in self._seen or len(data) > _LONGEST:
            return
        self._seen.add(effect)
        if len(self._grown) < _MOST_GROWN:
            self._grown.append(data)
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
                (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)

    def remember(self, folder: Path) -> None:
        """Take the files that earlier campaigns kept."""
        if folder.exists() and not self._grown:
            self._grown = [path.read_bytes() for path in sorted(folder.iterdir())][:_MOST_GROWN]


def _place(error: BaseException) -> object:
    """Return the lines that an error came through."""
    found = []
    at = error.__traceback__
    while at is not None:
        found.append((at.tb_frame.f_code.co_name, at.tb_lineno))
        at = at.tb_next
    return tuple(found)


class Fuzzing:
    """Whatever a file holds, it is read, or an error says what is wrong with it.

    Args:
        name: of the kind.
        targets: what reads files, by name; made when they are first needed.
    """

    unit = "inputs"
    seconds = 120
    growing = False
    """Whether pools are kept from one run to the next."""

    def __init__(self, name: str, targets: Callable[[], dict[str, Target]]) -> None:
        self._name = name
        self._targets = targets
        self._spent: dict[str, float] = {}

    def case(self, random: Random) -> Case:
        """Return the target that had the least time so far, and where random damage starts from."""
        names = list(self._targets())
        random.shuffle(names)
        chosen = min(names, key=lambda name: self._spent.get(name, 0.0))
        return {"target": chosen, "seed": random.getrandbits(32)}

    def check(self, case: Case, folder: Path) -> int:
        """Read damaged versions of a file, or the one that the case is about."""
        logging.getLogger("logicoder").setLevel(logging.ERROR)
        target = self._targets()[case["target"]]
        path = target.placed(folder / "data")
        if "data" in case:
            target.tried(path, unpacked(case["data"]))
            return 1
        grown = GROWN / self._name / case["target"].replace("/", "-") if self.growing else None
        if grown is not None:
            target.remember(grown)
        (folder / CURRENT).write_text(str(path))
        random = Random(case["seed"])
        began = process_time()
        for number in range(1, BATCH + 1):
            data = target.drawn(random)
            set_limit(_INPUT_SECONDS)
            try:
                effect = target.tried(path, data)
            except FoundError as error:
                found = {"target": case["target"], "data": packed(data)}
                raise FoundError(str(error), found, number) from error
            target.learn(effect, data, grown)
        self._spent[case["target"]] = self._spent.get(case["target"], 0.0) + process_time() - began
        return BATCH


def bucket(number: int) -> int:
    """Return about how many there are.

    >>> [bucket(n) for n in (0, 1, 2, 3, 100)]
    [0, 1, 2, 2, 7]
    """
    return number.bit_length()
