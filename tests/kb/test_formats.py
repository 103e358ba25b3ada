"""Formats side by side: several with one ending, those that are only read, and the names of all."""

from __future__ import annotations

import pytest

from logicoder import InputError, KnowledgeBase, UsageError
from logicoder.kb.formats import FORMATS, all_formats, format_named
from logicoder.kb.formats.interface import Format


class Binary(Format):
    """A byte per constant, after a mark."""

    name = "binary"
    summary = "bytes"
    suffixes = (".db",)

    def recognise(self, path):
        return path.read_bytes().startswith(b"BIN\0")

    def read(self, sources, builder, options):
        del options
        for source in sources:
            world = builder.interpretation(source.world)
            for byte in source.path.read_bytes()[4:]:
                arguments = ["one", "two"][: 1 + byte % 2]
                builder.add("byte", arguments, world)


@pytest.fixture
def _binary(monkeypatch):
    monkeypatch.setitem(FORMATS.built_in, "binary", f"{__name__}:Binary")


@pytest.mark.usefixtures("_binary")
def test_formats_of_one_ending_are_told_by_the_content(tmp_path) -> None:
    (tmp_path / "text.db").write_text("likes(Anna,Bob)\n")
    (tmp_path / "bytes.db").write_bytes(b"BIN\0\0")
    assert [str(fact) for fact in KnowledgeBase.from_path(tmp_path / "text.db")] == ["likes('Anna','Bob')"]
    assert [str(fact) for fact in KnowledgeBase.from_path(tmp_path / "bytes.db")] == ["byte(one)"]
    with pytest.raises(InputError, match="have different formats"):
        KnowledgeBase.from_path(tmp_path)
    assert len(KnowledgeBase.from_path(tmp_path / "bytes.db", format="binary")) == 1


@pytest.mark.usefixtures("_binary")
def test_an_error_without_a_place_is_told_all_the_same(tmp_path) -> None:
    (tmp_path / "bytes.db").write_bytes(b"BIN\0\0\1")
    with pytest.raises(InputError, match="byte has 2 arguments here but 1 before"):
        KnowledgeBase.from_path(tmp_path / "bytes.db")


@pytest.mark.usefixtures("_binary")
def test_what_is_not_recognised_by_any_is_asked_for(tmp_path) -> None:
    (tmp_path / "other.db").write_bytes(b"\0\0\0")
    with pytest.raises(UsageError, match=r"choose its format:\n  --format alchemy .*\n  --format binary "):
        KnowledgeBase.from_path(tmp_path / "other.db")


@pytest.mark.usefixtures("_binary")
def test_a_format_that_cannot_be_written(tmp_path) -> None:
    kb = KnowledgeBase.from_facts([("likes", "anna", "bob")])
    with pytest.raises(UsageError, match="the format binary can only be read, not written"):
        kb.save(tmp_path / "bytes.db", format="binary")


def test_names_of_formats() -> None:
    assert [one.name for one in all_formats()][: len(FORMATS.built_in)] == list(FORMATS.built_in)
    for one in all_formats():
        assert isinstance(format_named(one.name), type(one))
    with pytest.raises(UsageError, match=r"format must be one of prolog, alchemy, .*, not 'x'"):
        format_named("x")
