"""The contract of all four engines: programs that are run on their data mean what clingo says they mean.

The tests know models and data alone; a fixture says whether arrays hold data, DuckDB, PostgreSQL or Spark.
"""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from tests.engine.asp import derived
from tests.engine.random_programs import REPEATABLE, Language, clause_of, knowledge_bases, programs

from logicoder import AutoEncoder, KnowledgeBase, Program
from logicoder.base.errors import InputError
from logicoder.engine.sql.stored_data import StoredData
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.latent_names import renamed
from logicoder.logic.symbols import atom_text

from .systems import SYSTEMS, session_of

ENGINES = ("arrays", *SYSTEMS)
EXAMPLES = {"arrays": 100, "duckdb": 30, "postgresql": 30, "spark": 4}
"""Random models for each, of which the first one is empty: Spark takes a second for each query."""


class Engine:
    """Holds data as one of the engines does."""

    def __init__(self, name, session):
        self.name, self._session = name, session

    def hold(self, kb):
        return kb if self._session is None else StoredData.of(kb, self._session)

    def clear(self):
        if self._session is not None:
            self._session.clear()


@pytest.fixture(
    params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ENGINES], scope="module"
)
def engine(request):
    if request.param == "arrays":
        yield Engine("arrays", None)
        return
    with session_of(request.param, request) as session:
        yield Engine(request.param, session)


def atoms_of(data, worlds):
    """All atoms of data, wherever they are; if there is one interpretation, its name does not count."""
    kb = data.read() if isinstance(data, StoredData) else data
    found = [(fact.interpretation, fact.predicate, tuple(map(str, fact.arguments))) for fact in kb]
    assert len(found) == len(set(found)) == len(data), "every atom is listed once"
    return named(found, worlds)


def named(atoms, worlds):
    return {(world if len(worlds) > 1 else worlds[0], name, row) for world, name, row in atoms}


def expected_of(encoder, decoder, kb):
    """What clingo encodes and decodes: latent atoms, and atoms of the data that come back of these alone."""
    latent = set(encoder.defined())
    names = {f"rebuilt_{name}": name for name in decoder.defined()}
    beside = {name: own for own, name in names.items()}
    every = derived(Program((*encoder, *(renamed(clause, beside) for clause in decoder))), kb)
    back = {(world, names[name], row) for world, name, row in every if name in names}
    return {atom for atom in every if atom[1] in latent}, back


def keeps_the_contract(engine, encoder, decoder, kb):
    worlds = kb.interpretations
    facts = {(f.interpretation, f.predicate, tuple(map(str, f.arguments))) for f in kb}
    latent, back = expected_of(encoder, decoder, kb)
    model = AutoEncoder.from_programs(encoder, decoder, schema=kb.schema)
    data = engine.hold(kb)

    represented = model.transform(data)
    assert atoms_of(represented, worlds) == latent
    assert atoms_of(model.inverse_transform(represented), worlds) == back

    outcome = model.reconstruct(data)
    assert (outcome.facts, outcome.latent_facts) == (len(facts), len(latent))
    assert atoms_of(outcome.missing, worlds) == facts - back
    assert atoms_of(outcome.false, worlds) == back - facts
    assert outcome.loss == len(facts ^ back)
    for score in outcome.predicates:
        own, rebuilt = ({x for x in every if x[1] == score.predicate} for every in (facts, back))
        assert (score.facts, score.rebuilt) == (len(own), len(own & rebuilt))
        assert (score.missing, score.false) == (len(own - rebuilt), len(rebuilt - own))

    encoding = model.encode_losslessly(data)
    assert atoms_of(encoding.latent, worlds) == latent
    assert atoms_of(model.decode_losslessly(encoding.latent, encoding.exceptions), worlds) == facts
    engine.clear()


