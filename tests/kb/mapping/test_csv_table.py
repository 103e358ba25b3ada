"""Folders of CSV files with headers: the same facts as of the database they were exported from."""

import csv
import gzip
import sqlite3
from contextlib import closing
from datetime import datetime

import pytest

from logicoder import KnowledgeBase
from logicoder.base.errors import InputError, UsageError
from logicoder.kb.mapping.csv_table import read_csv
from logicoder.kb.mapping.field_styles import typed
from logicoder.kb.mapping.file_source import FileSource
from logicoder.kb.mapping.named_columns import columns_are_named


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


def test_files_as_people_export_them(tmp_path, caplog):
    """A byte order mark, semicolons, line ends in fields, decimal commas, dates with points, Latin-1."""
    people = ["Nr;Name, Vorname;Ort;Umsatz;Geboren", '1;"Müller, A";Köln;1.250,50;31.12.1990']
    people += ['2;"zwei\nZeilen";Ulm;7;01.02.1985', "3;c;Ulm;;"]
    (tmp_path / "people.csv").write_text("\ufeff" + "\r\n".join(people), encoding="utf-8")
    (tmp_path / "cities.csv").write_bytes("city|land\nKöln|NRW\nUlm|BW\n".encode("latin-1"))
    orders = 'id,nr,amount,placed\n1,1.0,"1,250.50",3/25/2024\n2,,7,4/1/2024\n3,3.0,N/A,\n'
    (tmp_path / "orders.csv").write_bytes(orders.encode("utf-16"))
    source = FileSource([tmp_path])
    read = {table.name: source.values(table, 1) for table in source.tables()}
    assert read["people"] == {
        "Nr": [1, 2, 3],
        "Name, Vorname": ["Müller, A", "zwei\nZeilen", "c"],
        "Ort": ["Köln", "Ulm", "Ulm"],
        "Umsatz": [1250.5, 7.0, None],
        "Geboren": [datetime(1990, 12, 31), datetime(1985, 2, 1), None],
    }
    assert read["cities"] == {"city": ["Köln", "Ulm"], "land": ["NRW", "BW"]}
    assert read["orders"] == {
        "id": [1, 2, 3],
        "nr": [1.0, None, 3.0],
        "amount": [1250.5, 7.0, None],
        "placed": [datetime(2024, 3, 25), datetime(2024, 4, 1), None],
    }
    for told in (
        "column Umsatz: 1.250,50 is read as 1250.5",
        "column placed: 3/25/2024 is read as 2024-03-25",
        "column amount: 1,250.50 is read as 1250.5; N/A is read as missing",
        "cities.csv is not UTF-8 and is read as Windows-1252",
    ):
        assert told in caplog.text


@pytest.mark.parametrize(
    ("fields", "delimiter", "values"),
    [
        (["5.000", "7.500"], ";", [5000.0, 7500.0]),
        (["5.000", "7.500"], ",", [5.0, 7.5]),
        (["1.5", "2"], ";", [1.5, 2.0]),
        (["1,5", "2"], "\t", [1.5, 2.0]),
        (["1,250", "7"], ",", [1250.0, 7.0]),
        (["3/4/2024", "13/4/2024"], ",", [datetime(2024, 4, 3), datetime(2024, 4, 13)]),
        (["3/4/2024", "5/6/2024"], ",", ["3/4/2024", "5/6/2024"]),
        (["31.02.2024"], ",", ["31.02.2024"]),
        (["-", "?"], ",", ["-", "?"]),
        (["a", "N/A"], ",", ["a", "N/A"]),
        (["1,2,3"], ";", ["1,2,3"]),
        (["007", "0,5"], ";", ["007", "0,5"]),
    ],
)
def test_styles_of_fields(fields, delimiter, values):
    assert typed([fields], delimiter)[0].values == values


def test_what_is_missing_among_numbers_is_missing_among_texts(tmp_path, caplog):
    """NA may be Namibia, but not in a table whose numbers are NA; \\N is NULL of a server everywhere."""
    (tmp_path / "birds.csv").write_text("id,mass,sex,note\n1,3.5,NA,\\N\n2,NA,female,-\n3,4.5,male,NA\n")
    (tmp_path / "lands.csv").write_text("code,name,size\nNA,Namibia,3\nDE,-,2\n")
    source = FileSource([tmp_path])
    read = {table.name: source.values(table, 1) for table in source.tables()}
    assert read["birds"] == {
        "id": [1, 2, 3],
        "mass": [3.5, None, 4.5],
        "sex": [None, "female", "male"],
        "note": [None, "-", None],
    }
    assert read["lands"] == {"code": ["NA", "DE"], "name": ["Namibia", "-"], "size": [3, 2]}
    told = "\n".join(caplog.messages)
    assert "birds.csv, column sex: NA is read as missing" in told
    assert "birds.csv, column note: NA and \\N are read as missing" in told
    assert "lands.csv" not in told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "t.csv: this table is empty"),
        ("1,2\n3,4\n", "t.csv:1: the first row must name the columns, but '1' is not a name"),
        (",\n3,4\n", "t.csv:1: the first row must name the columns, but it is empty"),
        ("a,1,a\n3,4,5\n", "'1' is not a name"),
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


