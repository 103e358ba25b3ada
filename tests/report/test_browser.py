"""The page in a real browser: it needs no network, finds facts and explains them, and a keyboard suffices."""

from __future__ import annotations

import pytest
from tests.browser import barriers

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.autoencoder.following.state_file import Moment
from logicoder.report import report_html

RESULTS = "#browser .results button"


def search(page, text):
    """Search for a text and wait for the list to follow."""
    page.fill("#browser-search", text)
    page.press("#browser-search", "Enter")
    return page.locator(RESULTS)


def column(page, number):
    return page.locator(f"#predicates tbody tr > :nth-child({number})").all_text_contents()


def test_it_opens_from_disk_without_errors_and_without_the_network(page):
    assert page.title() == "A family"
    assert page.locator("html").get_attribute("class") == "js"
    assert page.locator("main section h2").all_text_contents() == [
        *("Summary", "Architecture", "Programs", "Predicates", "Facts")
    ]


def test_a_page_with_everything(watched, full_page):
    page = watched.open(full_page)
    assert page.locator("nav a").all_text_contents() == [
        *("Summary", "Layers", "Architecture", "Programs", "Predicates", "Facts", "Search", "Curve")
    ]
    for link in page.locator("nav a").all():
        assert page.locator(link.get_attribute("href")).count() == 1
    for link in page.locator("svg a").all():
        assert page.locator(link.get_attribute("href")).count() == 1
    assert "logicoder fit 'a b'" in page.locator("#summary code").all_text_contents()
    page.select_option("#browser-world", label="world 1")
    assert set(page.locator(RESULTS + " .quiet").all_text_contents()) == {"world 1 "}
    assert (watched.console, watched.requests) == ([], [full_page.as_uri()])


def test_nothing_could_be_fetched_even_if_it_tried(watched, page_file):
    page = watched.open(page_file)
    tried = "() => fetch('https://example.org/').then(() => 'fetched', () => 'refused')"
    assert page.evaluate(tried) == "refused"
    assert any("Content Security Policy" in text for text in watched.console)
    inject = """() => {
        const script = document.createElement('script');
        script.textContent = 'window.ran = 1';
        document.body.append(script);
        return window.ran;
    }"""
    assert page.evaluate(inject) is None


def test_a_search_finds_a_fact_and_shows_its_derivation(page):
    found = search(page, "father luke")
    assert found.all_inner_texts() == ["father(vader,luke)\nreconstructed"]
    found.first.click()
    panel = page.locator(".panel")
    assert panel.locator("h3").text_content() == "father(vader,luke)"
    assert "a fact, and reconstructed" in panel.text_content()
    assert panel.locator("code").all_text_contents() == [
        "father(vader,luke)",
        "father(X,Y) :- male(X), young(Y).",
        "male(vader)",
        "male(X) :- man(X).",
        "man(vader)",
        "young(luke)",
        "young(X) :- child(X).",
        "child(luke)",
    ]
    assert panel.locator("dl").inner_text().split("\n") == ["male", "X: man(X)", "young", "X: child(X)"]


def test_missing_and_false_facts_are_told_apart(page):
    page.select_option("#browser-state", "missing")
    found = page.locator(RESULTS)
    assert found.all_inner_texts() == ["mother(padme,leia)\nmissing"]
    found.first.click()
    assert "a fact, but missing" in page.locator(".panel").text_content()
    assert "✗ not derived" in page.locator(".panel").text_content()
    page.select_option("#browser-state", "false")
    assert found.all_inner_texts() == ["father(vader,leia)\nfalse"]
    page.select_option("#browser-state", "")
    page.select_option("#browser-predicate", "parent")
    assert {text.split("\n")[1] for text in found.all_inner_texts()} == {"latent"}
    assert found.count() == 3


def test_an_atom_that_is_no_fact_is_explained_as_well(page):
    found = search(page, "mother( vader, luke )")
    found.first.click()
    assert "not a fact, and not reconstructed" in page.locator(".panel").text_content()


def test_a_link_leads_to_a_fact(watched, page_file):
    page = watched.open(page_file)
    page.goto(f"{page_file.as_uri()}#fact=father(vader%2Cleia)")
    page.reload()
    panel = page.locator("#browser .panel")
    assert "father(vader,leia)" in panel.inner_text()
    assert "not a fact, but reconstructed" in panel.inner_text()
    page.evaluate("window.location.hash = '#fact=mother(padme%2Cleia)'")
    page.locator("#browser .panel", has_text="padme").wait_for()
    assert "a fact, but missing" in panel.inner_text()
    page.evaluate("window.location.hash = '#fact=%'")  # no text at all
    assert "padme" in panel.inner_text()


