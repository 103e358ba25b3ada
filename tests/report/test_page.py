"""The page as a file: self-contained, sealed by its policy, and true to the model."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import asdict
from itertools import pairwise

import pytest

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.base.progress import Improved
from logicoder.report import report_html, write_report
from logicoder.report.browser_data import browsable
from logicoder.report.search_steps import progress_of, pruning_steps


@pytest.fixture(scope="module")
def html(page_file):
    return page_file.read_text(encoding="utf-8")


def between(text, start, end):
    return text.partition(start)[2].partition(end)[0]


def data_of(html):
    return json.loads(between(html, '<script type="application/json" id="facts-data">', "</script>"))


def test_style_and_script_are_the_ones_that_the_policy_names(html):
    policy = between(html, 'http-equiv="Content-Security-Policy" content="', '"')
    assert policy.startswith("default-src 'none'; ")
    for directive, start, end in (
        ("style-src", "<style>", "</style>"),
        ("script-src", "<script>", "</script>"),
    ):
        content = between(html, start, end).encode()
        expected = base64.b64encode(hashlib.sha256(content).digest()).decode()
        assert f"{directive} 'sha256-{expected}'" in policy
    assert "unsafe" not in policy
    assert "style=" not in html.partition("</style>")[2].partition("<script")[0]


def test_nothing_points_outside(html):
    addresses = set(re.findall(r"""(?:src|href|url|action)\s*[=(]\s*["']?([^"')\s>]+)""", html))
    assert {address for address in addresses if not address.startswith(("#", "data:,"))} == set()
    assert set(re.findall(r"https?://[^\s\"'<]+", html)) <= {"http://www.w3.org/2000/svg"}


def test_every_id_is_given_once_and_every_link_leads_somewhere(full_page):
    html = full_page.read_text(encoding="utf-8")
    ids = re.findall(r'\sid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#(?!facts?=)([^"]+)"', html)) <= set(ids)  # those are for the fact browser
    labels = re.findall(r'aria-labelledby="([^"]+)"', html)
    assert set(labels) <= set(ids)


def test_the_same_model_gives_the_same_page(model, family, html):
    assert report_html(model, family, title="A family") == html


def test_the_page_tells_what_came_back(html):
    assert (
        "7 facts become 7 latent facts of 4 latent predicates, and 6 come back; 1 missing, 1 false." in html
    )
    assert "support 1 of 2 facts, 0 false, corruption 0.0%" in html
    assert "support 1 of 1 facts, 1 false, corruption 50.0%" in html


def test_data_of_the_browser(html):
    data = data_of(html)
    assert data["levels"][0]["predicates"]["mother"]["missing"] == [0]
    father = data["levels"][2]["predicates"]["father"]
    (row,) = father["added"]
    assert [data["symbols"][column[row]] for column in father["columns"]] == ["vader", "leia"]
    assert data["worlds"] == ["data"]


def test_of_very_large_data_there_is_a_sample(model, family):
    html = report_html(model, family, most_atoms=5)
    data = data_of(html)
    assert data["counts"] == {"missing": 1, "false": 1, "reconstructed": 6}
    assert {(answer["state"], answer["verdict"]) for answer in data["answers"]} == {
        *(("missing", "missing"), ("false", "false"), ("reconstructed", "reconstructed"))
    }
    assert len(data["answers"]) == 8
    assert "The data is too large for one page (1 missing, 1 false, 6 reconstructed)" in html


def test_a_sample_takes_from_every_kind(model):
    facts = [("mother", f"m{i}", "c") for i in range(50)] + [("father", "v", "l"), ("child", "l")]
    kb = KnowledgeBase.from_facts([*facts, ("woman", "w"), ("man", "v")])
    content = browsable(model.explainer(kb), model.reconstruct(kb), most=1, sample=9)
    states = [answer["state"] for answer in content["answers"]]
    assert (states.count("missing"), states.count("reconstructed")) == (3, 4)
    assert content == browsable(model.explainer(kb), model.reconstruct(kb), most=1, sample=9)


def test_other_data_than_that_of_the_fit_is_told(family):
    alp = AutoEncoder(encoder_length=1, compression=2).fit(family)
    assert "learned on other data" not in report_html(alp, family)
    part = KnowledgeBase.from_facts([("mother", "padme", "leia"), ("child", "leia")], schema=family.schema)
    html = report_html(alp, part)
    assert "The model was learned on other data: 7 facts" in html
    assert "2 facts become" in html


def test_a_model_that_was_saved_gives_the_page_of_the_fit(family, tmp_path):
    alp = AutoEncoder(encoder_length=1, compression=2).fit(family)
    alp.save(tmp_path / "model.alp")
    path = tmp_path / "report.html"
    write_report(AutoEncoder.load(tmp_path / "model.alp"), family, path)
    assert path.read_text(encoding="utf-8") == report_html(alp, family)


def test_background_clauses_are_shown():
    kb = KnowledgeBase.from_facts(["p(a)", "p(b)", "q(b)"])
    alp = AutoEncoder.from_programs("l(X) :- both(X).", "p(X) :- l(X).", background="both(X) :- p(X), q(X).")
    html = report_html(alp, kb)
    assert "both(X) :- p(X), q(X)." in html
    assert data_of(html)["background"] == ["both"]


def test_a_model_that_loses_everything_has_a_page():
    kb = KnowledgeBase.from_facts(["p(a)"])
    html = report_html(AutoEncoder.from_programs("l(X) :- p(X).", ""), kb)
    assert "0 come back; 1 missing, 0 false" in html


def test_steps_follow_each_other(family):
    alp = AutoEncoder(compression=2).fit(family)
    candidates = alp.statistics_["candidates"]
    for part, first, last in (
        ("encoder", "encoders", "after_naming_variants"),
        ("decoder", "decoders_evaluated", "decoders"),
    ):
        steps = [step for step in pruning_steps(candidates) if step.part == part]
        assert steps[0].before == candidates[first]
        assert steps[-1].after == candidates[last]
        assert all(one.after == other.before for one, other in pairwise(steps))
        assert all(step.removed > 0 for step in steps)
        assert "rounds" not in " ".join(step.rule for step in steps)
    assert {rule for rule, number in candidates["pruned"].items() if number} <= {
        *("empty", "too_large", "naming_variants", "unsupported", "repeated", "signature_variants"),
        *("extensions", "dominated", "limit"),
    }


def test_progress_ends_with_the_result():
    history = [Improved(9, 20, 0, 1.0, 0.1, "auto", 9), Improved(4, 22, 1, 0.75, 0.3, "auto", 4)]
    run = AutoEncoder()
    run.history_ = history
    assert len(progress_of(run)) == 2  # nothing is known of its end
    run.objective_, run.bound_, run.statistics_ = 4, 4, {"seconds": {"solve": 0.5}}
    moments = progress_of(run)
    assert [asdict(moment) for moment in moments] == [
        {"seconds": 0.1, "objective": 9, "bound": 0},
        {"seconds": 0.3, "objective": 4, "bound": 1},
        {"seconds": 0.5, "objective": 4, "bound": 4},
    ]
    run.history_ = []
    assert progress_of(run) == []


def test_bars_show_shares_also_of_small_predicates():
    facts = [("big", f"c{place}") for place in range(500)] + [("small", "a"), ("small", "b"), ("mark", "a")]
    alp = AutoEncoder.from_programs(
        "l(X) :- big(X). m(X) :- mark(X).", "big(X) :- l(X). small(X) :- m(X). mark(X) :- m(X)."
    )
    html = report_html(alp, KnowledgeBase.from_facts(facts))
    row = re.search(r"<tr[^>]*>(?:(?!</tr>).)*<code>small</code>.*?</tr>", html, re.DOTALL)[0]
    assert re.findall(r'width="(\d+)" height="12" class="(good|missing)"', row) == [
        ("80", "good"),
        ("80", "missing"),
    ]


def test_a_curve_of_bits_tells_what_was_minimised():
    point = {
        "compression": 0.5,
        "latent_facts": 1,
        "latent_predicates": 1,
        "loss": 0,
        "minimised": 12.5,
        "bound": 10.0,
        "status": "feasible",
    }
    curve = {"objective": "bits", "bottlenecks": ["total"], "points": [point]}
    alp = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X).")
    kb = KnowledgeBase.from_facts([("p", "a")])
    assert ">minimised</th>" in report_html(alp, kb, curve=curve)
    point["minimised"] = 0
    assert ">minimised</th>" not in report_html(alp, kb, curve=curve)


