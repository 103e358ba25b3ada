"""The documentation says what is so: its examples run, its links lead somewhere, its options exist."""

from __future__ import annotations

import ast
import doctest
import importlib.util
import inspect
import json
import pkgutil
import re
import runpy
import tomllib
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

import logicoder
from cli.helpers import COMMAND, as_json
from logicoder import AutoEncoder, StackedAutoEncoder
from logicoder.autoencoder import model_file
from logicoder.datasets import smokers, star_wars_figure
from logicoder.problem import storage

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
GUIDES = [
    "tutorials/first-program.md",
    "howto/markov-logic.md",
    *(f"howto/{name}.md" for name in ("read-data", "describe-data", "use-model", "run", "choose-settings")),
    *(f"howto/{name}.md" for name in ("richer-programs", "features")),
]
"""Pages with sessions."""
REFERENCE = [f"reference/{page.name}" for page in sorted((DOCS / "reference").glob("*.md"))]
GROUPS = (("generate",), ("mln",))
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))

_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]")
_CODE = re.compile(r"`([^`]+)`")


def name(path):
    return str(path.relative_to(ROOT))


def section(page, heading):
    """Return the text between a heading and the next one of the same or a higher level."""
    text = (DOCS / page).read_text(encoding="utf-8")
    level = len(heading) - len(heading.lstrip("#"))
    start = text.index(f"\n{heading}\n") + len(heading) + 2
    following = re.compile(rf"^#{{1,{level}}} ", re.MULTILINE).search(_blanked(text), start)
    return text[start : following.start() if following else len(text)]


def _blanked(text):
    """Return a text of the same length without what stands in fences."""
    return _FENCE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)


