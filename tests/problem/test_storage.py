"""Problems on disk: what is saved comes back, and files that are no sound problems are refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.selection.random_problems import REPEATABLE, worlds

from logicoder.autoencoder import AutoEncoder
from logicoder.base.errors import InputError
from logicoder.datasets import star_wars_figure
from logicoder.problem import load_problem, save_problem


@settings(REPEATABLE, max_examples=100)
@given(world=worlds(wishes=True))
def test_random_problems_come_back(tmp_path_factory, world) -> None:
    problem = world.problem()
    for name in ("problem.json", "problem.json.gz"):
        path = tmp_path_factory.mktemp("problems") / name
        save_problem(problem, path)
        assert load_problem(path) == problem
        assert path.read_bytes().startswith(b"\x1f\x8b") == name.endswith(".gz")


@pytest.fixture(scope="module")
def learned():
    return AutoEncoder(1, 2, compression="1").fit(star_wars_figure()).problem_


@pytest.fixture
def saved(learned, tmp_path) -> Path:
    save_problem(learned, tmp_path / "problem.json")
    return tmp_path / "problem.json"


def test_a_learned_problem_comes_back(learned, saved) -> None:
    assert load_problem(saved) == learned
    assert load_problem(str(saved)) == learned


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        load_problem(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_a_missing_file(tmp_path) -> None:
    assert "no such file" in refused(tmp_path / "nothing.json")


@pytest.mark.parametrize("text", ["", "p(a).", '{"format": "logicoder problem", "version": 1', "[1, 2"])
def test_text_that_is_no_json(tmp_path, text) -> None:
    path = tmp_path / "problem.json"
    path.write_text(text)
    assert "this problem file is damaged" in refused(path)


@pytest.mark.parametrize("text", ["3", "null", "[]"])
def test_json_that_is_no_object(tmp_path, text) -> None:
    path = tmp_path / "problem.json"
    path.write_text(text)
    assert "expected `object`" in refused(path)


@pytest.mark.parametrize("text", ["{}", '{"format": "recipe", "version": 1}'])
def test_json_that_is_no_problem(tmp_path, text) -> None:
    path = tmp_path / "problem.json"
    path.write_text(text)
    assert "not a logicoder problem file" in refused(path)


@pytest.mark.parametrize("version", [1, 2, 99])
def test_another_version(saved, version) -> None:
    data = json.loads(saved.read_text()) | {"version": version}
    saved.write_text(json.dumps(data))
    message = refused(saved)
    assert f"version {version}" in message
    assert "update logicoder" in message


@pytest.mark.parametrize("keep", [0.1, 0.5, 0.99])
def test_a_file_cut_short(saved, tmp_path, keep) -> None:
    data = saved.read_bytes()
    saved.write_bytes(data[: int(keep * len(data))])
    refused(saved)
    packed = tmp_path / "problem.json.gz"
    whole = gzip.compress(data)
    packed.write_bytes(whole[: int(keep * len(whole))])
    refused(packed)


@pytest.mark.parametrize("noise", [b"\x00\x01\x02", b"\xff\xfe\x80", b"\x1f\x8bgarbage"])
def test_binary_files(tmp_path, noise) -> None:
    for name in ("problem.json", "problem.json.gz"):
        (tmp_path / name).write_bytes(noise)
        refused(tmp_path / name)


KEYS = (
    "targets",
    "encoders",
    "decoders",
    "families",
    "constraints",
    "demands",
    "weight_unit",
    "plain_bits",
    "encoder_generality",
    "decoder_generality",
    "requirements",
    "irreparable",
    "atoms",
)


@pytest.mark.parametrize("key", KEYS)
def test_a_missing_part(saved, key) -> None:
    load_problem(saved)
    data = json.loads(saved.read_text())
    del data[key]
    saved.write_text(json.dumps(data))
    message = refused(saved)
    assert "damaged" in message
    assert key in message


def damaged(saved: Path, change) -> None:
    load_problem(saved)
    data = json.loads(saved.read_text())
    change(data)
    saved.write_text(json.dumps(data))
    assert "damaged" in refused(saved)


def put(*path_and_value):
    """Return a change that puts a value at a place."""
    *path, last, value = path_and_value

    def change(data) -> None:
        for step in path:
            data = data[step]
        data[last] = value

    return change


WRONG = {
    "facts are words": put("targets", 0, "facts", "many"),
    "encoders are a number": put("encoders", 3),
    "an encoder is a list": put("encoders", 0, []),
    "a weight is nothing": put("encoders", 0, "weight", None),
    "a class has no decoders": put("families", "ordinary", 0, "decoders", None),
    "an edge has three ends": put("encoder_generality", "edges", [[0, 1, 2]]),
    "an edge is a number": put("decoder_generality", "edges", [7]),
    "a requirement is a word": put("requirements", ["father"]),
}
MISFITS = {
    "families are a list": put("families", []),
    "facts are infinite": put("targets", 0, "facts", float("inf")),
    "an encoder's latent is missing": put("decoders", 0, "latents", [999]),
    "a latent has a negative number": put("decoders", 0, "latents", [-1]),
    "latents are a word": put("decoders", 0, "latents", "ab"),
    "a class names a missing decoder": put("families", "ordinary", 0, "decoders", [999_999]),
    "a coefficient is missing": put("constraints", 0, "encoders", [1]),
    "a coefficient is a word": put("constraints", 0, "encoders", 0, "x"),
    "a mistake is rewarded": put("constraints", 0, "missing", [-1] * 5),
    "a weight is zero": put("targets", 0, "weight", 0),
    "a demand names a missing encoder": put("demands", [{"name": "x", "encoders": [999], "decoders": []}]),
    "a class names a missing predicate": put("families", "ordinary", 0, "predicate", 5),
    "a node is missing": put("encoder_generality", "nodes", []),
    "a requirement names a missing decoder": put("requirements", 0, "decoders", [999_999]),
    "the ordinary family is missing": put("families", {}),
    "a clause is a number": put("encoders", 0, "clause", 5),
}


@pytest.mark.parametrize("change", WRONG.values(), ids=WRONG.keys())
def test_parts_of_the_wrong_kind(saved, change) -> None:
    damaged(saved, change)


@pytest.mark.parametrize("change", MISFITS.values(), ids=MISFITS.keys())
def test_parts_that_do_not_fit_together(saved, change) -> None:
    damaged(saved, change)


def test_an_unwritten_file_leaves_the_old_one(saved, learned, monkeypatch) -> None:
    before = saved.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise ValueError("interrupted in the middle")

    monkeypatch.setattr("logicoder.problem.storage.json.dump", fail)
    with pytest.raises(ValueError, match="in the middle"):
        save_problem(learned, saved)
    assert saved.read_bytes() == before
    assert [path.name for path in saved.parent.iterdir()] == [saved.name]
