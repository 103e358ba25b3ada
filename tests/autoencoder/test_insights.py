"""Sentences about data: their counts are recounted, and planted ones are found."""

from __future__ import annotations

import random

import polars as pl
import pytest

from logicoder import AutoEncoder, KnowledgeBase, Program
from logicoder.autoencoder import column_dependencies
from logicoder.autoencoder.column_dependencies import dependencies
from logicoder.autoencoder.insight_words import in_common, meaning
from logicoder.base.errors import UsageError
from logicoder.datasets import family
from logicoder.engine.arrays.database import Database
from logicoder.engine.programs import run_program

KB = family(2, 3, seed=1)
MODEL = AutoEncoder().fit(KB)


def test_sentences_tell_what_their_clauses_derive() -> None:
    rows = MODEL.insights(KB).of("redundant", "nearly", "partly")
    assert len(rows) >= 8
    for row in rows:
        clauses = (text.replace(f"{row.predicate}(", "derived(", 1) for text in row.clauses)
        program = Program.parse(" ".join(clauses)).clauses
        others = KB.restricted(set(KB.schema))
        derived = {
            str(fact).replace("derived(", f"{row.predicate}(")
            for fact in run_program(Program(program), others)
        }
        facts = set(map(str, KB.facts(row.predicate)))
        assert (row.holds, row.total) == (len(derived & facts), len(facts))
        assert (row.kind == "redundant") == (derived == facts)
        assert set(row.underived) <= facts - derived
        assert bool(row.underived) == bool(facts - derived)
        assert set(row.false) <= derived - facts
        assert bool(row.false) == bool(derived - facts)


def test_what_saves_most_comes_first_and_what_nothing_explains_last() -> None:
    found = MODEL.insights(KB)
    bits = [row.bits for row in found]
    assert bits == sorted(bits, reverse=True)
    assert found.rows[-1].kind == "kept"
    assert {*MODEL.kept_} == set(found.rows[-1].text.partition(": ")[2].rstrip(".").split(", "))
    assert found.bits == pytest.approx(MODEL.bits_)


def test_wrong_facts_are_exceptions() -> None:
    rng = random.Random(0)  # noqa: S311
    lives = {f"p{i}": f"t{rng.randrange(8)}" for i in range(80)}
    country = {f"t{i}": f"c{i % 3}" for i in range(8)}
    rows = [("lives", p, t) for p, t in lives.items()] + [("in", t, c) for t, c in country.items()]
    pays = {p: country[t] for p, t in lives.items()} | {"p7": "c9"}
    kb = KnowledgeBase.from_facts(rows + [("pays", p, c) for p, c in pays.items()])
    found = AutoEncoder().fit(kb).insights(kb)
    (row,) = found.of("nearly")
    assert (row.predicate, row.holds, row.total) == ("pays", 79, 80)
    assert row.underived == ("pays(p7,c9)",)
    assert row.false == (f"pays(p7,{country[lives['p7']]})",)
    assert {row.predicate for row in found.of("function")} == {"lives", "in", "pays"}


def test_closed_relations_are_named() -> None:
    rng = random.Random(1)  # noqa: S311
    pairs = {tuple(sorted(rng.sample(range(30), 2))) for _ in range(60)}
    facts = [("friend", f"e{a}", f"e{b}") for x, y in pairs for a, b in ((x, y), (y, x))]
    found = AutoEncoder().fit(KnowledgeBase.from_facts(facts)).insights(KnowledgeBase.from_facts(facts))
    (row,) = found.of("closed")
    assert (
        row.text == f"friend is symmetric: {len(pairs)} of its {2 * len(pairs)} facts determine the others."
    )


