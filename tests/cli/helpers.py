"""Running commands: in this process where that is enough, in one of their own where it is not."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from click.testing import CliRunner
from tests.waiting import PATIENCE, until
from typer.main import get_command

from logicoder import KnowledgeBase
from logicoder.cli.app import app

FAMILY = """\
mother(padme,luke). mother(padme,leia).
father(vader,luke). father(vader,leia).
woman(padme). man(vader).
"""
# Enough for a lossless program, and quick.
FIT_FAMILY = ("--compression", "1.5")

COMMAND = get_command(app)
"""Made once: that takes longer than many a command."""

_COLOURS = ("FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "CLICOLOR_FORCE", "TTY_COMPATIBLE", "COLUMNS")


def environment(**changes):
    kept = {name: value for name, value in os.environ.items() if name not in _COLOURS}
    return {**kept, "TERM": "xterm-256color", **changes}


def invoke(*arguments, code=0):
    """Run a command in this process and expect an exit code."""
    outcome = CliRunner().invoke(COMMAND, [str(a) for a in arguments])
    assert outcome.exit_code == code, (outcome.stdout, outcome.stderr, outcome.exception)
    return outcome


def as_json(*arguments):
    """Run a command with --json and return what it prints."""
    return json.loads(invoke(*arguments, "--json").stdout)


def command_line(*arguments):
    return [sys.executable, "-m", "logicoder", *(str(a) for a in arguments)]


def spawn(*arguments, code=0, **options):
    """Run a command in a process of its own and expect an exit code."""
    options = {"capture_output": True, "text": True, "timeout": PATIENCE, "env": environment(), **options}
    outcome = subprocess.run(command_line(*arguments), check=False, **options)
    assert outcome.returncode == code, (outcome.stdout, outcome.stderr)
    return outcome


def started(*arguments, **options):
    """Start a command that goes on in a process of its own."""
    return subprocess.Popen(
        command_line(*arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
        **options,
    )


def facts_in(path):
    return set(map(str, KnowledgeBase.from_path(path)))


def wait_for(path, process):
    """Wait until a running command has written a file."""
    until(path.exists, f"{path.name} is written", process)
