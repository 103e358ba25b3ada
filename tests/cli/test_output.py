"""What goes where: colours, widths, progress, warnings."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from select import select

import pytest
from tests.waiting import PATIENCE

from logicoder import AutoEncoder, Program
from logicoder.cli import output
from logicoder.cli.output import print_table

from .helpers import FAMILY, FIT_FAMILY, command_line, environment, invoke, spawn

ESCAPE = "\x1b["


def on_terminal(*arguments, **changes):
    """Run a command on a terminal, and return what it shows."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        command_line(*arguments), stdin=slave, stdout=slave, stderr=slave, env=environment(**changes)
    )
    os.close(slave)
    shown = b""
    while select([master], [], [], PATIENCE)[0]:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    else:
        process.kill()
    os.close(master)
    assert process.wait(PATIENCE) == 0, shown
    return shown.decode()


def test_pipes_get_no_colours_and_no_progress(family):
    outcome = spawn("fit", family, *FIT_FAMILY)
    assert ESCAPE not in outcome.stdout
    assert outcome.stderr == ""


def test_json_is_alone_on_standard_output(family):
    outcome = spawn("fit", family, *FIT_FAMILY, "--json", "-v")
    assert json.loads(outcome.stdout)["loss"] == 0
    assert "solve:" in outcome.stderr


def test_terminals_get_progress_and_colours(family):
    shown = on_terminal("fit", family, *FIT_FAMILY, COLUMNS="120")
    assert ESCAPE in shown
    for part in ("Reading", "Encoders", "Decoders", "Building the problem", "Selecting", "loss 0"):
        assert part in shown


def test_no_colour_where_none_is_wanted(family):
    shown = on_terminal("fit", family, *FIT_FAMILY, NO_COLOR="1")
    styles = {int(code) for codes in re.findall(r"\x1b\[([\d;]+)m", shown) for code in codes.split(";")}
    assert not styles & {*range(30, 50), *range(90, 110)}


def test_quiet_means_no_progress(family):
    assert "Selecting" not in on_terminal("fit", family, *FIT_FAMILY, "-q")
    assert "Selecting" not in on_terminal("-q", "fit", family, *FIT_FAMILY)


def test_numbers_and_words_stay_whole_on_a_narrow_terminal(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    names = ("compression", "latent facts", "latents", "loss", "minimised", "bound", "bits", "status")
    print_table(
        names,
        [
            (0.1, None, None, None, None, None, None, "infeasible"),
            (0.3, 83, 4, 50, 50, 50, 1134.25, "optimal"),
        ],
    )
    lines = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in capsys.readouterr().out.splitlines()]
    assert max(map(len, lines)) <= 60
    assert lines[-2].split() == ["0.1", *"------", "infeasible"]
    assert lines[-1].split() == ["0.3", "83", "4", "50", "50", "50", "1,134.2", "optimal"]


def test_names_of_predicates_cannot_command_a_terminal(tmp_path):
    (tmp_path / "data.pl").write_text("'\x1b[2Jp'(a). 'Q q'(a).")
    shown = spawn("fit", tmp_path / "data.pl", "--compression", 1).stdout
    assert ESCAPE not in shown
    assert any(line.startswith(" 'Q q' ") for line in shown.splitlines())


@pytest.mark.parametrize("columns", ["40", "200"])
def test_long_lines_are_not_cut_on_a_pipe(columns, tmp_path):
    name = "a_predicate_with_quite_a_long_name_that_would_not_fit_into_a_line_of_eighty_columns_at_all"
    (tmp_path / "data.pl").write_text(f"{name}(x,y). {name}(y,z).")
    outcome = spawn("fit", tmp_path / "data.pl", "--compression", 1, env=environment(COLUMNS=columns))
    lines = outcome.stdout.splitlines()
    assert any(line.startswith(f" {name} ") for line in lines)
    assert any(line.startswith(f"{name}(X,Y) :- ") for line in lines)


def plain(shown):
    """Return what a terminal shows without its styles."""
    return re.sub(r"\x1b\[[\d;]*m", "", shown).replace("\r\n", "\n")


