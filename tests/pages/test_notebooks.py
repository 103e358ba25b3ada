"""The notebooks run, in a folder of their own, and show what they show when they are run."""

from __future__ import annotations

import importlib.util
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


@pytest.mark.filterwarnings("ignore")  # of Jupyter's own packages
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_those_of_a_run(path):
    wanted_module("nbclient")
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert shown(script("notebooks").executed(path)) == shown(kept), "run make notebooks"
