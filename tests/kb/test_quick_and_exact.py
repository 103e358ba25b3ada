"""The quick way of reading gives what the exact one gives, on texts of every shape."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder.base.errors import InputError
from logicoder.kb.builder import KnowledgeBaseBuilder
from logicoder.kb.formats import grammar
from logicoder.kb.formats.alchemy.atoms import alchemy_grammar
from logicoder.kb.formats.alchemy.spelling import Spelling
from logicoder.kb.formats.grammar import FactReader
from logicoder.kb.formats.prolog import prolog_grammar
from logicoder.kb.formats.records import records, rows

# Pieces that, put together at random, give facts often enough and mistakes of all kinds besides.
PROLOG = [
    "p",
    "q1",
    "'Q r'",
    "(",
    ")",
    ",",
    ".",
    "a",
    "b",
    "X",
    "_",
    "7",
    "-",
    "-3",
    "2.5",
    "1e3",
    "\\+ ",
    "\\+",
    " ",
    "\n",
]
PROLOG += [
    '"s"',
    "'it''s'",
    "'\\x41\\'",
    "'\\q'",
    "% c\n",
    "/* c */",
    "/*",
    "unknown(",
    ":-",
    "é",
    "p(a,b).",
    "q(7).\n",
]
PROLOG += [
    "p(a,'b').",
    "\\+ q(c).",
    "unknown(q(a)).",
    "unknown((r)).",
    "r.",
    "p(c,\n d) .",
    "\r\n",
    "\t",
    "'",
    ":- dynamic p/2.",
]
ALCHEMY = [
    "p",
    "Q",
    "q",
    "(",
    ")",
    ",",
    ".",
    "!",
    "?",
    "a",
    "B",
    "7",
    "-3",
    "x-1",
    "a//b",
    '"s t"',
    '"\\q"',
    '"',
    "'",
    " ",
    "\n",
]
ALCHEMY += [
    "// c\n",
    "/* c */",
    "/*",
    "p(a,b)\n",
    "!Q(7)\n",
    "?q(a)\n",
    "P(a,c)\r\n",
    "p( a , b ) // c\n",
    "r\n",
    "é",
    "\t",
    "#",
]
FIELDS = ["a", "b", ",", "\t", " ", '"', '""', "\n", "\r\n", "\r", '"a,b"', "a b"]


def of(pieces):
    return st.lists(st.sampled_from(pieces), max_size=14).map("".join)


def outcome(read):
    """What reading gives: the atoms, or the error and its place."""
    try:
        return read()
    except InputError as error:
        return str(error) if error.location else "does not fit together"


def quickly(grammar, text):
    builder = KnowledgeBaseBuilder()
    FactReader(builder, grammar).load(text, "x", builder.interpretation("w"))
    return builder.build()


def exact_mentions(grammar, text):
    """The facts of a text, each read without any short cut."""
    offset = 0
    while offset < len(text):
        mention, offset = grammar.exact(text, offset, "x")
        if mention:
            yield mention


def exactly(grammar, text):
    builder = KnowledgeBaseBuilder()
    world = builder.interpretation("w")
    for mention in exact_mentions(grammar, text):
        builder.add(mention.predicate, mention.symbols, world, mention.truth)
    return builder.build()


def grammars():
    return {"prolog": prolog_grammar, "alchemy": lambda: alchemy_grammar(Spelling())}


@pytest.mark.parametrize(("name", "pieces"), [("prolog", PROLOG), ("alchemy", ALCHEMY)])
def test_reading_at_once(name, pieces, monkeypatch):
    make = grammars()[name]

    @settings(max_examples=1500, deadline=None)
    @given(of(pieces), st.sampled_from([1, 7, 30, 1 << 21]))
    def check(text, chunk):
        monkeypatch.setattr(grammar, "_CHUNK", chunk)
        found, wanted = outcome(lambda: quickly(make(), text)), outcome(lambda: exactly(make(), text))
        assert found == wanted
        if not isinstance(wanted, str):
            assert found.schema == wanted.schema
            assert list(found) == list(wanted)

    check()


@pytest.mark.parametrize(("name", "pieces"), [("prolog", PROLOG), ("alchemy", ALCHEMY)])
def test_reading_one_by_one(name, pieces):
    make = grammars()[name]

    @settings(max_examples=1000, deadline=None)
    @given(of(pieces))
    def check(text):
        found = outcome(lambda: list(make().mentions(text, "x")))
        assert found == outcome(lambda: list(exact_mentions(make(), text)))

    check()


@settings(max_examples=1500, deadline=None)
@given(of(FIELDS), st.sampled_from([",", "\t", None]))
def test_rows_and_records_agree(text, delimiter):
    try:
        found = list(rows(text, delimiter))
    except csv.Error:
        found = None
    try:
        wanted = [[field.text for field in record] for record in records(text, delimiter, "x")]
    except InputError as error:
        if "empty" in str(error):
            assert found is None or any("" in row for row in found)
            return
        wanted = None
    assert found == wanted


@settings(max_examples=300, deadline=None)
@given(of(FIELDS), st.sampled_from([",", "\t", None]))
def test_fields_stand_where_records_say(text, delimiter):
    try:
        for record in records(text, delimiter, "x"):
            for field in record:
                written = text[field.start : field.end]
                quoted = delimiter is not None and written.startswith('"')
                assert (written[1:-1].replace('""', '"') if quoted else written) == field.text
    except InputError:
        pass
