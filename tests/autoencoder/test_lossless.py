"""Decoding what was encoded losslessly gives the same knowledge base, whatever the programs and the data."""

from __future__ import annotations

import gzip
import math
import os
import tempfile
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from engine.random_programs import REPEATABLE, Language, clause_of, programs
from engine.random_programs import knowledge_bases as plain_knowledge_bases
from logicoder import AutoEncoder, Fact, InputError, KnowledgeBase, Predicate, Program, Schema
from logicoder.autoencoder.exceptions_file import read_exceptions
from logicoder.autoencoder.lossless import needs_exceptions
from logicoder.datasets import university
from logicoder.kb.builder import KnowledgeBaseBuilder
from logicoder.kb.knowledge_base import TRUTHS
from logicoder.logic.symbols import Text, symbol_of
from logicoder.problem.bits import exception_bits, log2_choose, table_bits

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


# -- bits ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("possible", range(7))
def test_bits_of_facts_count_subsets(possible):
    for count in range(possible + 1):
        subsets = len(list(combinations(range(possible), count)))
        assert math.isclose(table_bits(possible, count), math.log2(possible + 1) + math.log2(subsets))


@pytest.mark.parametrize(
    ("possible", "count"),
    [
        (10**6, 999),
        (10**6, 1000),
        (10**5, 40_000),
        (10**5, 99_000),
        (2000, 1000),
        (10**18, 1500),
        (10**30, 2),
    ],
)
def test_bits_of_many_facts_are_exact(possible, count):
    # Python takes logarithms of whole numbers of any size.
    assert math.isclose(log2_choose(possible, count), math.log2(math.comb(possible, count)), rel_tol=1e-12)


PARENTS = AutoEncoder.from_programs(
    "parent(X,Y) :- mother(X,Y) ; father(X,Y).", "mother(X,Y) :- parent(X,Y).  father(X,Y) :- parent(X,Y)."
)


def test_bits_by_hand():
    kb = KnowledgeBase.from_facts([("mother", "padme", "luke"), ("father", "vader", "luke")])
    bits = PARENTS.encode_losslessly(kb).bits
    # Three constants, so nine possible atoms of each predicate; one derived atom too many for each of two.
    assert math.isclose(bits.plain, 2 * (math.log2(10) + math.log2(9)))
    assert math.isclose(bits.latent, math.log2(10) + math.log2(36))
    assert math.isclose(bits.exceptions, 2 * (math.log2(9) + 1))
    # All clauses: more clauses? 1; two variables: 3; end: 2; arguments of one in two variables or a constant.
    code = 1 + 3 + 2
    encoder = code + 3 + 2 + 2 * (2 + math.log2(3)) + 6 * math.log2(3)  # arity, another alternative, literals
    decoder = code + 1 + (2 + math.log2(17)) + 4 * math.log2(3)  # one of two predicates, one of 16 latents
    fixed = math.log2(18) + 1 + 2
    assert math.isclose(bits.program, encoder + 2 * decoder + fixed)
    assert math.isclose(bits.saved, bits.plain - bits.latent - bits.exceptions - bits.program)
    assert exception_bits(0) == 1


def test_more_latents_than_the_code_provides_for_take_longer_names():
    """The code names one of 16 latents; programs with more of them say how many there are."""
    facts = [(f"p{number}", "a") for number in range(20)]

    def program_bits(latents):
        encoder = " ".join(f"l{n}(X) :- p{n}(X)." for n in range(latents))
        decoder = " ".join(f"p0(X) :- l{n}(X)." for n in range(latents))
        kb = KnowledgeBase.from_facts(facts)
        return AutoEncoder.from_programs(encoder, decoder).encode_losslessly(kb).bits.program

    twelve, sixteen, twenty = map(program_bits, (12, 16, 20))
    longer = (twenty - sixteen) - (sixteen - twelve)
    assert math.isclose(longer, 20 * (math.log2(21) - math.log2(17)) + math.log2(22) - math.log2(18))