@pytest.mark.parametrize(
    ("text", "columns", "said"),
    [
        ("id,size,\n1,3,\n2,4, \n", {"id": [1, 2], "size": [3, 4]}, None),
        (
            ",size,,\n1,3,,a\n2,4,,\n",
            {"column_1": [1, 2], "size": [3, 4], "column_4": ["a", None]},
            "columns without a name are named by position: column_1, column_4",
        ),
        ("a,\n", {"a": []}, None),
        (
            "size,name, name,name_2,name\n1,a,b,c,d\n",
            {"size": [1], "name": ["a"], "name_3": ["b"], "name_2": ["c"], "name_4": ["d"]},
            "columns of the same name are numbered: name (again: name_3), name (again: name_4)",
        ),
        (
            "column_2,\n1,2\n",
            {"column_2": [1], "column_2_2": [2]},
            "columns without a name are named by position: column_2_2",
        ),
    ],
)
def test_headers_of_spreadsheets(tmp_path, caplog, text, columns, said):
    path = tmp_path / "t.csv"
    path.write_text(text)
    assert read_csv(path) == columns
    assert [r.getMessage() for r in caplog.records] == [f"{path}: {said}"] if said else not caplog.records
    # Columns are judged by all rows, whichever are read.
    assert list(read_csv(path, every=2)) == list(columns)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("id,size,\n1,3,\n2,4,\n", True),
        (",name,name,age\n0,anna,ott,31\n1,bob,berg,27\n", True),
        ("name,name,age\nanna,ott,31\nbob,berg,27\n", True),
        ("person,person\nann,bob\n", False),
        (",,\n1,2,3\n", False),
    ],
)
def test_incomplete_headers_without_a_mapping(tmp_path, text, named):
    (tmp_path / "t.csv").write_text(text)
    assert columns_are_named([tmp_path]) is named


def test_without_a_mapping_names_of_columns_are_seen(exported, caplog):
    assert (
        KnowledgeBase.from_path(exported).schema == KnowledgeBase.from_path(exported, mapping="auto").schema
    )
    assert "the first row names columns" in caplog.text
    assert len(caplog.records) == 1


def test_without_names_a_mapping_is_offered(tmp_path):
    (tmp_path / "likes.csv").write_text("anna,bob,2\nbob,anna,1\n")
    with pytest.raises(UsageError, match=r"\n  --mapping auto +tables whose first row names columns"):
        KnowledgeBase.from_path(tmp_path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "bad.csv: this file is empty"),
        (b"\n \n", "bad.csv: this file is empty"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "bad.csv: this is not text"),
    ],
)
def test_without_a_mapping_files_without_text_are_named(tmp_path, content, said):
    (tmp_path / "bad.csv").write_bytes(content)
    for folder_holds in ("only this file", "another"):
        with pytest.raises(InputError) as caught:
            KnowledgeBase.from_path(tmp_path)
        assert said in str(caught.value), folder_holds
        (tmp_path / "a.csv").write_text("name,age\nanna,31\nbob,27\n")


def test_without_a_mapping_the_file_without_names_is_told(tmp_path):
    (tmp_path / "a.csv").write_text("name,age\nanna,31\nbob,27\n")
    (tmp_path / "b.csv").write_text("anna,bob\nbob,carl\n")
    with pytest.raises(
        UsageError, match=r"b\.csv: the first row does not name columns, unlike that of .*a\.csv"
    ):
        KnowledgeBase.from_path(tmp_path)


def test_a_table_without_rows_is_left_out_beside_others(tmp_path, caplog):
    (tmp_path / "cars.csv").write_text("id,size\n1,3\n2,4\n")
    (tmp_path / "dogs.csv").write_text("id,name\n")
    assert list(KnowledgeBase.from_path(tmp_path).schema) == ["car_size"]
    assert "left out the table dogs: it has no rows" in caplog.text


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("name,age\nanna,31\nbob,27\n", True),
        ("name;age;home town\nanna;31;ulm\nbob;27;ulm\n", True),
        ("make,model,drive (wheels),colour\na,b,c,d\na,c,c,d\n", True),
        ("subject,predicate,object\nanna,knows,bob\n", False),
        ("anna,knows,bob\nbob,knows,carl\n", False),
        ("a,b,c,d\na,c,c,d\n", False),
        ("1,2,3,4\n5,6,7,8\n", False),
        ("name,age\n", False),
        ("", False),
    ],
)
def test_names_of_columns(tmp_path, text, named):
    (tmp_path / "t.csv").write_text(text)
    assert columns_are_named([tmp_path]) is named
    assert columns_are_named([tmp_path / "t.csv"]) is named
    (tmp_path / "README.md").write_text("# Where these are from\n")
    assert columns_are_named([tmp_path]) is named
    (tmp_path / "schema.mln").write_text("t(a, b)\n")
    assert columns_are_named([tmp_path / "t.csv"]) is False


def test_names_that_are_values_are_told(tmp_path, caplog):
    (tmp_path / "lives.csv").write_text("ann,paris\nbob,rome\ncid,paris\n")
    KnowledgeBase.from_path(tmp_path, mapping="auto")
    assert (
        "the first row (ann, paris) is read as column names, although paris also occurs as a value"
        in caplog.text
    )


def test_no_tables(tmp_path, shop):
    with pytest.raises(InputError, match="no tables"):
        KnowledgeBase.from_path(tmp_path, mapping="auto")
    with pytest.raises(UsageError, match="cannot be combined"):
        KnowledgeBase.from_path(tmp_path, shop.path, mapping="auto")
    (tmp_path / "t.csv").write_text("a\n")
    (tmp_path / "t.tsv").write_text("a\n")
    with pytest.raises(InputError, match="two files contain a table called t"):
        KnowledgeBase.from_path(tmp_path, mapping="auto")


def test_tables_without_facts_say_what_was_left_out(tmp_path):
    rows = [f"{chr(65 + row)},name {row} of a land" for row in range(9)]
    (tmp_path / "lands.csv").write_text("code,name\n" + "\n".join(rows))
    with pytest.raises(InputError, match=r"because the other columns are left out \(lands.name\)") as caught:
        KnowledgeBase.from_path(tmp_path / "lands.csv")
    assert "logicoder inspect" in str(caught.value.hint)
