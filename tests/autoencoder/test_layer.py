"""A layer: data under its types, and several knowledge bases as one."""

from __future__ import annotations

import pytest

from logicoder import AutoEncoder, KnowledgeBase, Predicate, Schema, UsageError
from logicoder.autoencoder.layer import together

SABERS = Schema.of(
    Predicate("jedi", ("person",)),
    Predicate("saber", ("person", "colour")),
    Predicate("old", ("person",), background=True),
)


def test_several_knowledge_bases_are_one() -> None:
    parts = [
        KnowledgeBase.from_facts([("p", name)], interpretation=world)
        for name, world in (("a", "one"), ("b", "two"), ("c", "three"))
    ]
    for count in (1, 2, 3):
        kb = together(parts[:count])
        assert kb.interpretations == ("one", "two", "three")[:count]
        assert [str(fact) for fact in kb] == ["p(a)", "p(b)", "p(c)"][:count]
    assert together(iter(parts[:2])) == KnowledgeBase.union(parts[:2])
    assert together(parts[0]) is parts[0]
    with pytest.raises(UsageError, match="not a list with str"):
        together([parts[0], "p(a)."])


def test_what_is_decoded_has_the_types_of_the_data() -> None:
    """No latent tells the type of a constant in a head: the schema does."""
    model = AutoEncoder.from_programs(
        "l(X) :- jedi(X), old(X).", "saber(X,green) :- l(X). jedi(X) :- l(X).", schema=SABERS
    )
    kb = KnowledgeBase.from_facts(
        [("jedi", "yoda"), ("old", "yoda"), ("saber", "yoda", "green")], schema=SABERS
    )
    back = model.inverse_transform(model.transform(kb))
    assert {name: predicate.types for name, predicate in back.schema.items()} == {
        "saber": ("person", "colour"),
        "jedi": ("person",),
    }
    assert model.reconstruct(kb).loss == 0
    told = model.explain(kb, "saber(yoda,green)").answers[0]
    assert told.verdict == "reconstructed"
