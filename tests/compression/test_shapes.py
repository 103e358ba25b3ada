"""Shapes of data that are hard to search: each ends with a program, within its work and its memory."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from compression.worlds import comes_back
from logicoder.base.effort import Effort
from logicoder.base.memory import MemoryBudget
from logicoder.compression.learn import Compressor

FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "shapes.py"
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


@pytest.fixture(scope="module")
def shapes() -> ModuleType:
    if not FILE.exists():
        pytest.skip("there are no benchmarks beside the tests")
    spec = importlib.util.spec_from_file_location("shapes", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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
from logicoder.compression.learn import Compressor
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
    share = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert float(share) <= 1.05
