"""What the machine offers."""

from __future__ import annotations

import os
from pathlib import Path

_QUOTA = "sys/fs/cgroup/cpu.max"
_OLD_QUOTA, _OLD_PERIOD = "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "sys/fs/cgroup/cpu/cpu.cfs_period_us"


def available_cores(root: Path = Path("/")) -> int:
    """Return how many cores this process may use: those of the machine, or of its container if it has fewer.

    Args:
        root: where the files of the system are.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    for files in ((_QUOTA,), (_OLD_QUOTA, _OLD_PERIOD)):
        try:
            quota, period = map(int, " ".join((root / file).read_text() for file in files).split())
        except (OSError, ValueError):  # no such file, or `max`: no limit
            continue
        if quota > 0 < period:
            cores = min(cores, -(-quota // period))
    return cores
