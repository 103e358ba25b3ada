"""Numbers on pages are those that were measured: by the scripts that made them, or in the results."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
RESULTS = DOCS / "explanation" / "results"
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_PLACE = re.compile(r"<!-- (?:results: |campaign).*?<!-- end -->", re.DOTALL)
_MEASURED = re.compile(r"(?<![\w.,/-])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+)(?![\w,.]*\w)")
_QUANTITY = re.compile(r"(?<![\w.,/-])(\d+)(?=-fold|\s(?:[MG]iB|MB|seconds|minutes|hours)\b)")
_SET = {".01", ".3", "0.3", "0.5", "0.7", "0.8", ".5", ".7", "1.5", "0.1", "0.2.0", "3.11", "200,000"}
"""Numbers of settings and versions, and of what counts as little."""
_SETTINGS = {
    "choose-settings": {"1,500", "2,000"},
    "commands": {"400,000", "2,000,000"},
    "settings": {"2,000", "6,000", "160"},
    "data-files": {"5,000,000"},
    "markov-logic": {"4,000"},
}
"""Further ones of single pages; the reference of settings is written by a script."""
PAGES = [
    page
    for page in sorted(DOCS.rglob("*.md"))
    if "decisions" not in page.parts and page.stem not in ("gallery", "datasets")
]
"""Decisions tell what was known then, the gallery has a test of its own, and sizes of data are no results."""
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")


def numbers(text):
    """Return the numbers of a text, without code, comments and the targets of links."""
    text = re.sub(r"\]\([^)]*\)|<!--.*?-->", "]", _FENCE.sub("", text), flags=re.DOTALL)
    return set(_NUMBER.findall(text))


def test_the_gallery_shows_what_its_script_measured():
    gallery = script("gallery")
    rows = json.loads(gallery.NUMBERS.read_text(encoding="utf-8"))
    assert set(rows) == set(gallery.EXHIBITS)
    text = gallery.PAGE.read_text(encoding="utf-8")
    assert gallery.updated(text, rows) == text, "run make gallery"
    for exhibit, name in ((exhibit, name) for name, exhibit in gallery.EXHIBITS.items()):
        for plot in exhibit.plots:
            assert (gallery.PICTURES / name / f"{plot}.svg").exists(), name


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module


def held():
    """Return what the files of results hold."""
    files = [json.loads(path.read_text(encoding="utf-8")) for path in (RESULTS).glob("*.json")]
    return "\n".join(line for file in files for line in file["text"])


def test_tables_are_those_of_the_files_of_results():
    results = script("results")
    places = []
    for page in results.PAGES:
        text = page.read_text(encoding="utf-8")
        assert results.updated(text) == text, f"{page.name}: run python scripts/results.py"
        places += re.findall(r"<!-- results: ([\w-]+) -->", text)
    measured = {path.stem for path in RESULTS.glob("*.json")} - {"single-measurements"}
    assert measured <= set(places) <= set(results.PARTS)
    assert len(places) == len(set(places))
    for part in results.PARTS.values():
        assert (ROOT / part.command.split()[0]).exists()


def test_tables_of_pages_are_taken_into_files(tmp_path, monkeypatch):
    results = script("results")
    monkeypatch.setattr(results, "RESULTS", tmp_path)
    page = "<!-- results: links -->\n| a |\n|---|\n| 1 |\n\n`x y`, version 7; 2 cores.\n<!-- end -->\n"
    results.adopted(page.replace("1", "2"))
    kept = json.loads((tmp_path / "links.json").read_text(encoding="utf-8"))
    assert kept == {
        "command": "x y",
        "version": "7",
        "machine": "2 cores",
        "text": ["| a |", "|---|", "| 2 |"],
    }
    assert results.updated(page) == page.replace("1", "2")
    untouched = page.replace("links", "planted")
    assert results.updated(untouched) == untouched
    results.adopted("<!-- results: links -->\n<!-- end -->\n")  # a place that was moved keeps its table
    assert json.loads((tmp_path / "links.json").read_text(encoding="utf-8")) == kept


BENCHMARK = """
from pathlib import Path
rows = Path("rows")
rows.write_text(rows.read_text() + "x" if rows.exists() else "x")
if len(rows.read_text()) < 2:
    raise SystemExit(1)
