"""DataFrames of pandas and polars."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from logicoder import AutoEncoder
from logicoder.base.errors import InputError, MissingExtraError, UsageError
from logicoder.kb import KnowledgeBase, Predicate, Schema

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")

both = pytest.mark.parametrize("library", [pandas, polars], ids=["pandas", "polars"])


@both
def test_values_become_constants(library):
    kb = KnowledgeBase.from_frames(
        {
            "father": library.DataFrame({"x": ["vader", "Shmi"], "y": ["luke", "vader"]}),
            "height": library.DataFrame({"x": ["luke"], "cm": [172], "m": [1.72], "jedi": [True]}),
        }
    )
    assert [(f.predicate, *f.arguments) for f in kb] == [
        ("father", "vader", "luke"),
        ("father", "Shmi", "vader"),
        ("height", "luke", 172, 1.72, "true"),
    ]
    assert kb.interpretations == ("data",)


def test_scalars_of_numpy():
    column = pandas.Series([np.int64(1), np.float64(2.5), np.bool_(False), np.str_("a")], dtype=object)
    kb = KnowledgeBase.from_frames({"p": pandas.DataFrame({"x": column})})
    assert [f.arguments[0] for f in kb] == [1, 2.5, "false", "a"]


@both
def test_a_column_may_name_the_interpretation(library):
    frame = library.DataFrame({"fold": [1, 2, 1], "x": ["a", "b", "c"]})
    kb = KnowledgeBase.from_frames({"p": frame}, interpretation_column="fold")
    assert kb.interpretations == ("1", "2")
    assert [(f.interpretation, f.arguments[0]) for f in kb] == [("1", "a"), ("1", "c"), ("2", "b")]
    with pytest.raises(UsageError, match="no column 'world'"):
        KnowledgeBase.from_frames({"p": frame}, interpretation_column="world")


@both
@pytest.mark.parametrize("values", [["a", None], [1.5, float("nan")], [float("nan"), 1.5], [1, 2, None]])
def test_rows_with_missing_values_are_no_facts(library, values, caplog):
    kb = KnowledgeBase.from_frames({"p": library.DataFrame({"child": values})})
    assert [f.arguments[0] for f in kb] == [value for value in values if value in ("a", 1, 1.5, 2)]
    assert "frame p: 1 row with missing values is left out" in caplog.text


def test_an_interpretation_must_be_named():
    frame = polars.DataFrame({"fold": [1, None], "x": ["a", "b"]})
    with pytest.raises(InputError, match=r"frame p, row 1 .*column fold: the value is missing"):
        KnowledgeBase.from_frames({"p": frame}, interpretation_column="fold")


def test_whole_numbers_that_became_floats_are_mended(caplog):
    frame = pandas.DataFrame({"x": ["a", "b"], "key": [17, None]})
    assert frame["key"].dtype == float
    assert ("p", "a", 17) in KnowledgeBase.from_frames({"p": frame})
    assert "p.key: keys were read as floating-point numbers" in caplog.text


@both
@pytest.mark.parametrize("value", [float("inf"), [1, 2]])
def test_values_that_are_no_constants_are_refused(library, value):
    with pytest.raises(InputError, match=r"frame p, row 0 .*column x: "):
        KnowledgeBase.from_frames({"p": library.DataFrame({"x": [value]})})


@both
def test_schemas_and_types_apply(library):
    frames = {"p": library.DataFrame({"x": ["a"], "y": ["b"]})}
    schema = Schema.of(Predicate("p", ("person", "town")))
    assert KnowledgeBase.from_frames(frames, schema=schema).schema == schema
    assert KnowledgeBase.from_frames(frames, types="one").schema["p"].types == ("thing", "thing")
    with pytest.raises(InputError, match="not declared"):
        KnowledgeBase.from_frames({"q": frames["p"]}, schema=schema)


def test_what_is_no_frame_is_refused():
    for other in ([("a", "b")], pandas.Series(["a"]), polars.Series(["a"]), None):
        with pytest.raises(UsageError, match="not a data frame"):
            KnowledgeBase.from_frames({"p": other})


def test_frames_of_arrow():
    arrow = pytest.importorskip("pyarrow")
    kb = KnowledgeBase.from_frames({"father": arrow.table({"x": ["vader", None], "y": ["luke", "leia"]})})
    assert list(map(str, kb)) == ["father(vader,luke)"]


@both
def test_frames_with_a_key_are_tables_of_things(library, caplog):
    frames = {"cars": library.DataFrame({"id": [1, 2], "colour": ["red", "blue"]})}
    assert set(map(str, KnowledgeBase.from_frames(frames))) == {
        "car_colour('car:1',red)",
        "car_colour('car:2',blue)",
    }
    assert "frame cars: the column id is its key" in caplog.text
    assert len(KnowledgeBase.from_frames(frames, mapping=False).table("cars")) == 2
    twice = {"cars": library.DataFrame({"id": [1, 1], "colour": ["red", "blue"]})}
    assert list(KnowledgeBase.from_frames(twice).schema) == ["cars"], "no key, as it repeats"


@both
def test_no_rows_at_all(library):
    with pytest.raises(InputError, match="these frames contain no facts: p"):
        KnowledgeBase.from_frames({"p": library.DataFrame({"x": []})})
    kb = KnowledgeBase.from_frames({"p": library.DataFrame({"x": []}), "q": library.DataFrame({"x": ["a"]})})
    assert list(kb.schema) == ["p", "q"]
    assert kb.predicates == ("q",)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_there_and_back(library):
    parts = [
        KnowledgeBase.from_facts(facts, interpretation=name, types="one")
        for name, facts in (
            ("one", [("p", "a", 1), ("p", "b", 2), ("q", "a", 2.5)]),
            ("two", [("p", "a", 3), ("q", "c", 0.5)]),
        )
    ]
    for kb, column in ((KnowledgeBase.union(parts), "interpretation"), (parts[0], None)):
        frames = kb.to_frames(library)
        assert list(frames) == ["p", "q"]
        back = KnowledgeBase.from_frames(frames, interpretation_column=column, types="one")
        assert {(f.predicate, f.arguments) for f in back} == {(f.predicate, f.arguments) for f in kb}
        assert back.schema == kb.schema


def test_mixed_columns_become_text_in_polars():
    kb = KnowledgeBase.from_facts([("p", "a"), ("p", 1)])
    assert kb.to_frames("polars")["p"]["argument1"].to_list() == ["a", "1"]
    assert kb.to_frames("pandas")["p"]["argument1"].tolist() == ["a", 1]


def test_what_frames_cannot_be_made(monkeypatch):
    with pytest.raises(UsageError, match="no arguments"):
        KnowledgeBase.from_facts([("rainy",)]).to_frames()
    with pytest.raises(UsageError, match="library"):
        KnowledgeBase.from_facts([("p", "a")]).to_frames("spark")
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'polars>="):
        KnowledgeBase.from_facts([("p", "a")]).to_frames("polars")


def test_wide_frames_are_tables_of_things(caplog):
    frame = pandas.DataFrame(
        {"sex": ["m", "f", None], "island": list("aba"), "year": [7, 8, 7], "kind": list("xyx")}
    )
    kb = KnowledgeBase.from_frames({"birds": frame})
    assert ("bird_island", "bird:2", "b") in {(f.predicate, *map(str, f.arguments)) for f in kb}
    assert kb.count("bird_sex") == 2
    assert "frame birds: it has 4 columns, so each row is an entity with attributes" in caplog.text
    assert KnowledgeBase.from_frames({"birds": frame}, mapping=False).count("birds") == 2
    assert KnowledgeBase.from_frames(kb.to_frames()) == KnowledgeBase.from_frames(
        kb.to_frames(), mapping=False
    )
    with pytest.raises(UsageError, match="write from_frames"):
        KnowledgeBase.from_frames(frame)
    with pytest.raises(UsageError, match="not DataFrame; KnowledgeBase"):
        AutoEncoder().fit(frame)
