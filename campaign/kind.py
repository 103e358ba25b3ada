"""What a kind of attack is: it makes cases at random, as plain data, and checks one of them."""

from __future__ import annotations

import base64
import hashlib
import json
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, Protocol

FAILURES = Path(__file__).parent / "failures"

Case = dict[str, Any]
"""Plain data, so that a case can be kept in a file and replayed."""


class FoundError(AssertionError):
    """What the campaign looks for: a traceback, a hang, a wrong result, a lost fact.

    Args:
        why: what was found.
        case: a smaller case that shows it.
        tried: how many were tried, this one included.
    """

    def __init__(self, why: str, case: Case | None = None, tried: int = 1) -> None:
        super().__init__(why)
        self.case = case
        self.tried = tried


class Kind(Protocol):
    """One way to attack."""

    unit: str
    """What is counted: inputs, programs, kills."""
    seconds: int
    """A check that takes more processor time, or ten times that by the clock, hangs."""

    def case(self, random: Random) -> Case:
        """Return a case at random."""

    def check(self, case: Case, folder: Path) -> int:
        """Try a case in an empty folder; return how many were tried; raise FoundError for what is found."""


def checked(kind: Kind, case: Case, folder: Path) -> int:
    """Check a case; whatever it raises is a finding."""
    try:
        with time_limit(kind.seconds):
            return kind.check(case, folder)
    except FoundError:
        raise
    except Exception as error:
        raise FoundError(f"{type(error).__name__}: {error}") from error


PATIENCE = 10
"""How many seconds a second of work may take on a busy machine."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise FoundError after some seconds of work, or after ten times as many by the clock.

    Raises:
        FoundError: for what takes longer.
    """

    def ring(*_: object) -> None:
        raise FoundError(f"took more than {seconds:g} seconds")

    before = [signal.signal(s, ring) for s in (signal.SIGPROF, signal.SIGALRM)]
    set_limit(seconds)
    try:
        yield
    finally:
        set_limit(0)
        for number, handler in zip((signal.SIGPROF, signal.SIGALRM), before, strict=True):
            signal.signal(number, handler)


def set_limit(seconds: float) -> None:
    """Start the clocks of `time_limit` again, or stop them."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE * seconds)


def limit_memory(most: int) -> None:
    """Let this process have so many bytes at the most: whoever wants more gets a MemoryError."""
    resource.setrlimit(resource.RLIMIT_AS, (most, resource.RLIM_INFINITY))


def keep(name: str, case: Case, why: str) -> Path:
    """Keep a case that failed."""
    text = json.dumps({"kind": name, "why": why[:2000], "case": case}, indent=1, sort_keys=True)
    mark = hashlib.sha256(json.dumps(case, sort_keys=True).encode()).hexdigest()[:12]
    path = FAILURES / f"{name}-{mark}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text + "\n")
    return path


def packed(data: bytes) -> str:
    """Return bytes as text for a case."""
    return base64.b85encode(data).decode()


def unpacked(text: str) -> bytes:
    """Return the bytes of a case."""
    return base64.b85decode(text)
