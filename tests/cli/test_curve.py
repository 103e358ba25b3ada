"""`logicoder curve`: what it prints and writes."""

from __future__ import annotations

import json
import re
import signal
import sys
import time

import pytest
from tests.waiting import ended, within

from .helpers import as_json, environment, invoke, spawn, started

QUICK = ("--encoder-length", 1, "--compressions", "0.5,0.8, 1")


def test_prints_a_plot_and_a_table(family):
    out = invoke("curve", family, *QUICK).stdout
    assert out.startswith("loss\n")
    assert re.search(r"^ +0\.5 +.*infeasible$", out, re.MULTILINE)
    assert re.search(r"^ +1\.0 +\d+ +\d+ +0 +0 +0 +[\d.]+ +optimal$", out, re.MULTILINE)
    assert "\x1b" not in out


def test_json_and_the_saved_file(family, tmp_path):
    found = as_json("curve", family, *QUICK, "-o", tmp_path / "out")
    assert [point["compression"] for point in found["points"]] == [0.5, 0.8, 1]
    saved = json.loads((tmp_path / "out" / "curve.json").read_text())
    assert saved["points"] == found["points"]
    assert saved["bottlenecks"] == ["total"]
    last = found["points"][-1]
    assert (last["loss"], last["bound"], last["status"]) == (0, 0, "optimal")
    assert all(clause.endswith(".") for clause in last["encoder"] + last["decoder"])


def test_options_of_fit_count(family):
    found = as_json("curve", family, *QUICK, "--bottleneck", "average", "--seed", 3)
    assert found["bottlenecks"] == ["average"]
    weights = ("--weight", "mother=3", "--weight", "father=3", "--no-reconstruct-all")
    (point,) = as_json("curve", family, "--encoder-length", 1, "--compressions", "0.2", *weights)["points"]
    assert point["loss"] < point["minimised"] <= 3 * point["loss"]


def test_points(family):
    found = as_json("curve", family, "--points", 2, "--encoder-length", 1, "--decoder-length", 1)
    assert [point["compression"] for point in found["points"]] == [0.5, 1]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--compressions", "0.5,much"), "much"),
        (("--compressions", "1", "--points", "3"), "exclude each other"),
        (("--points", "0"), "at least 1"),
        (("--bottleneck", "latents=3"), "without a value"),
        (("--plot", "curve.gif"), "*.svg"),
    ],
)
def test_wrong_options(family, options, said):
    outcome = invoke("curve", family, *options, code=2)
    assert said in outcome.stderr


def test_a_plot_without_matplotlib_names_the_extra(family, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    outcome = invoke("curve", family, "--plot", tmp_path / "curve.svg", code=2)
    assert "pip install 'matplotlib>=" in outcome.stderr


def test_a_plot(family, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures need matplotlib")
    invoke("curve", family, *QUICK, "--plot", tmp_path / "curve.svg")
    assert "<svg" in (tmp_path / "curve.svg").read_text()


def test_narrow_terminals(family):
    out = spawn("curve", family, *QUICK, env=environment(COLUMNS="50", NO_COLOR="1")).stdout
    plot = out.split("Points")[0].splitlines()
    assert max(map(len, plot)) <= 58
    assert "\x1b" not in out


def test_an_interrupted_curve_keeps_its_points(tmp_path):
    data = tmp_path / "world"
    invoke("generate", "university", "--people", 40, "--noise", 0.1, "--output", data)
    process = started(
        *("curve", data, "--encoder-length", 2, "--max-decoders", 3000, "--points", 50, "-v", "--json")
    )
    seen = ""
    while "problem:" not in seen:  # the log of the phase before the search
        line = within(process.stderr.readline)
        assert line, ended(process)
        seen += line
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    out, err = ended(process)
    assert process.returncode == 130, err
    if out:
        assert not json.loads(out)["complete"]
        assert "points are finished" in err
    else:
        assert "before any point was finished" in err


def test_data_with_a_header(tmp_path):
    (tmp_path / "mother.csv").write_text("parent,child\npadme,luke\npadme,leia\n")
    (tmp_path / "woman.csv").write_text("person\npadme\n")
    table = ("--format", "tables", "--encoder-length", 1, "--compressions", 1)
    assert as_json("curve", tmp_path, *table, "--header")["facts"] == 3
    assert as_json("curve", tmp_path, *table, "--no-header")["facts"] == 5


def test_a_curve_offers_no_layers(family):
    assert "--layers" not in invoke("curve", "--help-all").stdout
    assert "No such option" in invoke("curve", family, "--layers", 2, code=2).stderr


def test_a_background(family, tmp_path):
    (tmp_path / "b.pl").write_text("noble(padme).")
    found = as_json("curve", family, *QUICK, "--background", tmp_path / "b.pl", "--jobs", 1)
    assert len(found["points"]) == 3
