"""Shapes of data that are hard to search: each ends with a program, within its work and its memory."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tests.waiting import PATIENCE

from compression.worlds import comes_back
from logicoder import KnowledgeBase
from logicoder.base.effort import Effort
from logicoder.base.memory import MemoryBudget
from logicoder.compression.learned_plan import Compressor
from logicoder.compression.message import Message

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
FILE = FOLDER / "shapes.py"
SIZES = {
    "dense": 0.02,
    "many predicates": 0.02,
    "hub": 0.01,
    "classes": 0.1,
    "worlds": 0.1,
    "typed graph": 0.1,
}
NAMES = (
    *("six places", "twelve places", "hub", "dense", "many predicates", "single fact", "few values"),
    *("typed graph", "propositions", "table rows", "classes", "worlds", "empty"),
)


LOOKALIKES = {
    **dict.fromkeys(("inverses", "people", "biology", "films", "citations"), 0.01),
    **dict.fromkeys(("loans", "bank", "shop", "attributes", "wide table"), 0.05),
    "kin": 1.0,
    "pointers": 0.05,
    "ontology": 0.02,
    "endgame": 0.02,
}


def _module(name: str) -> ModuleType:
    file = FOLDER / f"{name}.py"
    if not file.exists():
        pytest.skip("there are no benchmarks beside the tests")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def shapes() -> ModuleType:
    return _module("shapes")


@pytest.fixture(scope="module")
def lookalikes() -> ModuleType:
    return _module("lookalikes")


def test_all_lookalikes_are_tried_but_for_those_with_hundreds_of_predicates(lookalikes: ModuleType) -> None:
    assert {*LOOKALIKES, "duplicates", "extracted"} == set(lookalikes.LOOKALIKES)


@pytest.mark.parametrize("name", LOOKALIKES)
def test_data_like_those_that_people_bring(lookalikes: ModuleType, name: str) -> None:
    kb = KnowledgeBase.from_facts(sorted(lookalikes.lookalike(name, LOOKALIKES[name])))
    compressor = Compressor(kb, Effort(work=10_000_000))
    found = compressor.run()
    assert found.bits <= found.domain_bits + 1e-6
    assert Message.of(found.plan, kb).bits == pytest.approx(min(found.bits, found.plain_bits), abs=1e-3)
    assert comes_back(compressor, found)


def test_all_shapes_are_tried(shapes: ModuleType) -> None:
    assert set(NAMES) == set(shapes.SHAPES)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("free", [1 << 20, 1 << 30])
def test_a_hard_shape(shapes: ModuleType, name: str, free: int) -> None:
    kb = shapes.SHAPES[name](SIZES.get(name, 0.1))
    effort = Effort(work=20_000_000, memory=MemoryBudget(free, 0))
    told: list[float] = []
    compressor = Compressor(kb, effort, best=lambda message: told.append(message.bits))
    found = compressor.run()
    assert found.stopped is None
    assert found.bits == told[-1] <= told[0] <= found.domain_bits + 1e-6
    assert comes_back(compressor, found)


PROBE = r"""
import pathlib, re, runpy, sys
from logicoder.base.effort import Effort
from logicoder.base.memory import MemoryBudget
from logicoder.compression.learned_plan import Compressor
kb = runpy.run_path(sys.argv[1])["SHAPES"][sys.argv[2]](float(sys.argv[3]))
budget = MemoryBudget.of("256MiB", kb.size, len(kb.symbols))
Compressor(kb, Effort(work=100_000_000, memory=budget)).run()
# The peak that `resource` tells is that of whoever started this process, if that was larger.
peak = re.search(r"VmHWM:\s+(\d+) kB", pathlib.Path("/proc/self/status").read_text())
print(1024 * int(peak[1]) / budget.limit)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is told in other units elsewhere")
@pytest.mark.parametrize(("name", "size"), [("classes", 1.0), ("dense", 0.15)])
def test_memory_is_a_promise(name: str, size: float) -> None:
    if not FILE.exists():
        pytest.skip("there are no benchmarks beside the tests")
    command = [sys.executable, "-c", PROBE, str(FILE), name, str(size)]
    share = subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout
    assert float(share) <= 1.05
