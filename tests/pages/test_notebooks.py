"""The notebooks run, in a folder of their own, and show what they show when they are run."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import json
from pathlib import Path

import pytest
from tests.wanted import wanted_module

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shown(notebook):
    """Return what each cell shows; a kernel may print it in several parts."""
    texts = [
        "".join(part for output in cell.get("outputs", ()) for part in _parts(output))
        for cell in notebook["cells"]
    ]
    return [text for text in texts if text]


def _parts(output):
    return output.get("text") or output["data"]["text/plain"]


def test_there_are_notebooks_and_they_are_small():
    assert len(NOTEBOOKS) >= 7
    for path in NOTEBOOKS:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        assert "".join(notebook["cells"][0]["source"]).startswith("# ")
        assert path.stat().st_size < 20_000, path.name
        assert shown(notebook), f"{path.name} has no outputs: run make notebooks"


def run_here(notebook):
    """Iterate over what each cell shows, as in a kernel: what it prints, and its last expression."""
    names = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, "<cell>", "exec"), names)  # noqa: S102
            value = last and eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)  # noqa: S307
        yield printed.getvalue() + ("" if value is None else repr(value))


@pytest.mark.filterwarnings("ignore")  # of other packages
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_those_of_a_run(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert list(filter(None, run_here(kept))) == shown(kept), "run make notebooks"


@pytest.mark.filterwarnings("ignore")  # of Jupyter's own packages
def test_a_kernel_shows_the_same():
    """One is enough: a kernel takes seconds to start, and `make notebooks` runs all of them in one."""
    wanted_module("nbclient")
    [path] = [path for path in NOTEBOOKS if path.stem == "paper"]
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert shown(script("notebooks").executed(path)) == shown(kept)