def test_choosing_a_fact_makes_a_link_to_it(page):
    page.locator(RESULTS).first.click()
    assert "#fact=" in page.evaluate("window.location.href")


def test_tables_are_saved_as_csv(watched, page_file):
    page = watched.open(page_file)
    with page.expect_download() as saved:
        page.locator("section#predicates .export").first.click()
    text = saved.value.path().read_text(encoding="utf-8")
    lines = text.splitlines()
    assert saved.value.suggested_filename.endswith(".csv")
    assert lines[0].startswith("predicate,")
    assert any(line.startswith("mother,") for line in lines)


def test_facts_that_were_found_are_saved_as_csv(watched, page_file):
    from playwright.sync_api import expect  # noqa: PLC0415  (`watched` says where it is missing)

    page = watched.open(page_file)
    page.locator("section#predicates a", has_text="mother").click()
    expect(page.locator("#browser-predicate")).to_have_value("mother")  # the page hears of it a little later
    count = page.locator("#browser [data-part=count]").inner_text()
    with page.expect_download() as saved:
        page.locator("#browser [data-part=export]").click()
    head, *lines = saved.value.path().read_text(encoding="utf-8").splitlines()
    assert head.startswith("fact,state")
    assert len(lines) == int(count.split()[0])
    assert all(line.startswith('"mother(') for line in lines)


def test_the_slider_of_a_curve(watched, full_page):
    page = watched.open(full_page)
    points = page.locator("[data-point]")
    assert [points.nth(i).is_visible() for i in range(points.count())] == [True, False, False]
    slider = page.locator("[data-slider] input")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert [points.nth(i).is_visible() for i in range(points.count())] == [False, True, False]
    assert "compression 0.8" in points.nth(1).inner_text()
    assert ":-" in points.nth(1).locator("code").first.inner_text()
    assert slider.get_attribute("aria-valuetext").startswith("compression 0.8")


def test_what_was_found_links_to_clauses_and_facts(watched, tmp_path):
    from playwright.sync_api import expect  # noqa: PLC0415  (`watched` says where it is missing)

    lives = {f"p{i}": f"t{i * 7 % 8}" for i in range(80)}
    facts = [("lives", p, t) for p, t in lives.items()] + [("in", f"t{i}", f"c{i % 3}") for i in range(8)]
    facts += [("pays", p, f"c{int(t[1:]) % 3}" if p != "p7" else "c9") for p, t in lives.items()]
    kb = KnowledgeBase.from_facts(facts)
    model = AutoEncoder().fit(kb)
    history = [Moment(168, 0, 0, 700.0, 900.0, learned=True), Moment(171, 4, 1, 750.0, 905.0)]
    path = tmp_path / "found.html"
    path.write_text(report_html(model, kb, history=history), encoding="utf-8")
    page = watched.open(path)
    found = page.locator("section#findings li", has_text="pays nearly follows")
    clause = found.locator("a", has_text=":-").first
    assert not clause.is_visible()
    found.locator("summary", has_text="1 clause and some exceptions").click()
    assert clause.is_visible()
    assert page.locator(clause.get_attribute("href")).inner_text().startswith("pays(X,Y) :-")
    found.locator("a", has_text="its facts").click()
    # Not by a function that is evaluated again and again: the page allows none.
    expect(page.locator("#browser-predicate")).to_have_value("pays")
    found.locator("a", has_text="pays(p7,c9)").click()
    page.locator("#browser .panel", has_text="pays(p7,c9)").wait_for()
    over_time = page.locator("section#time")
    assert "155 of 905 saved" in over_time.inner_text()
    # 200 of 900 were saved when it was learned: of 905 that would be 201.
    assert "with the share of when it was learned" in over_time.inner_text()
    assert over_time.locator("svg.chart .line").count() == 2


