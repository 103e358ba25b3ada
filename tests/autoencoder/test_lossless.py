"""Decoding what was encoded losslessly gives the same knowledge base, whatever the programs and the data."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from engine.random_programs import REPEATABLE, Language, clause_of, programs
from engine.random_programs import knowledge_bases as plain_knowledge_bases
from logicoder import AutoEncoder, InputError, KnowledgeBase, Predicate, Program, Schema
from logicoder.kb.builder import KnowledgeBaseBuilder
from logicoder.kb.knowledge_base import TRUTHS
from logicoder.logic.symbols import Text, symbol_of

ODD = st.one_of(
    st.sampled_from(
        ["a", "b", "c", "d", "stranger", "Luke", "it's", "1", "", "\u2028", "\x85", "née", "true"]
    ),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
    st.integers(-3, 3),
    st.sampled_from([0.5, -0.0, 1e22, -1e-7]),
    st.builds(Text, st.text(st.characters(exclude_categories=["Cs"]), max_size=2)),
)
MANY = settings(REPEATABLE, max_examples=40)
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5)


@st.composite
def models(draw):
    """Random programs over a random schema: they need not make any sense together."""
    example = draw(plain_knowledge_bases())
    background = draw(st.sampled_from([None, *example.schema]))
    schema = Schema(
        {n: Predicate(n, p.types, None, n == background, p.open_world) for n, p in example.schema.items()}
    )
    encoder, latents = draw(programs(example))
    heads = [p for p in schema.values() if not p.background]
    language = Language(dict(latents), tuple(latents))
    clauses = [draw(clause_of(head, language)) for head in heads for _ in range(draw(st.integers(0, 2)))]
    declared = draw(st.booleans())
    model = AutoEncoder.from_programs(encoder, Program(tuple(clauses)), schema=schema if declared else None)
    return model, schema


@st.composite
def knowledge_bases(draw, schema, strangers):
    """Odd constants, several interpretations, some of them empty, atoms of every truth."""
    predicates = dict(schema)
    if strangers:
        extra = draw(st.sampled_from([None, "new one", "d00"]))
        if extra:
            predicates[extra] = Predicate(extra, ("person",))
    domains = draw(st.sampled_from([{}, {"person": ("nobody",)}]))
    worlds = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    builder = KnowledgeBaseBuilder(Schema(predicates))
    for world in worlds:
        builder.interpretation(world)
    constants = draw(st.lists(ODD, min_size=1, max_size=4))
    seen = set()
    for _ in range(draw(st.integers(0, 12))):
        name = draw(st.sampled_from(sorted(predicates)))
        world = draw(st.sampled_from(worlds))
        symbols = tuple(symbol_of(draw(st.sampled_from(constants))) for _ in predicates[name].types)
        if (world, name, symbols) not in seen:
            seen.add((world, name, symbols))
            builder.add(name, symbols, builder.interpretation(world), draw(st.sampled_from(TRUTHS)))
    kb = builder.build()
    return kb.with_schema(Schema(kb.schema.predicates, domains))


@st.composite
def models_and_data(draw, strangers=True):
    """A model and data that it accepts: where nothing declares the types of latents, they may not fit."""
    model, schema = draw(models())
    kb = draw(knowledge_bases(schema, strangers and model.schema_ is not None))
    try:
        model.inverse_transform(model.transform(model.known_part(kb)))
    except InputError as error:
        assume("type" not in str(error))
        raise
    return model, kb


def content(kb):
    """Everything that a knowledge base says, more than its equality asks for."""
    atoms = {
        (truth, f.interpretation, f.predicate, tuple(map(symbol_of, f.arguments)))
        for truth in TRUTHS
        for f in kb.facts(truth=truth)
    }
    return dict(kb.schema), dict(kb.schema.domains), kb.interpretations, atoms


@MANY
@given(models_and_data())
def test_every_knowledge_base_comes_back(case):
    model, kb = case
    encoded = model.encode_losslessly(kb)
    back = model.decode_losslessly(encoded.latent, encoded.exceptions)
    assert back == kb
    assert content(back) == content(kb)
    assert len(encoded.latent) == len(model.transform(model.known_part(kb)))
    event(f"missing {bool(len(encoded.exceptions.listed))}, false {bool(len(encoded.exceptions.false))}")


@MANY
@given(models_and_data())
def test_files_keep_it_all(case):
    model, kb = case
    with tempfile.TemporaryDirectory() as folder:
        model.encode_losslessly(kb).save(folder)
        latent = KnowledgeBase.from_path(Path(folder) / "latent", schema=Schema(), empty=True)
        back = model.decode_losslessly(latent, Path(folder) / "exceptions.pl")
    assert content(back) == content(kb)


def by_hand(kb, rebuilt):
    """The four kinds of exceptions from the definition."""
    listed = {t: {(f.interpretation, str(f)) for f in kb.facts(truth=t)} for t in TRUTHS}
    derived = {(f.interpretation, str(f)) for f in rebuilt if f.predicate in kb.schema}
    return {
        "missing": listed["true"] - derived,
        "false": derived - listed["true"] - listed["false"] - listed["unknown"],
        "negative": listed["false"],
        "unknown": listed["unknown"],
    }


@MANY
@given(models_and_data(strangers=False))
def test_exceptions_are_those_of_the_definition(case):
    model, kb = case
    encoded = model.encode_losslessly(kb)
    found = {kind: set() for kind in ("missing", "false", "negative", "unknown")}
    for kind, fact in encoded.exceptions.lines():
        found[kind].add((fact.interpretation, str(fact)))
    assert found == by_hand(kb, model.inverse_transform(model.transform(kb)))
    assert encoded.exceptions.counts() == {kind: len(facts) for kind, facts in found.items()}


def test_background_and_strange_predicates_are_kept():
    schema = Schema.of(Predicate("p", ("t",)), Predicate("b", ("t",), background=True))
    model = AutoEncoder.from_programs("l(X) :- p(X), b(X).", "p(X) :- l(X).", schema=schema)
    data = Schema.of(*schema.values(), Predicate("new", ("t", "u")))
    kb = KnowledgeBase.from_facts([("p", 1), ("b", 1), ("b", 2), ("new", 1, 2)], schema=data)
    encoded = model.encode_losslessly(kb)
    assert {(kind, str(fact)) for kind, fact in encoded.exceptions.lines()} == {
        ("missing", "b(1)"),
        ("missing", "b(2)"),
        ("missing", "new(1,2)"),
    }
    assert content(model.decode_losslessly(encoded.latent, encoded.exceptions)) == content(kb)


def test_facts_of_predicates_that_the_background_derives_are_kept():
    schema = Schema.of(Predicate("p", ("t",)), Predicate("b", ("t",), background=True))
    options = {"schema": schema, "background": "b(1). b(X) :- p(X)."}
    model = AutoEncoder.from_programs("l(X) :- p(X), b(X).", "p(X) :- l(X).", **options)
    kb = KnowledgeBase.from_facts([("p", 1), ("p", 2), ("b", 3)], schema=schema)
    encoded = model.encode_losslessly(kb)
    assert sorted(map(str, encoded.latent)) == ["l(1)", "l(2)"]
    assert [(kind, str(fact)) for kind, fact in encoded.exceptions.lines()] == [("missing", "b(3)")]
    assert content(model.decode_losslessly(encoded.latent, encoded.exceptions)) == content(kb)
