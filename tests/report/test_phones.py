"""The page on a phone: it fits, and everything on it can be read."""

from __future__ import annotations

from .test_browser import search


def test_it_fits_a_phone(watched, page_file):
    page = watched.open(page_file)
    page.set_viewport_size({"width": 360, "height": 700})
    search(page, "padme").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_derivation_comes_into_view_on_a_phone(watched, page_file):
    from playwright.sync_api import expect  # noqa: PLC0415  (`watched` says where it is missing)

    page = watched.open(page_file)
    page.set_viewport_size({"width": 360, "height": 600})
    search(page, "").first.click()
    expect(page.locator("#derivation")).to_be_in_viewport()


def test_a_chart_is_readable_on_a_phone(watched, full_page):
    page = watched.open(full_page)
    page.set_viewport_size({"width": 360, "height": 700})
    heights = page.evaluate(
        "[...document.querySelectorAll('.chart text:not([transform])')]"
        ".map((text) => text.getBoundingClientRect().height)"
    )
    assert min(heights) >= 10  # a line of letters of about nine pixels


def test_the_architecture_is_readable_on_a_phone(watched, page_file):
    page = watched.open(page_file)
    assert page.locator("#architecture .picture").first.is_visible()
    assert not page.locator("#architecture .outline").is_visible()
    page.set_viewport_size({"width": 360, "height": 700})
    outline = page.locator("#architecture .outline")
    assert outline.is_visible()
    assert not page.locator("#architecture .picture").first.is_visible()
    boxes = page.evaluate(
        "[...document.querySelectorAll('.outline code')].map((name) => "
        "[name.getBoundingClientRect().right, parseFloat(getComputedStyle(name).fontSize)])"
    )
    assert all(right <= 360 and size >= 11 for right, size in boxes)
    text = outline.inner_text()
    for name in ("parent", "female", "mother", "father", "parent(X,Y), female(X)"):
        assert name in text
    outline.locator("a", has_text="parent(X,Y), female(X)").click()
    clause = page.locator(page.evaluate("window.location.hash"))
    assert clause.inner_text().startswith("mother(X,Y) :-")
