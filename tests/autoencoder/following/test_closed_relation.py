"""Closed relations that follow: only the pieces that a change touches are looked at."""

from __future__ import annotations

from logicoder import KnowledgeBase
from logicoder.autoencoder.following.closed_relation import ClosedRelation, Closing
from logicoder.autoencoder.following.fact_store import FactStore
from logicoder.engine.arrays.rules.recursive_forms import Along


def store_of(facts):
    """Return facts of one interpretation as a store, and the numbers of their constants."""
    texts = sorted({value for rows in facts.values() for row in rows for value in row})
    number = {text: place for place, text in enumerate(texts)}
    store = FactStore(texts)
    for name, rows in facts.items():
        store.load(name, {(0, *(number[value] for value in row)) for row in rows})
    return store, number


def clique(group):
    members = [f"g{group:03}_{i}" for i in range(4)]
    return [(x, y) for x in members for y in members if x != y]


def test_a_class_more_is_one_piece():
    store, number = store_of({"same": [pair for group in range(100) for pair in clique(group)]})
    relation = ClosedRelation(Closing("same", "equivalence"), ())
    whole = relation.load(store).counts()
    assert (whole["base"], whole["derived"], whole["false"]) == (300, 600, 0)
    store.remove("same", (0, number["g007_0"], number["g007_1"]))
    store.remove("same", (0, number["g007_1"], number["g007_0"]))
    old, new = relation.update(store)
    assert {store.texts[value] for _, value in new.entities} == {f"g007_{i}" for i in range(4)}
    assert old.counts()["derived"] == 6
    assert new.counts() == {**old.counts(), "false": 1}


def test_what_goes_on_along_others_is_looked_at_value_by_value():
    below = [(f"c{i:02}", f"c{i + 1:02}") for i in range(20)] + [("d0", "d1")]
    kinds = [(f"x{i:03}", f"c{k:02}") for i in range(200) for k in range(i % 10, 21)]
    store, number = store_of({"type": [*kinds, ("x000", "d1")], "subclass": below})
    closing = Closing("type", "recursive", Along("subclass", (0, 1), 1), apart=False)
    relation = ClosedRelation(closing, ())
    whole = relation.load(store).counts()
    assert (whole["base"], whole["derived"]) == (201, len(kinds) + 1)
    store.add("type", (0, number["x005"], number["d0"]))
    old, new = relation.update(store)
    assert {store.texts[row[1]] for row in new.rows(new.derived)} == {"x005"}
    assert new.counts()["base"] - old.counts()["base"] == 1
    assert new.counts()["false"] == 1  # as x005 is no d1
    store.settle()
    # A step concerns only what reaches it.
    store.remove("subclass", (0, number["d0"], number["d1"]))
    old, new = relation.update(store)
    assert {store.texts[row[1]] for row in old.rows(old.derived)} == {"x005"}
    assert (old.counts()["false"], new.counts()["false"]) == (1, 0)


def test_of_a_hierarchy_only_what_leads_to_a_change_is_looked_at():
    parts = {f"n{i:03}": f"n{i // 2:03}" for i in range(2, 300)}

    def above(node):
        while node in parts:
            node = parts[node]
            yield node

    facts = [(node, other) for node in parts for other in above(node)]
    store, number = store_of({"within": facts, "other": [("new", "new")]})
    relation = ClosedRelation(Closing("within", "transitive"), ())
    whole = relation.load(store).counts()
    assert (whole["base"], whole["derived"]) == (len(parts), len(facts))
    for other in ("n140", *above("n140")):
        store.add("within", (0, number["new"], number[other]))
    old, new = relation.update(store)
    assert {store.texts[value] for _, value in new.entities} == {"new", "n140", *above("n140")}
    difference = {role: n - old.counts()[role] for role, n in new.counts().items()}
    assert difference == {"given": 0, "base": 1, "derived": 8, "false": 0, "missing": 0}


def test_another_kind_of_base_makes_all_anew():
    """Where few pairs of steps are facts, nothing is said to be transitive; one more fact may decide that."""
    chain = [("a", "b"), ("b", "c"), ("c", "d"), ("a", "c")]
    store, number = store_of({"before": [*chain, *(("e", f"e{i}") for i in range(5)), ("e0", "f")]})
    relation = ClosedRelation(Closing("before", "transitive"), ())
    assert relation.load(store).counts()["base"] == 0  # one of four pairs of steps
    store.add("before", (0, number["b"], number["d"]))
    _, new = relation.update(store)
    anew, _ = store_of({"before": [*chain, ("b", "d"), *(("e", f"e{i}") for i in range(5)), ("e0", "f")]})
    assert new.counts() == ClosedRelation(Closing("before", "transitive"), ()).load(anew).counts()
    assert new.counts()["base"] > 0


def test_stores_answer_for_both_times():
    kb = KnowledgeBase.from_facts([("p", "a")])
    store, number = store_of({"p": [tuple(fact.arguments) for fact in kb]})
    row = (0, number["a"])
    store.put("p", row, there=False)
    assert (store.holds("p", row, "old"), store.holds("p", row), store.rows_now("p")) == (True, False, set())
    store.put("p", row, there=True)
    assert store.rows_now("p") == {row}
    assert not store.changed("p")
