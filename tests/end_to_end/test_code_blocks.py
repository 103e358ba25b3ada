"""Every block of code in the documentation is run, or says why it is not."""

from __future__ import annotations

import contextlib
import gzip
import io
import re
from pathlib import Path

import pytest
from tests.console import blocks_of, run

from end_to_end.test_docs import API, GUIDES
from logicoder import AutoEncoder, KnowledgeBase
from logicoder.datasets import shop, star_wars, university

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
DOCTESTS = (*GUIDES, *API)
"""Pages whose sessions are run by test_docs.py."""

BORN = (("padme", "vader", "leia"), ("leia", "han", "ben"))
# Little is needed to rebuild the rest, so that every setting of the page has a program.
FAMILY = "".join(f"mother({m},{c}). father({f},{c}). child({c},{m}). child({c},{f}).\n" for m, f, c in BORN)
UNIVERSITY = "advisedby(person,person)\ntaughtby(course,person)\npublication(title,person)\n"
PEOPLE = """\
advisedby(Anna,Bob)
advisedby(Carl,Bob)
taughtby(Logic,Bob)
publication(T1,Anna)
publication(T1,Bob)
publication(T2,Carl)
publication(T2,Bob)
"""
FACT = '{"predicate": "father", "arguments": ["vader", "luke"]}\n'
TRAINS = {
    "bk.pl": "has_car(t1,c1). has_car(t2,c2). short(c1). long(c2).\n",
    "exs.pl": "pos(east(t1)).\nneg(east(t2)).\n",
    "bias.pl": "head_pred(east,1).\nbody_pred(has_car,2).\nbody_pred(short,1).\nbody_pred(long,1).\n",
}


def write(files):
    """Write files by their names; those that end in .gz are packed."""
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".gz"):
            Path(name).write_bytes(gzip.compress(text.encode()))
        else:
            Path(name).write_text(text, encoding="utf-8")


def scene_of_guides():
    """What a reader of the guides is supposed to have."""
    triples = "vader\tfather\tluke\npadme\tmother\tluke\nvader\tfather\tleia\n"
    write({"family.pl": FAMILY, "family.pl.gz": FAMILY, "data.pl": FAMILY, "train.txt": triples})
    write({"train.txt.gz": triples, "people.ttl": "<http://e.org/a> <http://e.org/knows> <http://e.org/b> ."})
    write({"facts.jsonl.gz": FACT, "program.pl": ":- dynamic p/1.\np(a). p(b).\n"})
    write({"uwcse/ai.db": PEOPLE, "uwcse/theory.db": PEOPLE, "uwcse/schema.mln": UNIVERSITY})
    write({"ai.db": PEOPLE, "graphics.db": PEOPLE, "declarations.mln": UNIVERSITY})
    write({f"fold{n}.db": PEOPLE.replace("Anna", f"Anna{n}") for n in (1, 2, 3)})
    write({"parts/one.pl": FAMILY, "parts/two.pl": "father(han,ben).\n"})
    write({"required.pl": "parent(X,Y) :- mother(X,Y) ; father(X,Y).\n"})
    write({f"popper/trains/{name}": text for name, text in TRAINS.items()})
    write({"tables/father.csv": "vader,luke\n", "tables/female.csv": "padme\n"})
    Path("folder_of_parquet_files").mkdir()
    KnowledgeBase.from_facts([("father", "vader", "luke")]).save("folder_of_parquet_files", "parquet")
    university(people=25, seed=2).kb.save("data", "prolog")
    shop("tomorrow.db", orders=40)
    parents = AutoEncoder.from_programs(
        "parent(X,Y) :- mother(X,Y) ; father(X,Y).",
        "mother(X,Y) :- parent(X,Y).  father(X,Y) :- parent(X,Y).",
    )
    for folder in ("model", "other-model"):
        Path(folder).mkdir()
        parents.save(f"{folder}/model.alp")


SCENES = {Path(page).name: scene_of_guides for page in GUIDES if page.startswith("howto/")}
SCENES["first-program.md"] = lambda: star_wars().save("family", "prolog")


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_of_a_page(page, tmp_path, monkeypatch):
    wanted = [
        block
        for block in blocks_of(page.read_text(encoding="utf-8"))
        if block.language in ("console", "sh") and not block.marked
    ]
    if not wanted:
        return
    monkeypatch.chdir(tmp_path)
    SCENES.get(page.name, lambda: None)()
    for block in wanted:
        for command, shown in block.steps:
            run(command, shown)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_command_is_in_a_block_without_a_language(page):
    plain = [block.text for block in blocks_of(page.read_text(encoding="utf-8")) if block.language == ""]
    assert [
        text for text in plain if re.search(r"^(\$ )?(logicoder|make|pip|python3?) ", text, re.MULTILINE)
    ] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_python_of_a_page(page, tmp_path, monkeypatch):
    """A comment behind a `print` says what it prints; sessions are run as doctests."""
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks_of(page.read_text(encoding="utf-8")):
        if block.language != "python" or block.marked:
            continue
        if block.text.startswith(">>>"):
            assert str(page.relative_to(ROOT / "docs")) in DOCTESTS, f"{page}: its sessions are not run"
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block.text, str(page), "exec"), names)  # noqa: S102
        lines = printed.getvalue().splitlines()
        expected = re.findall(r"^print\(.*\)  +# (.+)$", block.text, re.MULTILINE)
        assert lines[: len(expected)] == expected
