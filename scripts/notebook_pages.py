"""Notebooks as pages of the site: their text, their code, and the outputs that are kept in them."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def notebook_page(path: Path) -> str:
    """Return a notebook as Markdown, with a link to itself below its title."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = [_cell(cell) for cell in notebook["cells"]]
    title, _, rest = cells[0].partition("\n")
    download = f'<a href="{path.name}" download>Download this notebook</a>. Its outputs come from a run.'
    return "\n\n".join([title, download, rest.strip(), *cells[1:]]) + "\n"


def _cell(cell: dict[str, Any]) -> str:
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return text
    return "\n\n".join([f"```python\n{text}\n```", *filter(None, map(_output, cell["outputs"]))])


def _output(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return _text("".join(output["text"]))
    data = output.get("data", {})
    if "image/svg+xml" in data:
        picture = base64.b64encode("".join(data["image/svg+xml"]).encode()).decode()
        return f"![output of the cell above](data:image/svg+xml;base64,{picture})"
    if "image/png" in data:
        return f"![output of the cell above](data:image/png;base64,{''.join(data['image/png']).strip()})"
    return _text("".join(data.get("text/plain", ())))


def _text(text: str) -> str:
    shown = _ESCAPES.sub("", text).rstrip("\n")
    return f"```text\n{shown}\n```" if shown else ""
