"""Folders of Popper, Aleph and BoostSRL."""

import pytest

from logicoder import InputError, KnowledgeBase, UsageError

POPPER = {
    "bk.pl": ":- style_check(-discontiguous).\nedge(a,b). edge(b,c).\ncolour(a,red).\n",
    "exs.pl": "pos(path(a,c)).\npos(path(a,b)).\nneg( path(c,a) ) .\n",
    "bias.pl": "head_pred(path,2).\nbody_pred(edge,2).\nmax_vars(4).\n"
    "type(path,(node,node)).\ntype(edge,(node,node)).\ntype(red,(colour,)).\ndirection(edge,(in,out)).\n",
}
ALEPH = {
    "graph.b": ":- set(clauselength, 4).\n:- modeh(1, path(+node,-node)).\n:- modeb(*, edge(+node,#node)).\n"
    ":- determination(path/2, edge/2).\nedge(a,b). edge(b,c). colour(a,red).\n",
    "graph.f": "path(a,c).\npath(a,b).\n",
    "graph.n": "path(c,a).\n",
}
BOOSTSRL = {
    "train_facts.txt": "edge(a,b).\nedge(b,c).\ncolour(a,red).\n",
    "train_pos.txt": "path(a,c).\npath(a,b).\n",
    "train_neg.txt": "path(c,a).\n",
    "train_bk.txt": "usePrologVariables: true.\nmode: edge(+node,-node).\nmode: path(+node,+node).\n",
}


def folder(tmp_path, files):
    made = tmp_path / "graph"
    made.mkdir()
    for name, text in files.items():
        (made / name).write_text(text)
    return made


@pytest.mark.parametrize("files", [POPPER, ALEPH, BOOSTSRL], ids=["popper", "aleph", "boostsrl"])
def test_folders_are_recognised(tmp_path, files):
    kb = KnowledgeBase.from_path(folder(tmp_path, files))
    assert sorted(map(str, kb)) == ["colour(a,red)", "edge(a,b)", "edge(b,c)", "path(a,b)", "path(a,c)"]
    assert [str(fact) for fact in kb.facts(truth="false")] == ["path(c,a)"]
    assert kb.interpretations == ("graph",)
    assert kb.schema["edge"].types == ("node", "node")
    assert kb.schema["edge"].modes == ("+", "-")


def test_modes_of_heads(tmp_path):
    assert str(KnowledgeBase.from_path(folder(tmp_path, ALEPH)).schema["path"]) == "path(+node,-node)"


def test_errors_have_their_places(tmp_path):
    files = {**POPPER, "bk.pl": "edge(a,b).\nlink(X,Y) :- edge(X,Y).\n"}
    with pytest.raises(InputError, match=r"bk\.pl:2:11: this is a rule about link.*\n.*--lenient skips"):
        KnowledgeBase.from_path(folder(tmp_path, files))


def test_rules_are_skipped_on_request(tmp_path, caplog):
    files = {**POPPER, "bk.pl": "edge(a,b).\nlink(X,Y) :- edge(X,Y).\n"}
    assert len(KnowledgeBase.from_path(folder(tmp_path, files), lenient=True)) == 3
    assert "1 term that is not a fact was skipped" in caplog.text


def test_contradictory_examples(tmp_path):
    files = {**POPPER, "exs.pl": "pos(path(a,c)).\nneg(path(a,c)).\n"}
    with pytest.raises(InputError, match=r"exs\.pl:2:5: path\(a,c\) is both true and false"):
        KnowledgeBase.from_path(folder(tmp_path, files))


def test_ordinary_folders_of_prolog_stay_what_they_are(tmp_path):
    kb = KnowledgeBase.from_path(folder(tmp_path, {"bk.pl": "p(a).", "other.pl": "p(b)."}))
    assert kb.interpretations == ("bk", "other")


FACTS = {
    "edge": [("a", "b"), ("b", "it's"), (1, "B c")],
    "Odd one": [("x",), ("-",)],
    "path": [("a", "c"), ("a", "b")],
}


@pytest.mark.parametrize("name", ["popper", "aleph", "boostsrl"])
def test_what_is_written_is_read(tmp_path, name):
    kb = KnowledgeBase.from_facts(FACTS, negatives=[("path", "c", "a")], interpretation="graph")
    kb.save(tmp_path / "graph", name)
    back = KnowledgeBase.from_path(tmp_path / "graph")
    assert back == kb
    (tmp_path / "graph" / "schema.mln").unlink()
    alone = KnowledgeBase.from_path(tmp_path / "graph")
    assert {str(f) for truth in ("true", "false") for f in alone.facts(truth=truth)} == {
        str(f) for truth in ("true", "false") for f in kb.facts(truth=truth)
    }
    assert alone.schema["edge"].types == kb.schema["edge"].types


@pytest.mark.parametrize("name", ["popper", "aleph", "boostsrl"])
def test_without_examples(tmp_path, name):
    kb = KnowledgeBase.from_facts(FACTS, interpretation="graph")
    kb.save(tmp_path / "graph", name)
    assert KnowledgeBase.from_path(tmp_path / "graph") == kb


def test_what_a_folder_cannot_hold_is_refused(tmp_path):
    with pytest.raises(UsageError, match="path has unknown atoms"):
        KnowledgeBase.from_facts(FACTS, unknown=[("path", "c", "a")]).save(tmp_path / "x", "popper")
    both = KnowledgeBase.union([KnowledgeBase.from_facts(FACTS, interpretation=n) for n in "ab"])
    with pytest.raises(UsageError, match="one interpretation, and there are 2"):
        both.save(tmp_path / "x", "aleph")
    with pytest.raises(UsageError, match="is written into a folder"):
        KnowledgeBase.from_facts(FACTS).save(tmp_path / "x.pl", "popper")
