"""Models of data that stay where they are: the same program, loss and encoding as in memory."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from tests.compression import worlds
from tests.engine.random_programs import REPEATABLE
from tests.engine.sql.systems import address_of, left_behind
from tests.wanted import wanted_module

from logicoder import AutoEncoder, KnowledgeBase, UsageError
from logicoder.autoencoder.stored_files import is_encoding, read_encoding, write_encoding
from logicoder.autoencoder.stored_layer import StoredLayer
from logicoder.base.errors import InputError
from logicoder.base.stopping import StopToken
from logicoder.datasets import family
from logicoder.engine.sql.duckdb_session import DuckdbSession
from logicoder.engine.sql.postgresql_session import PostgresqlSession
from logicoder.engine.sql.sample import read
from logicoder.engine.sql.session import QueryError
from logicoder.engine.sql.space_counts import SpaceCounts
from logicoder.engine.sql.stored_data import StoredData


@pytest.fixture(scope="module")
def kb():
    return family()


@pytest.fixture(scope="module")
def model(kb):
    return AutoEncoder(effort=5).fit(kb)


def facts_of(data, relations):
    back = StoredData(data.session, relations, "back", None, data.interpretations, types="one")
    return {(fact.interpretation if data.several else "", str(fact)) for fact in read(back)}


def told_by(kb, data):
    return {(fact.interpretation if data.several else "", str(fact)) for fact in kb}


def _rows(data, relations):
    return {n: data.session.rows(f"SELECT * FROM {r.table}", "testing") for n, r in relations.items()}  # noqa: S608


def test_data_that_fit_into_memory_give_the_same_program(kb, model):
    stored = AutoEncoder(engine="duckdb", effort=5).fit(kb)
    assert (stored.decoder_, stored.kept_, stored.bits_, stored.loss_) == (
        model.decoder_,
        model.kept_,
        model.bits_,
        model.loss_,
    )
    assert stored.statistics_["engine"] == {"name": "DuckDB", "facts_in_memory": len(kb)}


def test_a_sample_is_judged_by_all_facts(kb, model):
    found = AutoEncoder(engine="duckdb", max_sample=150, effort=5).fit(kb)
    assert found.facts_ == len(kb)
    assert found.plain_bits_ == pytest.approx(model.plain_bits_)
    assert found.loss_ == found.reconstruct(kb).loss
    kept = found.transform(kb)
    assert found.kept_facts_ == {name: kept.count(name) for name in found.kept_facts_}
    encoding = found.encode_losslessly(kb)
    assert found.exceptions_ == sum(encoding.exceptions.counts().values())
    assert found.plain_bits_ - found.bits_ == pytest.approx(encoding.bits.saved, abs=0.01)


def test_fewer_clauses_are_judged_if_the_memory_does_not_suffice(kb, monkeypatch, caplog):
    """On a hundred million facts, DuckDB may not hold the atoms of all clauses at once."""
    duckdb = wanted_module("duckdb")
    classes = SpaceCounts.classes

    def short_of_memory(self, look, rules, relations):
        if len(rules) > 2:
            raise QueryError("DuckDB failed") from duckdb.OutOfMemoryException("could not allocate")
        return classes(self, look, rules, relations)

    monkeypatch.setattr(SpaceCounts, "classes", short_of_memory)
    found = AutoEncoder(engine="duckdb", max_sample=150, effort=5).fit(kb)
    assert found.bits_ < found.plain_bits_
    assert found.loss_ == found.reconstruct(kb).loss
    assert "fit into the memory limit" in caplog.text


@settings(REPEATABLE, max_examples=12)
@given(worlds.knowledge_bases())
def test_random_data_are_encoded_and_decoded_exactly(data_in_memory):
    """The representation is that of arrays, and exceptions bring back every fact."""
    model = AutoEncoder(effort=5).fit(data_in_memory)
    (layer,) = model.stack()
    with StoredData.of(data_in_memory, DuckdbSession()) as data:
        stored = StoredLayer(layer, data)
        represented = stored.encoded()
        expected = model.transform(data_in_memory)
        several = data.several
        assert facts_of(data, represented) == {
            (f.interpretation if several else "", str(f)) for f in expected
        }
        exceptions = stored.exceptions(represented)
        frame = StoredData(data.session, {}, "latent", layer.schema, data.interpretations)
        back = StoredLayer(layer, frame).decoded(represented, exceptions)
        assert facts_of(data, back) == told_by(data_in_memory, data)


def test_encodings_are_files_that_belong_to_a_model(kb, model, tmp_path):
    (layer,) = model.stack()
    with StoredData.of(kb, DuckdbSession()) as data:
        stored = StoredLayer(layer, data)
        latent = stored.encoded()
        write_encoding([layer], data.having(latent, None), stored.exceptions(latent), tmp_path)
    assert is_encoding(tmp_path)
    with DuckdbSession() as session:
        latent, exceptions, worlds_told = read_encoding([layer], tmp_path, session)
        data = StoredData(session, {}, "latent", layer.schema, worlds_told)
        back = StoredLayer(layer, data).decoded(latent, exceptions)
        assert {text for _, text in facts_of(data, back)} == set(map(str, kb))
        other = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X).").stack()[0]
        with pytest.raises(InputError, match="another model"):
            read_encoding([other], tmp_path, session)


@pytest.mark.xdist_group("postgresql")
def test_encodings_of_a_server_are_decoded_without_it(postgresql, tmp_path):
    """A server writes CSV, from which odd values come back."""
    odd = ["", " ", "o'x", 'say "x"', "a,b", "two\nlines", "cr\r", "NULL", "\\N", "ü☃", 7, "x" * 300]
    pairs = [(value, odd[(5 * i + 1) % len(odd)]) for i, value in enumerate(odd)]
    facts = [("p", *pair) for pair in pairs] + [("q", y, x) for x, y in pairs[2:]] + [("q", "", "new")]
    kb = KnowledgeBase.from_facts([*facts, ("holds",)])
    (layer,) = AutoEncoder.from_programs(
        "l(X,Y) :- p(X,Y). m :- holds.", "p(X,Y) :- l(X,Y). q(Y,X) :- l(X,Y). holds :- m.", schema=kb.schema
    ).stack()
    with StoredData.of(kb, PostgresqlSession(address_of(postgresql))) as data:
        stored = StoredLayer(layer, data)
        latent = stored.encoded()
        write_encoding([layer], data.having(latent, None), stored.exceptions(latent), tmp_path)
    assert left_behind(postgresql) == 0
    with DuckdbSession() as session:
        latent, exceptions, _ = read_encoding([layer], tmp_path, session)
        data = StoredData(session, {}, "latent", layer.schema)
        wrong = _rows(data, exceptions.missing)["q"], _rows(data, exceptions.false)["q"]
        assert list(map(len, wrong)) == [1, 2]
        assert facts_of(data, StoredLayer(layer, data).decoded(latent, exceptions)) == told_by(kb, data)
        (tmp_path / "latent" / "l.csv").write_text("a,b\nx,y\n")
        with pytest.raises(InputError, match=r"l\.csv: this file of an encoding was changed"):
            read_encoding([layer], tmp_path, session)


def test_a_stopped_fit_tells_of_the_sample(kb):
    token = StopToken()

    def report(event):
        if getattr(event, "phase", "") == "counts":
            token.stop("interrupted")

    found = AutoEncoder(engine="duckdb", max_sample=150, reporter=report).fit(kb, stop=token)
    assert found.stopped_ == "interrupted"
    assert len(found.decoder_)


@pytest.mark.parametrize(
    ("settings_given", "told"),
    [
        ({"engine": "postgresql"}, "pass its URL"),
        ({"resume": True}, "`resume` needs a checkpoint folder"),
    ],
)
def test_what_an_engine_cannot_do_is_told(kb, settings_given, told):
    with pytest.raises(UsageError, match=told):
        AutoEncoder(**{"engine": "duckdb", "max_sample": 150, **settings_given}).fit(kb)


@pytest.mark.parametrize(
    "settings_given", [{"holdout": "20%"}, {"compression": "0.6"}, {"background": "elder(X) :- father(X,_)."}]
)
def test_data_that_are_read_as_a_whole_mean_the_same(settings_given):
    small = KnowledgeBase.from_facts(sorted(worlds.family(3, families=1)))
    here, there = (AutoEncoder(engine=name, **settings_given).fit(small) for name in ("arrays", "duckdb"))
    for name in ("encoder_", "decoder_", "loss_", "bits_", "schema_"):
        assert getattr(there, name) == getattr(here, name), name
    assert getattr(there, "unseen_", None) == getattr(here, "unseen_", None)


def test_a_background_program_is_run_in_the_system():
    rows = sorted(worlds.family(3, families=12))
    data = [row for row in rows if row[0] not in ("grandparent", "grandfather", "uncle_or_aunt", "sibling")]
    kb = KnowledgeBase.from_facts(data + [row for row in rows if row[0] == "grandparent"])
    program = "parent(X,Y) :- father(X,Y) ; mother(X,Y)."
    found = AutoEncoder(engine="duckdb", max_sample=len(kb) // 2, background=program).fit(kb)
    assert "grandparent(X,Y) :- parent(X,Z), parent(Z,Y)." in map(str, found.decoder_)
    assert (found.facts_, found.loss_) == (len(kb), found.reconstruct(kb).loss)
    encoding = found.encode_losslessly(kb)
    assert found.exceptions_ == sum(encoding.exceptions.counts().values())
    assert found.bits_ == pytest.approx(found.insights(kb).bits)
    with StoredData.of(kb, DuckdbSession()) as stored:
        told = [row.text for row in found.insights(kb)]
        assert [row.text for row in found.set_params(max_sample=100).insights(stored)] == told
    with StoredData.of(kb, DuckdbSession()) as stored, pytest.raises(InputError, match="defines father"):
        AutoEncoder(max_sample=100, background="father(X,Y) :- mother(Y,X).").fit(stored)


def test_a_checkpoint_is_taken_up(tmp_path):
    kb = KnowledgeBase.from_facts(sorted(worlds.family(3, families=3)))
    parameters = {"engine": "duckdb", "max_sample": 100, "checkpoint": tmp_path}
    first = AutoEncoder(**parameters, effort=5).fit(kb)
    assert (tmp_path / "plan.json").is_file()
    little = {**parameters, "effort": 0.01}
    again = AutoEncoder(**little, resume=True).fit(kb)
    anew = AutoEncoder(**{**little, "checkpoint": None}).fit(kb)
    assert any("father_or_mother" in str(clause) for clause in first.decoder_), "shorthands are used, too"
    assert first.bits_ == pytest.approx(AutoEncoder(effort=5).fit(kb).bits_, rel=0.02)
    assert again.bits_ == pytest.approx(first.bits_, rel=0.01)
    assert again.bits_ < anew.bits_
    few = KnowledgeBase.from_facts([(fact.predicate, *fact.arguments) for fact in list(kb)[40:]])
    with pytest.raises(InputError, match="belongs to other data"):
        AutoEncoder(**parameters, resume=True).fit(few)


def test_constants_of_any_kind_are_kept_apart():
    rows = [("p", f"e{i}", value) for i in range(40) for value in ("o'x", "Ä b", "7")]
    kb = KnowledgeBase.from_facts([*rows, *(("q", y, x) for _, x, y in rows)])
    found = AutoEncoder(engine="duckdb", max_sample=100).fit(kb)
    assert (found.loss_, found.facts_) == (0, len(kb))
    assert len(found.decoder_) == 1


def test_what_goes_on_along_another_relation_is_kept_as_arrays_keep_it():
    tree = [(f"c{i}", f"c{(i - 1) // 2}") for i in range(1, 30)]
    above = dict(tree)
    facts = [("subclass", child, parent) for child, parent in tree]
    for number in range(60):
        kind = f"c{(number * 7) % 30}"
        while kind:
            facts.append(("type", f"x{number}", kind))
            kind = above.get(kind)
    kb = KnowledgeBase.from_facts(facts)
    model = AutoEncoder().fit(kb)
    assert any(base.form == "recursive" for base in model.bases_), model.decoder_
    (layer,) = model.stack()
    with StoredData.of(kb, DuckdbSession()) as data:
        stored = StoredLayer(layer, data)
        represented = stored.encoded()
        assert facts_of(data, represented) == told_by(model.transform(kb), data)
        exceptions = stored.exceptions(represented)
        assert {n: len(rows) for n, rows in _rows(data, exceptions.missing).items() if rows} == {}