def test_what_a_closure_gives_besides_is_told() -> None:
    below = {(f"e{a:02}", f"e{b:02}") for a in range(20) for b in range(a + 1, 20)} - {("e03", "e15")}
    kb = KnowledgeBase.from_facts({"below": sorted(below)})
    (row,) = AutoEncoder().fit(kb).insights(kb).of("closed")
    counts = f"19 of its {len(below)} facts determine the others, and give 1 that is not a fact."
    assert row.text == f"below is transitive: {counts}"


def test_facts_that_a_closure_does_not_give_are_not_among_those_it_determines() -> None:
    groups = [[f"e{k}_{i}" for i in range(8)] for k in range(6)]
    pairs = {(x, y) for group in groups for x in group for y in group if x < y} - {("e0_0", "e0_1")}
    bridges = {(groups[k][k], groups[k + 1][0]) for k in range(5)}
    kb = KnowledgeBase.from_facts({"knows": sorted({*pairs, *bridges, *(p[::-1] for p in pairs | bridges)})})
    (row,) = AutoEncoder().fit(kb).insights(kb).of("closed")
    members = 6 * 7
    counts = f"{members} of its {kb.size} facts determine {2 * len(pairs) - members} others"
    assert (
        row.text
        == f"knows is an equivalence between different things: {counts}, and give 2 that are not facts."
    )


def test_models_of_a_solver_have_none() -> None:
    kb = KnowledgeBase.from_facts([("p", "a"), ("q", "a")])
    with pytest.raises(UsageError, match="description length"):
        AutoEncoder(compression=2).fit(kb).insights(kb)


def test_keys_of_two_arguments_and_inclusions_are_those_of_the_data() -> None:
    rng = random.Random(2)  # noqa: S311
    rows = {(f"o{rng.randrange(9)}", f"p{rng.randrange(9)}") for _ in range(40)}
    facts = [("item", order, product, f"n{rng.randrange(3)}") for order, product in sorted(rows)]
    facts += [("sold", f"o{i}") for i in range(12)] + [("gone", f"o{i}") for i in range(3, 10)]
    facts += [("other", f"o{i}", f"o{i + 1}") for i in range(20)]
    kb = KnowledgeBase.from_facts(facts)
    found = AutoEncoder().fit(kb).insights(kb)
    keys = [row.text for row in found.of("key")]
    assert (
        keys == ["Arguments 1 and 2 of item are a key: no two of its 40 facts share them."] or len(rows) != 40
    )

    def values(name: str, place: int) -> set[str]:
        return {str(fact.arguments[place]) for fact in kb.facts(name)}

    within = {row.text for row in found.of("within")}
    assert within
    for text in within:
        place, name, column, other = (text.split()[i] for i in (4, 6, 11, 13))
        own, held = values(name, int(place) - 1), values(other.rstrip(":"), int(column) - 1)
        assert own < held
    assert any(
        "argument 1 of gone is one of argument 1 of sold: 7 of its 12 values." in text for text in within
    )


def test_inverses_and_doubles_are_called_so() -> None:
    pairs = [(f"e{i}", f"e{(7 * i + 3) % 40}") for i in range(40)]
    turned = [(y, x) for x, y in pairs]
    kb = KnowledgeBase.from_facts({"likes": pairs, "liked": turned, "loves": pairs})
    texts = [row.text for row in AutoEncoder().fit(kb).insights(kb).findings]
    assert len(texts) == 2
    assert all(" is the inverse of " in text or " is the same as " in text for text in texts)


def test_what_keys_make_so_is_one_sentence() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        {"id": range(12), "colour": ["red", "blue"] * 6, "maker": ["a", "b", "c"] * 4, "box": range(20, 32)}
    )
    kb = KnowledgeBase.from_frames({"cars": frame}, mapping="auto")
    functions = [row.text for row in AutoEncoder().fit(kb).insights(kb).of("function")]
    assert functions[-1] == "By the keys of their tables, each X has one Y: car_colour, car_maker."
    assert not any("is a function" in text for text in functions)
    plain = KnowledgeBase.from_facts([tuple(map(str, (fact.predicate, *fact.arguments))) for fact in kb])
    functions = [row.text for row in AutoEncoder().fit(plain).insights(plain).of("function")]
    assert "car_colour(X,Y) is a function: each of 12 X has one Y." in functions


