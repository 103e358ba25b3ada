"""JSON lines: everything comes back, and errors have their places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.random_programs import REPEATABLE

from logicoder import InputError, KnowledgeBase
from logicoder.logic.symbols import Text

letters = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
values = letters | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.builds(Text, letters)
rows = st.lists(st.lists(values, min_size=2, max_size=2).map(tuple), max_size=4)


@REPEATABLE
@given(true=rows, false=rows, packed=st.booleans())
def test_what_is_written_is_what_is_read(tmp_path_factory, true, false, packed):
    kb = KnowledgeBase.from_facts(
        {"it's": [("a", 1)], "p": true, "rainy": [()]}, negatives={"q": false}, interpretation="data"
    )
    path = tmp_path_factory.mktemp("lines") / ("data.jsonl.gz" if packed else "data.jsonl")
    kb.save(path)
    assert KnowledgeBase.from_path(path) == kb


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('{"predicate": "p", "arguments": ["a"', "2:37: this is not JSON"),
        ("[1]", r"2:1: \[1\] is not a fact"),
        ('{"predicate": "p"}', "2:1: .* is not a fact"),
        ('{"predicate": "p", "arguments": "ab"}', "2:1: the arguments of p must be a list, not 'ab'"),
        ('{"predicate": "", "arguments": []}', "2:1: '' is not the name"),
        ('{"predicate": "p", "arguments": [null]}', "2:1: None is not a constant"),
        ('{"predicate": "p", "arguments": [NaN]}', "2:1: NaN is not a constant"),
        ('{"predicate": "p", "arguments": [["a"]]}', "2:1: .* is not a constant"),
        ('{"predicate": "p", "arguments": ["a"], "truth": "maybe"}', "2:1: the truth of a fact"),
        ('{"predicate": "p", "arguments": ["a"], "weight": 1}', "2:1: .* is not a fact"),
        ('{"predicate": "p", "arguments": ["a", "b"]}', "2:1: p has 2 arguments here but 1"),
        ('{"predicate": "p", "arguments": ["a"], "truth": "false"}', r"2:1: p\(a\) is both true and false"),
    ],
)
def test_errors_have_their_places(tmp_path, line, complaint):
    (tmp_path / "x.jsonl").write_text('{"predicate": "p", "arguments": ["a"]}\n' + line + "\n")
    with pytest.raises(InputError, match=rf"x\.jsonl:{complaint}"):
        KnowledgeBase.from_path(tmp_path / "x.jsonl")
