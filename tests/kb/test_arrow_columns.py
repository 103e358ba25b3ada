"""Large files are read by columns: the same facts in the same order as row by row, and the same errors."""

from __future__ import annotations

import gzip
import hashlib
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.random_programs import REPEATABLE

from logicoder import KnowledgeBase
from logicoder.base.errors import InputError
from logicoder.base.input_record import recorded_inputs
from logicoder.kb.formats import arrow_columns, delimited, json_lines, large_tables, parquet
from logicoder.logic.symbols import symbol_of

FIELDS = st.sampled_from(["a", "b", "c d", "7", "007", "-1", "é", "'", '"x"', "1.5", "x" * 40]) | st.text(
    max_size=3
)


def content(kb):
    tables = {
        name: (kb.table(name).worlds.tolist(), kb.table(name).arguments.tolist()) for name in kb.predicates
    }
    return kb.symbols, kb.interpretations, tables


def read(files, large, **options):
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        for module in (delimited, json_lines):
            patch.setattr(module, "LARGE", large)
        patch.setattr(delimited, "_BATCH", 3)
        patch.setattr(large_tables, "BLOCK", 9)
        for module in (arrow_columns, large_tables):
            patch.setattr(module, "MOST_WAITING", 60)
        for name, text in files.items():
            (Path(folder) / name).write_bytes(text.encode("utf-8", "replace"))
        try:
            return content(KnowledgeBase.from_path(folder, **options))
        except InputError as error:
            return str(error).replace(folder, "")


def lines(rows, delimiter, ending):
    return "".join(delimiter.join(row) + ending for row in rows)


@settings(REPEATABLE, max_examples=150)
@given(
    tables=st.lists(
        st.integers(1, 3).flatmap(lambda n: st.lists(st.lists(FIELDS, min_size=n, max_size=n), max_size=9)),
        min_size=1,
        max_size=3,
    ),
    ending=st.sampled_from(["\n", "\n", "\r\n", "\n\n"]),
    suffix=st.sampled_from([".csv", ".tsv"]),
)
def test_tables(tables, ending, suffix):
    delimiter = "," if suffix == ".csv" else "\t"
    files = {f"p{i}{suffix}": lines(rows, delimiter, ending) for i, rows in enumerate(tables)}
    ways = (read(files, large, format="tables", interpretations="one") for large in (0, 10**9))
    assert next(ways) == next(ways)


@settings(REPEATABLE, max_examples=150)
@given(rows=st.lists(st.lists(FIELDS, min_size=3, max_size=3), max_size=12), wrong=st.booleans())
def test_triples(rows, wrong):
    text = lines(rows, "\t", "\n") + ("a\tb\n" if wrong else "")
    assert read({"all.txt": text}, 0, format="triples") == read({"all.txt": text}, 10**9, format="triples")


def test_plain_rows_are_read_by_columns(monkeypatch):
    monkeypatch.setattr(delimited.DelimitedReader, "load", None)
    monkeypatch.setattr(json_lines.JsonLinesReader, "mentions", None)
    rows = [[f"e{i}", f"f{i % 3}"] for i in range(20)]
    found = read({"p.csv": lines(rows, ",", "\n"), "q.csv": lines(rows, ",", "\n")}, 0, format="tables")
    assert found[2]["q"] == found[2]["p"]
    assert len(found[0]) == 23
    text = "".join(f'{{"predicate": "p", "arguments": ["{a}", "{b}"]}}\n' for a, b in rows)
    assert read({"p.jsonl": text}, 0, format="jsonl")[2]["p"][1] == [[0, 1], [2, 3], [4, 5], *found_pairs(17)]


def test_what_is_unusual_further_down_is_left_to_the_careful_reader():
    rows = [[f"e{i}", f"f{i % 3}"] for i in range(20)]
    files = {"p.csv": lines(rows, ",", "\n"), "q.csv": lines(rows[::-1], ",", "\n") + '"a,b",c\n'}
    found = [read(files, large, format="tables", interpretations="one") for large in (0, 10**9)]
    assert found[0] == found[1]
    assert "'a,b'" in found[0][0]
    files["q.csv"] += "a\n"
    assert "q.csv:22:2: this row has 1 field instead of 2" in read(files, 0, format="tables")


def test_sums_of_large_files_are_noted(tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "LARGE", 0)
    content = lines([[f"e{i}", "f"] for i in range(9)], ",", "\n").encode()
    (tmp_path / "p.csv").write_bytes(content)
    (tmp_path / "q.csv.gz").write_bytes(gzip.compress(content))
    with recorded_inputs() as record:
        KnowledgeBase.from_path(tmp_path, format="tables")
    assert record.sums == {
        path: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(tmp_path.iterdir())
    }


def found_pairs(number):
    """The pairs of ids in the order of rows, after the first three."""
    return [[6 + i, (1, 3, 5)[i % 3]] for i in range(number)]


VALUES = FIELDS | st.integers(-3, 3) | st.none() | st.booleans()


@settings(REPEATABLE, max_examples=150)
@given(
    facts=st.lists(st.tuples(st.sampled_from(["p", "q", ""]), st.lists(FIELDS, max_size=3)), max_size=9),
    odd=st.none() | VALUES,
    at=st.integers(0, 9),
)
def test_json_lines(facts, odd, at):
    rows = [{"predicate": name, "arguments": arguments} for name, arguments in facts]
    if odd is not None:
        rows.insert(at, {"predicate": "odd", "arguments": [odd]})
    files = {"a.jsonl": "".join(json.dumps(row, ensure_ascii=len(row) % 2 == 0) + "\n" for row in rows)}
    assert read(files, 0, format="jsonl", empty=True) == read(files, 10**9, format="jsonl", empty=True)


def test_without_pyarrow(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    assert not arrow_columns.has_pyarrow()
    assert arrow_columns.json_columns('{"predicate": "p", "arguments": ["a"]}') is None


@pytest.mark.parametrize("most", [0, 3, 10**9])
def test_tables_of_parquet_may_wait_for_each_other(tmp_path, monkeypatch, most):
    facts = {f"p{i}": [(f"e{j % (i + 2)}", j) for j in range(6)] for i in range(4)}
    kb = KnowledgeBase.from_facts(facts)
    kb.save(tmp_path / "kb", "parquet")
    for module in (arrow_columns, parquet):
        monkeypatch.setattr(module, "MOST_WAITING", most)
    back = KnowledgeBase.from_path(tmp_path / "kb", format="parquet", interpretations="one")
    assert set(map(str, back)) == set(map(str, kb))
    assert {symbol_of(fact.arguments[1]) for fact in back} == set(map(str, range(6)))
