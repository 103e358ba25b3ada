"""Facts given from Python: tuples, text, `Fact` objects, and what is none of these."""

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
        (("p", None), "holds a value that is no constant"),
        (("p", float("nan")), "holds a value that is no constant"),
        ((), "is no fact"),
        ((3, "a"), "is no fact"),
        ("p(X)", "holds a variable"),
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
