"""Wide tables in Parquet and JSON lines give the same facts as the database that they are from."""

import json
import sqlite3
from contextlib import closing

import pandas
import pytest

from logicoder import KnowledgeBase
from logicoder.base.errors import InputError
from logicoder.kb.mapping.file_source import FileSource
from logicoder.kb.mapping.json_records import read_records


@pytest.fixture(scope="module", params=["parquet", "jsonl", "mixed", "arrow"])
def exported(request, shop, tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    with closing(sqlite3.connect(shop.path)) as connection:
        for number, name in enumerate(("cities", "customers", "products", "order", "order items")):
            frame = pandas.read_sql_query(f'SELECT * FROM "{name}"', connection)  # noqa: S608
            frame = frame.drop(columns="photo", errors="ignore")
            if request.param == "parquet" or (request.param == "mixed" and number % 2):
                frame.to_parquet(folder / f"{name}.parquet")
            elif request.param == "arrow":
                frame.to_feather(folder / f"{name}.feather")
            else:
                rows = [row.dropna().to_dict() for _, row in frame.astype(object).iterrows()]
                (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n\n" for row in rows))
    return folder


def test_the_same_facts(shop, exported):
    kb, expected = KnowledgeBase.from_path(exported, mapping="auto"), KnowledgeBase.from_sql(shop.path)
    for name in expected.schema:
        if name not in ("customer_newsletter", "product_discontinued"):  # 0 and 1 may be codes
            assert sorted(map(str, kb.facts(name))) == sorted(map(str, expected.facts(name))), name
    assert KnowledgeBase.from_path(exported) == kb, "they are seen to be tables"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"id": 1}\n{"id": \n', r"a.jsonl:2:8: this is not JSON"),
        ('{"id": 1}\n{"id": "\\ud800"}\n', r"a.jsonl:2: \\ud800 is half of a character"),
        ('{"id": ' + "9" * 5000 + "}\n", r"a.jsonl:1: a number has more than 4,300 digits"),
        ('{"id": 1, "l": ' + "[" * 99_999 + "\n", r"a.jsonl:1: lists and objects are nested too deeply"),
        ('{"id": 1}\n\n[1]\n', r"a.jsonl:3: .*is not a record"),
        ('{"a": ' * 9 + "1" + "}" * 9, "a.jsonl: the records of this table have no values"),
        ('{"predicate": "p", "arguments": ["a"]}\n', "leave the mapping out"),
        ("\n", "this table is empty"),
    ],
)
def test_what_is_no_record_is_told(tmp_path, text, said):
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(InputError, match=said):
        KnowledgeBase.from_path(tmp_path / "a.jsonl", mapping="auto")


@pytest.mark.parametrize("suffix", ["jsonl", "json"])
def test_inner_objects_are_columns(tmp_path, caplog, suffix):
    deep = {}
    for _ in range(100):
        deep = {"d": deep, "e": 1}
    records = [
        {"id": 1, "user": {"id": 7, "home": {"city": "ulm"}}, "tags": ["a", "b"], "deep": deep},
        {"id": 2, "user": {"id": 8, "home": None}, "user_id": 3, "user_home_city": "x", "empty": {}},
        {"id": 3, "user": "anna", "tags": "c"},
    ]
    lines = "\n".join(map(json.dumps, records))
    path = tmp_path / f"posts.{suffix}"
    path.write_text(lines if suffix == "jsonl" else json.dumps(records))
    columns = read_records(path, 1)
    assert [name for name in columns if not name.startswith("deep_")] == [
        *("id", "user_id_2", "user_home_city_2", "tags", "user_home", "user_id", "user_home_city", "user")
    ]
    assert columns["user_id_2"] == [7, 8, None]
    assert columns["user_id"] == [None, 3, None]
    assert columns["user_home_city_2"] == ["ulm", None, None]
    assert columns["user"] == [None, None, "anna"]
    assert columns["tags"] == [["a", "b"], None, "c"]
    assert columns["deep_e"] == columns["deep_d_e"] == [1, None, None]
    (said,) = caplog.messages
    assert said.startswith(f"{path}: left out deep_d_d_d_d_d_d_d, because deeply nested objects")
    assert read_records(path, 2) == {name: values[::2] for name, values in columns.items()}
    kb = KnowledgeBase.from_path(path)
    assert kb.count("post_user_home_city_2") == 1
    assert sorted(map(str, kb.facts("post_tag"))) == [
        "post_tag('post:1',a)",
        "post_tag('post:1',b)",
        "post_tag('post:3',c)",
    ]


def test_broken_parquet_is_told(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match="not a valid Parquet file"):
        KnowledgeBase.from_path(tmp_path, mapping="auto")


