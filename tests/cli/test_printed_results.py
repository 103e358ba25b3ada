"""What a fit prints, for results that are written down here."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from logicoder import AutoEncoder, Program
from logicoder.autoencoder import PredicateScore
from logicoder.cli.message_output import print_findings, print_message_run
from logicoder.cli.summary_output import print_summary

from .helpers import invoke

MESSAGE = {
    "facts_": 2000,
    "latent_facts_": 500,
    "bits_": 1500.0,
    "plain_bits_": 6000.0,
    "domain_bits_": 4000.0,
    "bits_saved_": 2500.0,
    "exceptions_": 7,
    "loss_": 9,
    "missing_": 5,
    "false_": 4,
    "bound_": 1200.0,
    "gap_": 0.2,
    "bound_scope_": "pruned",
    "status_": "feasible",
    "stopped_": None,
    "unseen_": None,
    "kept_": ("q",),
    "kept_facts_": {"q": 450, "p_rest": 50},
    "bases_": (SimpleNamespace(name="p_rest", predicate="p", form="rest"),),
    "scores_": (
        PredicateScore("p", 1000, 995, 5, 4),
        PredicateScore("q", 450, 450, 0, 0),
        PredicateScore("r", 550, 550, 0, 0),
        PredicateScore("s", 0, 0, 0, 0),
    ),
    "clauses_": [
        {"saved": 900.04, "true": 995, "derived": 999, "clause": "p(X) :- q(X).", "decodes": True},
        {"saved": 3.0, "true": 2, "derived": 9, "clause": "p(X) :- r(X).", "decodes": False},
    ],
}


def message(**changes) -> AutoEncoder:
    model = AutoEncoder.from_programs("l(X) :- q(X).", "p(X) :- l(X). r(X) :- l(X).")
    model.__dict__ |= MESSAGE | changes
    return model


@pytest.fixture
def printed(monkeypatch, capsys):
    """Return what is printed as lines, with single blanks."""
    monkeypatch.setenv("COLUMNS", "200")

    def show(function, *arguments, **options):
        function(*arguments, **options)
        return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]

    return show


def test_figures_of_a_message(printed):
    lines = printed(print_message_run, message(), 3.0)
    for line in (
        "facts 2,000",
        "kept 500 25.0% of the facts",
        "bits 1,500.0 25.0% of the 6,000.0 of the plain facts",
        "2,500.0 fewer than the 4,000.0 with domains of arguments alone",
        "exceptions 7 facts that clauses miss, and atoms that they derive but are not facts",
        "loss 9 = 5 missing + 4 false, from kept facts alone",
        "bound 1,200.0 a gap of 20.0%, proven for the remaining candidates",
        "status best so far",
        "Kept as they are: q",
        "Kept in part, what the clauses do not derive: p (50 of 1,000)",
        "Rebuilt exactly: r",
        "p 1,000 995 5 4",
        "900 995 999 p(X) :- q(X).",
        "3 2 9 p(X) :- r(X). only shows where to look",
    ):
        assert line in lines
    assert [line for line in lines if line.startswith("time 3")]
    assert not [line for line in lines if line.startswith("unseen")]
    assert not [line for line in printed(print_message_run, message()) if line.startswith("time")]


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"status_": "optimal", "gap_": 0.0}, "status proved the best"),
        ({"gap_": 0.0}, "status best of the candidates"),
        ({"gap_": 1e-3}, "status best so far"),
        (
            {"unseen_": {"facts": 20, "bits": 30.0, "plain_bits": 120.0, "loss": 3}},
            "unseen facts 20 25.0% of 120.0 bits, loss 3",
        ),
    ],
)
def test_one_figure(printed, changes, line):
    assert line in printed(print_message_run, message(**changes))


def test_a_bound_of_nothing_is_left_out(printed):
    assert not [line for line in printed(print_message_run, message(bound_=0.0)) if line.startswith("bound")]


def test_long_lists_are_cut_and_counted(printed):
    clauses = [MESSAGE["clauses_"][0] | {"clause": f"p(X) :- q{i}(X)."} for i in range(23)]
    scores = tuple(PredicateScore(f"p{i}", 10, 9, 1, 0) for i in range(22))
    kept = tuple(f"q{i}" for i in range(21))
    model = message(clauses_=clauses, scores_=scores, kept_=kept, bases_=())
    lines = printed(print_message_run, model)
    assert "... and 3 more; `logicoder show` lists all" in lines
    assert "... and 2 more" in lines
    (told,) = [line for line in lines if line.startswith("Kept as they are")]
    assert told.endswith("q18, q19, and 1 more")
    assert len([line for line in lines if line.endswith("(X).") and line[0] in "0123456789"]) == 20
    every = printed(print_message_run, model, every=True)
    assert not [line for line in every if "more" in line]


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({}, "feasible stopped by the time limit"),
        ({"status_": "optimal"}, "optimal (a smaller program may exist: stopped by the time limit)"),
        ({"status_": "optimal", "stopped_": None}, "optimal"),
    ],
)
def test_why_a_search_ended(printed, changes, status):
    given = {"goal_": "loss", "stopped_": "time limit", "statistics_": {}}
    model = message(**given | changes)
    (line,) = [line for line in printed(print_summary, model) if line.startswith("status")]
    assert line == f"status {status}"


def test_likely_errors_are_counted_and_silence_is_a_sentence(tmp_path):
    data = tmp_path / "facts.pl"
    data.write_text("p(a). p(b). p(c). q(a). q(b). r(d).")
    model = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X). q(X) :- l(X).")
    model.save(tmp_path / "model.alp")
    told = ("suggest", tmp_path / "model.alp", data)
    assert "Likely errors (first 1 of 2)" in invoke(*told, "--top", 1).stdout
    assert "Likely errors (2)" in invoke(*told, "--top", 2).stdout
    data.write_text("p(a). p(b). q(a). q(b).")
    assert invoke(*told).stdout.startswith("Nothing contradicts this program: ")


def test_clauses_that_only_take_over_what_is_left_are_not_shown(printed):
    model = message(decoder_=Program.parse("p(X) :- l(X). p(X) :- p_rest(X). r(X) :- l(X)."))
    lines = printed(print_message_run, model)
    assert {"p(X) :- l(X).", "r(X) :- l(X)."} <= set(lines)
    assert "p(X) :- p_rest(X)." not in lines


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "No clause here is right more often than wrong: all facts are kept as they are"),
        ({"bits_saved_": 0.0}, "Nothing here repeats: kept as it is"),
        (
            {"stopped_": "effort"},
            "The search ended before a clause was found: all facts are kept as they are",
        ),
    ],
)
def test_a_message_without_clauses_says_why(printed, changes, told):
    assert told in printed(print_message_run, message(decoder_=Program(), **changes))


@pytest.mark.parametrize(("number", "more"), [(0, None), (6, None), (8, "... and 2 more;")])
def test_the_first_sentences_about_what_was_found(printed, monkeypatch, number, more):
    rows = [SimpleNamespace(text=f"sentence {i}", holds=90, total=100) for i in range(number)]
    found = SimpleNamespace(findings=rows)
    monkeypatch.setattr(AutoEncoder, "insights", lambda *_: found)
    lines = printed(print_findings, message(), ["a fact"])
    assert [line for line in lines if line.startswith("sentence")] == [
        f"sentence {i}" for i in range(min(6, number))
    ]
    assert [line.startswith(more) for line in lines if "more" in line] == ([] if more is None else [True])
    assert printed(print_findings, message(decoder_=Program()), ["a fact"]) == []


def test_a_sentence_about_hardly_any_fact_does_not_come_first(printed, monkeypatch):
    slight, other = (SimpleNamespace(text=f"{n} of 5,926", holds=n, total=5926) for n in (3, 5000))
    monkeypatch.setattr(AutoEncoder, "insights", lambda *_: SimpleNamespace(findings=[slight, other]))
    lines = printed(print_findings, message(), ["a fact"])
    assert lines[:2] == ["5000 of 5,926", "... and 1 more; `logicoder insights` lists all"]
    monkeypatch.setattr(AutoEncoder, "insights", lambda *_: SimpleNamespace(findings=[slight]))
    lines = printed(print_findings, message(), ["a fact"])
    assert lines[0] == "Little follows from anything else; `logicoder insights` lists all"


def test_more_kept_than_there_are_facts_is_explained(printed):
    lines = printed(print_message_run, message(latent_facts_=2420), 3.0)
    told = "121.0% of the facts; latent predicates have facts of their own, which are counted, too"
    assert f"kept 2,420 {told}" in lines


def test_figures_of_a_selection(printed):
    model = message(goal_="masked", objective_=11.0, masked_=6, size_=520, statistics_={}, bits_saved_=-500.0)
    lines = printed(print_summary, model, 3.0)
    for line in (
        "facts 2,000",
        "latent facts 500 of 1 latent predicates",
        "loss 9 = 5 missing + 4 false",
        "masked 6 missing without looking at their own predicate",
        "minimised 11.0 loss and masked loss",
        "gap 20.0%",
        "size 520 latent facts and body literals",
        "bits 1,500.0 500.0 more than the facts themselves",
    ):
        assert line in lines
    assert [line for line in lines if line.startswith("time 3")]
    plain = printed(
        print_summary, message(goal_="loss", objective_=9, statistics_={}, gap_=None, false_=None)
    )
    assert not [line for line in plain if line.startswith(("masked", "minimised", "gap", "time"))]
    assert "loss 9" in plain
    assert "bits 1,500.0 2,500.0 fewer than the facts themselves" in plain
