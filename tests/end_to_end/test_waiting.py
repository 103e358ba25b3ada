"""No test can wait for ever: whatever waits says for how long, and what hangs all the same is ended."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.waiting import PATIENCE, ended, joined, until, within

TESTS = Path(__file__).parents[1]
METHODS = ("communicate", "wait", "join")
"""They wait as long as their first argument says."""
PIPES = (".stdout.read", ".stdout.readline", ".stderr.read", ".stderr.readline")
"""They wait for ever; `within` ends them."""


def endless(path: Path) -> list[str]:
    """Return the places where something waits without a limit."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    found = [(node.lineno, name) for node in nodes for name in waiting(node)]
    return [f"{path.relative_to(TESTS)}:{line}: {name}" for line, name in sorted(found)]


def waiting(node: ast.AST) -> Iterator[str]:
    """Iterate over what waits without a limit in a node itself."""
    if isinstance(node, ast.With):  # at its end, it waits for a process
        names = [ast.unparse(item.context_expr) for item in node.items]
        yield from (f"with {name}" for name in names if name.startswith("subprocess.Popen"))
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    name = ast.unparse(node.func)
    if name.endswith(PIPES) or (name == "os.waitpid" and "WNOHANG" not in ast.unparse(node)):
        yield name
    limited = any(keyword.arg in ("timeout", None) for keyword in node.keywords)
    if not limited and (name == "subprocess.run" or (node.func.attr in METHODS and not node.args)):
        yield name


def test_whatever_waits_says_for_how_long():
    assert [place for path in sorted(TESTS.rglob("*.py")) for place in endless(path)] == []


def test_what_waits_without_a_limit_is_found(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "TESTS", tmp_path)
    path = tmp_path / "test_it.py"
    path.write_text(
        "run.communicate()\nrun.communicate(timeout=3)\nthread.join()\nthread.join(3)\n', '.join(words)\n"
        "subprocess.run(['x'])\nsubprocess.run(['x'], timeout=3)\nsubprocess.run(['x'], **options)\n"
        "run.stdout.readline()\nwithin(run.stdout.readline)\nos.waitpid(1, 0)\nos.waitpid(1, os.WNOHANG)\n"
        "with subprocess.Popen(['x']) as run: pass\n"
    )
    assert endless(path) == [
        "test_it.py:1: run.communicate",
        "test_it.py:3: thread.join",
        "test_it.py:6: subprocess.run",
        "test_it.py:9: run.stdout.readline",
        "test_it.py:11: os.waitpid",
        "test_it.py:13: with subprocess.Popen(['x'])",
    ]


HANGS = """
import threading
def test_it():
    threading.Event().wait()
"""


def run(folder, *options):
    """Run the tests of a folder in a process of their own."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-o", "faulthandler_exit_on_timeout=true", *options, folder],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(TESTS.parent)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_a_test_that_hangs_is_ended_and_named(tmp_path):
    (tmp_path / "test_hanging.py").write_text(HANGS)
    done = run(tmp_path, "-p", "no:cacheprovider", "-o", "faulthandler_timeout=0.5")
    assert done.returncode == 1
    assert "test_hanging.py" in done.stderr
    assert "in test_it" in done.stderr


@pytest.mark.parametrize("processes", [(), ("--numprocesses", "1")])
def test_what_has_not_passed_when_a_run_ends_runs_by_itself(tmp_path, processes):
    cases, right = tmp_path / "test_cases.py", "def test_it():\n    pass\n"
    cases.write_text("def test_first():\n    pass\ndef test_wrong():\n    assert 0\n" + HANGS)
    plugin = ("-p", "tests.left_over")
    run(tmp_path, *plugin, *processes, "-o", "faulthandler_timeout=0.5")
    cases.write_text(cases.read_text().replace("assert 0", "pass").replace(HANGS, right))
    done = run(tmp_path, *plugin, "--left-over")
    assert re.findall(r"::(\w+) PASSED", done.stdout) == ["test_wrong", "test_it"]
    assert "1 deselected" in done.stdout
    assert done.returncode == 0
    assert run(tmp_path, *plugin, "--left-over").returncode == 0  # nothing is left


def test_what_is_waited_for_is_ended_or_told(monkeypatch):
    monkeypatch.setattr("tests.waiting.PATIENCE", 0.1)
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with process, pytest.raises(subprocess.TimeoutExpired):
        ended(process)
    assert process.returncode == -9
    with pytest.raises(AssertionError, match="still not: it rains"):
        until(lambda: False, "it rains")
    with pytest.raises(AssertionError, match="it rains"):
        until(lambda: False, "it rains", process)
    joined()
    assert within(lambda: "come") == "come"
    with pytest.raises(AssertionError, match="goes on"):
        within(threading.Event().wait)