def test_tables_sort_by_a_click(page):
    assert column(page, 1) == ["mother", "father", "woman", "man", "child"]
    page.click("#predicates th:has-text('missing') button")
    assert column(page, 5) == ["1", "0", "0", "0", "0"]
    assert page.locator("#predicates th[aria-sort]").get_attribute("aria-sort") == "descending"
    page.click("#predicates th:has-text('predicate') button")
    assert column(page, 1) == ["child", "father", "man", "mother", "woman"]
    page.click("#predicates th:has-text('predicate') button")
    assert column(page, 1) == ["woman", "mother", "man", "father", "child"]
    assert page.locator("#predicates th[aria-sort]").count() == 1


def test_clauses_are_filtered(page):
    page.fill("#clauses", "young father")
    shown = page.locator(".clause:visible code")
    assert shown.all_text_contents()[0] == "father(X,Y) :- male(X), young(Y)."
    assert page.locator("#programs li.clause:visible").count() == 1
    page.fill("#clauses", "")
    assert page.locator("#programs li.clause:visible").count() == 9


def test_a_node_lights_its_path(page):
    picture = page.locator("svg.architecture").first
    picture.locator("a.latent", has_text="young").hover()
    lit = picture.locator("a.lit .label").all_text_contents()
    assert sorted(lit) == sorted(
        ["child", "child(X)", "young", "young(X)", "male(X), young(Y)", "child", "father"]
    )
    page.mouse.move(0, 0)
    assert picture.locator(".lit").count() == 0


def test_the_picture_of_one_predicate(page):
    page.select_option("#picture-1", label="how father comes back")
    shown = page.locator("svg.architecture:visible")
    assert shown.count() == 1
    assert sorted(shown.locator(".latent .label").all_text_contents()) == ["male", "young"]
    assert shown.locator(".output .label").all_text_contents() == ["father"]


