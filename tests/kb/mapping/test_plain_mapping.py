"""Mappings as plain data: back as they were, and with the knowledge base."""

import json
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logicoder import KnowledgeBase
from logicoder.base.errors import InputError
from logicoder.kb.mapping.data_mapping import Argument, DataMapping, TableMapping, ValueType
from logicoder.kb.mapping.plain_mapping import mapping_from_plain, plain_mapping
from logicoder.kb.mapping.table_reader import open_source, read_tables

POINTS = st.lists(st.floats(-1e9, 1e9) | st.integers(-(10**9), 10**9), unique=True).map(sorted).map(tuple)
MOMENTS = st.lists(st.datetimes(), unique=True).map(sorted).map(tuple)


@given(
    POINTS, MOMENTS, st.booleans(), st.text(min_size=1), st.lists(st.booleans() | st.text() | st.integers())
)
def test_what_was_made_plain_comes_back(points, moments, compare, name, holds):
    types = {"a": ValueType("a", "number", points, compare=compare), "b": ValueType("b", "date", moments)}
    arguments = (
        Argument((name,), "p", type="a", why="so"),
        Argument(("x",), "q", type="b", part="year"),
        Argument(("z",), "z", type="b", left_out=True),
        Argument(("y",), "r", holds=tuple(holds)),
    )
    tables = {
        name: TableMapping(name, "thing", ("k", name), arguments=arguments),
        f"{name}2": TableMapping(f"{name}2", relation="rel", arguments=(Argument(("k", "l"), refers=name),)),
        "none": TableMapping("none", left_out=True),
    }
    mapping = DataMapping(tables, types)
    text = json.dumps(plain_mapping(mapping))
    assert mapping_from_plain(json.loads(text)) == mapping.essential()
    other = DataMapping(tables, {**types, "a": replace(types["a"], compare=not compare)})
    assert plain_mapping(other) != plain_mapping(mapping)


@pytest.mark.parametrize(
    "content",
    [None, {"types": 3}, {"types": {"a": {"kind": "date", "cuts": ["soon"]}}}, {"types": {}, "tables": {}}],
)
def test_what_is_no_mapping_is_refused(content):
    with pytest.raises(InputError):
        mapping_from_plain(content, "model.alp")


def test_a_knowledge_base_knows_its_mapping(shop):
    kb, mapping = read_tables(open_source(shop.path))
    assert kb.mapping == mapping.essential()
    for part in (kb.restricted(["product_price"]), kb.split()[0], KnowledgeBase.union([kb, kb])):
        assert part.mapping == kb.mapping
    assert KnowledgeBase.union([kb, KnowledgeBase.from_facts(["p(a)"])]).mapping is None
    assert KnowledgeBase.from_sql(shop.path, mapping=mapping_from_plain(plain_mapping(mapping))) == kb
    assert mapping.types["since"].cuts[0] == datetime(2021, 1, 1)