def test_the_learner_counts_the_same_bits():
    world = university(people=25, seed=1)
    model = AutoEncoder(1, 2, compression=2).fit(world.kb)
    bits = model.encode_losslessly(world.kb).bits
    assert math.isclose(model.plain_bits_, bits.plain, abs_tol=0.1)
    assert math.isclose(model.bits_, bits.latent + bits.exceptions + bits.program, abs_tol=0.1)


@pytest.mark.parametrize("noise", [0.0, 0.05])
def test_planted_programs_save_bits(noise):
    world = university(people=100, interpretations=2, seed=3, noise=noise)
    model = AutoEncoder.from_programs(world.encoder, world.decoder, schema=world.kb.schema)
    encoded = model.encode_losslessly(world.kb)
    assert encoded.bits.saved > 0
    assert (len(encoded.exceptions) > 0) == (noise > 0)
    assert model.decode_losslessly(encoded.latent, encoded.exceptions) == world.kb


def test_learned_programs_save_bits_on_planted_data():
    world = university(people=40, seed=3)
    model = AutoEncoder(compression=world.compression, max_decoders=500).fit(world.kb)
    assert model.encode_losslessly(world.kb).bits.saved > 0


# -- files --------------------------------------------------------------------------------------------


@pytest.fixture
def encoded(tmp_path):
    kb = KnowledgeBase.from_facts(
        [("mother", "padme", "luke"), ("father", "vader", "luke")],
        negatives=[("mother", "vader", "luke")],
        unknown=[("father", "bail", "leia")],
        interpretation="it's far away",
    )
    encoding = PARENTS.encode_losslessly(kb)
    encoding.save(tmp_path)
    return kb, encoding, tmp_path / "exceptions.pl"


def test_the_file_is_prolog_that_people_can_read(encoded):
    _, _, path = encoded
    lines = [line for line in path.read_text().splitlines() if not line.startswith("%")]
    assert lines == [
        "false('it\\'s far away',father(padme,luke)).",
        "negative('it\\'s far away',mother(vader,luke)).",
        "unknown('it\\'s far away',father(bail,leia)).",
    ]


def test_each_interpretation_has_a_heading_of_its_own(tmp_path):
    facts = {"earth": [("mother", "a", "b"), ("mother", "c", "d")], "mars": [("father", "e", "f")], "sun": []}
    schema = Schema.of(*(Predicate(name, ("person", "person")) for name in ("mother", "father", "knows")))
    parts = [KnowledgeBase.from_facts(f, schema=schema, interpretation=w) for w, f in facts.items() if f]
    parts.append(
        KnowledgeBase.from_facts([("knows", "g", "h")], schema=schema, interpretation="sun")  # for no decoder
    )
    kb = KnowledgeBase.union(parts)
    encoding = PARENTS.encode_losslessly(kb)
    encoding.save(tmp_path)
    text = (tmp_path / "exceptions.pl").read_text()
    body = [line for line in text.splitlines() if not line.startswith(("% {", "%  ", "% }", "% logicoder"))]
    assert body == [
        "% interpretation earth",
        "false(earth,father(a,b)).",
        "false(earth,father(c,d)).",
        "% interpretation mars",
        "false(mars,mother(e,f)).",
        "% interpretation sun",
        "missing(sun,knows(g,h)).",
        "%% end",
    ]
    assert len(encoding.exceptions) == len(read_exceptions(tmp_path / "exceptions.pl")) == 4
    # Four constants in one world and two in each other: 16 + 4 + 4 possible atoms of each predicate.
    bits = encoding.bits
    assert math.isclose(bits.plain, table_bits(24, 2) + 2 * table_bits(24, 1))
    assert math.isclose(bits.latent, table_bits(24, 3))
    assert math.isclose(bits.exceptions, 3 * exception_bits(24) + table_bits(24, 1))


