"""Which files are read, and which interpretations they make."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from tests.waiting import PATIENCE

from logicoder.base.errors import InputError, UsageError
from logicoder.kb import KnowledgeBase
from logicoder.kb.reader import read_knowledge_base
from logicoder.kb.sources import find_schemas

from .helpers import put, refused


@pytest.fixture
def folds(tmp_path):
    put(tmp_path, "data/fold1.db", "p(a)\n")
    put(tmp_path, "data/fold2.db.gz", "p(b)\n")
    put(tmp_path, "data/SOURCE.md", "where it comes from")
    put(tmp_path, "data/README.txt", "read me")
    put(tmp_path, "data/.hidden.db", "p(c)\n")
    put(tmp_path, "data/neg/fold1.db", "p(d)\n")
    return tmp_path / "data"


def test_a_folder_is_all_its_data_files(folds):
    kb = read_knowledge_base(folds)
    assert kb.interpretations == ("fold1", "fold2")
    assert len(kb) == 2


def test_files_patterns_and_repetitions(folds, monkeypatch):
    assert read_knowledge_base(folds / "fold1.db", folds / "fold2.db.gz") == read_knowledge_base(folds)
    assert read_knowledge_base(str(folds / "fold*")) == read_knowledge_base(folds)
    assert read_knowledge_base(str(folds / "*"), str(folds / "fold1.db")) == read_knowledge_base(folds)
    monkeypatch.chdir(folds)
    assert KnowledgeBase.from_path(".") == read_knowledge_base(folds)


def test_equal_stems_get_the_folder_before_them(folds):
    kb = read_knowledge_base(folds, folds / "neg")
    assert kb.interpretations == ("data/fold1", "fold2", "neg/fold1")


@pytest.mark.parametrize(
    ("interpretations", "names"),
    [("file", ("fold1", "fold2")), ("folder", ("data",)), ("one", ("data",)), ("auto", ("fold1", "fold2"))],
)
def test_interpretations_can_be_chosen(folds, interpretations, names):
    kb = read_knowledge_base(folds, interpretations=interpretations)
    assert kb.interpretations == names
    assert len(kb) == 2


def test_the_schema_of_a_folder_is_used(folds):
    put(folds, "types.mln", "p(person)\n")
    assert read_knowledge_base(folds).schema["p"].types == ("person",)
    assert read_knowledge_base(folds / "fold1.db").schema["p"].types == ("thing",)
    put(folds, "schema.mln", "p(animal)\n")
    assert read_knowledge_base(folds).schema["p"].types == ("animal",)
    assert read_knowledge_base(folds / "fold1.db").schema["p"].types == ("animal",)
    assert read_knowledge_base(folds, schema=folds / "types.mln").schema["p"].types == ("person",)


def test_several_schemas_are_refused(folds):
    put(folds, "a.mln", "p(person)\n")
    put(folds, "b.mln", "p(animal)\n")
    with refused(folds, None, None, "a.mln, b.mln", "--schema"):
        read_knowledge_base(folds)
    put(folds, "schema.mln", "p(person)\n")
    other = put(folds, "neg/schema.mln", "p(animal)\n")
    with refused(other, None, None, "differs", "--schema"):
        read_knowledge_base(folds, folds / "neg")


def test_mixed_formats_are_refused_unless_one_is_meant(folds):
    put(folds, "more.csv", "a\n")
    with refused(folds / "more.csv", None, None, "fold1.db and more.csv", "--format"):
        read_knowledge_base(folds)
    assert len(read_knowledge_base(folds, format="alchemy")) == 2


@pytest.mark.parametrize(("name", "word"), [("nothing.db", "no such file"), ("nothing*.db", "pattern")])
def test_what_is_not_there_is_named(tmp_path, name, word):
    with refused(tmp_path / name, None, None, word):
        read_knowledge_base(tmp_path / name)


def test_a_folder_without_data_is_named(tmp_path):
    put(tmp_path, "SOURCE.md", "nothing")
    with refused(tmp_path, None, None, "no data files"):
        read_knowledge_base(tmp_path)


@pytest.mark.parametrize("name", ["a.pl", "a.db", "a.pl.gz"])
def test_no_facts_at_all(tmp_path, name):
    path = put(tmp_path, name, "\n  \n")
    with refused(path, None, None, "no facts in this file"):
        read_knowledge_base(path)


def test_no_facts_in_several_files(tmp_path):
    put(tmp_path, "a.pl", "% nothing")
    put(tmp_path, "b.pl", "")
    with refused(tmp_path / "a.pl", None, None, "no facts in these 2 files"):
        read_knowledge_base(tmp_path)


def test_a_file_without_facts_among_others_is_an_empty_interpretation(tmp_path):
    put(tmp_path, "a.pl", "p(a).")
    put(tmp_path, "b.pl", "")
    assert read_knowledge_base(tmp_path).interpretations == ("a", "b")


@pytest.mark.parametrize(
    ("data", "at", "word"),
    [
        (b"p(a).\np(\xff).", (2, 3), "UTF-8"),
        (b"p(a).\np(b).\0", (2, 6), "NUL"),
        (b"p(a).\n\x89PNG\r\n", (2, 1), "UTF-8"),
    ],
)
@pytest.mark.parametrize("suffix", [".pl", ".db", ".csv"])
def test_what_is_no_text_is_refused(tmp_path, data, at, word, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(data)
    with refused(path, *at, word):
        read_knowledge_base(path, format="tables" if suffix == ".csv" else None)


def test_a_broken_gz_file(tmp_path):
    path = tmp_path / "a.pl.gz"
    path.write_bytes(b"p(a).")
    with refused(path, None, None, "gzip"):
        read_knowledge_base(path)


@pytest.mark.parametrize(
    "options",
    [{"format": "excel"}, {"interpretations": "some"}, {"types": "guess"}],
    ids=lambda o: next(iter(o)),
)
def test_wrong_options(tmp_path, options):
    path = put(tmp_path, "a.pl", "p(a).")
    with pytest.raises(UsageError, match=next(iter(options.values()))):
        read_knowledge_base(path, **options)


def test_an_unknown_ending_needs_a_format(tmp_path):
    path = put(tmp_path, "a.facts", "p(a).")
    with pytest.raises(UsageError, match="--format"):
        read_knowledge_base(path)
    assert len(read_knowledge_base(path, format="prolog")) == 1
    with pytest.raises(UsageError, match="at least one"):
        read_knowledge_base()


@pytest.mark.parametrize("what", ["folder", "folder one may list", "file", "file in a closed folder"])
def test_a_missing_permission_is_an_error_of_ours(tmp_path, what):
    path = put(tmp_path, "closed/a.pl", "p(a).")
    closed = path if what == "file" else path.parent
    given = path.parent if what.startswith("folder") else path
    for folder in (tmp_path, *tmp_path.parents[:3]):
        if os.getuid() == 0:
            folder.chmod(0o755)
    closed.chmod(0o444 if what == "folder one may list" else 0)
    # The superuser may read everything, so another one has to try.
    script = (
        "import os, sys\n"
        "from logicoder.base.errors import InputError\n"
        "from logicoder.kb.formats import all_formats\n"
        "from logicoder.kb.reader import read_knowledge_base\n"
        "all_formats()  # imported before the files of Python are out of reach\n"
        "if os.getuid() == 0: os.setuid(65534)\n"
        "try: read_knowledge_base(sys.argv[1])\n"
        "except InputError as error: sys.exit(f'refused: {error}')\n"
    )
    try:
        if os.getuid() != 0 and os.access(closed, os.R_OK | os.X_OK):
            pytest.skip("permissions are not enforced here, and only the superuser could give up its own")
        done = subprocess.run(
            [sys.executable, "-c", script, str(given)],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    finally:
        closed.chmod(0o755)
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith(f"refused: {given}: "), done.stderr
    assert "permission" in done.stderr.lower()
    assert InputError.exit_code == 2


def test_a_schema_next_to_a_pipe_is_not_that_of_the_data(tmp_path):
    (tmp_path / "schema.mln").write_text("p(thing)\n")
    os.mkfifo(tmp_path / "pipe.pl")
    (tmp_path / "file.pl").write_text("p(a).\n")
    assert find_schemas([tmp_path / "file.pl"]) == [tmp_path / "schema.mln"]
    assert find_schemas([tmp_path / "pipe.pl"]) == []
