"""`logicoder demo` and `generate`, and fitting the bundled family."""

from __future__ import annotations

import os
import re
from importlib.resources import files

import pytest

from logicoder import KnowledgeBase, Program
from logicoder.datasets import family, university

from .helpers import as_json, invoke


def test_demo():
    out = invoke("demo").stdout
    assert "father(martin,jakob)." in out
    assert re.search(r"^kept +\d+ ", out, re.MULTILINE)
    assert "grandparent(X,Y) :- parent(X,Z), parent(Z,Y)." in out
    assert "Kept as they are: " in out


def test_generate_a_family(tmp_path):
    out = invoke("generate", "family", "--seed", 3, "-o", tmp_path / "f.pl").stdout
    assert set(map(str, KnowledgeBase.from_path(tmp_path / "f.pl"))) == set(map(str, family(seed=3)))
    assert out.startswith(f"{len(family(seed=3)):,} facts")


def test_the_bundled_family_as_files():
    data = files("logicoder.datasets") / "data"
    schema = ("--schema", data / "star_wars.mln")
    found = as_json("inspect", data / "star_wars.pl", *schema)
    assert (found["facts"], len(found["predicates"])) == (89, 12)
    found = as_json(
        "fit", data / "star_wars.pl", *schema, "--compression", 1, "--max-decoders", 400, "--effort", 20
    )
    assert found["facts"] == 89
    assert found["loss"] < 89


def test_generate_a_file(tmp_path):
    out = invoke(
        "generate", "university", "--people", 40, "--noise", 0.1, "--seed", 3, "-o", tmp_path / "u.pl"
    ).stdout
    assert "244 facts" in out
    world = university(people=40, noise=0.1, seed=3)
    read = KnowledgeBase.from_path(tmp_path / "u.pl")
    assert sorted(map(str, read)) == sorted(map(str, world.kb))
    planted = Program.parse((tmp_path / "u.pl.program").read_text())
    assert len(planted) == len(world.encoder) + len(world.decoder)


def test_generate_a_folder(tmp_path):
    invoke("generate", "university", "--facts", 300, "--interpretations", 2, "-o", tmp_path / "worlds")
    kb = KnowledgeBase.from_path(tmp_path / "worlds")
    assert len(kb.interpretations) == 2
    assert kb.schema["ta"].types == ("course", "person")
    assert (tmp_path / "worlds" / "planted.program").exists()


def test_nothing_is_written_next_to_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "u.pl")
    for world in ("university", "smokers"):
        out = invoke("generate", world, "--people", 40, "-o", tmp_path / "u.pl", code=1)
        assert "name a file or a folder" in out.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["u.pl"]


@pytest.mark.parametrize(
    "options",
    [("--people", 3), ("--noise", 0.7), ("--noise", "x"), ("--people", 40, "--facts", 300), ("--seed", -1)],
)
def test_generate_refuses(options, tmp_path):
    invoke("generate", "university", *options, "-o", tmp_path / "u.pl", code=2)
    assert not list(tmp_path.iterdir())


def test_generate_needs_a_place():
    assert "--output" in invoke("generate", "university", code=2).stderr
