"""With everything switched on: what the learner says of a program is what running the program shows."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder import AutoEncoder, InfeasibleError, KnowledgeBase, Predicate, Schema
from logicoder.base.clock import Clock
from logicoder.base.progress import silent
from logicoder.base.stopping import StopToken
from logicoder.kb.builder import KnowledgeBaseBuilder
from logicoder.learner.learn import enumerate_problem
from logicoder.learner.selected_programs import programs_of
from logicoder.learner.settings import Settings
from logicoder.problem import Problem
from logicoder.selection import Solution
from tiny_data import REPEATABLE

CONSTANTS = {"person": ("a", "b", "c"), "place": ("b", "d")}
ARGUMENTS = [
    ("person", "person"),
    ("person", "person"),
    ("person", "place"),
    ("person",),
    ("place",),
    (),
    ("place", "person", "person"),
]


@st.composite
def schemas(draw) -> Schema:
    count = draw(st.integers(1, 3))
    return Schema.of(
        *(
            Predicate(
                f"p{i}",
                draw(st.sampled_from(ARGUMENTS)),
                open_world=draw(st.integers(0, 3)) == 0,
                background=i > 0 and draw(st.integers(0, 4)) == 0,
            )
            for i in range(count)
        )
    )


@st.composite
def filled(draw, schema: Schema, least: int = 1) -> KnowledgeBase:
    """Facts, explicit negatives and unknown atoms in one or two interpretations."""
    builder = KnowledgeBaseBuilder(schema)
    worlds = [builder.interpretation(name) for name in ("earth", "mars")[: draw(st.integers(1, 2))]]
    for predicate in schema.values():
        every = [(w, row) for w in worlds for row in product(*(CONSTANTS[kind] for kind in predicate.types))]
        chosen = draw(st.lists(st.sampled_from(every), unique=True, min_size=least, max_size=7))
        for number, (world, row) in enumerate(chosen):
            truths = ("true", "true", "true", "false", "unknown")
            builder.add(
                predicate.name, row, world, "true" if number < least else draw(st.sampled_from(truths))
            )
    return builder.build()


mostly = st.sampled_from((True, True, True, False))
LANGUAGE = {
    "encoder_length": st.integers(1, 2),
    "decoder_length": st.integers(1, 2),
    "constants": st.sampled_from((0, 2, 3)),
    "negation": mostly,
    "inequality": mostly,
    "recursion": mostly,
}
OPTIONS = {
    **LANGUAGE,
    "compression": st.sampled_from(("0.7", "1", "1.5")),
    "bottlenecks": st.sampled_from((("total",), ("average",), ("total", "latents=3"), ("bits=2",))),
    "objective": st.sampled_from(("lexicographic", "lexicographic", "bits")),
    "generality": st.booleans(),
    "reconstruct_all": st.booleans(),
    "max_decoders": st.sampled_from((30, 300)),
    "working_set": st.sampled_from((None, 3)),
    "effort": st.just(0.2),
    "jobs": st.sampled_from((1, 1, 1, 2)),
}


def mistakes(model: AutoEncoder, kb: KnowledgeBase) -> tuple[int, int]:
    """Return how many facts are missing and how many atoms are false, by the definition."""
    rebuilt = atoms(model.inverse_transform(model.transform(kb)))
    true, negative, unknown = (atoms(kb, truth) for truth in ("true", "false", "unknown"))
    true = {atom for atom in true if not kb.schema[atom[0]].background}
    false = {
        atom for atom in rebuilt - true - unknown if atom in negative or not kb.schema[atom[0]].open_world
    }
    return len(true - rebuilt), len(false)


def atoms(kb: KnowledgeBase, truth: str = "true") -> set[tuple[str, str, tuple[object, ...]]]:
    return {(fact.predicate, fact.interpretation, fact.arguments) for fact in kb.facts(truth=truth)}


@settings(REPEATABLE, max_examples=40)
@given(data=st.data(), schema=schemas(), options=st.fixed_dictionaries(OPTIONS))
def test_the_loss_is_that_of_the_programs(data, schema, options) -> None:
    kb = data.draw(filled(schema))
    model = AutoEncoder(**options)
    try:
        model.fit(kb)
    except InfeasibleError:
        event("infeasible")
        return
    for kind in kinds_of(model):
        event(kind)
    outcome = model.reconstruct(kb)
    assert outcome.loss == model.loss_
    assert (len(outcome.missing), len(outcome.false)) == (model.missing_, model.false_) == mistakes(model, kb)
    assert outcome.predicates == model.scores_
    assert outcome.latent_facts == model.latent_facts_
    assert model.bound_ <= model.objective_
    assert (model.status_ == "optimal") == (model.gap_ == 0)

    # Kept as text, the programs do the same to data they were not learned from.
    other = data.draw(filled(schema, least=0))
    with TemporaryDirectory() as folder:
        model.save(Path(folder) / "model.alp")
        loaded = AutoEncoder.load(Path(folder) / "model.alp")
    assert (loaded.encoder_, loaded.decoder_) == (model.encoder_, model.decoder_)
    assert loaded.transform(other) == model.transform(other)
    if other.size:
        assert loaded.reconstruct(other).loss == sum(mistakes(model, other))


@settings(REPEATABLE, max_examples=40)
@given(data=st.data(), schema=schemas(), options=st.fixed_dictionaries(LANGUAGE))
def test_so_is_that_of_any_selection(data, schema, options) -> None:
    """The best programs seldom have the rarer kinds of clauses: here they are selected at random."""
    kb = data.draw(filled(schema))
    rules = {"bottlenecks": (), "generality": False, "dominance": False, "drop_extensions": False}
    problem, _ = enumerate_problem(
        kb, Settings(**options, **rules, max_decoders=500, working_set=25), Clock(silent), StopToken()
    )
    selected: dict[str, list[int]] = {}
    groups = list(by_kind(problem).values())
    some = st.sampled_from(groups).flatmap(st.sampled_from) if groups else st.nothing()
    for number in data.draw(st.lists(some, min_size=2 if groups else 0, max_size=8)):
        others = selected.setdefault(problem.decoders[number].predicate, [])
        if not others or not any(problem.decoders[i].exclusive for i in (number, *others)):
            others.append(number)
    solution = Solution.of(problem, {i for some in selected.values() for i in some}, 0, "by hand")
    programs = programs_of(problem, solution, set(kb.schema))
    model = AutoEncoder.from_programs(*programs, schema=kb.schema)
    for kind in kinds_of(model):
        event(kind)
    outcome = model.reconstruct(kb)
    found = (len(outcome.missing), len(outcome.false))
    assert found == (solution.missing, solution.false) == mistakes(model, kb)
    assert outcome.latent_facts == sum(problem.encoders[e].weight for e in solution.encoders)


def by_kind(problem: Problem) -> dict[str, list[int]]:
    """Return the decoders by what they or the definitions of their latents hold."""
    found: dict[str, list[int]] = {}
    for number, decoder in enumerate(problem.decoders):
        definitions = [problem.encoders[latent].clause for latent in decoder.latents]
        text = "\n".join([decoder.clause, *definitions])
        kinds = {
            "all": True,
            "negation": r"\+" in text,
            "inequality": r"\=" in text,
            "recursion": decoder.exclusive,
            "recursive latent": any("\n" in definition for definition in definitions),
        }
        for kind, holds in kinds.items():
            if holds:
                found.setdefault(kind, []).append(number)
    return found


def kinds_of(model: AutoEncoder) -> set[str]:
    """Return what the selected clauses hold besides plain literals."""
    found = set()
    for side, program in (("encoder", model.encoder_), ("decoder", model.decoder_)):
        for clause in program:
            literals = list(clause.literals())
            if any(literal.inequality for literal in literals):
                found.add(f"inequality in the {side}")
            if not all(literal.positive or literal.inequality for literal in literals):
                found.add(f"negation in the {side}")
            if clause.head.predicate in clause.body_predicates():
                found.add(f"recursion in the {side}")
            atoms = [clause.head, *(literal.atom for literal in literals)]
            if any(len(atom.variables()) < len(set(atom.arguments)) for atom in atoms):
                found.add(f"constant in the {side}")
    return found
