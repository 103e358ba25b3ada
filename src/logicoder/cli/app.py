"""The commands, put together."""

from __future__ import annotations

import signal
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

import logicoder
from logicoder.cli.command import Command, prepared
from logicoder.cli.commands.apply import decode, encode, reconstruct
from logicoder.cli.commands.curve import curve
from logicoder.cli.commands.examples import demo, family, shop, smokers, university
from logicoder.cli.commands.experiment import experiment
from logicoder.cli.commands.explain import audit, diff, explain, insights, suggest
from logicoder.cli.commands.export import export
from logicoder.cli.commands.fit import fit
from logicoder.cli.commands.inspect import inspect, show
from logicoder.cli.commands.links import links
from logicoder.cli.commands.mln_infer import infer, score
from logicoder.cli.commands.mln_learn import learn, weights
from logicoder.cli.commands.report import plot, report
from logicoder.cli.commands.update import update
from logicoder.cli.guard import FAILED, INTERRUPTED, Commands, complain_of_system, leave_at_once
from logicoder.cli.verbosity import Debug, Quiet, Verbose

app = typer.Typer(
    name="logicoder",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["--help", "-h"]},
)
generators = typer.Typer(no_args_is_help=True, help="Generate data with a planted program or network.")
app.add_typer(generators, name="generate")
networks = typer.Typer(no_args_is_help=True, help="Learn, query and score Markov logic networks.")
app.add_typer(networks, name="mln")

_COMMANDS = (
    (app, (fit, curve, encode, decode, update, reconstruct)),
    (
        app,
        (
            insights,
            explain,
            suggest,
            audit,
            diff,
            report,
            plot,
            inspect,
            show,
            export,
            experiment,
            links,
            demo,
        ),
    ),
    (generators, (family, university, smokers, shop)),
    (networks, (learn, weights, infer, score)),
)
for _group, _commands in _COMMANDS:
    for _command in _commands:
        _group.command(cls=Command)(prepared(_command))


@generators.callback()
def _generate() -> None:
    """Generate data with a planted program or network."""


@networks.callback()
def _mln() -> None:
    """Learn, query and score Markov logic networks."""


def _version(value: bool) -> None:
    if value:
        print(f"logicoder {logicoder.__version__}")
        raise typer.Exit


@app.callback()
def _logicoder(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Print the version.")
    ] = False,
    verbose: Verbose = 0,
    quiet: Quiet = 0,
    debug: Debug = False,
) -> None:
    """Find what is redundant in relational data, and write it down as a short logic program."""


def run() -> None:
    """Run the command line and exit."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Files and pipes get UTF-8, which is what the readers expect; terminals get what they can show.
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")
    try:
        app(prog_name="logicoder")
    except SystemExit as end:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is said and done: a late Ctrl-C changes nothing
        if end.code == INTERRUPTED:
            leave_at_once()
        raise
    except OSError as error:  # from --help and --version, which end before a command begins
        complain_of_system(error)
        sys.exit(FAILED)
