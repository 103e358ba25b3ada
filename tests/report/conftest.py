"""A model, and pages of it that the tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from logicoder import AutoEncoder, KnowledgeBase, StackedAutoEncoder, rate_distortion
from logicoder.autoencoder.run_record import run_record
from logicoder.report import report_html

# mother(padme,leia) is lost, because padme is no woman here; father(vader,leia) comes back falsely.
FAMILY = [
    ("mother", "padme", "leia"),
    ("mother", "beru", "biggs"),
    ("father", "vader", "luke"),
    ("woman", "beru"),
    ("man", "vader"),
    ("child", "luke"),
    ("child", "leia"),
]
ENCODER = """
    parent(X,Y) :- mother(X,Y) ; father(X,Y).
    female(X) :- woman(X).
    male(X) :- man(X).
    young(X) :- child(X).
"""
DECODER = """
    mother(X,Y) :- parent(X,Y), female(X).
    father(X,Y) :- male(X), young(Y).
    woman(X) :- female(X).
    man(X) :- male(X).
    child(X) :- young(X).
"""


@pytest.fixture(scope="session")
def family():
    return KnowledgeBase.from_facts(FAMILY)


@pytest.fixture(scope="session")
def model():
    return AutoEncoder.from_programs(ENCODER, DECODER)


@pytest.fixture(scope="session")
def page_file(model, family, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(report_html(model, family, title="A family"), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def full_page(tmp_path_factory):
    """A page with two layers, two interpretations, a search, a record and a curve."""
    facts = [("mother", "padme", "luke"), ("mother", "padme", "leia"), ("woman", "padme"), ("man", "vader")]
    facts += [("father", "vader", "luke"), ("father", "vader", "leia")]
    kb = KnowledgeBase.union(
        [KnowledgeBase.from_facts(facts[start:], interpretation=f"world {start}") for start in (0, 1)]
    )
    below = AutoEncoder(encoder_length=1, compression=1.5)
    above = AutoEncoder(encoder_length=1, compression=0.6, reconstruct_all=False)
    model = StackedAutoEncoder([below, above]).fit(kb)
    assert len(model.layers_) == 2
    record = run_record(
        parameters={}, results={}, inputs=[Path(__file__)], command=["logicoder", "fit", "a b"]
    )
    curve = rate_distortion(kb, ["0.2", "0.8", "1"], encoder_length=1).as_dict()
    path = tmp_path_factory.mktemp("report") / "full.html"
    path.write_text(report_html(model, kb, title="Everything", record=record, curve=curve), encoding="utf-8")
    return path


@pytest.fixture
def page(watched, page_file):
    """The page of the family, open."""
    yield watched.open(page_file)
    assert watched.console == []
    assert watched.requests == [page_file.as_uri()]
