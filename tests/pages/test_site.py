"""The site: it builds without a warning, needs no network, and is searched and read in a browser."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.browser import barriers
from tests.waiting import PATIENCE
from tests.wanted import wanted_or_skipped

import logicoder

ROOT = Path(__file__).parents[2]
# One build for all: a worker of its own would build the site again.
pytestmark = pytest.mark.xdist_group("site")
KINDS = (
    ("index.html", "light"),
    ("index.html", "dark"),
    ("tutorials/first-program.html", "dark"),
    ("howto/extending.html", "light"),
    ("reference/api/programs.html", "dark"),
    ("explanation/gallery.html", "light"),
    ("explanation/results.html", "dark"),
    ("tutorials/notebooks/shop_database.html", "light"),
)
SCHEMES = {"light": "default", "dark": "slate"}
ROOMS = ("logicoder", "logicoder.datasets", "logicoder.mln", "logicoder.report")
INTERNAL = {
    *("background_predicates", "background_program", "changed_params", "checked", "encoded", "from_stored"),
    *("known_part", "origins", "plain_parameters", "stack", "stored"),
}
"""Methods of models that other rooms call, not users."""


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    if find_spec("mkdocs") is None:
        wanted_or_skipped("no mkdocs: pip install --group docs")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_in_the_list_for_programs_exists(site):
    text = (site / "llms.txt").read_text(encoding="utf-8")
    assert text.startswith("# logicoder\n\n> ")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) == len(set(links)) > 50
    assert [line for line in text.splitlines() if re.search(r"\]\([^)]+\)$", line)] == []  # each is described
    assert [link for link in links if not (site / link).exists()] == []


def test_links_within_the_site_lead_to_pages_and_anchors(site):
    """MkDocs checks links of Markdown; here are those of everything that was made, signatures included."""
    pages = {
        path: path.read_text(encoding="utf-8") for path in site.rglob("*.html") if path.name != "404.html"
    }
    anchors = {path: set(re.findall(r'\bid="?([^"\s>]+)', text)) for path, text in pages.items()}
    broken = []
    for path, text in pages.items():
        for link in re.findall(r'\bhref="([^"]+)"', text):
            if re.match(r"[a-z]+:|//", link):
                continue
            target, _, anchor = link.partition("#")
            there = (path.parent / target.partition("?")[0]).resolve() if target else path
            if not there.exists() or (
                anchor and there in anchors and anchor not in anchors[there] | {"__top"}
            ):
                broken.append((str(path.relative_to(site)), link))
    assert broken == []


def test_code_in_tables_has_no_backslash_before_bars(site):
    page = (site / "reference" / "settings.html").read_text(encoding="utf-8")
    assert "<code>--compression G|none</code>" in page
    assert "\\|" not in re.sub(r"<pre.*?</pre>", "", page, flags=re.DOTALL)


def public_names():
    """Return what is public: by its full name where it is defined, with the name that users write."""
    found = {}
    for room in ROOMS:
        for name in dir(logicoder) if room == "logicoder" else import_module(room).__all__:
            if name != "__version__":
                found[f"{room}.{name}"] = getattr(import_module(room), name)
    for kind in (logicoder.AutoEncoder, logicoder.KnowledgeBase):
        for name, method in inspect.getmembers(kind, callable):
            if not name.startswith("_") and name not in INTERNAL:
                found[f"logicoder.{kind.__name__}.{name}"] = method
    return found


def test_every_public_name_has_its_signature_on_a_page_of_the_api(site):
    shown = set()
    for path in (site / "reference" / "api").glob("*.html"):
        shown |= set(re.findall(r'<h\d id="([\w.]+)"', path.read_text(encoding="utf-8")))
    for full, thing in public_names().items():
        # Where a thing is called like its module, its page gives the name of the module as well.
        assert {full, f"{thing.__module__}.{full.rpartition('.')[2]}"} & shown, full


def test_every_public_name_has_an_example_below_its_signature(site):
    """Of its own docstring, or from the session at the top of its page; the tests run both."""
    without = set()
    for path in (site / "reference" / "api").glob("*.html"):
        parts = re.split(r'<h\d id="(logicoder[\w.]*)"', path.read_text(encoding="utf-8"))
        without |= {
            name for name, part in zip(parts[1::2], parts[2::2], strict=True) if "&gt;&gt;&gt;" not in part
        }
    public = {f"{thing.__module__}.{full.rpartition('.')[2]}": full for full, thing in public_names().items()}
    missing = {public.get(name, name) for name in without} & set(public_names())
    assert missing == {"logicoder.KnowledgeBase.from_spark"}  # docs/howto/engines.md shows it


@pytest.mark.parametrize(("kind", "scheme"), KINDS)
def test_pages_load_only_themselves_and_axe_finds_nothing_serious(site, watched, axe, kind, scheme):
    page = watched.open(site / kind, color_scheme=scheme, reduced_motion="reduce")
    assert page.locator("h1").count() == 1
    assert page.locator("body").get_attribute("data-md-color-scheme") == SCHEMES[scheme]
    assert watched.console == []  # before axe comes, which tries to load style sheets and may not
    assert [url for url in watched.requests if not url.startswith(("file:", "data:"))] == []
    found = [line for line in barriers(page, axe) if "(serious)" in line or "(critical)" in line]
    assert not found, "\n".join(found)


def test_a_search_finds_a_page(site, watched):
    page = watched.open(site / "index.html")
    page.focus("input[name=query]")
    # The index is read now, and what is typed meanwhile is lost.
    page.locator(".md-search-result__meta", has_text="Type to start searching").wait_for(
        state="attached", timeout=60_000
    )
    page.locator("input[name=query]").press_sequentially("bottleneck")
    first = page.locator(".md-search-result__item").first  # a page, and its sections
    first.wait_for(state="visible")
    assert "bottleneck" in first.inner_text().lower()
    first.locator("a.md-search-result__link").first.click()
    page.wait_for_url("**/*.html?h=*")
    assert "/decisions/" not in page.url
    assert "bottleneck" in page.locator("article").inner_text().lower()
    assert watched.console == []


@pytest.mark.parametrize("kind", ["index.html", "reference/commands.html", "explanation/results.html"])
def test_it_fits_a_phone(site, watched, kind):
    page = watched.open(site / kind)
    page.set_viewport_size({"width": 360, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
