"""Structure learning as a whole: planted clauses, symmetries, stopping and resuming."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from logicoder import KnowledgeBase
from logicoder.base.errors import InputError, UsageError
from logicoder.base.progress import Event, PhaseAdvanced, PhaseFinished
from logicoder.base.stopping import StopToken
from logicoder.kb import Predicate, Schema
from logicoder.mln.alchemy.notation import clause_text
from logicoder.mln.counting import canonical
from logicoder.mln.formula_weights import wpll
from logicoder.mln.structure.structure_learner import StructureLearning, learn_structure

METHODS = ("busl", "exhaustive")
Name = Callable[[str], str]


def smokers(
    seed: int = 0, people: int = 40, interpretation: str = "data", rename: Name = str
) -> KnowledgeBase:
    """Friends often smoke alike, and smokers often have cancer; hats mean nothing.

    People stand in circles of friends. Whether one smokes is drawn again and again given one's friends.
    """
    rng = np.random.default_rng(seed)
    friends = np.zeros((people, people), bool)
    for start in range(0, people, 5):
        friends[start : start + 5, start : start + 5] = rng.random((5, 5)) < 0.6
    friends &= ~np.eye(people, dtype=bool)
    friends |= friends.T
    smokes = rng.random(people) < 0.5
    for _ in range(20):
        for i in range(people):
            alike = 1.0 * ((friends[i] & smokes).sum() - (friends[i] & ~smokes).sum())
            smokes[i] = rng.random() < 1 / (1 + np.exp(-alike))
    cancer = rng.random(people) < np.where(smokes, 0.8, 0.1)
    hat = rng.random(people) < 0.5
    facts: list[tuple[str, ...]] = []
    for name, holds in (("smokes", smokes), ("cancer", cancer), ("hat", hat)):
        facts += [(rename(name), rename(f"c{i}")) for i in np.flatnonzero(holds).tolist()]
    facts += [(rename("friends"), rename(f"c{i}"), rename(f"c{j}")) for i, j in np.argwhere(friends).tolist()]
    schema = Schema.of(
        Predicate(rename("smokes"), ("person",)),
        Predicate(rename("cancer"), ("person",)),
        Predicate(rename("hat"), ("person",)),
        Predicate(rename("friends"), ("person", "person")),
    )
    return KnowledgeBase.from_facts(facts, schema=schema, interpretation=interpretation)


def same(one: StructureLearning, two: StructureLearning) -> bool:
    clauses = [[f.literals for f in found.network] for found in (one, two)]
    weights = [[f.weight for f in found.network] for found in (one, two)]
    return clauses[0] == clauses[1] and weights[0] == pytest.approx(weights[1], abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_planted_clauses_are_found(method: str) -> None:
    kb = KnowledgeBase.union([smokers(seed, interpretation=f"w{seed}") for seed in range(3)])
    found = learn_structure(kb, method=method)
    assert found.finished
    added = [step.clause for step in found.history if step.action == "add"]
    atoms = [sorted(str(x.atom) for x in clause) for clause in added]
    assert atoms[0] == ["cancer(A1)", "smokes(A1)"]
    # Of the clauses that repeat a predicate, the planted ones come before those that chance brings in.
    repeating = [clause for clause in atoms if len({text.split("(")[0] for text in clause}) < len(clause)]
    assert ["friends(A1,A2)", "friends(A2,A1)"] in repeating[:2]
    assert ["friends(A1,A2)", "smokes(A1)", "smokes(A2)"] in repeating[:2]
    weights = {clause_text(f.literals): f.weight for f in found.network}
    assert weights["!friends(a1,a2) v friends(a2,a1)"] > 3
    assert weights["!cancer(a1) v smokes(a1)"] > 1


@pytest.mark.parametrize("method", METHODS)
def test_the_score_never_falls_below_that_of_unit_clauses(method: str) -> None:
    for seed in range(2):
        found = learn_structure(smokers(seed, people=15), method=method)
        units = [step for step in found.history if step.action == "unit"]
        assert {len(step.clause) for step in units} == {1}
        scores = [step.score for step in found.history[len(units) - 1 :]]
        assert scores == sorted(scores)
        assert found.score == pytest.approx(scores[-1])
        value = wpll(found.network, smokers(seed, people=15), prior="gaussian")
        assert found.value == pytest.approx(value, abs=1e-9)
        literals = sum(len(formula.literals) for formula in found.network)
        assert found.score == pytest.approx(found.value - 0.01 * literals)


@pytest.mark.parametrize("method", METHODS)
def test_limits_are_kept_and_runs_repeat(method: str) -> None:
    kb = smokers(1, people=20)
    found = learn_structure(kb, method=method, max_literals=2, max_variables=2)
    assert all(len(f.literals) <= 2 and len(f.variables()) <= 2 for f in found.network)
    assert same(found, learn_structure(kb, method=method, max_literals=2, max_variables=2))


@pytest.mark.parametrize("method", METHODS)
def test_names_of_predicates_and_constants_do_not_matter(method: str) -> None:
    def mirrored(name: str) -> str:
        """Turn the alphabet around, so that everything is sorted another way."""
        return "".join(chr(219 - ord(c)) if c.isalpha() else chr(105 - ord(c)) for c in name)

    one = learn_structure(smokers(2, people=20), method=method)
    two = learn_structure(smokers(2, people=20, rename=mirrored), method=method)
    assert two.score == pytest.approx(one.score, abs=1e-6)
    names = {mirrored(name): name for name in ("smokes", "cancer", "hat", "friends")}

    def shape(found: StructureLearning, names: dict[str, str]) -> list[tuple[list[tuple[str, bool]], float]]:
        return sorted(
            (
                sorted((names.get(x.atom.predicate, x.atom.predicate), x.positive) for x in f.literals),
                round(f.weight, 3),
            )
            for f in found.network
        )

    assert shape(one, {}) == shape(two, names)


class StopAfter(StopToken):
    """Stops after it was asked so many times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.left = times

    @property
    def stopped(self) -> bool:
        self.left -= 1
        if self.left < 0:
            self.stop("interrupted")
        return super().stopped


