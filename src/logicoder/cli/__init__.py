"""`logicoder ...`: parse options, call the library, print."""

from __future__ import annotations

import sys

from logicoder.base.threads import use_one_thread

__all__ = ["main"]


def main() -> None:
    """Run the command line; the exit code says how it went (see `logicoder.cli.guard`)."""
    use_one_thread()
    try:
        from logicoder.cli.app import run  # noqa: PLC0415  (typer waits until there is a command line)

        run()
    except KeyboardInterrupt:  # while modules were loaded; the commands have their own answer
        print("Error: interrupted", file=sys.stderr)
        sys.exit(130)
