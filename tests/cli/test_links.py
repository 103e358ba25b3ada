"""`logicoder links` as a user meets it: tables, JSON, and files that are not as they should be."""

from __future__ import annotations

import gzip
import json
import re

import pytest
from tests.cli.helpers import as_json, invoke
from tests.evaluation.links import graphs

from end_to_end.test_docs import section
from logicoder.evaluation.links.link_configuration import LinkConfiguration

OPTIONS = ("--grid", "1x1", "--compressions", "1", "--sigmas", "1", "--effort", "1", "--jobs", "1")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return graphs.write(tmp_path_factory.mktemp("linking") / "graph", graphs.parts(graphs.triples(30)))


@pytest.fixture(scope="module")
def finished(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("linking") / "out"
    return folder, invoke("links", data, "-o", folder, *OPTIONS)


def test_tables_are_shown_and_kept(finished):
    folder, outcome = finished
    assert "hits@10" in outcome.stdout
    assert "MRR of each relation" in outcome.stdout
    assert outcome.stdout.strip() == (folder / "results.txt").read_text().strip()


def test_json_is_the_summary_and_is_told(finished, data):
    folder, _ = finished
    found = as_json("links", data, "-o", folder, *OPTIONS)
    assert found == json.loads((folder / "summary.json").read_text())
    told = set(re.findall(r"[\w@]+", section("reference/json.md", "## `links --json`")))
    assert found.keys() <= told
    assert set().union(*found["rows"], *(row["mean"] for row in found["rows"])) <= told
    assert found["configuration"].keys() == LinkConfiguration.__dataclass_fields__.keys()


def test_packed_files_give_the_same(finished, data, tmp_path):
    folder, _ = finished
    (tmp_path / "graph").mkdir()
    for path in data.glob("*.txt"):
        (tmp_path / "graph" / f"{path.stem}.tsv.gz").write_bytes(gzip.compress(path.read_bytes()))
    found = as_json("links", tmp_path / "graph", "-o", tmp_path / "out", *OPTIONS)
    expected = json.loads((folder / "summary.json").read_text())
    assert found["rows"] == expected["rows"]


def without_valid(folder):
    (folder / "valid.txt").unlink()


def empty_test(folder):
    (folder / "test.txt").write_text("")


def stranger(folder):
    with (folder / "test.txt").open("a") as file:
        file.write("somebody_new\tadvisedby\tnobody\n")


def strange_relation(folder):
    with (folder / "valid.txt").open("a") as file:
        head, _, tail = (folder / "train.txt").read_text().splitlines()[0].split("\t")
        file.write(f"{head}\tadmires\t{tail}\n")


def twice(folder):
    (folder / "train.tsv").write_bytes((folder / "train.txt").read_bytes())


def two_fields(folder):
    with (folder / "valid.txt").open("a") as file:
        file.write("a\tb\n")


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (without_valid, "there is no file of valid facts in this folder"),
        (empty_test, r"test\.txt: .*no facts"),
        (stranger, r"test\.txt:\d+:1: no training fact mentions the entity somebody_new"),
        (strange_relation, r"valid\.txt:\d+:\d+: no training fact mentions the relation admires"),
        (twice, "there are several files of train facts"),
        (two_fields, r"valid\.txt:\d+:\d+: this row has 2 fields instead of 3"),
    ],
)
def test_damaged_data_are_explained(data, tmp_path, damage, message):
    folder = tmp_path / "graph"
    folder.mkdir()
    for path in data.glob("*.txt"):
        (folder / path.name).write_bytes(path.read_bytes())
    damage(folder)
    outcome = invoke("links", folder, "-o", tmp_path / "out", *OPTIONS, code=2)
    assert re.search(message, outcome.output), outcome.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("nowhere", "there is no such file or folder"),
        ("train.txt", "pass the folder that contains train, valid"),
    ],
)
def test_a_wrong_folder_is_explained(data, tmp_path, place, message):
    outcome = invoke("links", data / place, "-o", tmp_path / "out", *OPTIONS, code=2)
    assert message in outcome.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--grid", "2y2"), "2x3"),
        (("--sigmas", "-1"), "at least 1e-09"),
        (("--body-literals", "0"), "least 1"),
    ],
)
def test_wrong_options_are_explained(data, tmp_path, options, message):
    outcome = invoke("links", data, "-o", tmp_path / "out", *options, code=2)
    assert message in outcome.output.replace("\n", " ")
    assert not (tmp_path / "out").exists()
