"""`logicoder fit --layers`, and the commands that use a stack like any model."""

from __future__ import annotations

import os
import subprocess

import pytest
from tests.waiting import PATIENCE

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.autoencoder import load_model
from logicoder.datasets import university
from logicoder.engine import run_program
from logicoder.logic import Program

from .helpers import as_json, command_line, environment, invoke

FIT = ("--compression", "1", "--objective", "loss", "--max-decoders", "300", "--effort", "5")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "uni"
    university(people=25, seed=2).kb.save(folder, "prolog")
    return folder


@pytest.fixture(scope="module")
def stack(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("stack")
    invoke("fit", data, "--layers", "2", *FIT, "-o", folder)
    return folder


def test_fit_tells_of_each_layer(data):
    found = as_json("fit", data, "--layers", 2, *FIT)
    assert [layer["loss"] for layer in found["layers"]] == [0, 0]
    assert found["loss"] == 0
    assert found["latent_facts"] == found["layers"][1]["latent_facts"] < found["layers"][0]["latent_facts"]
    assert found["layers"][1]["facts"] == found["layers"][0]["latent_facts"]


def test_one_layer_is_a_plain_model(data, tmp_path):
    invoke("fit", data, "--layers", "1", *FIT, "-o", tmp_path)
    assert (tmp_path / "model.alp").read_text().startswith("% logicoder model, version 2\n")


def test_a_stack_is_used_like_any_model(stack, data, tmp_path):
    invoke("encode", stack, data, "-o", tmp_path / "latent")
    invoke("decode", stack, tmp_path / "latent", "-o", tmp_path / "back")
    assert KnowledgeBase.from_path(tmp_path / "back") == KnowledgeBase.from_path(data)
    assert as_json("reconstruct", stack, data)["loss"] == 0
    invoke("encode", stack, data, "--lossless", "-o", tmp_path / "lossless")
    invoke("decode", stack, tmp_path / "lossless", "-o", tmp_path / "same")
    assert KnowledgeBase.from_path(tmp_path / "same") == KnowledgeBase.from_path(data)


def test_show_layers_and_flat(stack, data):
    shown = invoke("show", stack).stdout
    assert "Encoder of layer 2" in shown
    assert "Decoder of layer 1" in shown
    flat = invoke("show", stack, "--flat").stdout
    assert "of layer" not in flat
    encoder = Program.parse(flat.split("\nEncoder\n")[1].split("\n\n")[0])
    kb = KnowledgeBase.from_path(data)
    assert run_program(encoder, kb) == load_model(stack).transform(kb)
    described = as_json("show", stack)
    assert len(described["layers"]) == 2
    assert described["encoder"] == list(map(str, encoder))


def test_checkpoint_and_resume(data, tmp_path):
    first = as_json("fit", data, "--layers", 2, *FIT, "--checkpoint", tmp_path)
    again = as_json("fit", data, "--layers", 2, *FIT, "--checkpoint", tmp_path, "--resume")
    assert first["encoder"] == again["encoder"]
    assert {folder.name for folder in tmp_path.iterdir()} == {"layer1", "layer2"}


@pytest.mark.parametrize("command", ["demo", "fit"])
def test_a_reader_that_has_seen_enough_ends_the_output_quietly(command, data):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command_line(command, *((data, *FIT) if command == "fit" else ())),
        stdout=writing,
        stderr=subprocess.PIPE,
        env=environment(),
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_tables_with_a_header(tmp_path):
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "father.csv").write_text("parent,child\nvader,luke\n")
    table = (tmp_path / "t", "--format", "tables")
    assert as_json("inspect", *table)["facts"] == 2
    assert as_json("inspect", *table, "--header")["facts"] == 1
    (tmp_path / "t" / "schema.mln").write_text("father(parent,child)\n")
    assert as_json("inspect", *table)["facts"] == 1
    assert as_json("inspect", *table, "--no-header")["facts"] == 2


def test_hand_written_programs_have_no_settings_to_show(tmp_path):
    AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X).").save(tmp_path / "m.alp")
    shown = invoke("show", tmp_path / "m.alp").stdout
    assert "Settings" not in shown
    assert "l(X) :- p(X)." in shown
