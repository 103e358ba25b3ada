"""What the help says agrees with the library."""

from __future__ import annotations

import inspect
import re
from typing import get_args

import pytest
import typer.main

from logicoder import AutoEncoder, __version__
from logicoder.base.setting import settings_of
from logicoder.cli import options
from logicoder.cli.app import app
from logicoder.kb.formats import FORMATS
from logicoder.kb.reader import read_knowledge_base
from logicoder.kb.sources import Interpretations
from logicoder.learner.goal import MESSAGES
from logicoder.selection import OBJECTIVES, SOLVERS

from .helpers import environment, invoke, spawn

COMMANDS = (
    "fit",
    "encode",
    "decode",
    "reconstruct",
    "explain",
    "suggest",
    "audit",
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


@pytest.mark.parametrize("group", [(), ("generate",), ("mln",)])
def test_summaries_of_commands_are_not_cut_off(group, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    _, _, commands = invoke(*group, "--help").stdout.partition("Commands:\n")
    assert commands.strip()
    assert "..." not in commands


def test_help_names_every_option_in_full():
    text = invoke("fit", "--help-all").stdout
    for parameter in parameters_of("fit").values():
        for name in (*parameter.opts, *parameter.secondary_opts):
            if name.startswith("-"):
                assert name in text


def test_help_shows_the_settings_that_matter_and_little_else():
    text = invoke("fit", "--help").stdout
    shown = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", text, re.MULTILINE))
    first = {item.options[0] for item in settings_of(AutoEncoder).values() if item.first}
    assert len(first) == 6
    assert first <= shown
    assert shown - first == {
        *("--preset", "--output", "--report", "--state", "--config", "--json"),
        *("--verbose", "--quiet", "--debug", "--help", "--help-all"),
    }
    assert text.index("Settings that matter most:") < text.index("Options:")


def test_all_help_groups_the_settings():
    text = invoke("fit", "--help-all").stdout
    headings = ("Settings that matter most", "Language", "Constraints", "Pruning", "Limits", "Search", "Run")
    assert all(f"\n{heading}:\n" in text for heading in headings)
    assert "--help-all" not in invoke("show", "--help").stdout  # where there is nothing more to show


def test_defaults_in_the_help_are_those_of_the_estimator():
    shown = {name: p.show_default for name, p in parameters_of("fit").items()}
    defaults = {n: p.default for n, p in inspect.signature(AutoEncoder).parameters.items() if n in shown}
    for name, default in defaults.items():
        if default is not None:
            assert shown[name] == default_text(default), name


def test_every_parameter_of_the_estimator_has_an_option():
    known = set(parameters_of("fit"))
    assert set(inspect.signature(AutoEncoder).parameters) - {"reporter"} <= known


def test_choices_are_those_of_the_library():
    assert options.FORMATS.known == tuple(FORMATS.built_in)
    assert set(options.INTERPRETATIONS.known) == set(get_args(Interpretations))
    assert set(settings_of(AutoEncoder)["objective"].kind.known) == {*OBJECTIVES, *MESSAGES}
    assert settings_of(AutoEncoder)["solver"].kind.known == tuple(SOLVERS.built_in)
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
    assert spawn(env=environment(**words)).stdout.split() == ["insights", "inspect"]


def default_text(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(value)
    if isinstance(value, float):
        return f"{value:g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
