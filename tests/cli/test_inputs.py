"""What a model remembers of its data: files like those it was learned from need no option."""

from __future__ import annotations

import json

import pytest

from logicoder.autoencoder import load_model
from logicoder.cli.inputs import DataOptions

from .helpers import as_json, invoke

PARENTS = [("padme", "luke"), ("padme", "leia"), ("vader", "luke"), ("vader", "leia"), ("leia", "ben")]


@pytest.fixture(scope="module")
def kg(tmp_path_factory):
    """A folder with triples and a model of them."""
    folder = tmp_path_factory.mktemp("kg")
    lines = [
        f"{a}\t{r}\t{b}" for x, y in PARENTS for a, r, b in ((x, "parent", y), (y, "child", x), (x, "kin", y))
    ]
    (folder / "kg.tsv").write_text("\n".join(lines) + "\n")
    invoke("fit", folder / "kg.tsv", "--format", "triples", "-o", folder / "model")
    return folder


def test_the_format_is_remembered(kg):
    for command in ("insights", "suggest", "reconstruct"):
        told = as_json(command, kg / "model", kg / "kg.tsv")
        assert told == as_json(command, kg / "model", kg / "kg.tsv", "--format", "triples"), command
    assert load_model(kg / "model").stack()[0].format == "triples"
    assert str(kg) not in (kg / "model" / "model.alp").read_text()


def test_the_format_is_remembered_by_stacks(kg, tmp_path):
    data = kg / "kg.tsv"
    invoke("fit", data, "--format", "triples", "--layers", "2", "--compression", "2", "-o", tmp_path)
    told = as_json("reconstruct", tmp_path, data)
    assert told == as_json("reconstruct", tmp_path, data, "--format", "triples")


def test_other_files_and_options_have_their_own_format(kg, tmp_path):
    model, triples = kg / "model", [line.split("\t") for line in (kg / "kg.tsv").read_text().splitlines()]
    known = as_json("reconstruct", model, kg / "kg.tsv")
    (tmp_path / "kg.pl").write_text("".join(f"{r}({a},{b}).\n" for a, r, b in triples))
    assert as_json("reconstruct", model, tmp_path / "kg.pl") == known
    facts = [{"predicate": r, "arguments": [a, b]} for a, r, b in triples]
    (tmp_path / "kg.jsonl").write_text("\n".join(map(json.dumps, facts)))
    assert as_json("reconstruct", model, tmp_path / "kg.jsonl") == known
    outcome = invoke("reconstruct", model, kg / "kg.tsv", "--format", "tables", code=2)
    assert "the model knows none of the predicates of this data: kg" in outcome.stderr


@pytest.mark.parametrize(
    ("paths", "name"),
    [
        (["pets.pl"], "pets"),
        (["umls/train.txt"], "umls/train"),
        (["umls/train.txt", "umls/valid.txt"], "umls"),
        (["a/x.pl", "b/x.pl"], ""),
    ],
)
def test_data_is_called_what_it_is(tmp_path, paths, name):
    assert DataOptions([tmp_path / path for path in paths]).name == name
