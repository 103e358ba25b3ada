"""How a command ends: exit codes, messages instead of tracebacks, and pipes that nobody reads any more.

0    fine
1    the run failed: no program satisfies the constraints, a result could not be written, out of memory
2    wrong usage, or input that cannot be read as it stands
130  Ctrl-C
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import traceback
from contextlib import suppress
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from logicoder.base.effort import StoppedError
from logicoder.base.errors import LogicoderError, harmless
from logicoder.base.input_record import recorded_inputs
from logicoder.base.setting import NONE, SettingError
from logicoder.cli.command import options_of
from logicoder.cli.declared import in_options
from logicoder.cli.verbosity import DEBUG

NO_PROGRAM = "interrupted before any program was found"
FAILED = 1
INTERRUPTED = 130
_UNMAPPED = "failed to map segment"
"""What the system says of a library that the memory does not suffice for."""

_log = logging.getLogger("logicoder")


class QuitError(BaseException):
    """Leave at once, whatever is running: a second Ctrl-C, or a first one that nothing reacts to."""


class InterruptedRunError(LogicoderError):
    """Ctrl-C before there was anything to show."""

    exit_code = INTERRUPTED


class Commands(TyperGroup):
    """The commands, each of which ends with an exit code and at most a message."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command; typer handles its own exceptions, which are wrong options and exits."""
        # Threads print no tracebacks either: who waits for their result notices that there is none.
        before, threading.excepthook = threading.excepthook, _log_thread_failure
        try:
            with recorded_inputs():  # from the options on: a configuration is an input, too
                result = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()
            return result
        except QuitError as error:
            complain(str(error))
            leave_at_once()
        except (typer.Exit, typer.Abort):
            raise
        except (Exception, KeyboardInterrupt) as error:
            if hasattr(error, "show"):  # typer's own: it knows how to show itself
                raise
            if ctx.meta.get(DEBUG):
                traceback.print_exc()
            raise typer.Exit(_explain(error, ctx)) from None
        finally:
            threading.excepthook = before


def _explain(error: BaseException, ctx: Any) -> int:
    """Print what went wrong and return the exit code."""
    if isinstance(error, BrokenPipeError):
        _give_up_output()  # whoever read it has seen enough
        return 0
    if isinstance(error, LogicoderError):
        complain(_worded(error, ctx))
        return error.exit_code
    if isinstance(error, KeyboardInterrupt | StoppedError):  # the latter in the middle of a query
        complain(NO_PROGRAM if ctx.invoked_subcommand in ("fit", "demo") else "interrupted")
        return INTERRUPTED
    if isinstance(error, MemoryError) or _UNMAPPED in str(error):
        complain("out of memory; try a smaller --max-decoders or --max-tuples, or shorter clauses")
    elif isinstance(error, OSError) and error.strerror:
        complain_of_system(error)
    else:
        said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        complain(f"internal error: {said} (run again with --debug)")
    return FAILED


def _worded(error: LogicoderError, ctx: Any) -> str:
    """Return what the library says of its parameters in terms of the options of the command."""
    options = options_of(ctx)
    if isinstance(error, SettingError) and error.setting.name in options:
        return error.worded(options[error.setting.name][0], NONE)
    return in_options(str(error), options)


def _give_up_output() -> None:
    """Send the rest of the output nowhere: Python would complain when it flushes it at exit."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(message: str) -> None:
    """Print an error message."""
    print(f"Error: {harmless(message)}", file=sys.stderr)


def complain_of_system(error: OSError) -> None:
    """Say what the system refused: a file, or the output, which nothing more is written to."""
    complain(f"{error.filename or 'standard output'}: {error.strerror}")
    _give_up_output()


def leave_at_once() -> NoReturn:
    """End an interrupted process.

    Threads may still be running; and Python would end by the signal itself, not with our exit code, if the
    interrupted code happened to be text that it had compiled (as for a dataclass).
    """
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(INTERRUPTED)


def _log_thread_failure(failure: threading.ExceptHookArgs) -> None:
    _log.debug("a thread failed", exc_info=failure.exc_value)
