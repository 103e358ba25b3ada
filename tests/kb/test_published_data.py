"""The data sets of the literature are read as they were published."""

from __future__ import annotations

import pytest

from logicoder.kb.overview import overview
from logicoder.kb.reader import read_knowledge_base


@pytest.mark.parametrize(
    ("name", "facts", "predicates", "worlds"),
    [("uwcse", 2673, 15, 5), ("imdb", 1540, 10, 5), ("webkb", 2065, 6, 4), ("cora_er", 42558, 10, 5)],
)
def test_folds_of_alchemy_files(datasets, name, facts, predicates, worlds):
    kb = read_knowledge_base(datasets / name)
    assert (len(kb), len(kb.predicates), len(kb.interpretations)) == (facts, predicates, worlds)
    assert sum(len(part) for part in kb.split()) == facts
    assert overview(kb).facts == facts


@pytest.mark.parametrize(("name", "facts", "predicates"), [("umls", 6529, 46), ("kinships", 10686, 25)])
def test_triples(datasets, caplog, name, facts, predicates):
    kb = read_knowledge_base(datasets / name, format="triples")
    assert (len(kb), len(kb.predicates)) == (facts, predicates)
    assert kb.interpretations == ("test", "train", "valid")
    assert not caplog.records, "the first rows are facts without a doubt"


@pytest.mark.parametrize("format_", ["prolog", "alchemy", "tables"])
def test_published_data_survives_writing(datasets, tmp_path, format_):
    kb = read_knowledge_base(datasets / "uwcse")
    kb.save(tmp_path / "out", format_)
    assert read_knowledge_base(tmp_path / "out", format=format_) == kb
