"""An engine that another package brings: found by name, and good enough for the whole of learning."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder.base.errors import InfeasibleError, SearchError, UsageError
from logicoder.candidates.heads import heads_of
from logicoder.datasets import star_wars_figure
from logicoder.engine import run_program, template
from logicoder.engine.arrays.array_engine import ArrayEngine
from logicoder.engine.handles import Decoder
from logicoder.engine.interface import Engine
from logicoder.engine.questions import Acceptance, Choice, DecoderQuestion, DecoderStatistics
from logicoder.engine.registry import DEFAULT, ENGINES
from logicoder.kb import KnowledgeBase
from logicoder.learner.learn import Learned, learn
from logicoder.learner.settings import Settings
from logicoder.problem.model import Problem
from tiny_data import REPEATABLE, SIGNATURES, knowledge_bases

from . import random_programs
from .sets import SetEngine


@pytest.fixture(autouse=True, scope="module")
def installed(tmp_path_factory):
    """A package that declares the engine, as if somebody had installed it."""
    folder = tmp_path_factory.mktemp("site")
    about = folder / "set_engine-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: set-engine\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[logicoder.engines]\nsets = {SetEngine.__module__}:SetEngine\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        ENGINES.__dict__.pop("_outside", None)  # what was found before is looked for again
        yield
    ENGINES.__dict__.pop("_outside", None)


def test_it_is_found_by_name() -> None:
    assert list(ENGINES) == ["arrays", "sets"]
    assert ENGINES["sets"] is SetEngine
    assert ENGINES[DEFAULT] is ArrayEngine
    with pytest.raises(UsageError, match="engine must be one of arrays, sets, not 'abacus'"):
        ENGINES["abacus"]


def seen(problem: Problem) -> tuple[object, ...]:
    """What a problem is about, whatever the order of its candidates and of their arguments."""
    return (
        problem.targets,
        Counter((e.weight, e.literals, e.dependencies, e.bits) for e in problem.encoders),
        Counter((d.predicate, d.literals, d.true, d.false, d.bits) for d in problem.decoders),
        Counter((c.true, c.weight, len(c.decoders), c.predicate) for c in problem.classes),
        [
            None if order is None else (len(set(order.nodes)), len(order.edges))
            for order in (problem.encoder_generality, problem.decoder_generality)
        ],
        [(r.predicate, len(r.decoders)) for r in problem.requirements],
        problem.atoms,
    )


def disjunctions(kb: KnowledgeBase, name: str, length: int) -> list[Decoder]:
    """Return the disjunctive decoders over the predicates of the data, as an engine makes them."""
    engine = ENGINES[name](kb)
    latents = {number: engine.facts(predicate) for number, predicate in enumerate(kb.learnable)}
    question = DecoderQuestion(heads_of(engine, kb.learnable), latents, length, Acceptance(Fraction(1, 2)))
    counted = list(engine.count_disjunctive(question, lambda *_: None))
    choice = Choice([latent.size for latent in latents.values()], merge_signature_variants=False)
    return engine.choose(counted, choice, DecoderStatistics(), set())


def learned(kb: KnowledgeBase, chosen: Settings, engine: str) -> Learned | str:
    try:
        return learn(kb, chosen, engine=engine)
    except (InfeasibleError, SearchError) as error:
        return str(error)


def counts(found: Learned) -> dict[str, object]:
    """The counts of candidates; what rebuilds no fact may be told before it is known to, as too corrupt."""
    pruned = dict(found.candidates["pruned"])
    useless = pruned.pop("unsupported") + pruned.pop("corruption")
    return {**found.candidates, "pruned": {**pruned, "useless": useless}}


def check(kb: KnowledgeBase, chosen: Settings) -> bool:
    """Compare the two engines; returns whether there is a program."""
    arrays, sets = (learned(kb, chosen, name) for name in ("arrays", "sets"))
    if isinstance(arrays, str) or isinstance(sets, str):
        assert arrays == sets
        return False
    assert counts(arrays) == counts(sets)
    assert seen(arrays.problem) == seen(sets.problem)
    assert (arrays.solution.loss, arrays.solution.objective) == (sets.solution.loss, sets.solution.objective)
    return True


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"negation": True, "inequality": True},
        {"dominance": False},
        {"repeated_variables": False},
        {"disjunctive_decoders": True, "max_corruption": 0.5, "inequality": True, "encoder_length": 1},
        {"recursion": True, "encoder_length": 1},
        {"recursion": True, "encoder_length": 1, "decoder_length": 1, "max_bodies": 5},
        {"encoder_length": 1, "decoder_length": 3, "drop_extensions": False},
        {"encoder_length": 1, "decoder_length": 3, "drop_extensions": True},
        {"encoder_length": 1, "constants": 5},
    ],
    ids=lambda options: " ".join(options) or "default",
)
def test_the_figure_of_the_paper(options) -> None:
    assert check(star_wars_figure(), Settings(**options, effort=1.0))


@pytest.mark.parametrize(
    "options",
    [{"max_decoders": 15}, {"working_set": 3}, {"max_work": 1}, {"max_work": 1, "working_set": 3}],
    ids=["few candidates", "rounds", "as if the data were large", "few latents of large data"],
)
def test_where_an_engine_chooses(options) -> None:
    """Which of equal candidates come first is an engine's own choice; but both lead to a program as good."""
    chosen = Settings(encoder_length=1, **options, effort=1.0)
    arrays, sets = (learned(star_wars_figure(), chosen, name) for name in ENGINES)
    assert arrays.solution.loss == sets.solution.loss
    assert arrays.candidates["encoders"] == sets.candidates["encoders"]
    assert arrays.candidates["rounds"] == sets.candidates["rounds"]


