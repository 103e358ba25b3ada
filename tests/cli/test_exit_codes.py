"""How commands end when something is wrong: the exit code, one clear message, and nothing half-written."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from tests.waiting import PATIENCE, ended, within

from logicoder import AutoEncoder
from logicoder.cli.commands import apply as applying

from .helpers import FAMILY, FIT_FAMILY, command_line, environment, invoke, spawn


def test_wrong_input_is_named(family, tmp_path):
    assert "nowhere.pl: there is no such file" in invoke("fit", tmp_path / "nowhere.pl", code=2).stderr
    (tmp_path / "empty.pl").write_text("")
    assert "no facts in this file" in invoke("fit", tmp_path / "empty.pl", code=2).stderr
    (tmp_path / "bad.pl").write_text("p(a).\np(a,\n")
    assert f"{tmp_path}/bad.pl:" in invoke("fit", tmp_path / "bad.pl", code=2).stderr
    assert "not a logicoder model" in invoke("show", family, code=2).stderr


def test_csv_needs_a_format_and_both_are_explained(tmp_path):
    (tmp_path / "p.csv").write_text("a,b\n")
    message = invoke("fit", tmp_path / "p.csv", code=2).stderr
    assert "--format tables" in message
    assert "--format triples" in message


def test_infeasible_constraints_are_explained(family):
    message = invoke("fit", family, "--compression", 0.1, code=1).stderr
    assert "no program of these candidates satisfies all constraints" in message
    assert "--compression" in message
    assert "or more" in message  # a compression that works


@pytest.mark.parametrize(
    "options",
    [
        ("--encoder-length", "0"), ("--decoder-length", "two"), ("--compression", "-1"),
        ("--compression", "much"), ("--max-corruption", "2"), ("--max-decoders", "0"),
        ("--max-tuples", "1.5"), ("--alpha", "2"), ("--beta", "x"), ("--effort", "0"), ("--effort", "inf"),
        ("--time-limit", "nan"), ("--seed", "-1"), ("--jobs", "0"), ("--max-latent-arity", "0"),
        ("--solver", "quick"), ("--objective", "beauty"), ("--preset", "none"), ("--format", "xml"),
        ("--interpretations", "many"), ("--types", "two"),
    ],
)  # fmt: skip
def test_bad_values_name_the_option(options, family):
    message = invoke("fit", family, *options, code=2).stderr
    assert f"'{options[0]}'" in message
    assert options[1] in message


def test_resume_needs_a_checkpoint(family):
    assert "--checkpoint" in invoke("fit", family, "--resume", code=2).stderr


def test_an_unknown_option_has_a_hint(family):
    assert "--compression" in invoke("fit", family, "--compresion", 1, code=2).stderr


@pytest.mark.parametrize("option", ["--output", "--checkpoint"])
def test_an_output_that_is_no_folder_is_found_out_first(option, family, monkeypatch):
    monkeypatch.setattr(AutoEncoder, "fit", lambda *_, **__: pytest.fail("worked before looking"))
    assert "not a folder" in invoke("fit", family, option, family, code=1).stderr
    below = invoke("fit", family, option, family / "model", code=1).stderr
    assert "cannot be written" in below


def test_a_failed_run_leaves_no_empty_folder(family, tmp_path):
    invoke("fit", family, "--compression", 0.1, "--output", tmp_path / "new" / "model", code=1)
    assert not (tmp_path / "new").exists()


def limited(size):
    """Return what makes a process unable to write files of more bytes: a disk that is full."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_full_disk_is_found_out_first(family, tmp_path):
    outcome = spawn("fit", family, *FIT_FAMILY, "--output", tmp_path / "m", code=1, preexec_fn=limited(100))
    assert "cannot be written" in outcome.stderr
    assert not (tmp_path / "m").exists()


def test_a_disk_that_fills_up_loses_no_result(family, tmp_path):
    outcome = spawn("fit", family, *FIT_FAMILY, "--output", tmp_path / "m", code=1, preexec_fn=limited(1500))
    assert "cannot be written: File too large" in outcome.stderr
    assert "Traceback" not in outcome.stderr
    assert "mother(X,Y) :- " in outcome.stdout
    assert "Saved" not in outcome.stdout
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("arguments", [("show", None), ("--version",), ("--help",), ("fit", "--help")])
def test_standard_output_that_is_full(arguments, model):
    with open("/dev/full", "w") as full:
        outcome = subprocess.run(
            command_line(*(model if argument is None else argument for argument in arguments)),
            check=False,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
        )
    assert outcome.returncode == 1
    assert outcome.stderr == "Error: standard output: No space left on device\n"


def test_a_library_that_the_memory_does_not_suffice_for(family, monkeypatch):
    def fit(*_, **__):
        raise ImportError("libortools.so.9: failed to map segment from shared object")

    monkeypatch.setattr(AutoEncoder, "fit", fit)
    assert "out of memory" in invoke("fit", family, code=1).stderr


def test_a_reader_that_has_seen_enough(model, tmp_path):
    data = tmp_path / "many.pl"
    data.write_text("".join(f"woman(w{number}).\n" for number in range(30_000)))
    process = subprocess.Popen(
        command_line("encode", model, data), stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    within(process.stdout.readline)
    process.stdout.close()
    process.stdout = None
    assert ended(process) == (None, b"")
    assert process.returncode == 0


AS_NOBODY = """
import os, sys
from typer.testing import CliRunner
from logicoder.cli.app import app, run

# What is imported on first use may lie where only root can read it.
CliRunner().invoke(app, ["inspect", "readable.pl"])
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
run()
"""


def as_nobody(folder, *arguments, code):
    """Run a command without the rights of root, who may read and write everything."""
    command = [sys.executable, "-c", AS_NOBODY, *arguments]
    outcome = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=PATIENCE, cwd=folder
    )
    assert outcome.returncode == code, outcome
    return outcome.stderr


def test_folders_without_permission():
    with TemporaryDirectory() as name:  # one that everybody can reach, unlike pytest's own
        folder = Path(name)
        folder.chmod(0o711)
        (folder / "readable.pl").write_text(FAMILY)
        closed, fixed = folder / "closed", folder / "fixed"
        for data in (closed, fixed):
            data.mkdir()
            (data / "family.pl").write_text(FAMILY)
        closed.chmod(0)
        fixed.chmod(0o511)
        assert "no permission to read" in as_nobody(folder, "inspect", "closed", code=2)
        message = as_nobody(folder, "fit", "readable.pl", "--output", "fixed/model", code=1)
        assert "cannot be written to: Permission denied" in message


def test_internal_errors_have_no_traceback_unless_asked_for(model, monkeypatch):
    def broken(_):
        raise RuntimeError("out of luck")

    monkeypatch.setattr("logicoder.cli.commands.inspect.load", broken)
    message = invoke("show", model, code=1).stderr
    assert message == "Error: internal error: RuntimeError: out of luck (run again with --debug)\n"
    assert "Traceback" in invoke("show", model, "--debug", code=1).stderr
    assert "Traceback" in invoke("--debug", "show", model, code=1).stderr


def test_memory_that_is_not_enough(model, family, monkeypatch):
    def exhausted(_):
        raise MemoryError

    monkeypatch.setattr(applying, "load", exhausted)
    message = invoke("encode", model, family, code=1).stderr
    assert "out of memory" in message
    assert "Traceback" not in message
