"""The page on paper."""

from __future__ import annotations


def test_it_prints(page):
    page.emulate_media(media="print")
    assert page.locator("nav").is_hidden()
    assert page.locator("#browser").is_hidden()
    assert page.locator("#facts .without-js").is_visible()
    assert page.locator("svg.architecture:visible").count() == 1
    page.set_viewport_size({"width": 700, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= 700


def test_what_is_folded_is_printed(page):
    page.locator("#programs details").first.evaluate("item => { item.open = true; }")
    opened = "[...document.querySelectorAll('details')].map((item) => item.open)"
    before = page.evaluate(opened)
    assert not all(before)
    page.evaluate(f"window.addEventListener('beforeprint', () => {{ window.inPrint = {opened}; }})")
    page.pdf()
    assert all(page.evaluate("window.inPrint"))
    assert page.evaluate(opened) == before