@pytest.mark.parametrize("method", METHODS)
def test_a_resumed_run_ends_like_an_uninterrupted_one(method: str, tmp_path: Path) -> None:
    kb = smokers(3, people=15)
    options: dict[str, Any] = {"method": method, "max_candidates": 40}
    whole = learn_structure(kb, **options)
    units = next(s.score for s in reversed(whole.history) if s.action == "unit")
    file = tmp_path / "state.json"
    runs, phases = 0, set()
    while True:
        part = learn_structure(kb, **options, checkpoint=file, stop=StopAfter(3 if method == "busl" else 9))
        runs += 1
        phases.add(json.loads(file.read_text())["state"]["phase"])
        assert part.score >= units - 1e-9
        if part.finished:
            break
        assert part.reason == "interrupted"
    assert runs > 5
    assert phases >= {"candidates", "scoring", "done"}
    assert same(part, whole)
    assert [str(step) for step in part.history] == [str(step) for step in whole.history]
    assert part.candidates == whole.candidates
    again = learn_structure(kb, **options, checkpoint=file)
    assert same(again, whole), "a finished run has nothing left to do"


def test_time_limit_and_ctrl_c_keep_the_best_so_far() -> None:
    kb = smokers(0, people=15)
    early = learn_structure(kb, time_limit=0.0)
    assert (early.finished, early.reason) == (False, "time limit")
    assert len(early.network) >= len(kb.schema)

    def report(event: Event) -> None:
        if isinstance(event, PhaseAdvanced) and event.phase == "scoring" and event.done == 20:
            raise KeyboardInterrupt

    late = learn_structure(kb, report=report)
    assert (late.finished, late.reason) == (False, "interrupted")
    assert late.score > early.score, "the best candidate so far is in it"


def test_progress_tells_of_all_phases() -> None:
    events: list[Event] = []
    found = learn_structure(smokers(0, people=10), report=events.append)
    finished = [event for event in events if isinstance(event, PhaseFinished)]
    assert [event.phase for event in finished] == ["candidates", "scoring", "adding", "pruning"]
    assert finished[-1].counts["clauses"] == len(found.network)
    assert found.candidates["candidates"] >= found.candidates["supported"] >= found.candidates["useful"]


