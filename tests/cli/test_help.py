"""What the help says agrees with the library."""

from __future__ import annotations

import inspect
from typing import get_args

import typer.main

from logicoder import AutoEncoder, __version__
from logicoder.cli import options
from logicoder.cli.app import app
from logicoder.kb.reading import read_knowledge_base
from logicoder.kb.sources import Format, Interpretations
from logicoder.learner.parameters import PRESETS
from logicoder.selection import OBJECTIVES, SOLVERS

from .helpers import environment, invoke, spawn

COMMANDS = (
    "fit",
    "encode",
    "decode",
    "reconstruct",
    "explain",
    "suggest",
    "diff",
    "inspect",
    "show",
    "demo",
    "generate",
    "mln",
)


def parameters_of(command):
    return {p.name: p for p in typer.main.get_command(app).commands[command].params}


def test_every_command_has_help():
    text = invoke("--help").stdout
    for command in COMMANDS:
        assert f"\n  {command} " in text
        assert "Usage:" in invoke(command, "--help").stdout


def test_help_names_every_option_in_full():
    text = invoke("fit", "--help").stdout
    for parameter in parameters_of("fit").values():
        for name in (*parameter.opts, *parameter.secondary_opts):
            if name.startswith("-"):
                assert name in text


def test_defaults_in_the_help_are_those_of_the_estimator():
    shown = {name: p.show_default for name, p in parameters_of("fit").items()}
    for name, parameter in inspect.signature(AutoEncoder).parameters.items():
        if isinstance(shown.get(name), str) and parameter.default is not None:
            assert shown[name] == default_text(parameter.default), name


def test_every_parameter_of_the_estimator_has_an_option():
    known = set(parameters_of("fit"))
    assert set(inspect.signature(AutoEncoder).parameters) - {"reporter"} <= known


def test_choices_are_those_of_the_library():
    assert set(options.Format) == set(get_args(Format))
    assert set(options.Interpretations) == set(get_args(Interpretations))
    assert set(options.Preset) == set(PRESETS)
    assert set(options.Objective) == set(OBJECTIVES)
    assert set(options.Solver) == set(SOLVERS)
    reading = inspect.signature(read_knowledge_base).parameters
    assert parameters_of("fit")["types"].default == reading["types"].default
    assert parameters_of("fit")["interpretations"].default == reading["interpretations"].default


def test_version():
    assert spawn("--version").stdout == f"logicoder {__version__}\n"


def test_no_command_shows_the_help():
    outcome = invoke(code=2)
    assert "Commands:" in outcome.stdout + outcome.stderr


def test_completion():
    words = {"_LOGICODER_COMPLETE": "complete_bash", "COMP_WORDS": "logicoder in", "COMP_CWORD": "1"}
    assert spawn(env=environment(**words)).stdout.split() == ["inspect"]


def default_text(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(value)
    return f"{value:g}" if isinstance(value, float) else str(value)
