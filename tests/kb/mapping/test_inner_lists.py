"""Lists among values become tables, whoever holds them."""

from __future__ import annotations

import json
import logging

import polars as pl
import pytest
from typer.testing import CliRunner

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.cli.app import app
from logicoder.kb.mapping.inner_lists import without_lists
from logicoder.kb.mapping.tables import SourceTable, TableData

FILMS = [
    {
        "id": "f1",
        "title": "heat",
        "genres": ["crime", "drama"],
        "cast": [{"name": "al", "part": {"size": 3}}],
    },
    {"id": "f2", "title": "solaris", "genres": ["drama", "drama"], "cast": []},
    {
        "id": "f3",
        "title": "m",
        "genres": None,
        "cast": [{"name": "al"}, {"name": "eva", "awards": ["x", "y"]}],
    },
]
EXPECTED = {
    "film_genre('film:f1',crime)",
    "film_genre('film:f1',drama)",
    "film_genre('film:f2',drama)",
}


def written(path, records):
    """Write records as the ending of a file says."""
    if path.suffix == ".jsonl":
        path.write_text("\n".join(map(json.dumps, records)) + "\n")
    elif path.suffix == ".json":
        path.write_text(json.dumps(records))
    else:
        pytest.importorskip("pyarrow")
        pl.DataFrame(records).write_parquet(path)
    return path


@pytest.mark.parametrize("suffix", ["jsonl", "json", "parquet"])
def test_values_are_a_relation_and_objects_a_table(tmp_path, suffix):
    kb = KnowledgeBase.from_path(written(tmp_path / f"films.{suffix}", FILMS), mapping="auto")
    assert set(map(str, kb.facts("film_genre"))) == EXPECTED
    assert kb.schema["film_genre"].types == ("film", "genre")
    assert kb.count("film_cast_film") == kb.count("film_cast_name") == 3
    assert kb.count("film_cast_part_size") == 1
    # Lists in objects of lists refer to these.
    assert [str(fact) for fact in kb.facts("film_cast_award")] == [
        "film_cast_award('film_cast:3',x)",
        "film_cast_award('film_cast:3',y)",
    ]


def test_so_are_those_of_frames():
    frame = pl.DataFrame({"id": ["f1", "f2"], "genres": [["crime", "drama"], ["drama"]]})
    for given in (frame, frame.to_pandas()):
        kb = KnowledgeBase.from_frames({"films": given}, mapping="auto")
        assert set(map(str, kb.facts("film_genre"))) == EXPECTED


def test_rows_without_a_key_are_numbered():
    table = SourceTable("visits", {})
    found = without_lists([TableData(table, {"day": [1, 1], "tests": [["a"], ["a", "b"]]})])
    assert found["visits"].values == {"row": [1, 2], "day": [1, 1]}
    assert found["visit_tests"].values == {"visit_row": [1, 2, 2], "test": ["a", "a", "b"]}
    (reference,) = found["visit_tests"].table.foreign_keys
    assert (reference.columns, reference.table, reference.referred) == (("visit_row",), "visits", ("row",))


@pytest.mark.parametrize(
    ("lists", "said"),
    [
        ([[1.5, 2.5], [3.0]], "numbers with fractions"),
        ([[[1], [2]], []], "lists"),
        ([[{"a": 1}, "b"], []], "objects and values"),
        ([[], [None]], "nothing"),
    ],
)
def test_other_lists_are_left_out(caplog, lists, said):
    with caplog.at_level(logging.WARNING, "logicoder"):
        found = without_lists([TableData(SourceTable("t", {}), {"id": ["a", "b"], "at": lists})])
    assert list(found) == ["t"]
    assert caplog.messages == [f"t: left out at, because lists of {said} are not read"]


def test_a_model_reads_other_files_of_lists_by_its_mapping(tmp_path):
    model = AutoEncoder().fit(KnowledgeBase.from_path(written(tmp_path / "films.jsonl", FILMS[:2])))
    model.save(tmp_path / "model")
    (tmp_path / "new").mkdir()
    other = written(tmp_path / "new" / "films.jsonl", [FILMS[0] | {"id": "f9"}])
    done = CliRunner().invoke(app, ["encode", str(tmp_path / "model"), str(other), "-o", str(tmp_path / "e")])
    assert done.exit_code == 0, done.output
    assert "'film:f9',crime" in (tmp_path / "e" / "data.pl").read_text()
