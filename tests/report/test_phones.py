"""The page on a phone: it fits, and everything on it can be read."""

from __future__ import annotations

from .test_browser import search

COVERED = """
[...document.querySelectorAll('.chart')].flatMap((chart) => {
  const placed = (which) =>
    [...chart.querySelectorAll(which)].map((text) => [text.textContent, text.getBoundingClientRect()]);
  const across = (a, b) => a.left < b.right && b.left < a.right;
  const meet = (a, b) => across(a, b) && a.top + 2 < b.bottom - 2 && b.top + 2 < a.bottom - 2;
  return placed('.axis').flatMap(([word, a]) =>
    placed('text:not(.axis)').filter(([, b]) => meet(a, b)).map(([number]) => `${word} ${number}`));
})
"""


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


def test_no_part_of_a_table_is_cut_off_on_a_phone_or_a_desktop(watched, full_page):
    page = watched.open(full_page)
    tables = page.locator(".scroll")
    assert tables.count() >= 4
    for width in (360, 1366):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        for box, inside, visible, around in tables.evaluate_all(
            "(all) => all.map((one) => [one.getBoundingClientRect().right, one.scrollWidth, one.clientWidth,"
            " one.parentElement.clientWidth])"
        ):
            assert inside <= visible
            assert box <= width
            assert visible >= 0.9 * around - 40  # the button beside it takes no room from it
        captions = page.locator("caption").evaluate_all("(all) => all.map((one) => one.clientHeight)")
        assert max(captions) < 80  # not a word a line
    page.set_viewport_size({"width": 360, "height": 800})
    row = page.locator("#predicates tbody tr").first
    labels = row.locator("td").evaluate_all("(cells) => cells.map((cell) => cell.dataset.label)")
    assert labels == page.locator("#predicates thead th").all_inner_texts()[1:]
    lines = row.locator("th").evaluate("(cell) => cell.getClientRects()[0].height")
    assert lines < 40  # names are whole where there is room


def test_words_at_the_axes_of_a_chart_cover_no_numbers(watched, full_page):
    page = watched.open(full_page)
    for width in (360, 1366):
        page.set_viewport_size({"width": width, "height": 800})
        covered = page.evaluate(COVERED)
        assert covered == []
