"""Numbers on pages are those that were measured: by the scripts that made them, or in the results."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?![\w])")


def numbers(text):
    """Return the numbers of a text, without code, comments and the targets of links."""
    text = re.sub(r"\]\([^)]*\)|<!--.*?-->", "]", _FENCE.sub("", text), flags=re.DOTALL)
    return set(_NUMBER.findall(text))


def test_the_gallery_shows_what_its_script_measured():
    spec = importlib.util.spec_from_file_location("gallery", ROOT / "scripts" / "gallery.py")
    script = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = script  # dataclasses look there
    spec.loader.exec_module(script)
    rows = json.loads(script.NUMBERS.read_text(encoding="utf-8"))
    assert set(rows) == set(script.EXHIBITS)
    text = script.PAGE.read_text(encoding="utf-8")
    assert script.updated(text, rows) == text, "run make gallery"
    for exhibit, name in ((exhibit, name) for name, exhibit in script.EXHIBITS.items()):
        for plot in exhibit.plots:
            assert (script.PICTURES / name / f"{plot}.svg").exists(), name


def test_the_readme_has_no_number_of_its_own():
    """What it says of the family is in its picture, made of a fit; everything else is in the results."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    known = numbers((DOCS / "images" / "family.svg").read_text(encoding="utf-8"))
    known |= numbers(next(DOCS.rglob("results.md")).read_text(encoding="utf-8"))
    known |= {"3.11", "2.0"}  # of Python, and of the licence
    assert numbers(readme) - known == set()


def test_large_numbers_have_separators_and_no_exponents():
    """One style: 26,605.7 and not 2.661e+04 or 26605.7; code, files and years aside."""
    for page in [ROOT / "README.md", *DOCS.rglob("*.md")]:
        prose = re.sub(r"`[^`]*`", "", _FENCE.sub("", page.read_text(encoding="utf-8")))
        prose = re.sub(r"\]\([^)]*\)|https?://\S+|^#.*$", "]", prose, flags=re.MULTILINE)
        odd = re.findall(r"(?<![\w.,/-])(?:\d+(?:\.\d+)?e[+-]?\d+|\d{5,}(?:\.\d+)?)(?![\w-])", prose)
        assert odd == [], page
