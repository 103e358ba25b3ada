"""Run the notebooks in a folder of their own and keep their outputs: `make notebooks`.

    python scripts/notebooks.py [NAME ...]

What is kept is plain text and small, without times, numbers of runs or paths: notebooks can be read without
running them, and a change of an output shows in a diff. A test runs them again and compares.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[1] / "notebooks"


def executed(path: Path) -> dict[str, Any]:
    """Return a notebook with the outputs of a run in an empty folder."""
    notebook = nbformat.read(path, as_version=4)
    settings = {"OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": folder}})
        client.execute(env={**os.environ, **settings})
    cells = [_kept(cell) for cell in notebook.cells]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _kept(cell: Any) -> dict[str, Any]:
    kept = {"cell_type": cell.cell_type, "id": cell.id, "metadata": {}, "source": _lines(cell.source)}
    if cell.cell_type == "code":
        kept |= {"execution_count": None, "outputs": [_output(output) for output in cell.outputs]}
    return kept


def _output(output: Any) -> dict[str, Any]:
    """Return an output as text; notebooks show models as tables, which are long and say the same."""
    if output.output_type == "stream":
        return {"name": output.name, "output_type": "stream", "text": _lines(output.text)}
    text = _lines(output.data["text/plain"])
    return {
        "data": {"text/plain": text},
        "execution_count": None,
        "metadata": {},
        "output_type": "execute_result",
    }


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*.ipynb")):
        if path.stem in sys.argv[1:] or len(sys.argv) == 1:
            text = json.dumps(executed(path), indent=1, ensure_ascii=False) + "\n"
            path.write_text(text, encoding="utf-8")
            print(path.name, len(text))
