"""A browser without a network, and axe-core: fixtures for the tests of pages."""

from __future__ import annotations

import os
import shutil
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.wanted import wanted_or_skipped

ROOT = Path(__file__).parents[1]
AXE = Path(os.environ.get("LOGICODER_AXE") or ROOT / ".browser" / "node_modules" / "axe-core" / "axe.min.js")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def barriers(page, axe):
    """Return what axe-core finds on a page, one line each, with how grave it is."""
    page.evaluate(axe)
    outcome = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{v['id']} ({v['impact']}): {v['nodes'][0]['html']}" for v in outcome["violations"]]


@pytest.fixture(scope="session")
def axe():
    """The script of axe-core."""
    if not AXE.exists():
        wanted_or_skipped(f"no axe-core in {AXE}: run scripts/install-browser")
    return AXE.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def browser():
    """A Chromium of its own, with nothing in its profile."""
    chromium = os.environ.get("LOGICODER_CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        wanted_or_skipped("no chromium: run scripts/install-browser")
    if find_spec("playwright") is None:
        wanted_or_skipped("no playwright: pip install --group dev")
    with import_module("playwright.sync_api").sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS), headless=True)
        yield launched
        launched.close()


class Watched:
    """A page with everything that went wrong on it."""

    def __init__(self, page):
        self.page = page
        self.console = []
        self.requests = []
        page.on("console", lambda message: self.console.append(message.text))
        page.on("pageerror", lambda error: self.console.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def open(self, path, **media):
        self.page.emulate_media(**({"color_scheme": "light"} | media))
        self.page.goto(path.as_uri())
        return self.page


@pytest.fixture
def watched(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(15_000)
    yield Watched(context.new_page())
    context.close()