def test_checkpoints_of_others_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    kb = smokers(0, people=10)
    learn_structure(kb, checkpoint=file)
    with pytest.raises(InputError, match="other settings"):
        learn_structure(kb, checkpoint=file, max_literals=2)
    with pytest.raises(InputError, match="other domains"):
        learn_structure(kb, checkpoint=file, domains={"person": ["zoe"]})
    with pytest.raises(InputError, match="other data"):
        learn_structure(smokers(1, people=10), checkpoint=file)
    text = file.read_text()
    file.write_text(text[:100])
    with pytest.raises(InputError, match="damaged"):
        learn_structure(kb, checkpoint=file)
    data = json.loads(text)
    data["state"]["clauses"][0][0][1] = [[]]
    file.write_text(json.dumps(data))
    with pytest.raises(InputError, match="damaged"):
        learn_structure(kb, checkpoint=file)


def test_reflexive_predicates_get_units_of_their_own() -> None:
    facts = [("same", f"c{i}", f"c{i}") for i in range(10)]
    found = learn_structure(KnowledgeBase.from_facts(facts))
    weights = {clause_text(f.literals): f.weight for f in found.network}
    assert weights["same(a1,a1)"] > 5 > -5 > weights["same(a1,a2)"]


def test_background_predicates_are_used_and_not_predicted() -> None:
    schema = Schema.of(Predicate("p", ("t",)), Predicate("b", ("t",), background=True))
    facts = [("p", f"c{i}") for i in range(10)] + [("b", f"c{i}") for i in range(9)]
    facts += [("b", f"d{i}") for i in range(2)]
    kb = KnowledgeBase.from_facts(facts, schema=schema)
    for method in METHODS:
        found = learn_structure(kb, method=method, domains={"t": [f"e{i}" for i in range(20)]})
        assert all("p" in f.predicates() for f in found.network)
        assert any("b" in f.predicates() for f in found.network)


def test_constants_of_small_types_tell_phases_apart() -> None:
    facts = [("phase", f"c{i}", "early" if i % 3 else "late") for i in range(30)]
    facts += [("old", f"c{i}") for i in range(0, 30, 3)]
    schema = Schema.of(Predicate("phase", ("person", "stage")), Predicate("old", ("person",)))
    kb = KnowledgeBase.from_facts(facts, schema=schema)
    without = learn_structure(kb, method="exhaustive")
    found = learn_structure(kb, method="exhaustive", constants=2)
    assert found.score > without.score
    assert any(re.search("early|late", str(f)) and "old" in f.predicates() for f in found.network)


@pytest.mark.parametrize("method", METHODS)
def test_l1_selects_from_fewer_clauses(method: str) -> None:
    found = learn_structure(smokers(2, people=20), method=method, selection="l1", max_variables=2)
    assert 0 < found.candidates["together"] < found.candidates["useful"]
    scores = [step.score for step in found.history if step.action != "unit"]
    assert scores == sorted(scores)
    texts = [clause_text(f.literals) for f in found.network]
    assert any("cancer(a1)" in text and "smokes(a1)" in text for text in texts)


def test_clauses_stand_once_in_canonical_form() -> None:
    found = learn_structure(smokers(4, people=15))
    clauses = [formula.literals for formula in found.network]
    assert [canonical(clause) for clause in clauses] == clauses
    assert len(set(clauses)) == len(clauses)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "topdown"}, "method must be one of busl, exhaustive, not 'topdown'"),
        ({"symmetry": "none"}, "symmetry must be one of either, both"),
        ({"selection": "best"}, "selection must be one of greedy, l1"),
        ({"max_literals": 0}, "max_literals must be a whole number of at least 1 and at most 64, not 0"),
        ({"max_variables": 2.5}, "max_variables must be a whole number"),
        ({"tnode_atoms": 3}, "tnode_atoms must be a whole number of at least 1 and at most 2"),
        ({"sigma": 0.0}, "sigma must be a number of at least 1e-09"),
        ({"length_penalty": -1.0}, "length_penalty must be a number of at least 0"),
        ({"min_support": 1.5}, "min_support must be a number of at least 0 and at most 1"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        learn_structure(smokers(0, people=5), **options)


def test_too_many_ground_atoms() -> None:
    facts = [("p", f"c{i}", f"c{i}") for i in range(5000)]
    with pytest.raises(UsageError, match="p has 25,000,000 ground atoms in data"):
        learn_structure(KnowledgeBase.from_facts(facts))


def test_no_facts() -> None:
    with pytest.raises(InputError, match="no facts"):
        learn_structure(KnowledgeBase.from_facts([], schema=Schema.of(Predicate("p", ("t",)))))