def test_programs_are_broken_between_literals_on_a_narrow_terminal(model):
    shown = plain(on_terminal("show", model, COLUMNS="24"))
    loaded = AutoEncoder.load(model)
    for program, heading in ((loaded.encoder_, "Encoder\n"), (loaded.decoder_, "Decoder\n")):
        printed = shown.partition(heading)[2].partition("\n\n")[0]
        assert Program.parse(printed) == program
        long = [line for line in printed.split("\n") if len(line) > 24 and not line.startswith("%")]
        assert all(line.startswith("    ") or line.endswith(" :-") for line in long)  # a single literal
    assert " :-\n    " in shown


def test_programs_stay_on_one_line_on_a_pipe(model):
    shown = spawn("show", model, env=environment(COLUMNS="24")).stdout
    loaded = AutoEncoder.load(model)
    for clause in (*loaded.encoder_, *loaded.decoder_):
        assert f"\n{clause}\n" in shown


def test_latents_are_coloured_on_a_terminal_only(model):
    latent = AutoEncoder.load(model).encoder_.defined()[0]
    assert f"\x1b[36m{latent}\x1b[0m(" in on_terminal("show", model, COLUMNS="200")
    assert "\x1b[36m" not in on_terminal("show", model, COLUMNS="200", NO_COLOR="1")
    assert ESCAPE not in spawn("show", model).stdout


def test_numbers_of_a_column_line_up(family):
    out = spawn("curve", family, "--encoder-length", 1, "--compressions", "0.5,0.75,1").stdout
    table = out.partition("compression  ")[2]
    points = {line.index(".") for line in table.splitlines() if re.match(r" +[01]\.\d\d ", line)}
    assert len(points) == 1
    assert re.search(r"^ +1\.00 +\d+ ", table, re.MULTILINE)
    assert re.search(r"^ +0\.50 +- ", table, re.MULTILINE)  # no value, in a column of numbers


def test_verbosity_before_and_after_the_name(family):
    assert "encoders:" in invoke("-v", "fit", family, *FIT_FAMILY).stderr
    assert "encoders:" in invoke("fit", family, *FIT_FAMILY, "--verbose").stderr
    assert not invoke("fit", family, *FIT_FAMILY).stderr


def test_names_are_never_taken_for_markup(tmp_path):
    (tmp_path / "data.pl").write_text("'[bold]'('[/red]'). '[bold]'('ä').")
    assert " [bold]" in invoke("inspect", tmp_path / "data.pl").stdout
    assert "'[bold]'(X)" in invoke("fit", tmp_path / "data.pl", "--compression", 1).stdout


def test_letters_stay_letters_in_json(tmp_path):
    (tmp_path / "data.pl").write_text("'größe'('Zürich').", encoding="utf-8")
    assert '"größe"' in invoke("inspect", tmp_path / "data.pl", "--json").stdout


def test_pipes_get_utf8_whatever_the_locale(tmp_path):
    (tmp_path / "data.pl").write_text("'größe'('Zürich').", encoding="utf-8")
    changes = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    raw = subprocess.run(
        command_line("inspect", tmp_path / "data.pl"),
        check=True,
        timeout=PATIENCE,
        capture_output=True,
        env=environment(**changes),
    )
    assert "größe" in raw.stdout.decode("utf-8")


def test_of_many_rows_some_are_shown(capsys, monkeypatch):
    monkeypatch.setattr(output, "MOST_ROWS", 3)
    rows = [(f"row{i}", i) for i in range(5)]
    output.print_table(("name", "number"), rows, "--json lists all")
    shown = capsys.readouterr().out
    assert "row2" in shown
    assert "row3" not in shown
    assert shown.endswith("... and 2 more; --json lists all\n")
    output.print_table(("name", "number"), rows)
    assert "row4" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["facts", "tables", "folder", "database"])
def test_an_output_does_not_replace_the_data(kind, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    if kind == "database":
        file = given = data / "shop.sqlite"
        invoke("generate", "shop", "--output", file)
    else:
        file = data / ("people.csv" if kind == "tables" else "family.pl")
        file.write_text("id,town\n1,ulm\n2,bern\n" if kind == "tables" else FAMILY)
        given = data if kind == "folder" else file
    before = file.read_bytes()
    fitted = invoke("fit", given, "--effort", 0.1, "--output", tmp_path / "m", "--report", file, code=1)
    assert "this is the data" in fitted.stderr
    assert "Saved" in fitted.stdout
    for command in ("encode", "report"):
        if command == "report" or kind in ("facts", "folder"):  # others have no such output
            refused = invoke(command, tmp_path / "m", given, "--output", file, code=1)
            assert "this is the data" in refused.stderr
    assert file.read_bytes() == before
