"""`logicoder encode --lossless` and back."""

from __future__ import annotations

import pytest

from logicoder import KnowledgeBase

from .helpers import FAMILY, invoke

WORLDS = {
    "sky walker.pl": FAMILY + "\\+ man(leia). unknown(woman(rey)).\n",
    "exceptions.pl": "mother('Odd One',\"two\"). father(1,2). dog(rex).\n",
    "empty.pl": "",
}


@pytest.fixture
def worlds(tmp_path):
    folder = tmp_path / "worlds"
    folder.mkdir()
    for name, text in WORLDS.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def encoded(model, worlds, tmp_path):
    invoke("encode", model, worlds, "--lossless", "-o", tmp_path / "encoded")
    return tmp_path / "encoded"


def test_there_and_back(model, worlds, encoded, tmp_path):
    data = KnowledgeBase.from_path(worlds)
    invoke("decode", model, encoded, "-o", tmp_path / "back")
    assert KnowledgeBase.from_path(tmp_path / "back") == data
    again = ("--exceptions", encoded / "exceptions.pl", "-o", tmp_path / "again")
    invoke("decode", model, encoded / "latent", *again)
    assert KnowledgeBase.from_path(tmp_path / "again") == data


def test_what_is_printed_holds_everything(model, encoded):
    out = invoke("decode", model, encoded).stdout
    assert "\\+ man(leia).\n" in out
    assert "unknown(woman(rey)).\n" in out
    assert "mother('Odd One',\"two\").\n" in out
    assert "% empty\n" in out


def test_bits_are_reported(model, worlds, tmp_path):
    out = invoke("encode", model, worlds, "--lossless", "-o", tmp_path / "e").stdout
    for word in (
        "latent facts",
        "missing",
        "false",
        "negative",
        "unknown",
        "plain facts",
        "program",
        "saved",
    ):
        assert word in out


def test_the_schema_of_the_data_comes_back(model, tmp_path):
    folder = tmp_path / "typed"
    folder.mkdir()
    (folder / "family.pl").write_text(FAMILY)
    schema = (
        "mother(adult,child)\nfather(+adult,-child)\nwoman(adult)\nopen man(adult)\n"
        "child = {luke, leia, rey}\n"
    )
    (folder / "schema.mln").write_text(schema)
    invoke("encode", model, folder, "--lossless", "-o", tmp_path / "e")
    invoke("decode", model, tmp_path / "e", "-o", tmp_path / "back")
    assert (tmp_path / "back" / "schema.mln").read_text() == schema


def test_latent_facts_without_their_exceptions_are_refused(model, encoded, tmp_path):
    message = invoke("decode", model, encoded / "latent", code=2).stderr
    assert "need their exceptions" in message
    assert "--exceptions" in message
    (encoded / "exceptions.pl").unlink()
    assert "--exceptions" in invoke("decode", model, encoded, code=2).stderr
    copy = tmp_path / "copy.pl"
    copy.write_text((encoded / "latent" / "sky walker.pl").read_text())
    assert "--exceptions" in invoke("decode", model, copy, code=2).stderr


def test_exceptions_that_do_not_belong_are_refused(model, encoded, tmp_path):
    invoke("encode", model, encoded.parent / "family.pl", "-o", tmp_path / "plain.pl", code=2)
    (tmp_path / "other.pl").write_text("mother(a,b).")
    invoke("encode", model, tmp_path / "other.pl", "--lossless", "-o", tmp_path / "other")
    wrong = ("--exceptions", tmp_path / "other" / "exceptions.pl")
    assert "belong to other latent facts" in invoke("decode", model, encoded, *wrong, code=2).stderr
    path = encoded / "exceptions.pl"
    path.write_text(path.read_text().replace("negative(", "missing(", 1))
    message = invoke("decode", model, encoded, code=2).stderr
    assert f"{path}:1:1: the header announces" in message


@pytest.mark.parametrize("arguments", [(), ("-o", "x.pl"), ("-o", "x", "--output-format", "alchemy")])
def test_it_needs_a_folder_and_prolog(model, worlds, arguments):
    assert "--lossless" in invoke("encode", model, worlds, "--lossless", *arguments, code=2).stderr


def test_an_encoding_that_is_refused_leaves_the_former_one(model, family, tmp_path):
    """Other data make other files: the folder is refused, and what is in it can still be decoded."""
    folder, other = tmp_path / "encoding", tmp_path / "other.pl"
    invoke("encode", model, family, "--lossless", "-o", folder)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    other.write_text("mother(a,b). woman(a).\n")
    refused = invoke("encode", model, other, "--lossless", "-o", folder, code=2)
    assert "holds other data" in refused.stderr
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    invoke("decode", model, folder)
