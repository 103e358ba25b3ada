"""Threads of linear algebra: one for each process.

The matrices here are small. On cores that have other work as well, threads that share one wait for each other
most of the time, and sums of floating-point numbers come out the same only with as many threads.
"""

from __future__ import annotations

import os

_NAMES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def use_one_thread() -> None:
    """Let this process, where NumPy is not loaded yet, and its children use one, unless told otherwise."""
    for name in _NAMES:
        os.environ.setdefault(name, "1")
