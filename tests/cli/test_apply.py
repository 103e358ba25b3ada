"""`logicoder encode`, `decode`, `reconstruct`, `inspect` and `show`."""

from __future__ import annotations

import pytest

from logicoder import AutoEncoder, KnowledgeBase

from .helpers import FAMILY, as_json, invoke

OTHERS = "mother(shmi,anakin). woman(shmi). father(han,ben). man(han).\n"


@pytest.fixture
def two_worlds(tmp_path):
    folder = tmp_path / "worlds"
    folder.mkdir()
    (folder / "skywalker.pl").write_text(FAMILY)
    (folder / "others.pl").write_text(OTHERS)
    return folder


def facts(text):
    return sorted(line for line in text.splitlines() if not line.startswith("%"))


def latent_name(line):
    return str(line).partition("(")[0]


def family_facts():
    return sorted(part + "." for part in FAMILY.replace("\n", " ").split(". ") if part)


def test_encode_and_decode_by_file(model, family, tmp_path):
    invoke("encode", model, family, "--output", tmp_path / "latent.pl")
    out = invoke("decode", model, tmp_path / "latent.pl").stdout
    assert facts(out) == family_facts()


def test_encode_prints_prolog(model, family):
    lines = facts(invoke("encode", model / "model.alp", family).stdout)
    assert lines
    latents = {latent_name(line) for line in AutoEncoder.load(model).encoder_}
    assert {latent_name(line) for line in lines} == latents


def test_constants_may_be_new(model, tmp_path):
    data = tmp_path / "others.pl"
    data.write_text(OTHERS)
    assert as_json("reconstruct", model, data)["loss"] == 0


@pytest.mark.parametrize("form", ["prolog", "alchemy", "tables"])
def test_several_interpretations_make_a_folder(form, model, two_worlds, tmp_path):
    invoke("encode", model, two_worlds, "--output", tmp_path / "latent", "--output-format", form)
    chosen = ("--format", form) if form == "tables" else ()
    invoke("decode", model, tmp_path / "latent", *chosen, "--output", tmp_path / "rebuilt")
    rebuilt = KnowledgeBase.from_path(tmp_path / "rebuilt")
    assert rebuilt == KnowledgeBase.from_path(two_worlds)


def test_several_interpretations_are_printed_one_by_one(model, two_worlds):
    lines = invoke("encode", model, two_worlds).stdout.splitlines()
    assert [line for line in lines if line.startswith("%")] == ["% others", "% skywalker"]


def test_a_schema_beside_the_latent_file_does_not_matter(model, family, tmp_path):
    (tmp_path / "schema.mln").write_text("mother(a,b)\nfather(a,b)\nwoman(a)\nman(a)\n")
    invoke("encode", model, family, "--output", tmp_path / "latent.pl")
    assert facts(invoke("decode", model, tmp_path / "latent.pl").stdout) == family_facts()


@pytest.mark.parametrize(
    ("name", "message"),
    [("x.csv", "--output-format"), ("x.dat", "choose the format to write")],
)
def test_the_format_to_write_must_be_clear(name, message, model, family, tmp_path):
    assert message in invoke("encode", model, family, "--output", tmp_path / name, code=2).stderr
    assert not (tmp_path / name).exists()


def test_printed_facts_are_prolog(model, family):
    assert "--output" in invoke("encode", model, family, "--output-format", "alchemy", code=2).stderr


def test_reconstruct_names_what_is_lost(model, tmp_path):
    data = tmp_path / "data.pl"
    # A mother who is no woman does not come back as such.
    data.write_text(FAMILY + "mother(shmi,anakin). mother(shmi,owen).")
    outcome = as_json("reconstruct", model, data)
    assert outcome["loss"] == outcome["missing"] + outcome["false"] > 0
    assert outcome["facts"] == 8
    assert {p["predicate"] for p in outcome["predicates"]} == {"mother", "father", "woman", "man"}
    assert len(outcome["first_missing"]) == outcome["missing"]
    assert not as_json("reconstruct", model, data, "--show", 0)["first_missing"]
    text = invoke("reconstruct", model, data, "--show", 1).stdout
    for name in ("missing", "false"):
        if outcome[name]:
            heading = f"{name.capitalize()} (first 1 of {outcome[name]})" if outcome[name] > 1 else name
            assert heading.lower() in text.lower()
            assert outcome[f"first_{name}"][0] in text


def test_predicates_that_the_model_does_not_know(model, tmp_path):
    data = tmp_path / "data.pl"
    data.write_text("mother(a,b). dog(rex).")
    outcome = invoke("encode", model, data)
    assert facts(outcome.stdout) == facts(invoke("encode", model, only_known(tmp_path)).stdout)
    assert "which are left out: dog\n" in outcome.stderr
    assert as_json("reconstruct", model, data)["facts"] == 1


def only_known(folder):
    path = folder / "known.pl"
    path.write_text("mother(a,b).")
    return path


def test_data_of_which_the_model_knows_nothing_is_refused(model, tmp_path):
    data = tmp_path / "data.pl"
    data.write_text("dog(rex).")
    message = invoke("encode", model, data, code=2).stderr
    assert "the model knows none of the predicates of this data: dog" in message
    assert "mother" in message


def test_inspect(two_worlds, tmp_path):
    found = as_json("inspect", two_worlds)
    assert found["facts"] == 10
    assert found["interpretations"] == {"others": 4, "skywalker": 6}
    (tmp_path / "odd.pl").write_text("rich(anna). rich('Anna'). \\+ rich(bob). poor(carl).")
    text = invoke("inspect", tmp_path / "odd.pl").stdout
    for part in ("Predicates", "negatives", "Constants", "Interpretations", "Oddities", "Anna/anna"):
        assert part in text


def test_show(model):
    text = invoke("show", model).stdout
    assert "compression" in text
    assert "1.5" in text
    assert "Encoder\n" in text
    found = as_json("show", model)
    assert found["parameters"]["compression"] == "1.5"
    assert found["results"]["loss"] == 0
    assert found["schema"]
    assert found["encoder"]
    assert found["decoder"]


def test_show_knows_programs_written_by_hand(tmp_path):
    made = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X).")
    made.save(tmp_path / "hand.alp")
    assert "l(X) :- p(X)." in invoke("show", tmp_path / "hand.alp").stdout
    (tmp_path / "p.pl").write_text("p(a).")
    assert invoke("encode", tmp_path / "hand.alp", tmp_path / "p.pl").stdout == "l(a).\n"
