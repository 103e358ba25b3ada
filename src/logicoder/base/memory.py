"""Memory: sizes as people write them, what the machine has to spare, and a budget that a run divides.

A run does not measure itself, for then its result would depend on the moment. It estimates what it is about
to make from the sizes of the data, and what would not fit is bounded, made piece by piece, or left out and
counted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from logicoder.base.errors import UsageError, shown

_UNITS = {
    "": 1,
    "b": 1,
    **{f"{letter}b": 1000**power for power, letter in enumerate("kmgt", start=1)},
    **{f"{letter}ib": 1024**power for power, letter in enumerate("kmgt", start=1)},
    **{letter: 1024**power for power, letter in enumerate("kmgt", start=1)},
}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*\Z", re.IGNORECASE)

_MiB = 1 << 20
LEAST = 256 * _MiB
"""The least budget that can be asked for: Python and the libraries alone take more than half of it."""

_MOST = 1 << 60

_LIBRARIES = 160 * _MiB
"""What the interpreter, the numeric libraries and the solver take before there are any data."""

_SPARE_SHARE = 0.6
"""The part of the available memory that a run may use unless told otherwise."""

_UNKNOWN = 4 << 30
"""What is taken to be available on a machine that does not say."""

_CGROUP_FILES = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


def bytes_of(value: int | str) -> int:
    """Return the number of bytes of a size such as `4GiB`, `500MB` or `2.5 g`, or of a whole number.

    >>> bytes_of("4GiB") == 4 * 1024**3, bytes_of("500MB"), bytes_of(800_000_000)
    (True, 500000000, 800000000)
    """
    if isinstance(value, int) and not isinstance(value, bool):
        found = value
    else:
        match = _SIZE.match(value) if isinstance(value, str) else None
        unit = match[2].lower() if match else None
        if match is None or unit not in _UNITS:
            raise UsageError(f"write a size as 4GiB or 500MB, not {shown(value)}")
        found = int(float(match[1]) * _UNITS[unit])
    if found > _MOST:
        raise UsageError(f"it must be at most {size_text(_MOST)}, not {shown(value)}")
    if found < LEAST:
        raise UsageError(f"it must be at least {size_text(LEAST)}, not {shown(value)}")
    return found


def size_text(count: int) -> str:
    """Return a number of bytes for people.

    >>> size_text(3 * 1024**3 // 2), size_text(1000)
    ('1.5 GiB', '1000 B')
    """
    for power, unit in ((4, "TiB"), (3, "GiB"), (2, "MiB"), (1, "KiB")):
        if count >= 1024**power:
            return f"{count / 1024**power:.4g} {unit}"
    return f"{count} B"


def available_memory(root: Path = Path("/")) -> int:
    """Return how many bytes are free for a process: on the machine, or in its container if that is less.

    Args:
        root: where the files of the system are.
    """
    found = [_UNKNOWN]
    try:
        for line in (root / "proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                found = [1024 * int(line.split()[1])]
    except (OSError, ValueError, IndexError):
        pass
    for limit, used in _CGROUP_FILES:
        try:
            # A container without a limit says `max`, or a number that is larger than any memory.
            most = int((root / limit.lstrip("/")).read_text())
            found.append(max(0, most - int((root / used.lstrip("/")).read_text())))
        except (OSError, ValueError):
            continue
    return min(found)


@dataclass(frozen=True)
class MemoryBudget:
    """How much memory a run may take at its peak, and what its parts may take of it.

    Attributes:
        limit: bytes of the whole process.
        data: bytes of what is there already: libraries, facts and constants.
    """

    limit: int
    data: int

    @classmethod
    def of(cls, limit: int | str | None, facts: int, constants: int) -> MemoryBudget:
        """Return the budget of a run.

        Args:
            limit: the most memory, or None for a share of what is available now.
            facts: number of facts.
            constants: number of constants.
        """
        most = bytes_of(limit) if limit is not None else max(LEAST, int(_SPARE_SHARE * available_memory()))
        # Measured: columns of symbols and of entities, and the names of constants with their dictionary.
        return cls(most, _LIBRARIES + 40 * facts + 200 * constants)

    @property
    def free(self) -> int:
        """Bytes for the work of the run; where the data leave nothing, a little all the same."""
        return max(self.limit - self.data, self.limit // 16)

    def part(self, share: float) -> int:
        """Return the bytes of a share of what is free."""
        return int(self.free * share)
