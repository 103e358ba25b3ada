"""Names of files and predicates: a newline makes no fact, and no escape code reaches a terminal."""

from __future__ import annotations

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
