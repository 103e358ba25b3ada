"""What is written is what is read."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder.base.errors import OutputError, UsageError
from logicoder.kb import KnowledgeBase, Predicate, Schema
from logicoder.kb.builder import KnowledgeBaseBuilder
from logicoder.kb.reader import read_knowledge_base
from logicoder.logic.symbols import Text, symbol_of

from .helpers import put

ODD = [
    "",
    " ",
    "'",
    '"',
    "\\",
    "a\nb",
    "a\tb",
    "\r\n",
    "\x7f",
    "שלום",
    "\u202eabc",
    "é",
    "Ünal",
    "日本",
    "a,b",
    "p(a).",
]
ODD += [
    "%",
    "//",
    "/* */",
    "X",
    "_",
    "7",
    "-7",
    "007",
    "1.5",
    "true",
    "null",
    "#",
    "...",
    "a\u2028b",
    "\x1c",
    "\x85",
    "ﬁ",
]

texts = st.sampled_from(ODD) | st.text(max_size=6)
atoms = texts
whole_numbers = st.integers(-(10**20), 10**20)
fractions = st.floats(allow_nan=False, allow_infinity=False)
everything = atoms | whole_numbers | fractions | texts.map(Text)
plain_names = st.from_regex(r"[a-z][a-zA-Z0-9_]{0,5}", fullmatch=True)


@st.composite
def knowledge_bases(
    draw, names, constants, *, worlds=texts, truths=("true", "false", "unknown"), arities=(0, 1, 2, 3)
):
    """A knowledge base in which no atom has two truth values and every predicate has an atom."""
    arity_of = draw(st.dictionaries(names, st.sampled_from(arities), min_size=1, max_size=3))
    worlds_ = draw(st.lists(worlds, min_size=1, max_size=3, unique=True))
    pool = draw(st.lists(constants, min_size=1, max_size=5))
    builder = KnowledgeBaseBuilder()
    for world in worlds_:
        builder.interpretation(world)
    seen = set()
    for name, arity in arity_of.items():
        for _ in range(draw(st.integers(1, 4))):
            symbols = tuple(symbol_of(draw(st.sampled_from(pool))) for _ in range(arity))
            world = draw(st.sampled_from(worlds_))
            if (name, symbols, world) not in seen:
                seen.add((name, symbols, world))
                builder.add(name, symbols, builder.interpretation(world), draw(st.sampled_from(truths)))
    return builder.build()


def again(kb, path_name, format_=None, **options):
    """Write a knowledge base and read it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / path_name
        kb.save(path, format_)
        return read_knowledge_base(path, format=format_, **options)


@settings(deadline=None)
@given(knowledge_bases(texts, everything))
def test_prolog_folders(kb):
    found = again(kb, "out", "prolog")
    assert found == kb
    assert found.schema == kb.schema


@settings(deadline=None)
@given(knowledge_bases(texts, everything, worlds=st.just("only")))
def test_prolog_files(kb):
    assert again(kb, "only.pl") == kb
    assert again(kb, "only.pl.gz") == kb


@settings(deadline=None)
@given(knowledge_bases(plain_names.map(str.lower), atoms | whole_numbers))
def test_alchemy_folders(kb):
    assert again(kb, "out", "alchemy") == kb


@settings(deadline=None)
@given(knowledge_bases(plain_names.map(str.lower), atoms | whole_numbers, worlds=st.just("only")))
def test_alchemy_files(kb):
    assert again(kb, "only.db") == kb


# In a table an atom that looks like a number is one; nor can there be a character of code zero.
table_atoms = atoms.filter(lambda text: "\0" not in text and not text.lstrip("-").isdigit())


@settings(deadline=None)
@given(
    knowledge_bases(
        texts,
        table_atoms | whole_numbers,
        worlds=st.text(min_size=1, max_size=4),
        truths=("true",),
        arities=(1, 2, 3),
    )
)
def test_tables(kb):
    name = "one" if len(kb.interpretations) == 1 else "several"
    found = again(kb, name, "tables")
    if name == "one":
        assert found.interpretations == ("one",)
        renamed = KnowledgeBase(kb.schema, kb.symbols, ["one"], {"true": {n: kb.table(n) for n in kb.schema}})
        assert found == renamed
    else:
        assert found == kb


