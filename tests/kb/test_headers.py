"""Headers of tables and triples: recognised and told, never silently a fact."""

import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.random_programs import REPEATABLE

from logicoder import InputError, KnowledgeBase


def table(folder, text, name="age.csv"):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    return folder


def test_names_above_numbers_are_a_header(tmp_path, caplog):
    kb = KnowledgeBase.from_path(table(tmp_path, "person,age\nanna,31\nbob,27\n"), format="tables")
    assert sorted(map(str, kb)) == ["age(anna,31)", "age(bob,27)"]
    assert "age.csv: the first row (person, age) is treated as a header; pass --no-header" in caplog.text


def test_dates_and_amounts_are_no_names(tmp_path):
    text = "when,paid\n2024-05-01,$3.50\n2024-05-02 12:00:00,-1e5\n"
    assert len(KnowledgeBase.from_path(table(tmp_path, text), format="tables")) == 2


def test_a_header_may_be_a_fact_on_request(tmp_path, caplog):
    folder = table(tmp_path, "person,age\nanna,31\nbob,27\n")
    assert len(KnowledgeBase.from_path(folder, format="tables", header=False)) == 3
    assert not caplog.records


def test_words_of_headers_above_text_leave_a_doubt(tmp_path, caplog):
    folder = table(tmp_path, "customer,city_id\nanna,paris\nbob,rome\n", "lives.csv")
    assert len(KnowledgeBase.from_path(folder, format="tables")) == 3
    assert "the first row (customer, city_id) is read as a fact; pass --header to skip it" in caplog.text


REPEATED = "".join(f"e{name},{['paris', 'rome', 'oslo'][i % 3]}\n" for i, name in enumerate("abcdefgh" * 10))
DOUBTS = {
    "names of things": ("lives.csv", "person,city\nann,paris\nbob,rome\n"),
    "a single row": ("lives.csv", "person,city\nann,paris\n"),
    "one column": ("vip.csv", "student\nann\nbob\n"),
    "the same name twice": ("knows.csv", "person,person\nann,bob\n"),
    "one number": ("age.csv", "wer,wie_alt\nann,31\n"),
    "words of the file's name": ("Mensch_Stadt.csv", "mensch,stadt\nann,paris\nbob,rome\n"),
    "small letters above capitals": ("in.csv", "mensch,stadt\nAnn,Paris\nBob,Rome\n"),
    "words that come never again": ("in.csv", f"mensch,stadt\n{REPEATED}"),
    "one word, and others come again": ("in.csv", "person,stadt\nann,rome\nbob,rome\ncid,rome\n"),
}


@pytest.mark.parametrize("case", DOUBTS)
def test_headers_of_plain_words_leave_a_doubt(tmp_path, caplog, case):
    name, text = DOUBTS[case]
    assert len(KnowledgeBase.from_path(table(tmp_path, text, name), format="tables")) == len(
        set(text.splitlines())
    )
    first = ", ".join(text.splitlines()[0].split(","))
    assert f"({first}) is read as a fact; pass --header to skip it" in caplog.text


def test_names_above_codes_are_a_header(tmp_path, caplog):
    folder = table(tmp_path, "person,city\np1,c7\np2,c3\np3,c7\n", "lives.csv")
    assert len(KnowledgeBase.from_path(folder, format="tables")) == 3
    assert "is treated as a header" in caplog.text


def test_a_large_file_is_judged_by_as_many_rows(tmp_path, monkeypatch, caplog):
    pytest.importorskip("pyarrow")
    monkeypatch.setattr("logicoder.kb.formats.large_tables.BLOCK", 100)
    monkeypatch.setattr("logicoder.kb.formats.delimited.LARGE", 0)
    text = "what,number\n" + "a,1\n" * 200 + "a,one\n"
    assert len(KnowledgeBase.from_path(table(tmp_path, text), format="tables")) == 3
    assert "(what, number) is read as a fact" in caplog.text


@pytest.mark.parametrize("header", ["subject,predicate,object", "Head,Relation,Tail", "s,p,o"])
def test_headers_of_triples(tmp_path, caplog, header):
    path = tmp_path / "graph.csv"
    path.write_text(f"{header}\nanna,knows,bob\n")
    assert list(map(str, KnowledgeBase.from_path(path, format="triples"))) == ["knows(anna,bob)"]
    assert "is treated as a header" in caplog.text


ORDINARY = [
    "anna,bob\nbob,carl\n",
    "a,1\nb,2\n",
    "anna,rome\nanna,oslo\n",
    "id\n",
    "x,y\nu,v\n",
    "Anna,Rome\nBob,Oslo\nCid,Rome\nDan,Rome\n",
    "person,animal\ndog,animal\ncat,animal\n",
    "child,candy\ndog,bone\ncow,grass\n",
    "person1,city1\nperson2,city1\nperson3,city2\n",
    "n1\nn2\nn3\n",
    "class_1,class_1\nclass_2,class_2\n",
    "".join(f"e{i},e{(i * 7) % 90}\n" for i in range(90)),
]


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_rows_are_facts_without_a_word(tmp_path, caplog, text):
    with caplog.at_level(logging.WARNING):
        kb = KnowledgeBase.from_path(table(tmp_path, text), format="tables")
    assert len(kb) == text.count("\n")
    assert not [r for r in caplog.records if "first row" in r.message]


def test_errors_below_a_header_keep_their_places(tmp_path):
    folder = table(tmp_path, "person,age\nanna,31\nbob,27\ncarl\n")
    with pytest.raises(InputError, match=r"age\.csv:4:5: this row has 1 field instead of 2"):
        KnowledgeBase.from_path(folder, format="tables")


WORDS = st.sampled_from(["id", "name", "anna", "3", "2024-01-01"])


@REPEATABLE
@given(rows=st.lists(st.tuples(WORDS, WORDS), min_size=1))
def test_no_fact_is_lost_on_the_way_through_files(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("data")
    kb = KnowledgeBase.from_facts({"p": rows}, interpretation="t")
    for name, target in (("tables", "t"), ("triples", "t.csv"), ("triples", "t.tsv")):
        kb.save(folder / target, name)
        found = KnowledgeBase.from_path(folder / target, format=name)
        assert {tuple(map(str, fact.arguments)) for fact in found.facts("p")} == set(rows)
