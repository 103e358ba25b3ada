"""Sentences about tables: values in words, counts counted again, and what is no fact told apart."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import polars as pl
import pytest

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.autoencoder.insight_words import in_words
from logicoder.compression.plan import Definition
from logicoder.logic.parser import parse_clause
from logicoder.logic.rules import Literal, Rule


def _told(**columns: Sequence[object]) -> dict[str, list[str]]:
    """Return the findings about each column of one table."""
    table = pl.DataFrame({"item_id": [f"i{i}" for i in range(len(columns["kind"]))], **columns})
    kb = KnowledgeBase.from_frames({"items": table}, mapping="auto")
    told: dict[str, list[str]] = {}
    for row in AutoEncoder().fit(kb).insights(kb).findings:
        told.setdefault(row.predicate, []).append(row.text)
    return told


def test_other_values_and_values_where_there_is_none_are_told_apart() -> None:
    rng = random.Random(0)  # noqa: S311
    kind = [rng.choice("abcd") for _ in range(300)]
    box: list[object] = [f"box {own}" for own in kind]
    box[3], box[4], box[9] = None, None, "box z"
    (text,) = _told(kind=kind, box=box)["item_box"]
    known = [place for place, own in enumerate(box) if own is not None]
    right = sum(box[place] == f"box {kind[place]}" for place in known)
    assert f": {right} of {len(known)}" in text
    assert text.endswith(", and it gives 1 other value, and 2 where there is none.")


def test_the_usual_value_is_told_by_its_share_and_its_exceptions() -> None:
    rng = random.Random(1)  # noqa: S311
    kind = [rng.choice("abcdefgh") for _ in range(200)]
    state: list[object] = ["fine"] * 200
    state[5], state[7], state[11] = "broken", None, None
    table = pl.DataFrame({"item_id": [f"i{i}" for i in range(200)], "kind": kind, "state": state})
    kb = KnowledgeBase.from_frames({"items": table}, mapping="auto")
    (row,) = [row for row in AutoEncoder().fit(kb).insights(kb).findings if row.predicate == "item_state"]
    assert row.text == "item_state is usually fine: 197 of 198."
    assert row.underived == ("item_state('item:i5',broken)",)
    assert row.false == ()


def test_what_is_so_of_all_is_no_condition_but_what_is_known_of_some_is() -> None:
    rng = random.Random(4)  # noqa: S311
    kind = [rng.choice("abcdefgh") for _ in range(300)]
    mark: list[object] = [rng.choice("uvwxyz") if i % 3 else None for i in range(300)]
    told = _told(
        kind=kind,
        unit=["kg"] * 300,
        mark=mark,
        marked=["no" if own is None else "many" for own in mark],
        state=["rare" if rng.random() < 0.05 else "fine" for _ in range(300)],
    )
    assert told["item_marked"] == [
        "item_marked is many where mark is known; no where mark is unknown: 300 of 300."
    ]
    (state,) = told["item_state"]
    assert re.fullmatch(r"item_state is usually fine: 2\d\d of 300\.", state)


def test_a_column_twice_is_the_same_as_the_other() -> None:
    rng = random.Random(5)  # noqa: S311
    kind = [rng.choice("abcdefgh") for _ in range(100)]
    assert _told(kind=kind, shelf=kind) in (
        {"item_shelf": ["item_shelf is the same as item_kind: 100 of 100."]},
        {"item_kind": ["item_kind is the same as item_shelf: 100 of 100."]},
    )


def test_ranges_are_said_in_words_and_determine_once() -> None:
    rng = random.Random(2)  # noqa: S311
    size = [rng.randrange(1000) / 10 for _ in range(300)]
    kind = ["small" if own < 30 else "middle" if own < 70 else "large" for own in size]
    texts = [text for rows in _told(kind=kind, size=size).values() for text in rows]
    assert not re.search(r"\[\S*\.\.", " ".join(texts))
    pairs = [text for text in texts if "item_kind" in text and "item_size" in text]
    assert len(pairs) <= 1
    assert any("the range of item_size" in text or "size is " in text or "to below" in text for text in texts)


def test_one_kept_predicate_is_it_and_several_are_them() -> None:
    rng = random.Random(3)  # noqa: S311
    for names, it in (["p"], "it"), (["p", "q"], "them"):
        pairs = [(f"e{rng.randrange(50)}", f"f{rng.randrange(50)}") for _ in range(80)]
        facts = [(names[i % len(names)], *pair) for i, pair in enumerate(pairs)]
        kb = KnowledgeBase.from_facts(facts)
        (row,) = AutoEncoder().fit(kb).insights(kb).of("kept")
        assert row.text == f"Kept, because nothing explains {it}: {', '.join(names)}."


THINGS = {"item_kind": "item", "item_size": "item", "item_sold": "item", "item_box": "item"}


@pytest.mark.parametrize(
    ("clauses", "words"),
    [
        (
            ["item_box(X,a) :- item_size(X,'[..10)').", "item_box(X,a) :- item_size(X,'[10..20)')."],
            "a where size is below 20",
        ),
        (
            [
                "item_sold(X) :- item_size(X,Y), size(Y) < 10.",
                "item_sold(X) :- item_size(X,Y), size(Y) < 30.",
            ],
            "size is below 30",
        ),
        ([r"item_box(X,a) :- item_kind(X,b), \+ item_size(X,_)."], "a where kind is b and size is unknown"),
        ([r"item_box(X,a) :- item_kind(X,b), \+ item_sold(X)."], "a where kind is b and sold does not hold"),
        ([r"item_box(X,a) :- item_kind(X,b), \+ item_size(X,c)."], "a where kind is b and size is not c"),
        (
            ["item_box(X,a) :- item_kind(X,b).", "item_box(X,Y) :- item_kind(X,Z), l(Z,Y), item_sold(X)."],
            "a where kind is b; whatever goes with the kind where sold holds",
        ),
        (
            ["item_size(X,a) :- item_kind(X,b).", "item_size(X,Y) :- item_kind(X,Z), l(Z,Y), size(Y) >= 7."],
            "a where kind is b; whatever goes with the kind (7 or more)",
        ),
        ([r"item_box(X,a) :- item_kind(X,Y), item_size(X,Y)."], ""),
        ([r"item_box(X,a) :- item_kind(X,Y), item_size(_,Y)."], ""),
        ([r"item_box(X,a) :- item_kind(Y,b), item_sold(X)."], ""),
        ([r"item_box(X,a) :- item_kind(X,b), \+ item_size(X,Y), size(Y) < 3."], ""),
        ([r"item_box(X,a) :- item_kind(X,Y), \+ kind(Y) < 3."], ""),
    ],
)
def test_clauses_about_one_thing_in_words(clauses: list[str], words: str) -> None:
    parsed = [parse_clause(text) for text in clauses]
    # Which value of one column goes with which of another: what the clauses' heads have beside item_kind.
    listed = Rule((0, 1), (Literal("item_kind", (2, 0)), Literal(parsed[0].head.predicate, (2, 1))))
    assert in_words(parsed, {"l": Definition("l", (listed,))}, THINGS, ()) == words