def test_what_a_column_follows_from_is_said_in_words() -> None:
    cities = pl.DataFrame({"city_id": range(20), "country": [f"land {i % 5}" for i in range(20)]})
    rows = range(300)
    shops = pl.DataFrame(
        {
            "shop_id": rows,
            "city_id": [i * 7 % 20 for i in rows],
            "country": [f"land {i * 7 % 20 % 5}" for i in rows],
            "brand": [f"brand {i * i % 37}" for i in rows],
            "owner": [f"owner {i * i % 37 % 6}" for i in rows],
            "size": [f"size {(i * i % 37 + 3 * (i // 150) * (i * i % 37 > 20)) % 8}" for i in rows],
        }
    )
    kb = KnowledgeBase.from_frames({"cities": cities, "shops": shops}, mapping="auto")
    texts = [row.text for row in AutoEncoder().fit(kb).insights(kb).findings]
    assert "shop_country is the country of the shop's city: 300 of 300." in texts
    assert "shop_owner is determined by shop_brand: 300 of 300." in texts
    assert any(text.startswith("shop_size is narrowed down by shop_brand: 300 of 300, and") for text in texts)


def test_ranges_and_constants_are_called_so() -> None:
    rows = range(300)
    shops = pl.DataFrame(
        {
            "shop_id": [f"s{i}" for i in rows],
            "currency": ["EUR"] * 300,
            "owner": [f"owner {i * i % 37 % 6}" for i in rows],
            "price": [100.0 * (i * i % 37 % 6) + i * 13 % 97 for i in rows],
        }
    )
    kb = KnowledgeBase.from_frames({"shops": shops}, mapping="auto")
    found = AutoEncoder().fit(kb).insights(kb)
    assert [row.text for row in found.of("constant")] == ["shop_currency is always EUR: 300 of 300."]
    assert "shop_currency" not in found.of("kept")[0].text
    texts = [row.text for row in found.findings]
    assert {
        "shop_owner is determined by the range of shop_price: 300 of 300.",
        "The range of shop_price is determined by shop_owner: 300 of 300.",
    } & set(texts)


def test_relations_are_not_taken_for_properties() -> None:
    """An aunt is the sister of a parent, not the parent of a sister."""
    kb = KnowledgeBase.from_facts(
        [("sister", f"a{i}", f"p{i}") for i in range(40)]
        + [("parent", f"p{i}", f"c{i * 3 + j}") for i in range(40) for j in range(3)]
        + [("aunt", f"a{i}", f"c{i * 3 + j}") for i in range(40) for j in range(3)]
    )
    texts = " ".join(row.text for row in AutoEncoder().fit(kb).insights(kb).findings)
    assert "if some Z with" in texts
    assert " of the " not in texts


