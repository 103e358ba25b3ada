"""`logicoder fit`: what it prints, writes and passes on."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import subprocess

import pytest
from tests.waiting import PATIENCE, ended

from logicoder import AutoEncoder
from logicoder.datasets import star_wars_figure

from .helpers import FAMILY, FIT_FAMILY, as_json, command_line, invoke, started, wait_for

SECONDS = {"read", "encoders", "decoders", "problem", "solve", "write", "total"}


def test_prints_programs_tables_and_counts(family):
    out = invoke("fit", family, *FIT_FAMILY).stdout
    assert re.search(r"^loss +0 +=? ?0 missing \+ 0 false$", out, re.MULTILINE)
    assert re.search(r"^status +optimal", out, re.MULTILINE)
    assert re.search(r"^ mother +2 +2 +0 +0$", out, re.MULTILINE)
    assert re.search(r"encoders enumerated +\d+", out)
    headings = [
        line for line in out.splitlines() if line in ("Encoder", "Decoder", "Reconstruction", "Candidates")
    ]
    assert headings == ["Encoder", "Decoder", "Reconstruction", "Candidates"]
    assert re.search(r"^mother\(X,Y\) :- .*\.$", out, re.MULTILINE)


def test_without_output_nothing_is_written(family, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    invoke("fit", family, *FIT_FAMILY)
    assert [path.name for path in tmp_path.iterdir()] == ["family.pl"]


def test_json_tells_everything(family, tmp_path):
    found = as_json("fit", family, *FIT_FAMILY, "--output", tmp_path / "model", "--seed", 3)
    assert set(found) >= {
        "loss", "missing", "false", "facts", "bound", "gap", "status", "bound_scope", "latent_predicates",
        "latent_facts", "encoder_clauses", "decoder_clauses", "candidates", "problem", "seconds", "size",
        "size_bound", "stopped", "seed", "objective", "encoder", "decoder", "output",
    }  # fmt: skip
    assert set(found["seconds"]) == SECONDS
    assert found["seconds"]["total"] >= sum(v for k, v in found["seconds"].items() if k != "total") * 0.99
    assert set(found["candidates"]) >= {
        "encoders", "after_naming_variants", "decoders_evaluated", "decoders", "pruned",
    }  # fmt: skip
    assert all(isinstance(number, int) for number in found["candidates"]["pruned"].values())
    assert set(found["problem"]) == {"variables", "atoms", "classes"}
    assert found["loss"] == found["missing"] + found["false"] == 0
    assert (found["facts"], found["status"], found["seed"], found["stopped"]) == (6, "optimal", 3, None)
    assert found["encoder_clauses"] == len(found["encoder"])
    assert found["decoder_clauses"] == len(found["decoder"])
    assert found["output"] == str(tmp_path / "model")
    assert as_json("fit", family, *FIT_FAMILY)["output"] is None


def test_the_saved_model_and_its_record(family, tmp_path):
    rules = tmp_path / "rules.pl"
    rules.write_text("parent(X,Y) :- mother(X,Y) ; father(X,Y).\n")
    config = tmp_path / "fit.toml"
    config.write_text("seed = 5\n")
    folder = tmp_path / "deep" / "model"
    found = as_json("fit", family, *FIT_FAMILY, "--background", rules, "--config", config, "--output", folder)
    model = AutoEncoder.load(folder)
    assert list(map(str, model.decoder_)) == found["decoder"]
    assert model.background.defined() == ("parent",)
    record = json.loads((folder / "run.json").read_text())
    assert record["command"][0] == "logicoder"
    assert record["seed"] == 5
    sums = {item["path"]: item["sha256"] for item in record["inputs"]}
    assert set(sums) == {str(family), str(rules), str(config)}
    assert sums[str(family)] == hashlib.sha256(family.read_bytes()).hexdigest()
    assert sorted(path.name for path in folder.iterdir()) == ["model.alp", "run.json"]


def test_options_reach_the_estimator(family, tmp_path):
    invoke(
        "fit", family, "--output", tmp_path / "model", "--encoder-length", 1, "--decoder-length", 1,
        "--compression", "1.50", "--max-corruption", "none", "--max-decoders", "none", "--max-tuples", 1000,
        "--max-bodies", 9, "--no-generality", "--no-reconstruct-all", "--no-naming-variants",
        "--no-signature-variants", "--keep-extensions", "--max-latent-arity", 2, "--objective", "loss",
        "--solver", "exact", "--alpha", 0.25, "--beta", 0.75, "--effort", 9, "--time-limit", 99,
        "--jobs", 1, "--seed", 4, "--bottleneck", "total=2", "--bottleneck", "latents=9",
        "--weight", "mother=2", "--limit", "mother:loss=0", "--limit", "man:clauses=1",
        "--require", "mother/2", "--forbid", ":- mother(X,X).",
    )  # fmt: skip
    parameters = AutoEncoder.load(tmp_path / "model").get_params()
    run = json.loads((tmp_path / "model" / "run.json").read_text())["parameters"]
    parameters |= {name: run[name] for name in ("jobs", "time_limit")}  # they belong to the run alone
    expected = {
        "encoder_length": 1, "decoder_length": 1, "compression": "1.50", "max_corruption": None,
        "max_decoders": None, "max_tuples": 1000, "max_bodies": 9, "generality": False,
        "reconstruct_all": False, "naming_variants": False, "signature_variants": False,
        "drop_extensions": False, "max_latent_arity": 2, "objective": "loss", "solver": "exact",
        "alpha": 0.25, "beta": 0.75, "effort": 9.0, "time_limit": 99.0, "jobs": 1, "seed": 4,
        "bottlenecks": ("total=2", "latents=9"), "weights": ("mother=2",),
        "limits": ("mother:loss=0", "man:clauses=1"), "require": ("mother/2",),
        "forbid": (":- mother(X,X).",),
    }  # fmt: skip
    assert {name: parameters[name] for name in expected} == expected


def test_a_preset_gives_way_to_options(family):
    assert as_json("fit", family, *FIT_FAMILY, "--preset", "paper")["objective"] == "loss"
    preferred = as_json("fit", family, *FIT_FAMILY, "--preset", "paper", "--objective", "lexicographic")
    assert preferred["objective"] == "lexicographic"


def test_predicates_that_no_clause_rebuilds_are_named(tmp_path):
    data = tmp_path / "data.pl"
    data.write_text("p(a,b). p(b,c). p(c,a). q(a,a). r(a). r(b).")
    # Latent predicates of one argument cannot give back a relation such as p.
    outcome = invoke("fit", data, "--max-latent-arity", 1, "--compression", 2, "--json")
    assert json.loads(outcome.stdout)["irreparable"] == ["p"]
    assert re.search(r"^warning: no c\w+ rebuilds p\b", outcome.stderr, re.MULTILINE)
    assert not invoke("fit", data, "--max-latent-arity", 1, "--compression", 2, "--json", "-q").stderr


@pytest.mark.parametrize("form", ["alchemy", "tables"])
def test_other_formats(form, tmp_path):
    kb = star_wars_figure()
    kb.save(tmp_path / "data", form)
    found = as_json("fit", tmp_path / "data", "--format", form, "--compression", 1.5)
    assert (found["facts"], found["loss"]) == (9, 0)


def test_interpretations_are_kept_apart_or_joined(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.pl").write_text("p(a). q(a).")
    both = (tmp_path / "one.pl", tmp_path / "two.pl", "--compression", 1)
    assert as_json("fit", *both)["facts"] == 4
    assert as_json("fit", *both, "--interpretations", "one")["facts"] == 2


def test_types_may_be_inferred(tmp_path):
    data = tmp_path / "data.pl"
    data.write_text("p(a). q(b).")
    assert len(as_json("inspect", data, "--types", "infer")["constants"]) == 2
    assert len(as_json("inspect", data)["constants"]) == 1


def test_resume_takes_up_a_checkpoint(family, tmp_path):
    first = as_json("fit", family, *FIT_FAMILY, "--checkpoint", tmp_path / "state")
    again = as_json("fit", family, *FIT_FAMILY, "--checkpoint", tmp_path / "state", "--resume")
    assert again["seconds"]["encoders"] == 0
    assert (again["loss"], again["decoder"]) == (first["loss"], first["decoder"])
    other = invoke("fit", family, "--compression", 2, "--checkpoint", tmp_path / "state", "--resume", code=2)
    assert "other settings" in other.stderr


def test_wishes_may_be_files(family, tmp_path):
    wishes = tmp_path / "wishes.pl"
    wishes.write_text("% parents\nl(X,Y) :- mother(X,Y) ; father(X,Y).\n")
    found = as_json("fit", family, *FIT_FAMILY, "--require", wishes, "--output", tmp_path / "model")
    assert any(" ; " in clause for clause in found["encoder"])
    record = json.loads((tmp_path / "model" / "run.json").read_text())
    assert str(wishes) in [item["path"] for item in record["inputs"]]
    found = as_json("fit", family, *FIT_FAMILY, "--forbid", wishes)
    assert not any("mother(X,Y)" in c and "father(X,Y)" in c and ";" in c for c in found["encoder"])
    assert found["candidates"]["pruned"]["forbidden"] == 1


def test_the_summary_tells_bits_and_what_was_minimised(family):
    out = invoke("fit", family, "--bottleneck", "none", "--objective", "bits", "--encoder-length", 1).stdout
    assert re.search(r"^minimised +[\d.]+ +bits$", out, re.MULTILINE)
    assert re.search(r"^bits +[\d.]+ +[\d.]+ (more|fewer) than the facts themselves$", out, re.MULTILINE)
    assert "minimised" not in invoke("fit", family, *FIT_FAMILY, "--encoder-length", 1).stdout


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--bottleneck", "tight"), "there is no bottleneck 'tight'"),
        (("--weight", "mother"), "PREDICATE=NUMBER"),
        (("--weight", "nobody=2"), "these are: father, man, mother, woman"),
        (("--limit", "mother:size=2"), "an unknown kind"),
        (("--require", "l(X) :- mother(X,Y"), "<require>:1:"),
        (("--forbid", "nobody/1"), "no predicate nobody/1"),
    ],
)
def test_wrong_constraints_are_usage_errors(family, options, said):
    assert said in invoke("fit", family, *FIT_FAMILY, *options, code=2).stderr


def test_an_input_that_vanishes_while_learning_loses_nothing(family, tmp_path):
    """The record holds the sum of what was read."""
    expected = hashlib.sha256(family.read_bytes()).hexdigest()
    process = started("fit", family, *FIT_FAMILY, "--checkpoint", tmp_path / "state", "-o", tmp_path / "out")
    wait_for(tmp_path / "state" / "checkpoint.json", process)
    family.unlink()
    _, err = ended(process)
    assert process.returncode == 0, err
    record = json.loads((tmp_path / "out" / "run.json").read_text())
    assert record["inputs"] == [{"path": str(family), "sha256": expected}]


def test_data_from_a_pipe_have_a_sum(tmp_path):
    process = subprocess.run(
        command_line("fit", "/dev/stdin", "--format", "prolog", *FIT_FAMILY, "-o", tmp_path),
        input=FAMILY.encode(),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    record = json.loads((tmp_path / "run.json").read_text())
    assert [item["sha256"] for item in record["inputs"]] == [hashlib.sha256(FAMILY.encode()).hexdigest()]


def test_a_report_onto_a_device_leaves_it_one(family):
    invoke("fit", family, *FIT_FAMILY, "--report", "/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_what_was_found_comes_first(tmp_path):
    pairs = [(f"e{i}", f"e{(7 * i + 3) % 40}") for i in range(40)]
    facts = tmp_path / "pairs.pl"
    facts.write_text("".join(f"likes({x},{y}). liked({y},{x}).\n" for x, y in pairs))
    first = invoke("fit", facts).stdout.lstrip().splitlines()[0]
    assert first in ("likes is the inverse of liked: 40 of 40.", "liked is the inverse of likes: 40 of 40.")


def test_what_has_no_facts_is_not_rebuilt(tmp_path):
    (tmp_path / "facts.pl").write_text("".join(f"p(a{i},b{7 * i % 11}).\n" for i in range(40)))
    (tmp_path / "schema.txt").write_text("p(x,y)\nq(x,y)\n")
    told = invoke("fit", tmp_path / "facts.pl", "--schema", tmp_path / "schema.txt").stdout
    assert "100.0% of the facts" in told
    assert "Rebuilt" not in told
