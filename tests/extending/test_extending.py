"""What a package from outside adds works like what is built in: from Python and on the command line."""

from __future__ import annotations

import pytest

FACTS = "vader father luke.\nvader father leia.\npadme mother luke.\npadme mother leia.\n"


@pytest.fixture
def family(tmp_path):
    (tmp_path / "family.sentences").write_text(FACTS)
    return tmp_path


def test_a_format_is_recognised_read_and_written(family, python) -> None:
    done = python("-m", "logicoder", "inspect", "family.sentences")
    assert done.returncode == 0, done.stderr
    assert "father" in done.stdout
    code = (
        "from logicoder import KnowledgeBase\n"
        "kb = KnowledgeBase.from_path('family.sentences')\n"
        "kb.save('copy.sentences')\n"
        "kb.save('copy', format='prolog')\n"
        "print(*kb, sep=' ')"
    )
    done = python("-c", code)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "father(vader,luke)"
    assert sorted((family / "copy.sentences").read_text().splitlines()) == sorted(FACTS.splitlines())
    assert (family / "copy" / "family.pl").exists()


def test_the_errors_of_a_format(family, python) -> None:
    (family / "family.sentences").write_text("vader father luke.\nvader sleeps.\n")
    done = python("-m", "logicoder", "inspect", "family.sentences")
    assert done.returncode == 2
    assert "family.sentences:2: a sentence has three words" in done.stderr
    (family / "jedi.pl").write_text("jedi(luke).\n")
    code = "from logicoder import KnowledgeBase\nKnowledgeBase.from_path('jedi.pl').save('jedi.sentences')"
    assert "jedi has 1 arguments, and a verb has two" in python("-c", code).stderr


def test_a_folder_of_another_format_is_read(family, python) -> None:
    (family / "data").mkdir()
    (family / "data" / "one.sentences").write_text(FACTS)
    (family / "data" / "two.sentences").write_text(FACTS)
    done = python("-c", "from logicoder import KnowledgeBase\nprint(KnowledgeBase.from_path('data'))")
    assert "8 facts, 2 predicates, 2 interpretations" in done.stdout, done.stderr


@pytest.mark.parametrize("solver", ["exact", "tiny"])
def test_a_solver_finds_the_same_optimum(solver, family, python) -> None:
    (family / "tiny.sentences").write_text("a p b.\na q b.\n")
    options = ("--encoder-length", "1", "--decoder-length", "1", "--compression", "1", "--objective", "loss")
    done = python("-m", "logicoder", "fit", "tiny.sentences", "--solver", solver, *options, "--json")
    assert done.returncode == 0, done.stderr
    assert '"loss": 0' in done.stdout
    assert '"status": "optimal"' in done.stdout


@pytest.mark.usefixtures("family")
def test_a_bottleneck_holds(python) -> None:
    def fit(*bottleneck: str):
        code = (
            "from logicoder import AutoEncoder, KnowledgeBase\n"
            "kb = KnowledgeBase.from_path('family.sentences')\n"
            f"alp = AutoEncoder(bottlenecks={bottleneck!r}, compression=1, reconstruct_all=False).fit(kb)\n"
            "print(sum(clause.length for clause in alp.encoder_), alp.loss_)"
        )
        done = python("-c", code)
        assert done.returncode == 0, done.stderr
        return tuple(map(int, done.stdout.split()))

    free, tight = fit("total"), fit("total", "literals=1")
    assert free == (2, 0)
    assert tight == (1, 2)
    done = python("-m", "logicoder", "fit", "family.sentences", "--bottleneck", "literals=many")
    assert done.returncode == 2
    assert "needs a whole number, such as literals=5" in done.stderr


@pytest.mark.usefixtures("family")
def test_names_from_outside_are_listed(python) -> None:
    done = python("-m", "logicoder", "fit", "family.sentences", "--solver", "nothing")
    assert "auto, exact, lns, paper, highs, rc2, clingo, tiny" in done.stderr
    done = python("-m", "logicoder", "inspect", "family.sentences", "--format", "nothing")
    assert "prolog, alchemy, tables, triples, " in done.stderr
    assert ", sentences" in done.stderr


def test_help_and_import_leave_entry_points_alone(python) -> None:
    shown = (
        "import sys\n"
        "import logicoder.cli.app\n"
        "from logicoder.kb.formats import FORMATS\n"
        "from logicoder.selection.solvers import SOLVERS\n"
        "print('_outside' in vars(FORMATS), '_outside' in vars(SOLVERS), 'my_package' in sys.modules)"
    )
    assert python("-c", shown).stdout.split() == ["False"] * 3


@pytest.mark.usefixtures("family")
def test_what_cannot_be_loaded_does_no_harm_until_it_is_asked_for(installed, python) -> None:
    broken = installed / "broken-1.0.dist-info"
    broken.mkdir()
    try:
        (broken / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
        (broken / "entry_points.txt").write_text(
            "[logicoder.formats]\n"
            "broken = no_such_package:Format\n"
            "prolog = my_package.sentences:SentenceFormat\n"
        )
        done = python("-m", "logicoder", "inspect", "family.sentences")
        assert done.returncode == 0, done.stderr
        assert "the format 'broken' cannot be loaded from no_such_package:Format" in done.stderr
        assert "the name is already in use" in done.stderr
        done = python("-m", "logicoder", "inspect", "family.sentences", "--format", "broken")
        assert done.returncode == 2
    finally:
        for file in broken.iterdir():
            file.unlink()
        broken.rmdir()
