"""`-v`, `-q` and `--debug`, before or after the name of a command, and the log on standard error."""

from __future__ import annotations

import logging
import sys
from typing import Annotated

import typer

from logicoder.base.errors import harmless
from logicoder.cli.declared import parameter

DEBUG = "logicoder.debug"

_LEVEL = "logicoder.level"
_LEVELS = (logging.CRITICAL, logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG)
_USUAL = _LEVELS.index(logging.WARNING)


def _louder(ctx: typer.Context, count: int) -> None:
    ctx.meta[_LEVEL] = ctx.meta.get(_LEVEL, 0) + count


def _quieter(ctx: typer.Context, count: int) -> None:
    ctx.meta[_LEVEL] = ctx.meta.get(_LEVEL, 0) - count


def _debug(ctx: typer.Context, value: bool) -> None:
    ctx.meta[DEBUG] = ctx.meta.get(DEBUG, False) or value


Verbose = Annotated[
    int,
    typer.Option(
        "--verbose",
        "-v",
        count=True,
        is_eager=True,
        callback=_louder,
        help="Print more to standard error; -vv for everything.",
        show_default=False,
    ),
]
Quiet = Annotated[
    int,
    typer.Option(
        "--quiet",
        "-q",
        count=True,
        is_eager=True,
        callback=_quieter,
        help="Print no progress and no warnings.",
        show_default=False,
    ),
]
Debug = Annotated[
    bool,
    typer.Option(
        "--debug",
        is_eager=True,
        callback=_debug,
        help="Show tracebacks of errors.",
        show_default=False,
    ),
]

COMMON = [
    parameter("verbose", Verbose, 0),
    parameter("quiet", Quiet, 0),
    parameter("debug", Debug, False),
]


def is_quiet(ctx: typer.Context) -> bool:
    """Whether `-q` was given."""
    return bool(ctx.meta.get(_LEVEL, 0) < 0)


class _StandardError(logging.Handler):
    """Writes to what standard error is at the moment: progress bars put something in its place."""

    def emit(self, record: logging.LogRecord) -> None:
        print(harmless(self.format(record)), file=sys.stderr)


def set_up_log(ctx: typer.Context) -> None:
    """Send the log to standard error, as much of it as was asked for."""
    logger = logging.getLogger("logicoder")
    for handler in list(logger.handlers):
        if isinstance(handler, _StandardError):
            logger.removeHandler(handler)
    handler = _StandardError()
    handler.setFormatter(_Formatter())
    logger.addHandler(handler)
    place = min(max(_USUAL + ctx.meta.get(_LEVEL, 0), 0), len(_LEVELS) - 1)
    logger.setLevel(_LEVELS[place])


class _Formatter(logging.Formatter):
    """`warning: ...` for warnings and errors, the bare message for everything else."""

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        return f"{record.levelname.lower()}: {text}" if record.levelno >= logging.WARNING else text
