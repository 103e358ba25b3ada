"""`logicoder report`, `plot` and `fit --report`: what they write and what they refuse."""

from __future__ import annotations

import json
import sys

import pytest

from logicoder import AutoEncoder
from logicoder.base.files import sha256_of

from .helpers import FIT_FAMILY, as_json, invoke, spawn


def test_report(model, family, tmp_path):
    path = tmp_path / "here" / "report.html"
    out = invoke("report", model, family, "-o", path).stdout
    assert out == f"Report: {path}\n"
    html = path.read_text(encoding="utf-8")
    assert html.startswith("<!doctype html>")
    assert "<title>family</title>" in html
    assert sha256_of(family) in html  # from run.json


def test_title_and_curve(model, family, tmp_path):
    invoke("curve", family, "--encoder-length", 1, "--points", 2, "-o", tmp_path / "curve")
    invoke(
        "report", model, family, "-o", tmp_path / "a.html", "--title", "A & B", "--curve", tmp_path / "curve"
    )
    html = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "<title>A &amp; B</title>" in html
    assert "Points of the curve" in html
    invoke("report", model, family, "-o", tmp_path / "b.html")
    assert "Points of the curve" not in (tmp_path / "b.html").read_text(encoding="utf-8")


def test_a_curve_beside_the_model_is_found(family, tmp_path):
    invoke("fit", family, *FIT_FAMILY, "-o", tmp_path)
    invoke("curve", family, "--encoder-length", 1, "--points", 2, "-o", tmp_path)
    invoke("report", tmp_path, family, "-o", tmp_path / "a.html")
    assert "Points of the curve" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_the_report_of_a_fit(family, tmp_path):
    path = tmp_path / "new" / "report.html"
    out = spawn("fit", family, *FIT_FAMILY, "--report", path).stdout
    assert f"Report: {path}" in out
    html = path.read_text(encoding="utf-8")
    assert "<title>family</title>" in html
    assert "logicoder fit" in html
    assert "Loss and bound over time" in html
    assert "output" in as_json("fit", family, *FIT_FAMILY, "--report", path)


def test_a_state_that_is_none_is_refused(model, family, tmp_path):
    invoke("encode", model, family, "--lossless", "-o", tmp_path / "encoded")
    for state in (tmp_path / "none", tmp_path / "encoded"):
        page = tmp_path / "page.html"
        told = invoke("report", model, family, "--state", state, "-o", page, code=2).stderr
        assert f"{state}: there is no history of an encoding" in " ".join(told.split())
        assert not page.exists()


def test_a_folder_that_cannot_be_written_is_told_before_the_work(family, tmp_path):
    (tmp_path / "file").write_text("")
    outcome = invoke("fit", family, *FIT_FAMILY, "--report", tmp_path / "file" / "report.html", code=1)
    assert "file: this is a file, not a folder" in outcome.stderr
    assert outcome.stdout == ""


def test_a_report_that_cannot_be_written(model, family, tmp_path):
    outcome = invoke("report", model, family, "-o", tmp_path, code=1)
    assert "this is a folder, not a file" in outcome.stderr
    outcome = invoke("fit", family, *FIT_FAMILY, "--report", tmp_path, code=1)
    assert "this is a folder, not a file" in outcome.stderr
    assert outcome.stdout == ""  # told before the work


def test_plot(model, family, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures need matplotlib")
    out = invoke("plot", model, family, "-o", tmp_path / "plots", "--format", "png").stdout
    names = ["architecture", "search", "candidates", "phases", "predicates"]
    assert out.split() == [str(tmp_path / "plots" / f"{name}.png") for name in names]
    assert all((tmp_path / "plots" / f"{name}.png").stat().st_size > 1000 for name in names)
    out = invoke("plot", model, "-o", tmp_path / "search", "--what", "search").stdout
    assert out.split() == [str(tmp_path / "search" / "search.svg")]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--what", "architecture"), "architecture needs data"),
        (("--what", "search", "--what", "predicates"), "predicates needs data"),
        (("--what", "curve"), "there is no curve to plot"),
        (("--what", "pie"), "pie"),
        (("--format", "gif"), "gif"),
        (("--curve", "nowhere.json"), "there is no such file"),
    ],
)
def test_plots_that_cannot_be(model, options, said, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures need matplotlib")
    outcome = invoke("plot", model, *options, "-o", tmp_path / "plots", code=2)
    assert said in outcome.stderr
    assert not (tmp_path / "plots").exists()


def test_a_hand_written_model_has_no_search_to_plot(tmp_path):
    pytest.importorskip("matplotlib", reason="pictures need matplotlib")
    AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X).").save(tmp_path / "m.alp")
    assert "no search history" in invoke("plot", tmp_path / "m.alp", "-o", tmp_path / "p", code=2).stderr


def test_plots_without_matplotlib_name_the_extra(model, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    outcome = invoke("plot", model, "-o", tmp_path / "plots", code=2)
    assert "pip install 'matplotlib>=" in outcome.stderr


def test_a_report_needs_no_matplotlib(model, family, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    invoke("report", model, family, "-o", tmp_path / "report.html")
    assert "</html>" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_model_without_its_record_has_a_report(model, family, tmp_path):
    (tmp_path / "model.alp").write_text((model / "model.alp").read_text())
    (tmp_path / "run.json").write_text(json.dumps([1]))
    invoke("report", tmp_path / "model.alp", family, "-o", tmp_path / "report.html")
    html = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "How to reproduce it" not in html
    assert "<title>family</title>" in html