def test_copying_says_that_it_copied(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#encoder-1-2 .copy").click()
    page.locator("#status", has_text="Copied").wait_for(state="attached")
    assert page.evaluate("navigator.clipboard.readText()") == "female(X) :- woman(X)."


def test_a_keyboard_alone_suffices(page):
    """Skip link, the picture by arrows, sorting, search and derivation, all without a mouse."""

    def focused(script):
        return page.evaluate(f"document.activeElement.{script}")

    page.keyboard.press("Tab")
    assert focused("className") == "skip"
    page.keyboard.press("Enter")
    assert focused("id") == "main"
    page.locator("#picture-1").focus()
    page.keyboard.press("Tab")
    assert focused("classList.contains('node')")
    first = focused("textContent")
    page.keyboard.press("ArrowRight")
    assert focused("classList.contains('encoder')")
    assert page.locator("svg.architecture .lit").count() > 2
    page.keyboard.press("ArrowLeft")
    assert focused("textContent") == first
    page.keyboard.press("Tab")  # the picture is one stop, however many nodes it has
    assert not focused("classList.contains('node')")
    page.locator("#predicates th button").first.focus()
    page.keyboard.press("Enter")
    assert column(page, 1)[0] == "child"
    page.locator("#browser-search").focus()
    page.keyboard.type("father luke")
    page.keyboard.press("Enter")
    page.locator(".results button").first.wait_for()
    for _ in range(100):
        if focused("closest('.results')"):
            break
        page.keyboard.press("Tab")
    assert focused("closest('.results')")
    page.keyboard.press("Enter")
    assert focused("getAttribute('aria-pressed')") == "true"
    assert "a fact, and reconstructed" in page.locator(".panel").text_content()
    page.locator("#status", has_text="father(vader,luke)").wait_for(state="attached")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("which", ["page_file", "full_page"])
def test_no_barrier_that_axe_finds(watched, request, axe, which, scheme):
    page = watched.open(request.getfixturevalue(which), color_scheme=scheme, reduced_motion="reduce")
    for summary in page.locator("summary").all():
        summary.click()
    search(page, "padme").first.click()
    found = barriers(page, axe)
    assert not found, "\n".join(found)


HOSTILE = (
    "</script><script>window.broken = 1</script>",
    '"><img src=x onerror="window.broken = 1">',
    "<!--",
    "שלום",
    "\u202eabc",
    "__proto__",
    "{data}",
    "\u2028",
)


def test_constants_and_names_stay_text(watched, tmp_path):
    facts = [("mother", text, "leia") for text in HOSTILE] + [("<b>woman", text) for text in HOSTILE[:2]]
    kb = KnowledgeBase.from_facts(facts)
    encoder = "l(X,Y) :- mother(X,Y). f(X) :- '<b>woman'(X)."
    decoder = "mother(X,Y) :- l(X,Y), f(X). '<b>woman'(X) :- f(X)."
    model = AutoEncoder.from_programs(encoder, decoder)
    path = tmp_path / "hostile.html"
    path.write_text(report_html(model, kb, title=HOSTILE[0]), encoding="utf-8")
    page = watched.open(path)
    assert page.locator("h1").text_content() == HOSTILE[0]
    found = page.locator(RESULTS + " code")
    assert set(found.all_text_contents()) >= {f"{fact}" for fact in kb}
    for button in page.locator(RESULTS).all():
        button.click()
    assert page.locator("img, main script, main b, header script").count() == 0
    assert page.evaluate("window.broken") is None
    assert page.locator("bdi", has_text="שלום").count() > 0
    assert search(page, "img").count() == 4  # a fact, its latent; a name, its latent
    assert (watched.console, watched.requests) == ([], [path.as_uri()])


def test_many_facts_do_not_make_a_large_document(watched, tmp_path):
    mothers = [("mother", f"m{i}", f"c{i}") for i in range(15_000)]
    children = [("child", f"c{i}") for i in range(15_000)]
    model = AutoEncoder.from_programs(
        "parent(X,Y) :- mother(X,Y). young(X) :- child(X).",
        "child(X) :- young(X). mother(X,X) :- parent(X,X).",
    )
    path = tmp_path / "large.html"
    path.write_text(
        report_html(model, KnowledgeBase.from_facts([*mothers, *children], types="one")), encoding="utf-8"
    )
    page = watched.open(path)
    nodes = "document.querySelectorAll('*').length"
    assert page.evaluate(nodes) < 2_000
    assert (
        page.locator("#browser [data-part=count]").text_content()
        == "60,000 of 60,000 facts, latent ones included"
    )
    assert search(page, "mother(m14999").first.inner_text().split("\n")[0] == "mother(m14999,c14999)"
    page.locator(RESULTS).first.click()
    assert "a fact, but missing" in page.locator(".panel").text_content()
    search(page, "")
    page.click("#browser [data-part=forth]")
    assert page.locator("#browser [data-part=page]").text_content() == "Page 2 of 1,200"
    assert page.locator(RESULTS).first.inner_text().startswith("mother(m50,c50)")
    assert page.evaluate(nodes) < 2_000


def test_a_sample_of_large_data_is_searched_and_explained(watched, model, family, tmp_path):
    path = tmp_path / "sample.html"
    path.write_text(report_html(model, family, most_atoms=1), encoding="utf-8")
    page = watched.open(path)
    assert "too large for one page" in page.locator("#browser").inner_text()
    found = search(page, "padme mother")
    assert found.all_inner_texts() == ["mother(padme,leia)\nmissing"]
    found.first.click()
    assert "✗ not derived" in page.locator(".panel").text_content()
    assert (watched.console, watched.requests) == ([], [path.as_uri()])


def test_joins_that_would_take_too_long_are_broken_off(watched, tmp_path):
    """All pairs are taken; to be sure of it, the page would have to look at millions of combinations."""
    rows = [("t", a, f"z{i}") for a in ("a", "b") for i in range(600)]
    pairs = [("pair", a, b) for a in ("a", "b") for b in ("a", "b")]
    kb = KnowledgeBase.from_facts([*rows, *pairs, ("r", "x")])
    model = AutoEncoder.from_programs(
        "l(X,Y) :- t(X,Y). k(X,Y) :- pair(X,Y). m(X) :- r(X).",
        r"r(X) :- l(A,Y), l(B,Z), \+ k(A,B), m(X). t(X,Y) :- l(X,Y). pair(X,Y) :- k(X,Y).",
    )
    path = tmp_path / "hub.html"
    path.write_text(report_html(model, kb), encoding="utf-8")
    page = watched.open(path)
    search(page, "r(x)").first.click()
    assert "a fact, but missing" in page.locator(".panel").text_content()
    assert "this is a part of the answer" in page.locator(".panel").text_content()


def test_without_script_everything_but_the_browser_is_there(browser, page_file):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(page_file.as_uri())
    assert page.locator("#programs li.clause:visible").count() == 9
    assert page.locator("svg.architecture:visible").count() == 1
    assert page.locator("#browser").is_hidden()
    assert "logicoder explain" in page.locator("#facts .without-js").inner_text()
    assert page.locator("button:visible, select:visible, input:visible").count() == 0
    context.close()