@settings(REPEATABLE, max_examples=12)
@given(knowledge_bases(SIGNATURES, most_facts=8), st.booleans())
def test_tiny_data(kb, masked) -> None:
    objective = "masked" if masked else "lexicographic"
    found = check(kb, Settings(compression=1, objective=objective, effort=1.0))
    event("a program" if found else "no program")


@settings(REPEATABLE, max_examples=12)
@given(knowledge_bases(SIGNATURES, most_facts=8), st.sampled_from((2, 3)))
def test_alternatives(kb, length) -> None:
    found = [[(d.head, d.body, d.true, d.false) for d in disjunctions(kb, name, length)] for name in ENGINES]
    assert len(found[0]) == len(found[1])
    assert set(found[0]) == set(found[1])
    event(f"{min(len(found[0]), 1)}")


@settings(REPEATABLE, max_examples=40)
@given(st.data())
def test_promises(data) -> None:
    kb = data.draw(knowledge_bases(SIGNATURES, most_facts=8))
    kept = data.draw(st.sampled_from((*kb.learnable, None)))
    found = []
    for name in ENGINES:
        engine = ENGINES[name](kb)
        facts = {number: engine.facts(predicate) for number, predicate in enumerate(kb.learnable)}
        question = DecoderQuestion(heads_of(engine, kb.learnable), facts, 1, Acceptance(None))
        counted = [batch for batch in engine.count(question, lambda *_: None) if batch.head.predicate == kept]
        weights = [latent.size for latent in facts.values()]
        program = engine.choose(counted, Choice(weights, 1), DecoderStatistics(), set())
        for decoder in program:
            whole = engine.complete(decoder, facts, None)
            assert (whole.true, whole.false) == (decoder.true, decoder.false)
        missed = engine.missed(program)
        ranked = engine.promising(facts, kb.learnable, missed, {}, links=0, together=1000)
        best = [{number for ranking in ranked(predicate) for number in ranking} for predicate in kb.learnable]
        scores = [engine.promises(facts, kb.learnable, wanted) for wanted in (None, missed)]
        found.append((missed.facts, scores, best))
    assert found[0] == found[1]


@settings(REPEATABLE, max_examples=60)
@given(st.data())
def test_programs(data) -> None:
    kb = data.draw(random_programs.knowledge_bases())
    program, _ = data.draw(random_programs.programs(kb))
    arrays, sets = (sorted(map(str, run_program(program, kb, engine=name))) for name in ENGINES)
    assert arrays == sets
    event("derives something" if arrays else "derives nothing")


def test_the_template_says_of_every_operation_when_to_fill_it_in() -> None:
    wanted = template.TemplateEngine.__abstractmethods__
    assert wanted | {"__init__"} == Engine.__abstractmethods__
    assert set(re.findall(r"`(\w+)`", template.__doc__)) - {"interface"} == wanted
