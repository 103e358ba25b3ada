"""Saved models: readable, versioned, never executed."""

import hashlib
import json
import re

import pytest

from logicoder import AutoEncoder, InputError, KnowledgeBase, StackedAutoEncoder
from logicoder.autoencoder import load_model
from logicoder.autoencoder.model_file import is_stack
from logicoder.autoencoder.run_record import read_run_record
from logicoder.base.errors import OutputError
from logicoder.datasets import star_wars_figure


@pytest.fixture
def saved(tmp_path):
    model = AutoEncoder(compression="1.5", seed=4).fit(star_wars_figure())
    model.save(tmp_path / "model.alp")
    return model, tmp_path / "model.alp"


def test_a_model_comes_back_as_it_was(saved):
    model, path = saved
    again = AutoEncoder.load(path)
    assert (again.encoder_, again.decoder_, again.history_) == (
        model.encoder_,
        model.decoder_,
        model.history_,
    )
    assert again.get_params() == model.get_params()
    for name in (
        "loss_",
        "bound_",
        "gap_",
        "status_",
        "bound_scope_",
        "statistics_",
        "latent_facts_",
        "size_",
    ):
        assert getattr(again, name) == getattr(model, name)
    assert AutoEncoder.load(path.parent).encoder_ == model.encoder_
    assert again.reconstruct(star_wars_figure()).loss == model.loss_


def test_the_file_is_text_that_prolog_can_read(saved):
    model, path = saved
    lines = [line for line in path.read_text().splitlines() if not line.startswith("%")]
    assert lines == [*map(str, model.encoder_), *map(str, model.decoder_)]


def test_the_record_beside_it_says_where_it_comes_from(saved, tmp_path):
    model, path = saved
    data = tmp_path / "data.pl"
    data.write_text("p(a).\n")
    model.save(tmp_path / "other.alp", inputs=[data], command=["logicoder", "fit", "data.pl"])
    record = json.loads((tmp_path / "other.run.json").read_text())
    assert record["seed"] == 4
    assert record["parameters"]["compression"] == "1.5"
    assert set(record["versions"]) == {"python", "logicoder", "numpy", "scipy", "ortools"}
    assert record["inputs"] == [{"path": str(data), "sha256": hashlib.sha256(b"p(a).\n").hexdigest()}]
    assert record["command"] == ["logicoder", "fit", "data.pl"]
    assert (path.parent / "run.json").exists()


