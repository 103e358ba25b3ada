"""`fit --state` and `update`: states that follow, and what they refuse."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from logicoder import KnowledgeBase
from logicoder.autoencoder.following.state_file import Moment
from logicoder.cli.commands import update
from logicoder.kb.mapping.changed_rows import numbered_on
from logicoder.kb.mapping.data_mapping import DataMapping, TableMapping

from .helpers import as_json, invoke


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """People, towns and countries: what is paid where follows."""
    folder = tmp_path_factory.mktemp("update")
    rng = random.Random(0)  # noqa: S311
    lives = {f"p{i}": f"t{rng.randrange(8)}" for i in range(80)}
    rows = [f"lives({p},{t})." for p, t in lives.items()] + [f"lies(t{i},c{i % 3})." for i in range(8)]
    rows += [f"pays({p},c{int(t[1:]) % 3})." for p, t in lives.items()]
    (folder / "facts.pl").write_text("\n".join(rows) + "\n")
    invoke("fit", folder / "facts.pl", "-o", folder / "model", "--state", folder / "state")
    (folder / "new.pl").write_text("lives(p90,t1). pays(p90,c1). lives(p91,t2). pays(p1,c7).\n")
    (folder / "gone.pl").write_text("pays(p5,c1). pays(p5,c2). pays(p5,c0). lives(p6,t9).\n")
    return folder


def test_a_state_follows(shop, tmp_path):
    new = tmp_path / "new"
    options = ("--add", shop / "new.pl", "--remove", shop / "gone.pl")
    found = as_json("update", shop / "model", shop / "state", *options, "-o", new)
    assert (found["added"], found["removed"], found["ignored"]) == (4, 1, 3)
    decoded = invoke("decode", shop / "model", new).stdout
    assert "pays(p1,c7)." in decoded
    assert "lives(p91,t2)." in decoded
    assert "pays(p5," not in decoded
    history = json.loads((new / "state.json").read_text())["history"]
    assert [row["facts"] for row in history] == [168, 171]
    assert [row["learned"] for row in history] == [True, False]
    # Encoding the same facts anew gives the same files.
    facts = tmp_path / "facts.pl"
    invoke("decode", shop / "model", new, "-o", facts)
    invoke("encode", shop / "model", facts, "--lossless", "-o", tmp_path / "anew")
    latent = [
        sorted(next((folder / "latent").iterdir()).read_text().splitlines())
        for folder in (new, tmp_path / "anew")
    ]
    assert latent[0] == latent[1]
    assert found["bits"]["saved"] == pytest.approx(history[-1]["plain_bits"] - history[-1]["bits"], abs=0.01)


def test_the_data_themselves_are_a_state(shop):
    text = invoke("update", shop / "model", shop / "facts.pl", "--add", shop / "new.pl").stdout
    assert "172" in text
    assert "State:" not in text


def test_drift_is_told_and_relearned(shop, tmp_path):
    model, state = tmp_path / "model", tmp_path / "state"
    invoke("fit", shop / "facts.pl", "-o", model, "--state", state)
    rng = random.Random(1)  # noqa: S311
    odd = tmp_path / "odd.pl"
    odd.write_text(
        "".join(f"pays(p{i},c{rng.randrange(3)}). pays(p{i},d{rng.randrange(3)}).\n" for i in range(80))
    )
    text = invoke("update", model, state, "--add", odd).stdout
    assert "another program may save more (--relearn)" in text
    before = (model / "model.alp").read_text()
    found = as_json("update", model, state, "--relearn")
    assert found["relearned"]
    assert found["drift"] == ""
    assert (model / "model.alp").read_text() != before
    assert json.loads((state / "state.json").read_text())["history"][-1]["learned"]


def test_bounds_are_dropped_and_proved_again(shop, tmp_path):
    state = tmp_path / "state"

    def moments():
        return json.loads((state / "state.json").read_text())["history"]

    nothing = as_json("update", shop / "model", shop / "state", "-o", state)
    assert nothing["bound"] == moments()[0]["bound"] > 0  # as nothing changed
    text = invoke("update", shop / "model", state, "--add", shop / "new.pl").stdout
    assert "proved for other facts (--prove" in text
    assert moments()[-1]["bound"] is None
    assert "--prove" not in invoke("update", shop / "model", state).stdout  # that was said
    before = (shop / "model" / "model.alp").read_text()
    proved = as_json("update", shop / "model", state, "--prove", "--tolerance", "0")
    assert 0 < proved["bound"] <= moments()[-1]["bits"]
    assert "By the bound, another program could save up to" in proved["drift"]
    assert (shop / "model" / "model.alp").read_text() == before
    found = as_json("update", shop / "model", state, "--prove", "--tolerance", "1")
    assert "could save" not in found["drift"]


def test_what_was_just_learned_is_not_said_to_be_improvable(shop, tmp_path):
    text = invoke("update", shop / "model", shop / "state", "-o", tmp_path / "new", "--tolerance", "0").stdout
    assert "could save" not in text
    history = json.loads((tmp_path / "new" / "state.json").read_text())["history"]
    assert [row["learned"] for row in history] == [True, True]  # as no fact came or went
    moment = Moment(10, 1, 0, 1000.0, 2000.0, bound=400.0, bound_scope="pruned")
    assert "up to 60%" in " ".join(update._possible(moment, None, 0.05))
    far = replace(moment, bound=5.0)  # that everything could be saved is no news
    assert list(update._possible(far, None, 0.05)) == []
    assert update._bound_words(far, dropped=False) == ("5.0", "too far below to be informative")


def test_what_was_ignored_is_told_by_itself(shop):
    text = invoke("update", shop / "model", shop / "facts.pl", "--add", shop / "facts.pl").stdout
    assert re.search(r"removed +0\nignored +168 +added but there already", text)


def test_what_is_refused(shop, tmp_path):
    boss = tmp_path / "boss.pl"
    boss.write_text("boss(a,b).\n")
    assert "boss" in invoke("update", shop / "model", shop / "state", "--add", boss, code=2).stderr
    (shop / "state" / "state.json").rename(tmp_path / "kept.json")
    try:
        (shop / "state" / "state.json").write_text('{"version": 1}')
        assert "damaged" in invoke("update", shop / "model", shop / "state", code=2).stderr
        (shop / "state" / "state.json").write_text('{"version": 9}')
        assert "version 1" in invoke("update", shop / "model", shop / "state", code=2).stderr
    finally:
        (tmp_path / "kept.json").rename(shop / "state" / "state.json")


def test_values_of_a_database_are_put_into_its_bins(tmp_path):
    database, model, state = (tmp_path / name for name in ("shop.db", "model", "state"))
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, price REAL, shelf TEXT)")
        rows = [(i, 1.25 * i, f"shelf {i * 4 // 80}") for i in range(80)]
        connection.executemany("INSERT INTO items VALUES (?, ?, ?)", rows)
    before = as_json("fit", database, "-o", model, "--state", state)["facts"]
    facts = tmp_path / "new.pl"
    facts.write_text("item_price('item:90', 7.5). item_shelf('item:90', 'shelf 0').\n")
    found = as_json("update", model, state, "--add", facts)
    assert (found["added"], found["facts"]) == (2, before + 2)
    first, new = (
        line.split(",")[1]
        for line in invoke("decode", model, state).stdout.splitlines()
        if line.startswith(("item_price('item:6'", "item_price('item:90'"))
    )
    assert first == new  # both are cheap
    facts.write_text("item_price('item:91', cheap).\n")
    refused = invoke("update", model, state, "--add", facts, code=2)
    assert "item_price: cheap is not a number" in refused.stderr
    # The database itself brings what is not there yet.
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("INSERT INTO items VALUES (92, 3.5, 'shelf 1')")
    found = as_json("update", model, state, "--add", database)
    assert (found["added"], found["ignored"]) == (2, before)
    # Comparisons of bins are given, not missing.
    numbers = dict(re.findall(r"^(missing|background) +(\d+)", invoke("update", model, state).stdout, re.M))
    assert numbers["missing"] == "0"
    assert int(numbers["background"]) > 0


@pytest.fixture(scope="module")
def birds(tmp_path_factory):
    """A table without a key, and one with a key."""
    folder = tmp_path_factory.mktemp("birds")
    (folder / "data").mkdir()
    islands = [f"i{row % 3}" for row in range(30)]
    rows = [f"s{row % 4},{island},c{island[1]}" for row, island in enumerate(islands)]
    (folder / "data" / "birds.csv").write_text("species,island,climate\n" + "\n".join(rows) + "\n")
    rows = [f"{row},k{row % 2},q{row % 2}" for row in range(20)]
    (folder / "data" / "nests.csv").write_text("id,kind,quality\n" + "\n".join(rows) + "\n")
    invoke("fit", folder / "data", "-o", folder / "model", "--state", folder / "state")
    return folder


def test_rows_without_a_key_are_numbered_on(birds, tmp_path):
    (tmp_path / "birds.csv").write_text("species,island,climate\ns1,i2,c2\ns0,i1,c1\n")
    (tmp_path / "nests.csv").write_text("id,kind,quality\n20,k0,q0\n")
    new = tmp_path / "new"
    found = as_json("update", birds / "model", birds / "state", "--add", tmp_path, "-o", new)
    assert (found["added"], found["ignored"]) == (8, 0)
    decoded = invoke("decode", birds / "model", new).stdout
    assert decoded.count("'bird:1',") == 3
    assert "bird_island('bird:31',i2)." in decoded
    assert "bird_species('bird:32',s0)." in decoded
    assert "nest_kind('nest:20',k0)." in decoded


def test_rows_without_a_key_cannot_be_removed_by_rows(birds, tmp_path):
    (tmp_path / "birds.csv").write_text("species,island,climate\ns1,i2,c2\n")
    (tmp_path / "nests.csv").write_text("id,kind,quality\n")
    result = invoke("update", birds / "model", birds / "state", "--remove", tmp_path, code=2)
    assert "the table birds has no key, so the rows to remove cannot be identified" in result.stderr


def test_second_values_are_told(birds, tmp_path, caplog):
    (tmp_path / "more.pl").write_text("nest_kind('nest:3',k0). nest_kind('nest:4',k1).\n")
    (tmp_path / "gone.pl").write_text("nest_kind('nest:3',k1).\n")
    options = ("--add", tmp_path / "more.pl", "-o", tmp_path / "new")
    invoke("update", birds / "model", birds / "state", *options, "--remove", tmp_path / "gone.pl")
    assert "two values in one row: nest_kind('nest:4',k1), beside nest_kind('nest:4',k0)" in caplog.text
    assert "nest:3" not in caplog.text


def test_numbers_in_names_of_tables_are_no_numbers_of_rows():
    rows = {"bird_1_kind": [("bird_1:1", "a"), ("bird_1:2", "b")]}
    mapping = DataMapping({"bird_1": TableMapping("bird_1", entity="bird_1")}, {})
    kb = KnowledgeBase.from_facts(rows)
    assert sorted(map(str, numbered_on(kb, kb, mapping))) == [
        "bird_1_kind('bird_1:3',a)",
        "bird_1_kind('bird_1:4',b)",
    ]
