"""Tables (a file per predicate) and triples."""

from __future__ import annotations

import logging

import pytest

from logicoder.base.errors import UsageError
from logicoder.kb import KnowledgeBase
from logicoder.kb.reader import read_knowledge_base

from .helpers import put, refused


def facts(kb):
    return [(fact.predicate, *fact.arguments) for fact in kb]


def read_tables(*paths, **options):
    return read_knowledge_base(*paths, format="tables", **options)


def read_triples(*paths, **options):
    return read_knowledge_base(*paths, format="triples", **options)


def test_a_table_per_predicate(tmp_path):
    put(tmp_path, "father.csv", 'vader,luke\r\n"Vader, D.","say ""hi"""\r\n\r\n')
    put(tmp_path, "age.tsv.gz", "luke\t19\nleia\t019\n")
    put(tmp_path, "jedi.txt", "luke\nyoda\n")
    put(tmp_path, "trains.txt", "luke  yoda\n\n ben\tluke\n")
    kb = read_tables(tmp_path)
    assert kb.interpretations == (tmp_path.name,)
    assert sorted(facts(kb), key=str) == [
        ("age", "leia", "019"),
        ("age", "luke", 19),
        ("father", "Vader, D.", 'say "hi"'),
        ("father", "vader", "luke"),
        ("jedi", "luke"),
        ("jedi", "yoda"),
        ("trains", "ben", "luke"),
        ("trains", "luke", "yoda"),
    ]


def test_a_folder_per_interpretation(tmp_path):
    put(tmp_path, "one/p.csv", "a\n")
    put(tmp_path, "two/p.csv", "b\n")
    put(tmp_path, ".hidden/p.csv", "c\n")
    kb = read_tables(tmp_path)
    assert kb.interpretations == ("one", "two")
    assert [(f.interpretation, *f.arguments) for f in kb] == [("one", "a"), ("two", "b")]


def test_tables_beside_folders_of_tables_are_refused(tmp_path):
    put(tmp_path, "p.csv", "a\n")
    put(tmp_path, "two/p.csv", "b\n")
    with refused(tmp_path, None, None, "p.csv", "two"):
        read_tables(tmp_path)


def test_headers(tmp_path):
    path = put(tmp_path, "father.csv", "Person,person\nvader,luke\n")
    assert len(read_tables(path)) == 2, "without a schema nothing tells a header from a fact"
    assert len(read_tables(path, header=True)) == 1
    put(tmp_path, "schema.mln", "father(person,person)\n")
    assert len(read_tables(path)) == 1
    assert len(read_tables(path, header=False)) == 2


def test_triples(tmp_path):
    put(tmp_path, "train.txt", "anna\t/people/born in\tparis\nbob\tknows\tanna\n")
    put(tmp_path, "test.csv", "anna,knows,bob\n")
    put(tmp_path, "valid.txt.gz", "bob knows   carl\n")
    put(tmp_path, "SOURCE.md", "not,data,here")
    put(tmp_path, "README.txt", "no triples here")
    kb = read_triples(tmp_path)
    assert kb.interpretations == ("test", "train", "valid")
    assert kb.predicates == ("knows", "/people/born in")
    assert len(kb) == 4
    assert len(read_triples(put(tmp_path, "x.tsv", "head\trelation\ttail\na\tr\tb\n"), header=True)) == 1


@pytest.mark.parametrize(
    ("name", "text", "at", "words"),
    [
        ("p.csv", "a,b\nc\n", (2, 2), ["1 field instead of 2", "p"]),
        ("p.csv", "a,b\nc,d,e\n", (2, 5), ["3 fields instead of 2"]),
        ("p.csv", 'a,b\n"c,c",d,"e"\n', (2, 9), ["3 fields"]),
        ("p.csv", 'a,b\nc,"d\n', (2, 3), ["not closed"]),
        ("p.csv", 'a,b\nc,"d"e\n', (2, 6), ["'e' follows"]),
        ("p.tsv", "a\tb\n\nc\n", (3, 2), ["1 field"]),
        ("p.txt", "a b\nc d  e\n", (2, 6), ["3 fields"]),
    ],
)
def test_bad_rows_of_tables_are_refused_at_their_places(tmp_path, name, text, at, words):
    path = put(tmp_path, name, text)
    with refused(path, *at, *words):
        read_tables(path)


