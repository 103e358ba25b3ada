"""Examples for the API reference: of each name, the first line that uses it in a session that the tests run.

Each page of the API reference begins with a session that uses many names. Whoever looks up one name should
not have to search for it. So the sessions are run once, and each statement is an example of the functions,
methods, properties and classes that it mentions. The value before a dot tells which `save` is meant.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import inspect
import io
import re
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

PAGES = Path(__file__).parents[1] / "docs" / "reference" / "api"


@cache
def session_examples() -> dict[str, str]:
    """Return examples by the module and the name of what they show."""
    found: dict[str, str] = {}
    for page in sorted(PAGES.glob("*.md")):
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for name, example in examples_of(page.read_text(encoding="utf-8")):
                found.setdefault(name, example)
    return found


def examples_of(text: str) -> list[tuple[str, str]]:
    r"""Return what a session mentions, each with its statement.

    >>> examples_of(">>> from pathlib import Path\n>>> here = Path('a')\n>>> here.as_posix()\n'a'\n")[-1]
    ('pathlib.PurePath.as_posix', ">>> here.as_posix()\n'a'")
    """
    names: dict[str, Any] = {}
    found = []
    for example in doctest.DocTestParser().get_examples(text):
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(example.source, "<session>", "single"), names)  # noqa: S102
        if example.source.startswith(("from ", "import ")):
            continue
        lines = example.source.rstrip("\n").splitlines()
        shown = "\n".join([f">>> {lines[0]}", *(f"... {line}" for line in lines[1:])])
        whole = f"{shown}\n{example.want}".rstrip("\n")
        found += [(name, whole) for name in _mentioned(example.source, names)]
    return found


def _mentioned(source: str, names: dict[str, Any]) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name):
            found.append(names.get(node.id))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = names.get(node.value.id)
            kind = owner if isinstance(owner, type) else type(owner)
            found.append(inspect.getattr_static(kind, node.attr, None))
    found += [_classes().get(word) for word in re.findall(r"  # (?:each )?(?:an? )?([A-Z]\w+)", source)]
    return [name for thing in found if (name := _full_name(thing))]


def _classes() -> dict[str, type]:
    """Return the classes that are loaded, by name: comments say what a call returns."""
    ours = [module for name, module in sys.modules.items() if name.startswith("logicoder")]
    return {name: thing for module in ours for name, thing in vars(module).items() if isinstance(thing, type)}


def _full_name(thing: Any) -> str | None:
    thing = getattr(thing, "fget", None) or getattr(thing, "func", thing)  # of properties
    thing = inspect.unwrap(getattr(thing, "__func__", thing))
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    return f"{module}.{name}" if module and name else None
