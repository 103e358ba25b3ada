"""Options that are made from declarations: what they take, what they refuse, and in which words."""

from __future__ import annotations

from functools import cache

import pytest
import typer
from tests.hostile import HOSTILE_TEXTS
from typer.main import get_command

from logicoder.base.setting import settings_of
from logicoder.cli.app import app
from logicoder.cli.declared import in_options
from logicoder.evaluation.configuration import Configuration
from logicoder.evaluation.links.link_configuration import LinkConfiguration
from logicoder.learner.parameters import COMPRESSIONS, POINTS, LearnerParameters
from logicoder.learner.stack_parameters import StackParameters
from logicoder.mln.structure.structure_settings import Settings as StructureSettings
from logicoder.mln.weight_parameters import InferenceParameters, WeightParameters

from .helpers import as_json, invoke

COMMANDS = {
    ("fit",): settings_of(StackParameters),
    ("curve",): {
        **{name: item for name, item in settings_of(LearnerParameters).items() if name != "compression"},
        "points": POINTS,
        "compressions": COMPRESSIONS,
    },
    ("mln", "learn"): settings_of(StructureSettings),
    ("mln", "weights"): settings_of(WeightParameters),
    ("mln", "infer"): settings_of(InferenceParameters),
    ("experiment",): settings_of(Configuration),
    ("links",): settings_of(LinkConfiguration),
}
ARGUMENTS = {
    ("mln", "weights"): ("nowhere.mln", "nowhere.db"),
    ("mln", "infer"): ("nowhere.mln", "nowhere.db"),
    ("experiment",): ("nowhere", "-o", "out"),
    ("links",): ("nowhere", "-o", "out"),
}
FREE = ("checkpoint", "background", "require", "forbid", "open", "closed", "query", "test", "validation")
"""Files and names, and texts of programs, which are looked at later."""


@cache
def command(path):
    return get_command(app) if not path else command(path[:-1]).commands[path[-1]]


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_setting_has_its_option(path):
    offered = {item.name: item for item in command(path).params}
    for name, item in COMMANDS[path].items():
        if item.options:
            assert [*offered[name].opts, *offered[name].secondary_opts] == list(item.options)
            assert offered[name].help.lower()[:8] == item.doc.lower()[:8] or name == "bottlenecks"
        else:
            assert name not in offered


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_no_text_breaks_a_command(path):
    arguments = ARGUMENTS.get(path, ("nowhere.pl",))
    for name, item in COMMANDS[path].items():
        if item.metavar is None or not item.options:
            continue
        refused = 0
        for text in HOSTILE_TEXTS:
            try:
                command(path).make_context("logicoder", [*arguments, f"{item.options[0]}={text}"]).close()
            except typer.BadParameter:
                refused += 1
        assert refused or name in FREE, name


@pytest.mark.parametrize("text", ["1e-400", "9223372036854775808", "1" * 4000, "nan", "no", ""])
def test_no_text_in_a_file_breaks_fit(text, tmp_path):
    for name in ("seed", "compression", "max_memory", "bottleneck", "layers", "generality"):
        (tmp_path / "fit.toml").write_text(f"{name} = {text!r}\n")
        outcome = invoke("fit", tmp_path / "nowhere.pl", "--config", tmp_path / "fit.toml", code=2)
        assert "fit.toml: " in outcome.stderr


def test_texts_of_the_library_in_the_words_of_options():
    known = {
        "generality": ("--generality", "--no-generality"),
        "bottlenecks": ("--bottleneck",),
        "n": ("--n",),
    }
    said = 'pass `generality=False`, or `bottlenecks=["total=2"]`, `generality`, `n=None`, `other=1`'
    told = "pass --no-generality, or --bottleneck total=2, --generality, --n none, `other=1`"
    assert in_options(said, known) == told


def test_errors_speak_of_options(family, tmp_path):
    infeasible = invoke("fit", family, "--compression", 0.1, code=1).stderr
    assert "raise --compression to" in infeasible
    assert "(--bottleneck total=" in infeasible
    assert "`" not in infeasible
    limits = invoke("fit", family, "--limit", "mother:clauses=0", "--compression", 2, code=1).stderr
    assert "loosen them (--limit)" in limits
    fold = invoke("experiment", tmp_path, "-o", tmp_path / "o", "--representations", "", code=2).stderr
    assert "name --representations or --ceiling" in fold


def test_none_is_not_the_same_as_nothing(family, tmp_path):
    quick = ("--compression", 2, "--encoder-length", 1)
    invoke("fit", family, *quick, "--max-decoders", "none", "--preset", "paper", "-o", tmp_path / "m")
    shown = as_json("show", tmp_path / "m")["parameters"]
    assert shown["max_decoders"] is None
    assert shown["max_corruption"] == 0.5  # of the preset
    invoke("fit", family, *quick, "--max-corruption", "none", "--preset", "paper", "-o", tmp_path / "m")
    assert as_json("show", tmp_path / "m")["parameters"]["max_corruption"] is None
