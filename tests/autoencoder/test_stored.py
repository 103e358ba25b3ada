"""Models of data that stay where they are: the same program, loss and encoding as in memory."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from tests.compression import worlds
from tests.engine.random_programs import REPEATABLE

from logicoder import AutoEncoder, KnowledgeBase, UsageError
from logicoder.autoencoder.stored_files import is_encoding, read_encoding, write_encoding
from logicoder.autoencoder.stored_layer import StoredLayer
from logicoder.base.errors import InputError
from logicoder.base.stopping import StopToken
from logicoder.datasets import family
from logicoder.engine.sql.duckdb_session import DuckdbSession
from logicoder.engine.sql.sample import read
from logicoder.engine.sql.stored_data import StoredData


@pytest.fixture(scope="module")
def kb():
    return family()


@pytest.fixture(scope="module")
def model(kb):
    return AutoEncoder().fit(kb)


def facts_of(data, relations):
    back = StoredData(data.session, relations, "back", None, data.interpretations)
    return {(fact.interpretation if data.several else "", str(fact)) for fact in read(back, types="one")}


def told_by(kb, data):
    return {(fact.interpretation if data.several else "", str(fact)) for fact in kb}


def _rows(data, relations):
    return {n: data.session.rows(f"SELECT * FROM {r.table}", "testing") for n, r in relations.items()}  # noqa: S608


def test_data_that_fit_into_memory_give_the_same_program(kb, model):
    stored = AutoEncoder(engine="duckdb").fit(kb)
    assert (stored.decoder_, stored.kept_, stored.bits_, stored.loss_) == (
        model.decoder_,
        model.kept_,
        model.bits_,
        model.loss_,
    )
    assert stored.statistics_["engine"] == {"name": "DuckDB", "facts_in_memory": len(kb)}


def test_a_sample_is_judged_by_all_facts(kb, model):
    found = AutoEncoder(engine="duckdb", max_sample=150).fit(kb)
    assert found.facts_ == len(kb)
    assert found.plain_bits_ == pytest.approx(model.plain_bits_)
    assert found.loss_ == found.reconstruct(kb).loss
    kept = found.transform(kb)
    assert found.kept_facts_ == {name: kept.count(name) for name in found.kept_facts_}
    encoding = found.encode_losslessly(kb)
    assert found.exceptions_ == sum(encoding.exceptions.counts().values())
    assert found.plain_bits_ - found.bits_ == pytest.approx(encoding.bits.saved, abs=0.01)


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
        write_encoding(layer, data, latent, stored.exceptions(latent), tmp_path)
    assert is_encoding(tmp_path)
    with DuckdbSession() as session:
        latent, exceptions, worlds_told = read_encoding(layer, tmp_path, session)
        data = StoredData(session, {}, "latent", layer.schema, worlds_told)
        back = StoredLayer(layer, data).decoded(latent, exceptions)
        assert {text for _, text in facts_of(data, back)} == set(map(str, kb))
        other = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X).").stack()[0]
        with pytest.raises(InputError, match="another model"):
            read_encoding(other, tmp_path, session)


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
        ({"compression": 0.5}, "description length"),
        ({"holdout": "10%"}, "without `holdout`"),
        ({"engine": "postgresql"}, "pass its URL"),
    ],
)
def test_what_an_engine_cannot_do_is_told(kb, settings_given, told):
    with pytest.raises(UsageError, match=told):
        AutoEncoder(**{"engine": "duckdb", **settings_given}).fit(kb)


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
