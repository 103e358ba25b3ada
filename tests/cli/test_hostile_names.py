"""Names of files and predicates: a newline makes no fact, and no escape code reaches a terminal."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path

import pytest

from logicoder import KnowledgeBase

from .helpers import FAMILY, invoke


def test_a_newline_in_a_file_name_makes_no_fact(model, tmp_path):
    for name in ("a.pl", "b\nmother(evil,evil).pl"):
        (tmp_path / name).write_text(FAMILY)
    printed = invoke("encode", model, tmp_path).stdout
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "latent.pl").write_text(printed)
    plain = invoke("encode", model, tmp_path / "a.pl").stdout
    (tmp_path / "out" / "plain.pl").write_text(plain)
    found, expected = (KnowledgeBase.from_path(tmp_path / "out" / f"{n}.pl") for n in ("latent", "plain"))
    assert sorted(map(str, found)) == sorted(map(str, expected))


def test_no_escape_code_of_a_message_reaches_the_terminal(tmp_path):
    missing = tmp_path / "red\x1b[31m.pl"
    complaint = invoke("fit", missing, code=2).stderr
    assert "\x1b" not in complaint
    assert r"red\x1b[31m.pl" in complaint


def test_no_escape_code_of_a_predicate_reaches_the_terminal(tmp_path):
    path = tmp_path / "red.pl"
    path.write_text("'red\\x1b\\[31m'(a). '\\x9b\\31m'(b).\n")
    printed = invoke("inspect", path).stdout
    assert "\x1b" not in printed
    assert "\x9b" not in printed


@pytest.mark.parametrize("interpretations", ["file", "folder"])
def test_a_file_name_that_is_no_text_loses_nothing(interpretations, tmp_path, monkeypatch):
    folder = tmp_path / os.fsdecode(b"\xe9")
    folder.mkdir()
    monkeypatch.chdir(folder)
    data = Path(os.fsdecode(b"caf\xe9.pl"))
    data.write_text(FAMILY)
    as_asked = ("--interpretations", interpretations)
    invoke("fit", data, "--output", "out", "--report", "page.html", *as_asked)
    (read,) = json.loads(Path("out/run.json").read_text())["inputs"]
    assert read == {"path": r"caf\udce9.pl", "sha256": sha256(FAMILY.encode()).hexdigest()}
    invoke("encode", "out", data, "--lossless", "--output", "encoded", *as_asked)
    Path("back.pl").write_text(invoke("decode", "out", "encoded").stdout)
    found, expected = KnowledgeBase.from_path("back.pl"), KnowledgeBase.from_path(data)
    assert {str(fact) for fact in found} == {str(fact) for fact in expected}