def test_what_says_that_it_needs_exceptions(encoded, tmp_path):
    (latent,) = (encoded[2].parent / "latent").glob("*.pl")
    assert needs_exceptions(latent) is True
    packed = tmp_path / "packed.pl.gz"
    packed.write_bytes(gzip.compress(latent.read_bytes()))
    assert needs_exceptions(packed) is True
    packed.write_bytes(packed.read_bytes()[:20])
    assert needs_exceptions(packed) is False
    plain = tmp_path / "plain.pl"
    plain.write_text("parent(a,b).\n" + latent.read_text())
    assert needs_exceptions(plain) is False
    assert needs_exceptions(tmp_path / "latent") is False
    assert needs_exceptions(tmp_path / "nowhere.pl") is False


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_not_read_to_find_out(encoded, tmp_path):
    (latent,) = (encoded[2].parent / "latent").glob("*.pl")
    pipe = tmp_path / "pipe.pl"
    os.mkfifo(pipe)
    both_ends = os.open(pipe, os.O_RDWR)
    try:
        os.write(both_ends, latent.read_bytes())
        assert needs_exceptions(pipe) is False
        assert os.read(both_ends, 10_000) == latent.read_bytes()
    finally:
        os.close(both_ends)


FALSE = "false('it\\'s far away',father(padme,luke))."


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("version 1", "version 9", ":1:1: these exceptions have version 9"),
        ("% logicoder", "% anything", ":1:1: these are no exceptions"),
        (
            '"interpretations"',
            '"interpretation"',
            ":2:1: the header of these exceptions is damaged: KeyError",
        ),
        ('"interpretations"', '"interpretations', "the header of these exceptions is damaged"),
        ("%% end\n", "", "the line '%% end' is missing"),
        (FALSE + "\n", "", "speaks of 1 false atoms, but there are 0"),
        (FALSE, FALSE.replace("padme", "X"), "holds a variable"),
        (FALSE, FALSE.replace("father", "uncle"), "the header knows no predicate uncle"),
        (FALSE, FALSE.replace("far", "near"), "the header knows no interpretation it's near away"),
        (
            FALSE,
            FALSE.replace("luke", "han"),
            "father(padme,han) is listed as false in it's far away, and the",
        ),
        (FALSE, FALSE.replace("false(", "wrong("), "expected an exception"),
        (FALSE, FALSE + FALSE, "this atom is an exception already, at"),
        ('"model": "', '"model": "0', "these exceptions belong to another model"),
        ('"latent": "', '"latent": "0', "these exceptions belong to other latent facts"),
    ],
)
def test_damaged_exceptions_are_refused_with_their_place(encoded, old, new, complaint):
    _, encoding, path = encoded
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    line = text[: text.index(old)].count("\n") + 1
    with pytest.raises(InputError) as caught:
        PARENTS.decode_losslessly(encoding.latent, path)
    assert complaint in str(caught.value)
    assert str(path) in str(caught.value)
    if old == FALSE:
        assert f":{line}:" in str(caught.value)


def test_a_missing_fact_that_the_decoder_derives_is_refused(encoded):
    _, encoding, path = encoded
    text = path.read_text()
    changed = text.replace(FALSE, FALSE.replace("false(", "missing("))
    path.write_text(changed.replace('"false": 1', '"false": 0').replace('"missing": 0', '"missing": 1'))
    with pytest.raises(InputError, match=r"exceptions.pl:\d+:1: father\(padme,luke\) is listed as missing"):
        PARENTS.decode_losslessly(encoding.latent, path)


def test_exceptions_come_back_from_their_file(encoded):
    _, encoding, path = encoded
    back = read_exceptions(path)
    assert list(back.lines()) == list(encoding.exceptions.lines())
    assert back.latent_schema == encoding.exceptions.latent_schema


def test_changed_latent_facts_are_refused(encoded):
    _, encoding, _ = encoded
    facts = [*encoding.latent, Fact("parent", ("shmi", "anakin"), "it's far away")]
    other = KnowledgeBase.from_facts(facts, interpretation="it's far away")
    with pytest.raises(InputError, match="belong to other latent facts"):
        PARENTS.decode_losslessly(other, encoding.exceptions)


def test_another_model_is_refused(encoded):
    _, encoding, _ = encoded
    other = AutoEncoder.from_programs("parent(X,Y) :- mother(X,Y).", "mother(X,Y) :- parent(X,Y).")
    with pytest.raises(InputError, match="belong to another model"):
        other.decode_losslessly(encoding.latent, encoding.exceptions)


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
