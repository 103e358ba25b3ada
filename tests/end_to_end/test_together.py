"""Tests that share what takes its time to make run in one process, and keep their names."""

from __future__ import annotations

import re

from end_to_end.test_waiting import run

CASES = """
import os, pytest

@pytest.fixture(scope="module")
def shared():
    return "made once"

def told(name):
    with open("ran", "a") as file:
        file.write(f"{name} {os.getpid()}\\n")

@pytest.mark.parametrize("number", range(6))
def test_shared(number, shared):
    told("shared")

@pytest.mark.parametrize("number", range(3))
def test_alone(number):
    told("alone")

@pytest.mark.xdist_group("server")
@pytest.mark.parametrize("number", range(6))
def test_grouped(number):
    told("grouped")
"""


def test_groups_stay_together_and_names_as_they_are(tmp_path):
    (tmp_path / "test_cases.py").write_text(CASES)
    done = run(tmp_path, "-p", "no:cacheprovider", "-p", "tests.together", "--numprocesses", "2")
    assert done.returncode == 0
    ran = [line.split() for line in (tmp_path / "ran").read_text().splitlines()]
    assert len(ran) == 15
    shared, grouped = (
        {process for name, process in ran if name == wanted} for wanted in ("shared", "grouped")
    )
    assert len(shared | grouped) == len(shared) + len(grouped) == 2
    names = re.findall(r"PASSED (.+?) *$", done.stdout, re.MULTILINE)
    assert {name.partition("[")[0] for name in names} == {
        *("test_cases.py::test_shared", "test_cases.py::test_alone", "test_cases.py::test_grouped")
    }