def test_likely_errors_are_shown_with_their_clauses():
    """What `suggest` lists stands on the page, the best first; where it is silent, the page says why."""
    rows = [(f"p{i}", f"t{i % 5}") for i in range(60)]
    facts = [*(("lives", *row) for row in rows), *(("lies", f"t{i}", f"c{i % 3}") for i in range(5))]
    right = [("pays", person, f"c{int(town[1:]) % 3}") for person, town in rows]
    silent = KnowledgeBase.from_facts([*facts, *right])
    assert "nothing contradicts" in between(
        report_html(AutoEncoder().fit(silent), silent).lower(), 'id="errors"', "</section>"
    )
    wrong = KnowledgeBase.from_facts([*facts, *right[1:], ("pays", "p0", "c1")])
    model = AutoEncoder().fit(wrong)
    (row,) = model.suggest(wrong).rows
    shown = between(report_html(model, wrong), 'id="errors"', "</section>")
    texts = re.sub(r"<[^>]+>", "", shown)
    assert "pays(p0,c1)" in texts
    assert f"change to {row.expected.rpartition(',')[2].rstrip(')')}" in texts
    assert f"{row.true:,} of {row.derived:,}" in texts


def test_proposals_are_evaluated_on_the_page():
    rows = [(f"p{i}", f"t{i % 5}") for i in range(60)]
    pays = [("pays", person, f"c{int(town[1:]) % 3}") for person, town in rows]
    kb = KnowledgeBase.from_facts([("lives", *row) for row in rows] + pays)
    model = AutoEncoder.from_programs("l(X,Y) :- lives(X,Y).", "lives(X,Y) :- l(X,Y).")
    assert 'id="proposals"' not in report_html(model, kb)
    model = AutoEncoder().fit(kb)
    text = "pays(X,c0) :- lives(X,t0).\nlives(X,t1) :- pays(X,c0).\npays(X :- "
    shown = between(report_html(model, kb, rules=text), 'id="proposals"', "</section>")
    texts = re.sub(r"<[^>]+>", "", shown)
    found = model.audit(kb, text)
    for row in found:
        assert row.clause in texts.replace("&lt;", "<")
        assert row.problem in texts
        assert row.problem or f"{row.true:,} of {row.derived:,}" in texts
    assert "Not judged: 1" in texts


def test_sentences_about_closed_relations_show_their_clauses_whatever_the_name():
    groups = [[f"x{group}_{number}" for number in range(5)] for group in range(6)]
    facts = [("Same class", first, second) for group in groups for first in group for second in group]
    kb = KnowledgeBase.from_facts(facts)
    model = AutoEncoder(effort=5).fit(kb)
    shown = between(report_html(model, kb), 'id="findings"', "</section>")
    linked = re.findall(r'<a href="#decoder-[^"]*"><code>(.*?)</code></a>', shown)
    assert linked == list(map(str, model.decoder_))