@pytest.mark.parametrize(
    ("name", "text", "line", "column"),
    [
        ("a.tsv", "a\tr\tb\nc\tr\n", 2, 4),
        ("a.tsv", "a\tr\tb\nc\tr\td\te\n", 2, 7),
        ("a.csv", "a,r\n", 1, 4),
        ("a.txt", "a r b\n\n  c r\n", 3, 6),
    ],
)
def test_bad_triples_are_refused_at_their_places(tmp_path, name, text, line, column):
    path = put(tmp_path, name, text)
    with refused(path, line, column, "instead of 3", "head, relation and tail"):
        read_triples(path)


def test_a_bad_row_after_many_good_ones_is_found(tmp_path):
    path = put(tmp_path, "p.csv", "a,b\n" * 150_000 + "c\n" + "a,b\n" * 10)
    with refused(path, 150_001, 2):
        read_tables(path)


def test_rows_with_empty_fields_are_no_facts(tmp_path, caplog):
    path = put(tmp_path, "p.csv", 'a,b\nc,\n"",d\n,e\n\nf,g\n')
    assert list(map(str, read_tables(path))) == ["p(a,b)", "p('',d)", "p(f,g)"]
    assert "p.csv:2:3: 2 rows with missing values are left out" in caplog.text
    path = put(tmp_path, "p.csv", "person,age\na,1\nb,\nc,x,y\n")
    with refused(path, 4, 5, "3 fields instead of 2"):
        read_tables(path)
    path = put(tmp_path, "t.tsv", "a\tr\tb\n" * 50_000 + "a\tr\t\nb\tr\tc\n")
    assert len(read_triples(path)) == 2
    assert "t.tsv:50001:5: 1 row with missing values is left out" in caplog.text


def test_rows_of_a_declared_predicate_have_its_arity(tmp_path):
    put(tmp_path, "schema.mln", "p(t,t)\n")
    path = put(tmp_path, "p.csv", "a\nb\n")
    with refused(path, 1, 2, "1 field instead of 2", "p(t,t)"):
        read_tables(path)


def test_an_empty_table_is_left_out_with_a_warning(tmp_path, caplog):
    put(tmp_path, "p.csv", "")
    put(tmp_path, "q.csv", "a\n")
    with caplog.at_level(logging.WARNING, logger="logicoder"):
        kb = read_tables(tmp_path)
    assert list(kb.schema) == ["q"]
    assert "table p, which is empty" in caplog.text


def test_a_field_of_ten_megabytes(tmp_path):
    assert len(read_tables(put(tmp_path, "p.csv", "a" * 10_000_000 + ",b\n"))) == 1


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.txt.gz"])
def test_the_format_of_delimited_files_must_be_said(tmp_path, name):
    path = put(tmp_path, name, "a,b\n")
    for given in (path, tmp_path):
        with pytest.raises(UsageError) as caught:
            read_knowledge_base(given)
        assert "--format tables" in str(caught.value)
        assert "--format triples" in str(caught.value)
        assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("facts_", "format_", "words"),
    [
        ({"facts": [("p", "a")]}, "triples", "1 arguments"),
        ({"facts": [("p",)]}, "tables", "0 arguments"),
        ({"facts": [("p", "a")], "negatives": [("p", "b")]}, "tables", "false"),
        ({"facts": [("p", "a", "b")], "unknown": [("p", "b", "c")]}, "triples", "unknown"),
        ({"facts": [("p", "1", 1)]}, "tables", "look the same"),
        ({"facts": [("p", "\0", 1)]}, "tables", "does not fit"),
    ],
)
def test_what_tables_cannot_hold_is_refused_when_writing(tmp_path, facts_, format_, words):
    with pytest.raises(UsageError, match=words):
        KnowledgeBase.from_facts(**facts_).save(tmp_path / "out", format_)
    assert not list(tmp_path.iterdir())