def test_streams_of_arrow(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    table = arrow.table({"id": [1, 2], "colour": ["red", None]})
    with arrow.ipc.new_stream(tmp_path / "cars.arrow", table.schema) as stream:
        stream.write_table(table)
    assert list(map(str, KnowledgeBase.from_path(tmp_path / "cars.arrow"))) == ["car_colour('car:1',red)"]
    (tmp_path / "cars.arrow").write_bytes(b"ARROW1")
    with pytest.raises(InputError, match="not a valid Arrow file"):
        KnowledgeBase.from_path(tmp_path / "cars.arrow")


@pytest.mark.parametrize(
    ("columns", "predicates"),
    [
        ({"from": ["a"], "to": ["b"]}, ["likes"]),
        ({"argument1": ["a"], "argument2": ["b"], "argument3": ["c"], "argument4": ["d"]}, ["likes"]),
        ({"id": ["a"], "what": ["b"], "why": ["c"]}, ["like_what", "like_why"]),
    ],
)
def test_rows_of_parquet_are_facts_or_things(tmp_path, caplog, columns, predicates):
    pandas.DataFrame(columns).to_parquet(tmp_path / "likes.parquet")
    assert list(KnowledgeBase.from_path(tmp_path / "likes.parquet").schema) == predicates
    assert ("--format parquet reads rows as facts" in caplog.text) == (len(predicates) > 1)
    assert list(KnowledgeBase.from_path(tmp_path / "likes.parquet", format="parquet").schema) == ["likes"]


def test_a_list_of_records_in_json(tmp_path):
    path = tmp_path / "cars.json"
    path.write_text('[{"car_id": 1, "make": "a"}, {"car_id": 2, "make": "a", "colour": "red"}]')
    kb = KnowledgeBase.from_path(path)
    assert [fact.arguments for fact in kb.facts("car_make")] == [("car:1", "a"), ("car:2", "a")]
    (tmp_path / "run.json").write_text('{"seed": 0}')
    assert KnowledgeBase.from_path(tmp_path) == kb
    (tmp_path / "named").mkdir()
    (tmp_path / "named" / "cars.json").write_text('{"3166-1": ' + path.read_text() + "}")
    assert KnowledgeBase.from_path(tmp_path / "named") == kb
    for text, said in [
        ('{"a": 1}', "not a list of records"),
        ('{"a": [{"b": 1}], "c": 2}', "not a list of records"),
        ("[1]", "1 is not a record"),
        ('[{"a": 1},\n{]', "cars.json:2:2"),
        ("[" * 100_000, "nested too deeply"),
    ]:
        path.write_text(text)
        with pytest.raises(InputError) as caught:
            KnowledgeBase.from_path(path)
        assert said in str(caught.value)


WRITERS = {
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "parquet": lambda frame, path: frame.to_parquet(path, row_group_size=7),
    "feather": lambda frame, path: frame.to_feather(path),
    "jsonl": lambda frame, path: frame.to_json(path, orient="records", lines=True),
}


@pytest.mark.parametrize("suffix", WRITERS)
def test_samples_of_files_are_spread_evenly(tmp_path, monkeypatch, suffix):
    monkeypatch.setattr("logicoder.kb.mapping.csv_table._PIECE", 40)
    frame = pandas.DataFrame({"id": range(50), "colour": [f"c{i % 7}" for i in range(50)]})
    WRITERS[suffix](frame, tmp_path / f"cars.{suffix}")
    for every in (1, 2, 7, 13, 60):
        source = FileSource([tmp_path / f"cars.{suffix}"])
        (table,) = source.tables()
        found = source.values(table, every)
        assert found == {"id": [*range(0, 50, every)], "colour": [f"c{i % 7}" for i in range(0, 50, every)]}


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "jsonl"])
def test_large_files_are_told_before_they_are_read(tmp_path, monkeypatch, suffix):
    monkeypatch.setattr("logicoder.kb.mapping.tables.MOST_ROWS", 20)
    path = tmp_path / f"cars.{suffix}"
    WRITERS[suffix](pandas.DataFrame({"id": range(50), "a": [1.5] * 50, "b": "x", "c": "y"}), path)
    with monkeypatch.context() as patch:
        patch.setattr(FileSource, "values", None)
        with pytest.raises(InputError, match=r"the table cars has 5\d rows.*\n.*sample"):
            KnowledgeBase.from_path(path)
    assert 5 <= len(KnowledgeBase.from_path(path, sample=5, mapping="auto").table("car_b")) <= 10


def test_two_columns_of_one_name_are_refused(tmp_path):
    pytest.importorskip("pyarrow.feather")
    pyarrow = pytest.importorskip("pyarrow")
    path = tmp_path / "people.arrow"
    pyarrow.feather.write_feather(pyarrow.table([["ann"], [7]], names=["a", "a"]), path)
    with pytest.raises(InputError, match="two columns are called a"):
        KnowledgeBase.from_path(path)