def test_sentences_about_tables_read_like_what_people_say() -> None:
    """A hospital: paths of two columns, a flag, exceptions, a value that is missing, a table."""
    rng = random.Random(3)  # noqa: S311
    wards = pl.DataFrame({"ward_id": range(8), "building": [f"house {i % 3}" for i in range(8)]})
    doctors = pl.DataFrame({"doctor_id": range(30), "ward_id": [rng.randrange(8) for _ in range(30)]})
    patients = pl.DataFrame({"patient_id": range(60), "cover": [rng.choice("abc") for _ in range(60)]})
    who, ill = ([rng.randrange(size) for _ in range(400)] for size in (30, 60))
    ward = [doctors["ward_id"][i] for i in who]
    building = [wards["building"][i] for i in ward]
    building[7], building[8] = None, next(b for b in wards["building"] if b != building[8])
    stays = {
        "stay_id": range(400),
        "patient_id": ill,
        "doctor_id": who,
        "ward_id": ward,
        "building": building,
        "billed": ["yes" if patients["cover"][i] == "b" else "no" for i in ill],
        "code": [f"k{i % 9}" for i in range(400)],
        "price": [f"p{i % 9 % 4}" for i in range(400)],
    }
    tables = {"wards": wards, "doctors": doctors, "patients": patients, "stays": pl.DataFrame(stays)}
    kb = KnowledgeBase.from_frames(tables, mapping="auto")
    found = AutoEncoder().fit(kb).insights(kb)
    texts = [row.text for row in found.findings]
    assert "stay_ward is the ward of the stay's doctor: 400 of 400." in texts
    exceptions = "398 of 399, and it gives 1 other value, and 1 where there is none."
    assert f"stay_building is, with exceptions, the building of the stay's ward: {exceptions}" in texts
    billed = stays["billed"].count("yes")
    assert (
        f"stay_billed holds exactly where the cover of the stay's patient is b: {billed} of {billed}."
        in texts
    )
    (priced,) = [row for row in found.findings if row.predicate == "stay_price"]
    assert priced.text == "stay_price is determined by stay_code: 400 of 400."
    assert any(clause.startswith("stay_code_stay_price(") for clause in priced.clauses)
    assert not found.of("shorthand"), "a list of what goes with what is no concept"


def test_a_flag_with_an_exception_holds_mostly_and_one_false_atom_is_one() -> None:
    rows = range(200)
    things = {"thing_id": rows, "colour": [("red", "blue", "green")[i * i % 7 % 3] for i in rows]}
    hot = ["yes" if colour == "red" else "no" for colour in things["colour"]]
    place = hot.index("yes")
    hot[place] = "no"
    kb = KnowledgeBase.from_frames({"things": pl.DataFrame({**things, "hot": hot})}, mapping="auto")
    (row,) = [row for row in AutoEncoder().fit(kb).insights(kb).findings if row.predicate == "thing_hot"]
    number = hot.count("yes")
    counts = f"{number} of {number}, and it gives 1 that is not a fact."
    assert row.text == f"thing_hot holds mostly where colour is red: {counts}"


def test_latent_predicates_are_called_what_they_unify() -> None:
    parsed = Program.parse
    assert meaning(parsed("l(X,Y) :- f(X,Y). l(X,Y) :- m(X,Y).").clauses) == "f or m"
    assert not meaning(parsed("l(X,Y) :- f(X,Y). l(X,Y) :- m(Y,X).").clauses)
    assert meaning(parsed("l(X,Y) :- town(Z,X), land(Z,Y).").clauses) == "which town goes with which land"
    assert not meaning(parsed(r"l(X,Y) :- town(Z,X), land(Z,Y), \+ gone(Z).").clauses)
    assert not meaning(parsed("l(X,Y) :- town(Z,X), land(Y,Z).").clauses)


def test_relations_among_rows_that_share_a_property_leave_out_the_diagonal() -> None:
    rng = random.Random(5)  # noqa: S311
    wards = [rng.randrange(6) for _ in range(30)]
    pairs = [(a, b) for a in range(30) for b in range(30) if a != b and wards[a] == wards[b]]
    facts = [("doctor_ward", f"d{i}", f"w{ward}") for i, ward in enumerate(wards)]
    kb = KnowledgeBase.from_facts(facts + [("mate", f"d{a}", f"d{b}") for a, b in pairs])
    found = AutoEncoder().fit(kb).insights(kb)
    (row,) = [row for row in found.findings if row.predicate == "mate"]
    assert (row.kind, row.holds, row.total, row.false) == ("redundant", len(pairs), len(pairs), ())
    assert row.clauses[0].endswith(r"X \= Y.")