@settings(deadline=None)
@given(
    knowledge_bases(
        texts.filter(lambda t: "\0" not in t), table_atoms | whole_numbers, truths=("true",), arities=(2,)
    ),
)
def test_triples(kb):
    assert again(kb, "out", "triples") == kb


@pytest.mark.parametrize("name", ["only.tsv", "only.txt", "only.csv", "only.csv.gz"])
def test_a_file_of_triples(name):
    kb = KnowledgeBase.from_facts([("r s", "a b", "c"), ("r s", "d,e", 'f"g\nh')], interpretation="only")
    assert again(kb, name, "triples") == kb


def test_a_fact_that_looks_like_a_header_survives():
    schema = Schema.of(Predicate("p", ("person", "town")))
    kb = KnowledgeBase.from_facts(
        [("p", "Person", "town"), ("p", "a", "b")], schema=schema, interpretation="x"
    )
    assert again(kb, "x", "tables") == kb


def test_schemas_survive_in_folders(tmp_path):
    schema = Schema(
        {
            "p": Predicate("p", ("my type", "town"), ("+", "-")),
            "near": Predicate("near", ("town", "town"), background=True),
            "likes": Predicate("likes", ("my type",), open_world=True),
            "none": Predicate("none", ("town",)),
        },
        {"town": ("'Rome'", "paris", "7")},
    )
    facts = [("p", "anna", "Rome"), ("near", "Rome", "paris"), ("likes", "anna")]
    kb = KnowledgeBase.from_facts(facts, schema=schema)
    for format_ in ("prolog", "alchemy", "tables"):
        kb.save(tmp_path / format_, format_)
        assert read_knowledge_base(tmp_path / format_, format=format_).schema == schema


def test_several_interpretations_need_a_folder(tmp_path):
    parts = [KnowledgeBase.from_facts([("p", "a")], interpretation=name) for name in ("one", "two")]
    kb = KnowledgeBase.union(parts)
    with pytest.raises(UsageError, match="folder"):
        kb.save(tmp_path / "a.pl")
    kb.save(tmp_path / "folder", "prolog")
    assert sorted(path.name for path in (tmp_path / "folder").iterdir()) == ["one.pl", "schema.mln", "two.pl"]


@pytest.mark.parametrize("name", ["out", "out.csv", "out.pdf"])
def test_the_format_to_write_must_be_known(tmp_path, name):
    with pytest.raises(UsageError, match="format"):
        KnowledgeBase.from_facts([("p", "a", "b")]).save(tmp_path / name)
    with pytest.raises(UsageError, match="format"):
        KnowledgeBase.from_facts([("p", "a", "b")]).save(tmp_path / name, "excel")


def test_tables_need_a_folder(tmp_path):
    with pytest.raises(UsageError, match="folder"):
        KnowledgeBase.from_facts([("p", "a", "b")]).save(tmp_path / "p.csv", "tables")


def test_other_data_in_the_folder_is_never_mixed_in(tmp_path):
    put(tmp_path, "old.pl", "p(a).")
    kb = KnowledgeBase.from_facts([("p", "b")], interpretation="new")
    with pytest.raises(UsageError, match=r"old\.pl"):
        kb.save(tmp_path, "prolog")
    assert [path.name for path in tmp_path.iterdir()] == ["old.pl"]
    kb.save(tmp_path / "inner", "prolog")
    kb.save(tmp_path / "inner", "prolog")


def test_what_cannot_be_written_as_text_leaves_no_file(tmp_path):
    with pytest.raises(OutputError, match="UTF-8"):
        KnowledgeBase.from_facts([("p\ud800", "a", "b")]).save(tmp_path / "a.tsv", "triples")
    assert not list(tmp_path.iterdir())
