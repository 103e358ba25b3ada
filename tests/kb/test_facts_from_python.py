"""Facts given from Python: tuples, text, `Fact` objects, and what is none of these."""

import datetime
import enum
import uuid
from decimal import Decimal

import numpy as np
import pandas
import pytest

from logicoder import Fact, InputError, KnowledgeBase

KB = KnowledgeBase.from_facts([("father", "vader", "luke"), ("age", "luke", 19)])


def test_tuples_text_and_facts_mean_the_same():
    assert KnowledgeBase.from_facts(["father(vader,luke)", "age(luke,19)"]) == KB
    assert KnowledgeBase.from_facts(KB) == KB


def test_membership():
    assert ("father", "vader", "luke") in KB
    assert "age(luke, 19)" in KB
    assert Fact("age", ("luke", 19)) in KB
    assert Fact("age", ("luke", "19")) not in KB
    assert 7 not in KB


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (("p", None), "contains a value that is not a constant"),
        (("p", float("nan")), "contains a value that is not a constant"),
        ((), "is not a fact"),
        ((3, "a"), "is not a fact"),
        ("p(X)", "contains a variable"),
        ("p(a", "expected"),
    ],
)
def test_other_things_are_refused(row, complaint):
    with pytest.raises(InputError, match=complaint):
        KnowledgeBase.from_facts([("p", "a"), row])


def test_a_knowledge_base_shows_its_counts():
    assert repr(KB) == "<KnowledgeBase: 2 facts, 2 predicates, 1 interpretation>"
    assert (
        repr(KnowledgeBase.from_facts(["p(a)"])) == "<KnowledgeBase: 1 fact, 1 predicate, 1 interpretation>"
    )


NAMESPACE = uuid.UUID(int=7)


@pytest.mark.parametrize(
    ("value", "symbol"),
    [
        (np.int64(7), "7"),
        (np.uint8(7), "7"),
        (np.float64(2.5), "2.5"),
        (np.float32(0.5), "0.5"),
        (np.bool_(True), "true"),
        (np.str_("Luke"), "'Luke'"),
        (np.datetime64("2024-05-01T12:30"), "'2024-05-01T12:30'"),
        (np.array(3), "3"),
        (True, "true"),
        (Decimal("5.00"), "5"),
        (Decimal("19.90"), "19.9"),
        (Decimal("0.12345678901234567890123"), "'0.12345678901234567890123'"),
        (datetime.date(2024, 5, 1), "'2024-05-01'"),
        (datetime.datetime(2024, 5, 1, 12, 30), "'2024-05-01T12:30:00'"),
        (datetime.time(12, 30), "'12:30:00'"),
        (b"\x00\xff", "'0x00ff'"),
        (NAMESPACE, "'00000000-0000-0000-0000-000000000007'"),
        (enum.IntEnum("Size", ["SMALL"]).SMALL, "1"),
    ],
)
def test_what_people_keep_in_tables_are_values(tmp_path, value, symbol):
    kb = KnowledgeBase.from_facts([("p", value)])
    assert kb.symbols == (symbol,)
    assert ("p", value) in kb
    assert KnowledgeBase.from_facts(kb) == kb
    kb.save(tmp_path / "data.pl")
    assert KnowledgeBase.from_path(tmp_path / "data.pl") == kb


@pytest.mark.parametrize(
    "value",
    [
        None,
        float("inf"),
        np.float64("nan"),
        np.datetime64("NaT", "s"),
        pandas.NaT,
        pandas.NA,
        Decimal("NaN"),
        1j,
        np.complex128(1j),
        ["a"],
        np.array([1]),
        object(),
    ],
)
def test_what_is_no_value_is_refused_with_its_place(value):
    with pytest.raises(InputError, match=r"contains a value that is not a constant \(fact number 2\)"):
        KnowledgeBase.from_facts([("p", "a"), ("p", value)])


def test_frames_take_the_same_values():
    day = datetime.date(2024, 5, 1)
    frame = pandas.DataFrame(
        {
            "when": [day],
            "at": [pandas.Timestamp("2024-05-01")],
            "price": [Decimal("1.50")],
            "key": [NAMESPACE],
        }
    )
    kb = KnowledgeBase.from_frames({"p": frame}, mapping=False)
    assert kb == KnowledgeBase.from_facts([("p", day, datetime.datetime(2024, 5, 1), 1.5, NAMESPACE)])
    with pytest.raises(InputError, match=r"frame p, row 0 .* column x: \[1\] is not a constant"):
        KnowledgeBase.from_frames({"p": pandas.DataFrame({"x": [[1]]})})


def test_a_mapping_has_the_rows_of_each_predicate():
    kb = KnowledgeBase.from_facts(
        {"father": [("vader", "luke")], "jedi": ["luke", ("leia",)], "rainy": [()]},
        negatives={"jedi": ["han"]},
    )
    assert sorted(map(str, kb)) == ["father(vader,luke)", "jedi(leia)", "jedi(luke)", "rainy"]
    assert [str(fact) for fact in kb.facts(truth="false")] == ["jedi(han)"]


@pytest.mark.parametrize("given", [{"p": "ab"}, {"p": 7}, {"p": pandas.DataFrame({"x": [1]})}])
def test_a_mapping_to_something_else_is_refused(given):
    with pytest.raises(InputError, match=r"the facts of p are .* not a list of rows"):
        KnowledgeBase.from_facts(given)


def test_a_text_is_no_list_of_facts():
    with pytest.raises(InputError, match="a string is not a list of facts"):
        KnowledgeBase.from_facts("p")