def test_what_shares_a_property_is_said_in_words() -> None:
    things = {"doctor_ward": "doctor"}
    clause = Program.parse(r"mate(X,Y) :- doctor_ward(X,Z), doctor_ward(Y,Z), X \= Y.").clauses[0]
    assert in_common(clause, things) == "X and Y differ and have the same ward"
    for text in (
        r"mate(X,Y) :- doctor_ward(X,Z), doctor_ward(Y,U), Z \= U.",
        r"mate(X,Y) :- doctor_ward(X,Z), other(Y,Z).",
        r"mate(X,Y) :- doctor_ward(X,Y), doctor_ward(Y,X).",
        r"mate(X,Y) :- doctor_ward(X,Z), doctor_ward(Y,Z), \+ gone(Y).",
    ):
        assert not in_common(Program.parse(text).clauses[0], things)


def test_columns_tell_each_other_in_small_tables_and_despite_errors() -> None:
    """Counted again here: rows with the most frequent value beside each value of the other column."""
    rng = random.Random(6)  # noqa: S311
    rows = range(240)
    code = [f"c{rng.randrange(12)}" for _ in rows]
    price = [f"p{int(own[1:]) % 4}" for own in code]
    for place in (3, 50, 51, 170):
        price[place] = f"p{(int(price[place][1:]) + 1) % 4}"
    items = pl.DataFrame(
        {"item_id": rows, "code": code, "price": price, "luck": [rng.choice("ab") for _ in rows]}
    )
    kb = KnowledgeBase.from_frames({"items": items}, mapping="auto")
    assert kb.mapping is not None
    things = kb.mapping.attributes()
    found = dependencies(Database(kb), things)
    assert set(found) == {"item_price"}
    own = found["item_price"]
    assert (own.by, own.holds, own.total) == ("item_code", 236, 240)
    assert {symbol_text(given): symbol_text(value) for given, value in own.values} == {
        f"c{i}": f"p{i % 4}" for i in range(12)
    }
    assert len(own.exceptions) == 3
    assert all(price[int(row.split(":")[-1].rstrip("'"))] == value for row, value in own.exceptions)


def test_of_too_many_columns_those_with_the_fewest_values_are_compared(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Pairs grow with the square of the columns: what they cost has a limit, and what is left out is told."""
    rng = random.Random(2)  # noqa: S311
    few = {f"f{i}": [rng.choice("ab") for _ in range(100)] for i in range(6)}
    many = {f"m{i}": [f"v{rng.randrange(9)}" for _ in range(100)] for i in range(30)}
    columns = {**many, **few, "twin": [{"a": "c", "b": "d"}[own] for own in few["f3"]], "same": ["x"] * 100}
    kb = KnowledgeBase.from_frames({"items": pl.DataFrame({"id": range(100), **columns})}, mapping="auto")
    assert kb.mapping is not None
    whole = dependencies(Database(kb), kb.mapping.attributes())
    assert set(whole) == {"item_f3", "item_twin"}
    assert not caplog.records
    looked: list[object] = []
    monkeypatch.setattr(column_dependencies, "_MOST_LOOKS", 2 * 10**5)
    original = column_dependencies._dependency
    monkeypatch.setattr(column_dependencies, "_dependency", lambda *two: looked.append(two) or original(*two))
    assert dependencies(Database(kb), kb.mapping.attributes()) == whole
    assert 0 < len(looked) * (100 + column_dependencies._PAIR) <= 2 * 10**5
    assert "of 37 columns of item are compared" in caplog.text


def symbol_text(symbol: str) -> str:
    return symbol.strip("'")


def test_columns_without_a_pattern_tell_nothing() -> None:
    for seed in range(20):
        rng = random.Random(seed)  # noqa: S311
        columns = {f"k{i}": [rng.choice("abcd"[: 2 + i % 3]) for _ in range(60)] for i in range(6)}
        kb = KnowledgeBase.from_frames({"items": pl.DataFrame({"id": range(60), **columns})}, mapping="auto")
        assert kb.mapping is not None
        assert not dependencies(Database(kb), kb.mapping.attributes())
