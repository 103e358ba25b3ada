"""The file of exceptions: text that people can read, and refused where it was changed."""

from __future__ import annotations

import gzip
import math
import os

import pytest

from logicoder import AutoEncoder, Fact, InputError, KnowledgeBase, Predicate, Schema
from logicoder.autoencoder.exceptions_file import read_exceptions
from logicoder.autoencoder.lossless import needs_exceptions
from logicoder.problem.bits import exception_bits, table_bits

from .test_lossless_bits import PARENTS


@pytest.fixture
def encoded(tmp_path):
    kb = KnowledgeBase.from_facts(
        [("mother", "padme", "luke"), ("father", "vader", "luke")],
        negatives=[("mother", "vader", "luke")],
        unknown=[("father", "bail", "leia")],
        interpretation="it's far away",
    )
    encoding = PARENTS.encode_losslessly(kb)
    encoding.save(tmp_path)
    return kb, encoding, tmp_path / "exceptions.pl"


def test_the_file_is_prolog_that_people_can_read(encoded):
    _, _, path = encoded
    lines = [line for line in path.read_text().splitlines() if not line.startswith("%")]
    assert lines == [
        "false('it\\'s far away',father(padme,luke)).",
        "negative('it\\'s far away',mother(vader,luke)).",
        "unknown('it\\'s far away',father(bail,leia)).",
    ]


def test_each_interpretation_has_a_heading_of_its_own(tmp_path):
    facts = {"earth": [("mother", "a", "b"), ("mother", "c", "d")], "mars": [("father", "e", "f")], "sun": []}
    schema = Schema.of(*(Predicate(name, ("person", "person")) for name in ("mother", "father", "knows")))
    parts = [KnowledgeBase.from_facts(f, schema=schema, interpretation=w) for w, f in facts.items() if f]
    parts.append(
        KnowledgeBase.from_facts([("knows", "g", "h")], schema=schema, interpretation="sun")  # for no decoder
    )
    kb = KnowledgeBase.union(parts)
    encoding = PARENTS.encode_losslessly(kb)
    encoding.save(tmp_path)
    text = (tmp_path / "exceptions.pl").read_text()
    body = [line for line in text.splitlines() if not line.startswith(("% {", "%  ", "% }", "% logicoder"))]
    assert body == [
        "% interpretation earth",
        "false(earth,father(a,b)).",
        "false(earth,father(c,d)).",
        "% interpretation mars",
        "false(mars,mother(e,f)).",
        "% interpretation sun",
        "missing(sun,knows(g,h)).",
        "%% end",
    ]
    assert len(encoding.exceptions) == len(read_exceptions(tmp_path / "exceptions.pl")) == 4
    # Four constants in one world and two in each other: 16 + 4 + 4 possible atoms of each predicate.
    bits = encoding.bits
    assert math.isclose(bits.plain, table_bits(24, 2) + 2 * table_bits(24, 1))
    assert math.isclose(bits.latent, table_bits(24, 3))
    assert math.isclose(bits.exceptions, 3 * exception_bits(24) + table_bits(24, 1))


def test_what_says_that_it_needs_exceptions(encoded, tmp_path):
    (latent,) = (encoded[2].parent / "latent").glob("*.pl")
    assert needs_exceptions(latent) is True
    packed = tmp_path / "packed.pl.gz"
    packed.write_bytes(gzip.compress(latent.read_bytes()))
    assert needs_exceptions(packed) is True
    packed.write_bytes(packed.read_bytes()[:20])
    assert needs_exceptions(packed) is False
    plain = tmp_path / "plain.pl"
    plain.write_text("parent(a,b).\n" + latent.read_text())
    assert needs_exceptions(plain) is False
    assert needs_exceptions(tmp_path / "latent") is False
    assert needs_exceptions(tmp_path / "nowhere.pl") is False


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_not_read_to_find_out(encoded, tmp_path):
    (latent,) = (encoded[2].parent / "latent").glob("*.pl")
    pipe = tmp_path / "pipe.pl"
    os.mkfifo(pipe)
    both_ends = os.open(pipe, os.O_RDWR)
    try:
        os.write(both_ends, latent.read_bytes())
        assert needs_exceptions(pipe) is False
        assert os.read(both_ends, 10_000) == latent.read_bytes()
    finally:
        os.close(both_ends)


FALSE = "false('it\\'s far away',father(padme,luke))."


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("version 2", "version 9", ":1:1: these exceptions have version 9"),
        ("% logicoder", "% anything", ":1:1: these are no exceptions"),
        (
            '"interpretations"',
            '"interpretation"',
            ":2:1: the header of these exceptions is damaged: object missing required field",
        ),
        ('"interpretations"', '"interpretations', "the header of these exceptions is damaged"),
        ("%% end\n", "", "the line '%% end' is missing"),
        (FALSE + "\n", "", "announces 1 false atoms, but there are 0"),
        (FALSE, FALSE.replace("padme", "X"), "contains a variable"),
        (FALSE, FALSE.replace("father", "uncle"), "the header knows no predicate uncle"),
        (FALSE, FALSE.replace("far", "near"), "the header knows no interpretation it's near away"),
        (
            FALSE,
            FALSE.replace("luke", "han"),
            "father(padme,han) is listed as false in it's far away, and the",
        ),
        (FALSE, FALSE.replace("false(", "wrong("), "expected an exception"),
        (FALSE, FALSE + FALSE, "this atom is an exception already, at"),
        ('"model": "', '"model": "0', "these exceptions belong to another model"),
        ('"latent": "', '"latent": "0', "these exceptions belong to other latent facts"),
    ],
)
def test_damaged_exceptions_are_refused_with_their_place(encoded, old, new, complaint):
    _, encoding, path = encoded
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    line = text[: text.index(old)].count("\n") + 1
    with pytest.raises(InputError) as caught:
        PARENTS.decode_losslessly(encoding.latent, path)
    assert complaint in str(caught.value)
    assert str(path) in str(caught.value)
    if old == FALSE:
        assert f":{line}:" in str(caught.value)


def test_a_missing_fact_that_the_decoder_derives_is_refused(encoded):
    _, encoding, path = encoded
    text = path.read_text()
    changed = text.replace(FALSE, FALSE.replace("false(", "missing("))
    path.write_text(changed.replace('"false": 1', '"false": 0').replace('"missing": 0', '"missing": 1'))
    with pytest.raises(InputError, match=r"exceptions.pl:\d+:1: father\(padme,luke\) is listed as missing"):
        PARENTS.decode_losslessly(encoding.latent, path)


def test_exceptions_come_back_from_their_file(encoded):
    _, encoding, path = encoded
    back = read_exceptions(path)
    assert list(back.lines()) == list(encoding.exceptions.lines())
    assert back.latent_schema == encoding.exceptions.latent_schema


def test_changed_latent_facts_are_refused(encoded):
    _, encoding, _ = encoded
    facts = [*encoding.latent, Fact("parent", ("shmi", "anakin"), "it's far away")]
    other = KnowledgeBase.from_facts(facts, interpretation="it's far away")
    with pytest.raises(InputError, match="belong to other latent facts"):
        PARENTS.decode_losslessly(other, encoding.exceptions)


def test_another_model_is_refused(encoded):
    _, encoding, _ = encoded
    other = AutoEncoder.from_programs("parent(X,Y) :- mother(X,Y).", "mother(X,Y) :- parent(X,Y).")
    with pytest.raises(InputError, match="belong to another model"):
        other.decode_losslessly(encoding.latent, encoding.exceptions)
