"""Run a command and write what it used to a file: the system's account of a process starts from its parent.

    python -S -E launch.py FILE COMMAND ...

Linux lets the peak memory of a process begin at that of the process that started it. This one is tiny.
"""

import os
import sys
from time import perf_counter


def main() -> None:
    """Run the command, and end as it does."""
    account, command = sys.argv[1], sys.argv[2:]
    started = perf_counter()
    child = os.posix_spawnp(command[0], command, os.environ)
    # What it read is told as long as nobody has taken note of its end.
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    seconds = perf_counter() - started
    read = _bytes_read(child)
    _, status, usage = os.wait4(child, 0)
    with open(account, "w") as file:
        file.write(f"{seconds} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss} {read}")
    code = os.waitstatus_to_exitcode(status)
    sys.exit(code if code >= 0 else 128 - code)


def _bytes_read(process: int) -> int:
    """Return the bytes that a process asked the system for, from files, pipes and sockets; -1 if unknown."""
    try:
        with open(f"/proc/{process}/io") as file:
            return int(dict(line.split(": ") for line in file)["rchar"])
    except OSError:
        return -1


if __name__ == "__main__":
    main()