print(f"| measured |\\n|---|\\n| {len(rows.read_text())} |")
"""


def test_a_part_continues_where_it_ended_and_is_measured_again_from_nothing(tmp_path, monkeypatch):
    results = script("results")
    (tmp_path / "benchmark.py").write_text(BENCHMARK, encoding="utf-8")
    monkeypatch.setattr(results, "ROWS", tmp_path / "parts")
    monkeypatch.setattr(results, "PARTS", {"one": results.Part(str(tmp_path / "benchmark.py"), 0)})

    def ended():
        with pytest.raises(SystemExit, match="run it again to continue"):
            results.measured("one")

    ended()
    assert results.measured("one")["text"][-1] == "| 2 |"
    ended()  # nothing is left of the run before
    (tmp_path / "parts" / "one" / "version").write_text("0.0.1", encoding="utf-8")
    ended()  # and rows of another version do not count
    assert results.measured("one")["text"][-1] == "| 2 |"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_prose_has_no_measurement_of_its_own(page):
    """Decimals, numbers with separators or units; other small ones are often no measurement.

    What an example of the page prints is run by another test, so the text beside it may repeat it.
    """
    text = page.read_text(encoding="utf-8")
    known = set(_MEASURED.findall(held())) | _SET | _SETTINGS.get(page.stem, set())
    known |= set(re.findall(r"[\d.,]*\d", "\n".join(_FENCE.findall(text))))
    prose = re.sub(r"`[^`]*`|\]\([^)]*\)", "", _FENCE.sub("", _PLACE.sub("", text)))
    assert set(_MEASURED.findall(prose)) - known == set()
    assert set(_QUANTITY.findall(prose)) - known - set(_NUMBER.findall(held())) == set()


def test_what_was_measured_by_hand_is_on_some_page():
    """What no page shows any more would only let invented numbers pass."""
    kept = json.loads((RESULTS / "single-measurements.json").read_text(encoding="utf-8"))["text"]
    shown = set().union(*(_MEASURED.findall(_PLACE.sub("", page.read_text("utf-8"))) for page in PAGES))
    assert [line for line in kept if not shown & set(_MEASURED.findall(line))] == []


def test_a_number_that_was_not_measured_is_noticed():
    invented = "It takes 7,654 bits, .123 of them, in 987 seconds and 986 MiB, a 985-fold gain."
    assert set(_MEASURED.findall(invented)) == {"7,654", ".123"}
    assert set(_QUANTITY.findall(invented)) == {"987", "986", "985"}


def test_the_readme_has_no_number_of_its_own():
    """What it says of the family is in its picture, made of a fit; everything else is in the results."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    known = numbers((DOCS / "images" / "family.svg").read_text(encoding="utf-8"))
    known |= numbers(held())
    known |= {"3.11", "2.0"}  # of Python, and of the licence
    assert numbers(readme) - known == set()


def test_large_numbers_have_separators_and_no_exponents():
    """One style: 26,605.7 and not 2.661e+04 or 26605.7; code, files and years aside."""
    for page in [ROOT / "README.md", *DOCS.rglob("*.md")]:
        prose = re.sub(r"`[^`]*`", "", _FENCE.sub("", page.read_text(encoding="utf-8")))
        prose = re.sub(r"\]\([^)]*\)|https?://\S+|^#.*$", "]", prose, flags=re.MULTILINE)
        odd = re.findall(r"(?<![\w.,/-])(?:\d+(?:\.\d+)?e[+-]?\d+|\d{5,}(?:\.\d+)?)(?![\w-])", prose)
        assert odd == [], page
