"""Suggestions of stored data by all short rules together: those of memory, if the sample shows the rules."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from tests.compression import worlds
from tests.engine.random_programs import REPEATABLE
from tests.engine.sql.systems import SYSTEMS, session_of

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.autoencoder import stored_listing
from logicoder.autoencoder.message_suggestions import suggest_by_message
from logicoder.autoencoder.stored_opinions import promising_rules
from logicoder.autoencoder.stored_suggestions import suggest_in_place
from logicoder.engine.sql.duckdb_session import DuckdbSession
from logicoder.engine.sql.stored_data import StoredData


def noisy_family():
    rng = random.Random(5)  # noqa: S311
    rows = [row for row in sorted(worlds.family(3, families=3)) if rng.random() < 0.93]
    return KnowledgeBase.from_facts([*rows, ("father", "x1", "x2"), ("mother", "x1", "x2")])


@pytest.fixture(scope="module")
def kb():
    return noisy_family()


@pytest.fixture(scope="module")
def model(kb):
    return AutoEncoder(effort=1, max_sample=100).fit(kb)


@pytest.fixture(scope="module")
def stored(kb, model):
    with StoredData.of(kb.with_schema(model.schema_), DuckdbSession()) as data:
        yield data


def by_name(found):
    """Return suggestions by what they are about, scores rounded."""
    return {
        (row.kind, row.atom, row.expected, row.interpretation): replace(
            row, score=round(row.score, 6), interpretation=""
        )
        for row in found
    }


def in_place(plan, data, schema, kb, *, weak):
    rules = promising_rules(plan, kb, [n for n, p in schema.items() if not p.background], most=200)
    return suggest_in_place(plan, data, schema, weak=weak, rules=rules)


@pytest.fixture(scope="module")
def every(kb, model, stored):
    """All suggestions of the stored data, the unlikely ones too."""
    return in_place(model.plan_, stored, model.schema_, kb.with_schema(model.schema_), weak=True)


def without_world(found):
    return {(kind, atom, expected): row for (kind, atom, expected, _), row in by_name(found).items()}


def test_everything_that_may_be_missing_is_judged_as_in_memory(kb, model, every):
    here = suggest_by_message(model.plan_, kb.with_schema(model.schema_), weak=True)
    assert any(row.kind == "add" and row.clauses > 2 for row in here)
    assert without_world(every) == without_world(here)


def test_only_what_is_likely_is_listed(kb, model, stored, every):
    own = kb.with_schema(model.schema_)
    here = suggest_by_message(model.plan_, own)
    there = in_place(model.plan_, stored, model.schema_, own, weak=False)
    assert without_world(there) == without_world(here)
    assert 0 < len(there) < len(every)


@settings(REPEATABLE, max_examples=4)
@given(worlds.knowledge_bases())
def test_random_data(kb):
    model = AutoEncoder(effort=3).fit(kb)
    here = suggest_by_message(model.plan_, kb, weak=True)
    with StoredData.of(kb, DuckdbSession()) as data:
        there = in_place(model.plan_, data, model.schema_, kb, weak=True)
        if data.several:
            assert by_name(there) == by_name(here)
        else:
            assert without_world(there) == without_world(here)


def test_rules_of_a_sample_find_what_is_missing(kb, model, stored, monkeypatch):
    """A model that is asked about stored data takes the rules of a sample, and lists the best."""
    found = model.suggest(stored)
    facts = set(map(str, kb))
    assert found.of("add")
    assert not {row.atom for row in found.of("add")} & facts
    missing = {f"{name}({','.join(row)})" for name, *row in worlds.family(3, families=3)} - facts
    assert sum(row.atom in missing for row in found.of("add")) > len(found.of("add")) / 2
    monkeypatch.setattr(stored_listing, "MOST", 2)
    few = model.suggest(stored)
    assert by_name(few.of("add")).items() <= by_name(found.of("add")).items()
    assert few.more > 0


@pytest.mark.parametrize(
    "system", [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in SYSTEMS[1:]]
)
def test_servers_judge_the_same(system, request):
    pairs = [(f"e{i}", f"e{(7 * i + 3) % 20}") for i in range(20)]
    liked = [(y, x) for x, y in pairs]
    model = AutoEncoder().fit(KnowledgeBase.from_facts({"likes": pairs, "liked": liked}))
    kb = KnowledgeBase.from_facts({"likes": pairs[1:], "liked": liked[:-1]}, schema=model.schema_)
    here = suggest_by_message(model.plan_, kb, weak=True)
    with session_of(system, request) as session:
        there = in_place(model.plan_, StoredData.of(kb, session), model.schema_, kb, weak=True)
        assert without_world(there) == without_world(here)


def test_what_is_merely_common_is_judged_as_in_memory():
    rng = random.Random(2)  # noqa: S311
    rows = []
    for event in (f"e{i}" for i in range(300)):
        site = rng.randrange(4)
        rows += [("site", event, f"s{site}"), ("ok", event, "yes" if rng.random() < 0.95 else "no")]
        rows += [("note", event, "fine" if rng.random() < 0.97 else "odd")] if rng.random() < 0.8 else []
        rows += [("region", event, "south" if site == 3 else "north")] if rng.random() < 0.95 else []
    kb = KnowledgeBase.from_facts(rows)
    model = AutoEncoder(effort=3).fit(kb)
    here = [suggest_by_message(model.plan_, kb, weak=weak) for weak in (False, True)]
    with StoredData.of(kb, DuckdbSession()) as data:
        there = [in_place(model.plan_, data, model.schema_, kb, weak=weak) for weak in (False, True)]
    assert here[0].rows
    assert {row.atom.split("(")[0] for row in here[0]} == {"region"}
    for one, other in zip(here, there, strict=True):
        assert without_world(one.of("add")) == without_world(other.of("add"))
        assert {row.atom for row in one.of("change")} == {row.atom for row in other.of("change")}
    silent = [suggest_by_message(model.plan_, kb, ["ok", "note"]).silence]
    with StoredData.of(kb, DuckdbSession()) as data:
        silent.append(suggest_in_place(model.plan_, data, model.schema_, ["ok", "note"], rules={}).silence)
    assert silent[0] == silent[1] != ""


def test_a_column_that_is_nearly_always_true_has_no_errors(tmp_path):
    """Of a table, what is not listed as true is false, not missing."""
    rng = random.Random(0)  # noqa: S311
    rows = [(i, rng.choice("abcd"), rng.randrange(50), rng.random() < 0.98) for i in range(800)]
    path = tmp_path / "events.csv"
    path.write_text("id,kind,size,ok\n" + "".join(f"{i},{k},{n},{str(ok).lower()}\n" for i, k, n, ok in rows))
    kb = KnowledgeBase.from_path(path)
    assert [p.arity for name, p in kb.schema.items() if name.endswith("_ok")] == [1]
    model = AutoEncoder().fit(kb)
    assert model.suggest(kb).rows == ()
    with StoredData.of(kb, DuckdbSession()) as data:
        rules = promising_rules(model.plan_, kb, kb.learnable)
        assert suggest_in_place(model.plan_, data, model.schema_, rules=rules).rows == ()
