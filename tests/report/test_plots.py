"""Static plots: which there are, in which formats, and that equal ones are equal files."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest

from logicoder import AutoEncoder, InputError, KnowledgeBase, UsageError, rate_distortion
from logicoder.learner.bottleneck_curve import Curve
from logicoder.report.content import Content
from logicoder.report.plots import PLOTS, save_plots

pytest.importorskip("matplotlib", reason="plots need matplotlib")
STARTS = {"svg": b"<", "png": b"\x89PNG", "pdf": b"%PDF"}


@pytest.fixture(scope="module")
def fitted(family):
    return AutoEncoder(encoder_length=1, compression=2).fit(family)


@pytest.fixture(scope="module")
def curve(family):
    return rate_distortion(family, ["0.1", "0.5", "1"], encoder_length=1, reconstruct_all=False)


@pytest.mark.parametrize("suffix", STARTS)
def test_all_plots_in_all_formats(fitted, family, curve, suffix, tmp_path):
    made = save_plots(tmp_path, suffix, [fitted], content=Content.of(fitted, family), curve=curve)
    assert sorted(path.name for path in made) == sorted(f"{name}.{suffix}" for name in PLOTS)
    for path in made:
        assert path.read_bytes().startswith(STARTS[suffix])
        if suffix == "svg":
            root = ElementTree.parse(path).getroot()  # noqa: S314  (our own file)
            assert root.tag == "{http://www.w3.org/2000/svg}svg"


def test_equal_plots_are_equal_files(fitted, family, tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        save_plots(tmp_path / folder, "svg", [fitted], content=Content.of(fitted, family))
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_texts_of_a_picture(model, family, tmp_path):
    made = save_plots(tmp_path, "svg", [model], content=Content.of(model, family))
    assert {path.stem for path in made} == {"architecture", "predicates"}  # nobody searched for this model
    text = (tmp_path / "architecture.svg").read_text(encoding="utf-8")
    for label in ("mother(X,Y) ; father(X,Y)", "parent(X,Y), female(X)", "latent predicates"):
        assert f">{label}<" in text
    assert re.search(r">mother<", (tmp_path / "predicates.svg").read_text(encoding="utf-8"))


def test_names_are_no_formulas(tmp_path):
    kb = KnowledgeBase.from_facts([("$a_b$", "x"), ("<i>", "x")])
    model = AutoEncoder.from_programs("l(X) :- '$a_b$'(X).", "'$a_b$'(X) :- l(X).")
    save_plots(tmp_path, "svg", [model], content=Content.of(model, kb))
    assert "$a_b$" in (tmp_path / "predicates.svg").read_text(encoding="utf-8")
    assert "'$a_b$'" in (tmp_path / "architecture.svg").read_text(encoding="utf-8")


def test_a_plot_that_there_is_not(fitted, tmp_path):
    with pytest.raises(UsageError, match="there is no plot 'pie'; choose from: architecture"):
        save_plots(tmp_path, "svg", [fitted], wanted=["pie"])


def test_a_curve_is_read_again(curve, tmp_path):
    (tmp_path / "curve.json").write_text(json.dumps(curve.as_dict()), encoding="utf-8")
    assert Curve.load(tmp_path) == curve
    assert Curve.load(tmp_path / "curve.json").text() == curve.text()


@pytest.mark.parametrize("text", ["{", "[]", '{"points": [{}]}', "3"])
def test_a_curve_that_is_none(text, tmp_path):
    (tmp_path / "curve.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="this curve is damaged"):
        Curve.load(tmp_path / "curve.json")
