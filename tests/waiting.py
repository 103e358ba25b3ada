"""Waiting for what runs beside a test: longer than anything takes on a busy machine, but not for ever."""

from __future__ import annotations

import threading
import time

PATIENCE = 300
"""Seconds. Whoever waits for longer than that waits for something that hangs."""


def ended(process):
    """Return what a process that is about to end has said; kill it if it goes on, and fail."""
    try:
        return process.communicate(timeout=PATIENCE)
    except BaseException:
        process.kill()
        raise


def joined(*threads):
    """Wait for threads that are about to end."""
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive(), f"{thread.name} goes on"


def within(call):
    """Return what a call returns that waits for a process, such as `process.stdout.readline`."""
    found = []
    thread = threading.Thread(target=lambda: found.append(call()), name=call.__name__, daemon=True)
    thread.start()
    joined(thread)
    return found[0]


def until(come, why, process=None):
    """Wait until something has come; fail if the process that it comes from ends without it."""
    end = time.monotonic() + PATIENCE
    while not come():
        if process is not None and process.poll() is not None:
            assert come(), (why, ended(process))
            return
        assert time.monotonic() < end, f"after {PATIENCE} seconds still not: {why}"
        time.sleep(0.02)