@pytest.mark.parametrize("text", [None, "", "[1, 2]", "{", b"\xff"])
def test_a_record_that_cannot_be_read_is_empty(text, tmp_path):
    """A model without its record, or with a damaged one, is still a model."""
    if text is not None:
        (tmp_path / "run.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    assert read_run_record(tmp_path / "model.alp") == {}


def test_odd_constants_survive(tmp_path):
    kb = KnowledgeBase.from_facts([("likes", "it's", 'a "b"\n%% end'), ("ok", "it's")])
    alp = AutoEncoder.from_programs("l(X) :- likes(X,'a \"b\"\\n%% end').", "ok(X) :- l(X).")
    alp.save(tmp_path / "m.alp")
    assert AutoEncoder.load(tmp_path / "m.alp").transform(kb) == alp.transform(kb)


def test_the_header_is_sorted_so_that_files_can_be_compared(saved):
    lines = saved[1].read_text().splitlines()
    header = "\n".join(line[1:] for line in lines[1 : lines.index("% }") + 1])
    found = json.loads(header, object_pairs_hook=lambda pairs: [name for name, _ in pairs])
    names = [
        "bases",
        "decoder_clauses",
        "encoder_clauses",
        "format",
        "history",
        "kept",
        "mapping",
        "parameters",
        "plan",
        "results",
    ]
    assert found == sorted(found) == [*names, "schema"]


def test_comments_of_people_are_no_headings(saved):
    """Only lines that start with two marks and a blank divide the file."""
    model, path = saved
    damage(path, "%% decoder\n", "%  end\n%% decoder\n%  decoder\n%%%end\n")
    assert AutoEncoder.load(path).programs() == model.programs()


def test_what_is_no_file_is_no_stack(saved, tmp_path):
    assert is_stack(saved[1]) is False
    assert is_stack(tmp_path / "nowhere.alp") is False


MACHINE = {"jobs": 3, "max_memory": "3GiB", "time_limit": 300.0}


def test_a_model_says_nothing_of_the_machine_but_its_record_does(tmp_path):
    AutoEncoder(1, 1, 2, checkpoint=tmp_path / "state", **MACHINE).fit(star_wars_figure()).save(tmp_path)
    text = (tmp_path / "model.alp").read_text()
    assert '"seed"' in text
    for name in (*MACHINE, "checkpoint", "resume"):
        assert f'"{name}"' not in text
    record = json.loads((tmp_path / "run.json").read_text())
    assert MACHINE.items() <= record["parameters"].items()
    assert "checkpoint" not in record["parameters"]


@pytest.mark.parametrize("kind", [AutoEncoder, StackedAutoEncoder])
def test_a_file_cannot_say_where_to_write_nor_how_much_to_use(kind, tmp_path):
    """Version 0.1 took any parameter from a file, a folder to write to among them."""
    target = tmp_path / "planted"
    planted = {"checkpoint": str(target), "resume": True, "reporter": "print", **MACHINE}
    kind(encoder_length=1, decoder_length=1, compression=2, seed=4).fit(star_wars_figure()).save(
        tmp_path / "m.alp"
    )
    text = (tmp_path / "m.alp").read_text()
    lines = "".join(f'%  "{name}": {json.dumps(value)},\n' for name, value in planted.items())
    opening = re.compile(r'(^% +"parameters": \{\n)', re.MULTILINE)
    assert len(opening.findall(text)) == (1 if kind is AutoEncoder else 2)
    (tmp_path / "m.alp").write_text(opening.sub(lambda found: found[0] + lines, text))
    loaded = load_model(tmp_path / "m.alp")
    for model in (loaded, *getattr(loaded, "layers_", ())):
        parameters = model.get_params()
        assert parameters["seed"] == 4
        assert not {name for name in planted if parameters.get(name)}
    loaded.fit(star_wars_figure())
    assert not target.exists()


def damage(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("version 2", "version 99", "1:1: this model has version 99; this logicoder reads up to version 2"),
        ("% logicoder model", "% something", "1:1: this is not a logicoder model"),
        ("%% end", "", "the line '%% end' is missing"),
        ("%% decoder", "% decoder", "the line '%% decoder' is missing"),
        ('"parameters"', '"parameters', "the header of this model is damaged"),
        (
            '"parameters"',
            '"perimeters"',
            "the header of this model is damaged: object missing",
        ),
        ('"seed"', '"sead"', "the header of this model is damaged: AutoEncoder has no parameter 'sead'"),
        (":-", ":", "unexpected character"),
    ],
)
def test_damaged_files_are_refused_with_their_place(saved, old, new, complaint):
    _, path = saved
    damage(path, old, new)
    with pytest.raises(InputError) as caught:
        AutoEncoder.load(path)
    assert complaint in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_lost_clause_is_noticed(saved):
    model, path = saved
    damage(path, str(model.encoder_.clauses[0]) + "\n", "")
    with pytest.raises(InputError, match="encoder clauses, but there are"):
        AutoEncoder.load(path)


def test_a_cut_or_binary_file_is_refused(saved, tmp_path):
    _, path = saved
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(InputError):
        AutoEncoder.load(path)
    path.write_bytes(b"\x00\xff\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        AutoEncoder.load(path)
    with pytest.raises(InputError, match="no such file"):
        AutoEncoder.load(tmp_path / "nowhere.alp")


def test_nothing_is_half_written(saved, monkeypatch):
    model, path = saved
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OutputError, match="No space left on device"):
        model.save(path)
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*.part"))
    assert not list(path.parent.glob(".*.part"))
