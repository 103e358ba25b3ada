"""Parquet: typed columns come back, missing values are no facts."""

import datetime
import sys
from decimal import Decimal

import pytest

from logicoder import InputError, KnowledgeBase, UsageError
from logicoder.base.errors import MissingExtraError
from logicoder.logic.symbols import Text

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

FACTS = {
    "it's": [("42", 42), ("it's", -7), ("", 2**40)],
    "size": [("a", 1.5), ("b", -0.25)],
    "p": ["x", "日本"],
}


def table(path, **columns):
    parquet.write_table(arrow.table(columns), path)


def test_what_is_written_is_what_is_read(tmp_path):
    kb = KnowledgeBase.from_facts(FACTS, interpretation="data")
    kb.save(tmp_path / "data", "parquet")
    assert KnowledgeBase.from_path(tmp_path / "data") == kb


def test_interpretations_are_folders(tmp_path):
    parts = [KnowledgeBase.from_facts(FACTS, interpretation=name) for name in ("a", "b")]
    kb = KnowledgeBase.union(parts)
    kb.save(tmp_path / "data", "parquet")
    assert KnowledgeBase.from_path(tmp_path / "data") == kb


def test_values_of_all_kinds(tmp_path):
    day = datetime.date(2024, 5, 1)
    table(tmp_path / "p.parquet", a=[day], b=[Decimal("1.50")], c=[True], d=[b"\xff"], e=[datetime.time(1)])
    kb = KnowledgeBase.from_path(tmp_path / "p.parquet", format="parquet")
    assert kb.symbols == ("'2024-05-01'", "1.5", "true", "'0xff'", "'01:00:00'")


def test_rows_with_missing_values_are_no_facts(tmp_path, caplog):
    table(tmp_path / "p.parquet", a=["x", None, "y"], b=[1.0, 2.0, float("nan")])
    assert list(map(str, KnowledgeBase.from_path(tmp_path / "p.parquet"))) == ["p(x,1.0)"]
    assert "p.parquet: 2 rows with missing values are left out" in caplog.text


def test_what_does_not_fit_is_refused(tmp_path):
    for values, complaint in (
        ([("a",), (1,)], "argument 1 of p mixes kinds"),
        ([(Text("a"),)], "or holds strings"),
        ([(10**30,)], "does not fit into Parquet"),
        ([()], "p has no arguments"),
    ):
        with pytest.raises(UsageError, match=complaint):
            KnowledgeBase.from_facts({"p": values}).save(tmp_path / "data", "parquet")
    with pytest.raises(UsageError, match="true facts only"):
        KnowledgeBase.from_facts([("p", "a")], negatives=[("p", "b")]).save(tmp_path / "data", "parquet")
    assert not (tmp_path / "data").exists()


def test_errors(tmp_path, monkeypatch):
    (tmp_path / "p.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(InputError, match=r"p\.parquet: this is not a valid Parquet file"):
        KnowledgeBase.from_path(tmp_path / "p.parquet")
    table(tmp_path / "p.parquet", a=[["x"]])
    with pytest.raises(InputError, match=r"p\.parquet: column a: a list<.*> is not a constant"):
        KnowledgeBase.from_path(tmp_path / "p.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'pyarrow>="):
        KnowledgeBase.from_path(tmp_path / "p.parquet")