@st.composite
def models(draw, kb):
    """A random encoder, with recursion and negation, and a decoder of some of the predicates of the data."""
    encoder, latent = draw(programs(kb))
    language = Language(dict(latent), tuple(sorted(latent)))
    clauses = [
        draw(clause_of(predicate, language))
        for predicate in kb.schema.values()
        for _ in range(draw(st.integers(0, 2)))
    ]
    decoder = Program(tuple(clauses))
    try:
        AutoEncoder.from_programs(encoder, decoder, schema=kb.schema).reconstruct(kb)
    except InputError as error:
        if "is of type" not in error.message:
            raise
        reject()  # what is only a constant in the encoder has a type of its own
    return encoder, decoder


def test_random_models_on_random_data(engine):
    @settings(REPEATABLE, max_examples=EXAMPLES[engine.name])
    @given(st.data())
    def check(drawn):
        kb = drawn.draw(knowledge_bases(negatives=False))
        encoder, decoder = drawn.draw(models(kb))
        keeps_the_contract(engine, encoder, decoder, kb)

    check()


def test_recursion_negation_and_several_interpretations(engine):
    number = 2 if engine.name == "spark" else 5  # a round of queries takes Spark some seconds
    edges = [("edge", f"n{i}", f"n{(i + 1) % number}") for i in range(number)] + [("edge", "n1", "n9")]
    edges += [("start", "n1")]
    schema = Schema.of(Predicate("edge", ("node", "node")), Predicate("start", ("node",)))
    kb = KnowledgeBase.union(
        [
            KnowledgeBase.from_facts(edges, schema=schema, interpretation="it's one"),
            KnowledgeBase.from_facts(edges[1:3], schema=schema, interpretation="two"),
        ]
    )
    rules = r"""
        reached(X) :- start(X).                reached(Y) :- reached(X), edge(X,Y).
        even(X) :- start(X).                   even(Y) :- odd(X), edge(X,Y).
        odd(Y) :- even(X), edge(X,Y).          lost(X) :- edge(X,_), \+ reached(X).
        link(X,Y) :- edge(X,Y), X \= n2.       any :- start(_).
    """
    encoder = Program.parse(rules.replace("reached", "even") if engine.name == "spark" else rules)
    decoder = Program.parse(r"""
        edge(X,Y) :- link(X,Y), \+ lost(X).    edge(X,Z) :- edge(X,Y), link(Y,Z), odd(Z).
        start(X) :- even(X), any.
    """)
    keeps_the_contract(engine, encoder, decoder, kb)


TEXTS = [
    "o'brien",
    'say "x"',
    "a\\b",
    "drop table; --",
    "naïve ☃",
    "with\ttab",
    "two\nlines",
    "%s %(x)s",
    "$1 ${x} {x}",
    "`tick`",
    "NULL",
    "\\N",
    "",
    " ",
    "a",
    "A",
    "é",
    "e\u0301",
    "42",
    "007",
    "-1.5",
]
NAMES = [
    "select",
    "SELECT",
    "Select",
    'x"y',
    "it's",
    "a b",
    "p;--",
    "%d",
    "naïve",
    "two\nlines",
    "`b`",
    "w",
    "a1",
]


def test_names_and_constants_of_any_kind(engine):
    """Reserved words, quotation marks, what only case tells apart, and what queries or formats might read."""
    names = NAMES[:2] if engine.name == "spark" else NAMES
    pairs = list(itertools.pairwise(TEXTS))
    facts = [(name, *pair) for number, name in enumerate(names) for pair in pairs[number % 3 :: 3]]
    kb = KnowledgeBase.from_facts([*facts, *((NAMES[0], *pair) for pair in pairs)], types="one")
    quoted = {name: atom_text(name) for name in names}
    encoder = [f"{atom_text('latent ' + name)}(Y,X) :- {own}(X,Y)." for name, own in quoted.items()]
    encoder.append(r"'o\'f'(X) :- select('o\'brien',X), \+ select(X,'%s %(x)s').")
    decoder = [f"{own}(X,Y) :- {atom_text('latent ' + name)}(Y,X)." for name, own in quoted.items()]
    decoder[1] = r"'SELECT'(X,'drop table; --') :- 'o\'f'(X), X \= '$1 ${x} {x}'."
    keeps_the_contract(engine, Program.parse(" ".join(encoder)), Program.parse(" ".join(decoder)), kb)
