"""Folders of CSV files with headers: the same facts as of the database they were exported from."""

import csv
import gzip
import sqlite3
from contextlib import closing

import pytest

from logicoder import KnowledgeBase
from logicoder.base.errors import InputError, UsageError


@pytest.fixture(scope="module")
def exported(shop, tmp_path_factory):
    """The shop as CSV files, as a spreadsheet would write them; BLOBs are left out."""
    folder = tmp_path_factory.mktemp("csv")
    with closing(sqlite3.connect(shop.path)) as connection:
        for name in ("cities", "customers", "products", "order", "order items"):
            cursor = connection.execute(f'SELECT * FROM "{name}"')  # noqa: S608
            labels = [column[0] for column in cursor.description]
            kept = [i for i, label in enumerate(labels) if label != "photo"]
            with (folder / f"{name}.csv").open("w", newline="") as stream:
                writer = csv.writer(stream)
                writer.writerow([labels[i] for i in kept])
                writer.writerows([row[i] for i in kept] for row in cursor)
    return folder


def test_the_facts_of_an_export(shop, exported):
    kb, expected = KnowledgeBase.from_path(exported, mapping="auto"), KnowledgeBase.from_sql(shop.path)
    for name in expected.schema:
        if name not in ("customer_newsletter", "product_discontinued"):
            assert sorted(map(str, kb.facts(name))) == sorted(map(str, expected.facts(name))), name
    # A CSV file declares no truth values: 0 and 1 may be codes.
    assert kb.count("customer_newsletter") == 100


def test_foreign_keys_are_found(exported):
    kb = KnowledgeBase.from_path(exported, mapping="auto")
    assert str(kb.schema["order_customer"]) == "order_customer(order,customer)"
    assert str(kb.schema["customer_city"]) == "customer_city(customer,city)"


def test_keys_that_were_exported_as_floats_are_mended(tmp_path, caplog):
    (tmp_path / "makers.csv").write_text("id;country\n1;italy\n2;japan\n")
    with gzip.open(tmp_path / "cars.csv.gz", "wt") as stream:
        stream.write("id,maker_id,name\n1,2.0,a\n2,,b\n3,1.0,a\n")
    kb = KnowledgeBase.from_path(tmp_path, mapping="auto")
    assert sorted(map(str, kb.facts("car_maker"))) == [
        "car_maker('car:1','maker:2')",
        "car_maker('car:3','maker:1')",
    ]
    assert "cars.maker_id: keys were read as floating-point numbers" in caplog.text


def test_files_may_be_named_one_by_one(exported):
    kb = KnowledgeBase.from_path(exported / "cities.csv", exported / "customers.csv", mapping="auto")
    assert set(kb.schema.types()) >= {"city", "customer"}
    assert "order" not in kb.schema.types()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "t.csv: this table is empty"),
        ("1,2\n3,4\n", "t.csv:1: the first row should name the columns, and '1' is no name"),
        ("a,\n3,4\n", "'' is no name"),
        ("a,a\n3,4\n", "a name is there twice"),
        ("id,b\n3,4\n5\n", "t.csv:3: this row has 1 fields instead of 2"),
        ('id,b\n3,"4\n', "t.csv:2: unexpected end of data"),
    ],
)
def test_bad_files(tmp_path, text, said):
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        KnowledgeBase.from_path(tmp_path, mapping="auto")
    assert said in str(caught.value)


def test_without_a_mapping_it_is_offered(exported):
    with pytest.raises(UsageError, match=r"\n  --mapping FILE +tables whose first row names columns"):
        KnowledgeBase.from_path(exported)


def test_no_tables(tmp_path, shop):
    with pytest.raises(InputError, match="no tables"):
        KnowledgeBase.from_path(tmp_path, mapping="auto")
    with pytest.raises(UsageError, match="read alone"):
        KnowledgeBase.from_path(tmp_path, shop.path, mapping="auto")
    (tmp_path / "t.csv").write_text("a\n")
    (tmp_path / "t.tsv").write_text("a\n")
    with pytest.raises(InputError, match="two files hold a table t"):
        KnowledgeBase.from_path(tmp_path, mapping="auto")
