"""`logicoder ...`: parse options, call the library, print."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Run the command line; the exit code says how it went (see `logicoder.cli.guarding`)."""
    from logicoder.cli.app import run  # noqa: PLC0415  (typer waits until there is a command line)

    run()
