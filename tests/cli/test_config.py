"""`fit --config FILE`."""

from __future__ import annotations

import pytest

from logicoder import AutoEncoder

from .helpers import invoke


def parameters(family, tmp_path, text, *options):
    (tmp_path / "fit.toml").write_text(text)
    folder = tmp_path / "model"
    invoke("fit", family, "--config", tmp_path / "fit.toml", "--output", folder, *options)
    return AutoEncoder.load(folder).get_params()


def test_command_line_then_config_then_preset_then_defaults(family, tmp_path):
    text = 'preset = "paper"\ncompression = 1.50\nseed = 1\nobjective = "lexicographic"\nalpha = 0.1\n'
    found = parameters(family, tmp_path, text, "--seed", 2, "--alpha", 0.2)
    assert (found["seed"], found["alpha"]) == (2, 0.2)  # the command line over the file
    assert found["objective"] == "lexicographic"  # the file over the preset
    assert found["compression"] == "1.50"  # the decimal text is kept
    assert found["effort"] == 120  # a default


def test_a_preset_counts_more_than_the_defaults(family, tmp_path):
    found = parameters(family, tmp_path, 'preset = "paper"\ncompression = 1.5\n')
    assert found["objective"] == "loss"


def test_keys_with_underscores_and_the_section(family, tmp_path):
    text = "seed = 1\nencoder_length = 1\n[fit]\nseed = 7\ncompression = 2\nmax-decoders = 'none'\n"
    found = parameters(family, tmp_path, text)
    assert (found["seed"], found["encoder_length"], found["max_decoders"]) == (7, 1, None)


def test_flags_and_their_opposites(family, tmp_path):
    text = "compression = 2\ngenerality = false\nno-naming-variants = true\nkeep-extensions = true\n"
    found = parameters(family, tmp_path, text)
    assert (found["generality"], found["naming_variants"], found["drop_extensions"]) == (False, False, False)
    found = parameters(family, tmp_path, text, "--generality", "--drop-extensions")
    assert (found["generality"], found["drop_extensions"]) == (True, True)


def test_lists_of_files(family, tmp_path):
    (tmp_path / "a.pl").write_text("noble(padme).")
    (tmp_path / "b.pl").write_text("evil(vader).")
    text = f"compression = 1.5\nbackground = ['{tmp_path}/a.pl', '{tmp_path}/b.pl']\n"
    parameters(family, tmp_path, text)
    assert AutoEncoder.load(tmp_path / "model").background.defined() == ("noble", "evil")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("compresion = 0.5", "there is no option 'compresion'\n  hint: did you mean compression?"),
        (
            "[fit]\nencoder_lenght = 1",
            "there is no option 'encoder_lenght'\n  hint: did you mean encoder-length?",
        ),
        ("[other]\nseed = 1", "there is no option 'other'"),
        ("config = 'x'", "there is no option 'config'"),
        ("seed = 1\nseed = ", ":2:8: this is not TOML"),
        ("seed = 1\nx = {", ":2:6: this is not TOML"),
        ("seed = 'many'", "seed: 'many' is not a whole number of at least 0"),
        ("seed = true", "seed must be a value, not true or false"),
        ("generality = 'no'", "generality must be true or false"),
        ("seed = [1, 2]", "seed must be a single value"),
        ("solver = 'quick'", "solver: 'quick' is not one of"),
        ("seed = 1\n[fit]\nmax-decoders = 1\nmax_decoders = 2", "'max_decoders' is given twice"),
        ("fit = 3", "fit must be a table"),
    ],
)
def test_what_is_wrong_is_named_with_the_file(text, message, family, tmp_path):
    (tmp_path / "fit.toml").write_text(text)
    outcome = invoke("fit", family, "--config", tmp_path / "fit.toml", code=2)
    assert str(tmp_path / "fit.toml") in outcome.stderr
    assert message in outcome.stderr
    assert not outcome.stdout


def test_a_config_that_is_not_there(family, tmp_path):
    assert "there is no such file" in invoke("fit", family, "--config", tmp_path / "x", code=2).stderr


def test_constraints_in_a_file(family, tmp_path):
    text = (
        'bottleneck = ["total=2", "latents=9"]\nweight = "balanced"\nlimit = ["mother:loss=0"]\n'
        'forbid = "man/1"\n'
    )
    found = parameters(family, tmp_path, text)
    assert found["bottlenecks"] == ("total=2", "latents=9")
    assert (found["weights"], found["limits"]) == (("balanced",), ("mother:loss=0",))
    assert found["forbid"] == ("man/1",)
