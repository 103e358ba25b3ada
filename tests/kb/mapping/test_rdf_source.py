"""RDF as tables: classes are tables of things, properties columns or tables, literals typed like columns."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.random_programs import REPEATABLE

from logicoder import InputError, KnowledgeBase

pytest.importorskip("pyoxigraph")

TURTLE = """@prefix e: <http://e/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
e:a a e:Person, e:Student ; e:knows e:b, e:c ; e:born "1990-01-01"^^xsd:date ; e:name "Anna"@en .
e:a e:lives e:rome .
e:b a e:Person ; e:knows e:a ; e:born "1980-05-01"^^xsd:date ; e:lives e:oslo ; e:height 1.5 .
e:c a e:Person ; e:lives e:rome ; e:height 1.75 ; e:active true .
e:rome a e:City ; e:country "it" .
e:oslo a e:City ; e:country "no" .
e:x e:likes e:a .
"""
FACTS = """\
city_country('city:oslo',no)
city_country('city:rome',it)
person_active('person:c')
person_born('person:a','[1990-01-01..)')
person_born('person:b','[..1990-01-01)')
person_height('person:b','[..1.7)')
person_height('person:c','[1.7..)')
person_know('person:a','person:b')
person_know('person:a','person:c')
person_know('person:b','person:a')
person_lives('person:a','city:rome')
person_lives('person:b','city:oslo')
person_lives('person:c','city:rome')
person_name('person:a','Anna@en')
person_student('person:a')
thing_likes('thing:x','person:a')
"""


def test_literals_are_typed_as_columns_are(tmp_path):
    (tmp_path / "people.ttl").write_text(TURTLE)
    kb = KnowledgeBase.from_rdf(tmp_path / "people.ttl", mapping="auto")
    assert sorted(map(str, kb.restricted(kb.learnable))) == FACTS.splitlines()
    assert kb.schema["person_born"].types == ("person", "born")
    assert kb == KnowledgeBase.from_path(tmp_path / "people.ttl", mapping="auto")


def test_several_files_are_one_graph(tmp_path):
    for number, line in enumerate(TURTLE.splitlines()[1:]):
        (tmp_path / f"{number}.ttl").write_text("\n".join([TURTLE.splitlines()[0], line]))
    kb = KnowledgeBase.from_path(*sorted(tmp_path.iterdir()), mapping="auto")
    assert sorted(map(str, kb.restricted(kb.learnable))) == FACTS.splitlines()


def test_what_is_no_rdf_is_told(tmp_path):
    (tmp_path / "a.ttl").write_text("e:a e:b\n")
    with pytest.raises(InputError, match=r"a\.ttl:.*not RDF"):
        KnowledgeBase.from_path(tmp_path / "a.ttl", mapping="auto")


NAMES = st.sampled_from("abcd")


@REPEATABLE
@given(
    links=st.sets(st.tuples(NAMES, st.sampled_from(["p", "q"]), NAMES), min_size=1, max_size=8),
    classes=st.sets(st.tuples(NAMES, st.sampled_from(["C", "D"])), max_size=5),
)
def test_no_link_is_lost_and_none_is_made_up(tmp_path_factory, links, classes):
    lines = [f"<http://e/{s}> <http://e/{p}> <http://e/{o}> ." for s, p, o in sorted(links)]
    lines += [f"<http://e/{s}> a <http://e/{c}> ." for s, c in sorted(classes)]
    path = tmp_path_factory.mktemp("rdf") / "g.ttl"
    path.write_text("\n".join(lines))
    kb = KnowledgeBase.from_path(path, mapping="auto")
    found = set()
    for fact in kb.restricted(kb.learnable):
        if len(fact.arguments) == 2:
            subject, thing = (str(value).rpartition(":")[2] for value in fact.arguments)
            found.add((subject, re.search("_([pq])(_|$)", fact.predicate)[1], thing))
    assert found == links