def rows(table):
    """Return the cells of the rows of a Markdown table, without its first two lines."""
    lines = [line for line in table.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@cache
def options_by_command():
    """Return the options of every command, by the words of its name."""

    def walk(command, path):
        context = command.context_class(command)
        found[path] = {
            text
            for parameter in command.get_params(context)
            if parameter.param_type_name == "option"
            for text in (*parameter.opts, *parameter.secondary_opts)
        }
        for word, inner in getattr(command, "commands", {}).items():
            walk(inner, (*path, word))

    found = {}
    walk(COMMAND, ())
    return found


# -- examples -----------------------------------------------------------------------------------------


API = [f"reference/api/{page.name}" for page in sorted((DOCS / "reference" / "api").glob("[!i]*.md"))]


@pytest.mark.parametrize("page", [*GUIDES, *API])
def test_examples_of_a_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = doctest.testfile(
        str(DOCS / page),
        module_relative=False,
        optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS,
        encoding="utf-8",
    )
    assert outcome.attempted >= 4
    assert outcome.failed == 0


@pytest.mark.parametrize("script", EXAMPLES, ids=name)
def test_example_script(script, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(script), run_name="__main__")
    shown = capsys.readouterr()
    assert shown.out.strip()
    assert not shown.err
    assert not list(tmp_path.iterdir())


def test_there_are_example_scripts_and_each_says_what_it_does():
    assert {script.stem for script in EXAMPLES} >= {"star_wars", "hand_written", "planted", "smokers"}
    for script in EXAMPLES:
        text = script.read_text(encoding="utf-8")
        assert ast.get_docstring(ast.parse(text)), script
        assert len(text.splitlines()) < 60, script


# -- links --------------------------------------------------------------------------------------------


def anchors(path):
    """Return the anchors that GitHub gives the headings of a page."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", _blanked(path.read_text(encoding="utf-8")), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return found


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page):
    for link in _LINK.findall(_blanked(page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{name(page)} links to {link}"
        assert target.is_relative_to(ROOT), f"{name(page)} links to {link}"
        if anchor:
            assert anchor in anchors(target), f"{name(page)} links to {link}"


# -- options and parameters ---------------------------------------------------------------------------


@pytest.mark.parametrize("page", [DOCS / page for page in (*REFERENCE, *GUIDES)], ids=name)
def test_options_exist(page):
    known = set().union(*options_by_command().values())
    assert set(_OPTION.findall(page.read_text(encoding="utf-8"))) <= known


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_of_a_page_take_the_options_they_are_given(page):
    known = options_by_command()
    fenced = "\n".join(match[0] for match in _FENCE.finditer(page.read_text(encoding="utf-8")))
    for line in re.findall(r"^(?:\$ )?logicoder (.+)$", fenced, re.MULTILINE):
        for command in re.split(r"\| logicoder ", line.partition("  #")[0]):
            words = command.split()
            path = tuple(words[:2]) if tuple(words[:2]) in known else tuple(words[:1])
            if path not in known:
                assert words[0].startswith("--"), line
                path = ()
            assert set(_OPTION.findall(command)) <= known[path] | known[()], line


def test_reference_names_every_option_of_every_command():
    common = section("reference/commands.md", "## Options of every command")
    data = section("reference/commands.md", "## Options for data")
    data_options = {cells[0]: cells[1] for cells in rows(data)}
    for path, options in options_by_command().items():
        text = common
        if path and path not in GROUPS:
            text += section("reference/commands.md", f"## {' '.join(path)}")
            if path in (("fit",), ("curve",)):
                text += section("reference/settings.md", "## Settings")
            text += " ".join(
                option
                for option, commands in data_options.items()
                if path[0] in commands or ("all" in commands and path[0] not in ("show", "demo", "generate"))
            )
        mentioned = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", text))
        assert options - mentioned == set(), path


def test_tables_of_settings_are_up_to_date():
    spec = importlib.util.spec_from_file_location("reference", ROOT / "scripts" / "reference.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    texts = [page.read_text(encoding="utf-8") for page in script.PAGES]
    assert sum(text.count("<!-- settings: ") for text in texts) == 6
    assert list(map(script.updated, texts)) == texts, "run python scripts/reference.py"


def test_the_table_of_settings_is_that_of_the_estimator():
    table = section("reference/settings.md", "## Settings")
    told = dict(re.findall(r"^\| \**`(\w+)`\** \| .* \| `([^`|]+)` \| [^|]+ \|$", table, re.MULTILINE))
    parameters = inspect.signature(StackedAutoEncoder).parameters
    assert {name: ast.literal_eval(text) for name, text in told.items()} == {
        name: parameter.default for name, parameter in parameters.items()
    }


def test_learned_attributes_are_told():
    told = set(_CODE.findall(section("reference/settings.md", "## Learned attributes")))
    kb = star_wars_figure()
    models = AutoEncoder().fit(kb), AutoEncoder(compression=1, max_decoders=200).fit(kb)
    names = {name for model in models for name in dir(model)}
    learned = {name for name in names if name.endswith("_") and not name.startswith("_")}
    assert learned == {attribute for attribute in told if attribute.endswith("_")}


def test_public_names_are_told():
    told = set(re.findall(r"\w+", section("reference/names.md", "## `logicoder`")))
    assert set(dir(logicoder)) - {"__version__"} <= told


@pytest.mark.parametrize(
    ("heading", "package"),
    [
        ("## Other modules", ""),
        ("## `logicoder.mln`", "logicoder.mln"),
        ("## `logicoder.evaluation`", "logicoder.evaluation"),
    ],
)
def test_names_of_modules_exist(heading, package):
    """Further names of a cell may be in the module of the first; `.parse(text)` is a method of it."""
    for cells in rows(section("reference/names.md", heading)):
        home = package
        for name in (code.partition("(")[0] for code in _CODE.findall(cells[0])):
            if name.startswith("."):
                continue
            paths = [f"{place}.{name}".strip(".") for place in (package, home)]
            found = next((path for path in paths if _is_name(path)), None)
            assert found, f"there is no {paths[0]}"
            home = found.rpartition(".")[0]


def _is_name(path):
    try:
        return bool(pkgutil.resolve_name(path))
    except (AttributeError, ImportError):
        return False


# -- architecture -------------------------------------------------------------------------------------


def test_rooms_hold_what_the_architecture_says():
    """Rooms are in the order in which they may know each other, and what is named there is there."""
    text = (DOCS / "explanation" / "architecture.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "logicoder"
    found = [(cells[0].strip("`"), cells[2]) for cells in rows(text)]
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = [part.split(" | ") for part in reversed(contracts["contracts"][0]["layers"])]
    level = {name.removeprefix("logicoder."): number for number, part in enumerate(layers) for name in part}
    rooms = [room for room, _ in found if "." not in room]
    assert sorted(rooms, key=lambda room: level[room]) == rooms
    assert set(rooms) == {path.parent.name for path in package.glob("*/__init__.py")}
    for room, told in found:
        folder = package.joinpath(*room.split("."))
        for word in re.findall(r"`([a-z_]\w*)/?`", told):
            there = [*folder.rglob(f"{word}.py"), *(path for path in folder.rglob(word) if path.is_dir())]
            assert there or word in rooms, f"{room} has no {word}"


def test_modules_that_the_explanation_names_exist():
    package = ROOT / "src" / "logicoder"
    rooms = "|".join(path.parent.name for path in package.glob("*/__init__.py"))
    for page in (DOCS / "explanation").glob("*.md"):
        for module in re.findall(rf"`((?:{rooms})\.[a-z_.]+)`", page.read_text(encoding="utf-8")):
            path = package.joinpath(*module.split("."))
            assert path.is_dir() or path.with_suffix(".py").exists(), f"{page.name} names {module}"


# -- JSON ---------------------------------------------------------------------------------------------


def keys_of(value):
    """Return all keys of nested objects that name fields, not data."""
    if isinstance(value, list):
        return set().union(*map(keys_of, value))
    if not isinstance(value, dict):
        return set()
    named = ("constants", "interpretations", "glosses")
    inner = (keys_of(item) for key, item in value.items() if key not in named)
    return set(value).union(*inner)


def test_json_fields_are_told(tmp_path):
    star_wars_figure().save(tmp_path / "data", "prolog")
    data, model, message = (tmp_path / name for name in ("data", "model", "message"))
    as_json("fit", data, "-o", message)
    outputs = {
        "fit": as_json("fit", data, "--compression", 1, "--max-decoders", 200, "-o", model),
        "reconstruct": as_json("reconstruct", model, data),
        "explain": as_json("explain", model, data, "mother(padme,leia)"),
        "suggest": as_json("suggest", model, data),
        "diff": as_json("diff", model, model, data),
        "insights": as_json("insights", message, data),
        "inspect": as_json("inspect", data),
        "curve": as_json("curve", data, "--points", 2, "--encoder-length", 1),
    }
    for shared in ("candidates", "seconds"):  # told as of fit
        del outputs["curve"][shared]
    for command, output in outputs.items():
        told = set(re.findall(r"\w+", section("reference/json.md", f"## `{command} --json`")))
        assert keys_of(output) <= told, command
    told = set(_CODE.findall(section("reference/json.md", "## `show --json`")))
    assert set(as_json("show", model)) == told

    table = rows(section("reference/json.md", "## `fit --json`"))
    fields = {field for cells in table for field in _CODE.findall(cells[0])}
    nested = ("candidates", "problem")
    expected = {key for key in outputs["fit"] if key not in nested}
    expected |= {f"{outer}.{key}" for outer in nested for key in outputs["fit"][outer]}
    assert fields == expected | set(as_json("fit", data))

    record = json.loads((model / "run.json").read_text(encoding="utf-8"))
    table = rows(section("reference/saved-files.md", "## run.json"))
    assert {field for cells in table for field in _CODE.findall(cells[0])} == set(record)


def test_versions_of_saved_files_are_told():
    page = (DOCS / "reference" / "saved-files.md").read_text(encoding="utf-8")
    told = re.findall(r"% logicoder (\w+), version (\d+)", page)
    versions = {"model": model_file.VERSION, "stack": model_file.VERSION, "exceptions": model_file.VERSION}
    assert {kind: int(number) for kind, number in told} == versions
    assert f"`format` is `logicoder problem`, `version` is {storage.VERSION}." in page


def test_json_fields_of_markov_logic_are_told(tmp_path):
    smokers(20, 3).kb.save(tmp_path / "data", "alchemy")
    network = tmp_path / "n.mln"
    smokers(20, 3).network.save(network)
    data, results = tmp_path / "data", tmp_path / "r.results"
    asked = ("mln", "infer", network, data, "--query", "smokes")
    scores = as_json(*asked, "-o", results), as_json("mln", "score", results, data)
    outputs = {
        "mln learn": as_json("mln", "learn", data, "--max-literals", 2),
        "mln weights": as_json("mln", "weights", network, data),
        "mln infer": [as_json(*asked, "--method", "gibbs"), as_json(*asked, "--map"), scores[0]],
        "mln score": {**scores[1], "predicates": list(scores[1]["predicates"].values())},
    }
    del outputs["mln learn"]["candidates"]  # by stage
    for output in outputs["mln infer"]:
        del output["results"]  # by interpretation
    for command, output in outputs.items():
        told = set(re.findall(r"\w+", section("reference/json.md", f"## `{command} --json`")))
        if command == "mln weights":
            told |= {"clause", "weight", "hard"}  # as of learn
        assert keys_of(output) <= told, command
