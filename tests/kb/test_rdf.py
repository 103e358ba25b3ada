"""RDF: classes and properties, short names without collisions, literals, located errors."""

import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.random_programs import REPEATABLE

from logicoder import InputError, KnowledgeBase, UsageError
from logicoder.base.errors import MissingExtraError
from logicoder.logic.symbols import Text

pytest.importorskip("pyoxigraph")

TURTLE = """\
@prefix ex: <http://example.org/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

ex:anna a foaf:Person ; foaf:name "Anna" , "Änne"@de ; ex:age 31 ; foaf:knows ex:bob , _:somebody .
ex:bob ex:height 1.85 ; ex:married true ; ex:born "1990-05-01"^^xsd:date ; ex:score "n/a"^^xsd:integer .
"""
FACTS = {
    ("person", "anna"),
    ("name", "anna", Text("Anna")),
    ("name", "anna", Text("Änne@de")),
    ("age", "anna", 31),
    ("knows", "anna", "bob"),
    ("knows", "anna", "_:somebody"),
    ("height", "bob", 1.85),
    ("married", "bob", "true"),
    ("born", "bob", Text("1990-05-01^^date")),
    ("score", "bob", Text("n/a^^integer")),
}


def content(kb):
    return {(fact.predicate, *fact.arguments) for fact in kb}


def test_turtle_from_text_and_from_a_file(tmp_path):
    assert content(KnowledgeBase.from_rdf(TURTLE)) == FACTS
    (tmp_path / "people.ttl").write_text(TURTLE)
    kb = KnowledgeBase.from_path(tmp_path / "people.ttl")
    assert content(kb) == FACTS
    assert kb.interpretations == ("people",)
    assert content(KnowledgeBase.from_rdf(tmp_path / "people.ttl")) == FACTS
    assert content(KnowledgeBase.from_rdf(str(tmp_path / "people.ttl"))) == FACTS


def test_n_triples_and_rdf_xml(tmp_path):
    (tmp_path / "a.nt").write_text("<http://e/a> <http://e/p#knows> <http://e/b> .\n")
    assert content(KnowledgeBase.from_path(tmp_path / "a.nt")) == {("knows", "a", "b")}
    (tmp_path / "b.rdf").write_text(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">'
        '<e:Person rdf:about="http://e/anna"><e:age>31</e:age></e:Person></rdf:RDF>'
    )
    assert content(KnowledgeBase.from_path(tmp_path / "b.rdf")) == {
        ("person", "anna"),
        ("age", "anna", Text("31")),
    }


def test_names_that_collide_are_longer():
    kb = KnowledgeBase.from_rdf("""
        @prefix a: <http://a/> . @prefix b: <http://b/> .
        a:x a:name b:x . a:x b:name b:y . a:x a a:Name . a:x <http://c/name> b:z .
    """)
    assert content(kb) == {
        ("b_name", "a_x", "y"),
        ("http://c/name", "a_x", "z"),
        ("a_name", "a_x", "b_x"),
        ("a_Name", "a_x"),
    }


def test_a_class_that_is_a_property_too():
    kb = KnowledgeBase.from_rdf("@prefix e: <http://e/> . e:a a e:x . e:a e:x e:b .")
    assert len(kb) == 2
    assert {kb.schema[name].arity for name in kb.predicates} == {1, 2}


ADDRESSES = """@prefix ex: <http://e.org/> .
ex:anna ex:address [ ex:city ex:wien ] .
_:anon1 ex:address _:home. _:home ex:city ex:graz .
ex:carl ex:address [ ex:city ex:linz ] .
"""


def test_blank_nodes_have_the_same_names_at_every_reading(tmp_path):
    both = [tmp_path / "one.ttl", tmp_path / "two.ttl"]
    for path in both:
        path.write_text(ADDRESSES)
    kb = KnowledgeBase.from_path(tmp_path / "one.ttl")
    assert kb == KnowledgeBase.from_path(tmp_path / "one.ttl")
    cities = {fact.arguments for fact in kb.facts("city")}
    assert cities == {("_:anon2", "wien"), ("_:home", "graz"), ("_:anon3", "linz")}
    assert ("_:anon1", "_:home") in {fact.arguments for fact in kb.facts("address")}
    tables = KnowledgeBase.from_path(*both, mapping="auto")
    assert tables == KnowledgeBase.from_path(*both, mapping="auto")
    # What has no label is another node in another file.
    assert {"_:anon2", "_:anon3", "_:anon4", "_:anon5"} <= {
        str(fact.arguments[0]).removeprefix("thing:") for fact in tables
    }


def test_errors_have_their_places(tmp_path):
    (tmp_path / "bad.ttl").write_text("@prefix e: <http://e/> .\ne:a e:p f:b .\n")
    with pytest.raises(
        InputError, match=r"bad\.ttl:2:\d+: this is not RDF: The prefix f: has not been declared"
    ):
        KnowledgeBase.from_path(tmp_path / "bad.ttl")


def test_the_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pyoxigraph>="):
        KnowledgeBase.from_rdf(TURTLE)


ODD = ["anna", "'", "a/b#c", "_:b0", "é", "a b", "http://x/y", "%41", "7"]
WHOLE = st.text(min_size=1).filter(lambda text: not any(0xD800 <= ord(c) < 0xE000 for c in text))
ATOMS = st.sampled_from(ODD) | WHOLE
NAMES = ATOMS.filter(lambda text: text[:1] == text[:1].lower())
FRACTIONS = st.floats(-1e6, 1e6).filter(lambda number: not number.is_integer())
OBJECTS = ATOMS | ATOMS.map(Text) | st.integers(-(10**20), 10**20) | FRACTIONS
WRITTEN = st.dictionaries(
    NAMES,
    st.lists(st.tuples(ATOMS), min_size=1, max_size=4)
    | st.lists(st.tuples(ATOMS, OBJECTS), min_size=1, max_size=4),
    min_size=1,
    max_size=4,
)


@settings(REPEATABLE, max_examples=150)
@given(facts=WRITTEN, suffix=st.sampled_from([".nt", ".ttl"]))
def test_what_is_written_is_read(facts, suffix):
    kb = KnowledgeBase.from_facts(facts, interpretation="a", types="one")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"a{suffix}"
        kb.save(path, "rdf")
        assert KnowledgeBase.from_path(path, types="one") == kb


@pytest.mark.parametrize(
    ("fact", "said"),
    [
        ("p(7)", "literal such as"),
        ("'P'(a)", "lower-case letter"),
        ("p(a,b,c)", "classes"),
        ("p(a,1.0)", "whole number"),
        ("p('')", "the empty atom"),
    ],
)
def test_what_rdf_cannot_hold_is_refused(tmp_path, fact, said):
    with pytest.raises(UsageError, match=said):
        KnowledgeBase.from_facts([fact]).save(tmp_path / "a.nt", "rdf")
    with pytest.raises(UsageError, match="N-Triples"):
        KnowledgeBase.from_facts(["p(a)"]).save(tmp_path / "a.rdf", "rdf")
    with pytest.raises(UsageError, match="true facts only"):
        KnowledgeBase.from_facts(["p(a)"], negatives=["p(b)"]).save(tmp_path / "a.nt", "rdf")
