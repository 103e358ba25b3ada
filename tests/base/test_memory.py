"""Sizes of memory, and what a machine or a container has to spare."""

from __future__ import annotations

from pathlib import Path

import pytest

from logicoder import AutoEncoder, KnowledgeBase, UsageError
from logicoder.base.memory import LEAST, MemoryBudget, available_memory, bytes_of, size_text


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("4GiB", 4 * 2**30),
        ("4 gib", 4 * 2**30),
        ("4G", 4 * 2**30),
        ("500MB", 500_000_000),
        ("0.5GB", 500_000_000),
        ("300000000", 300_000_000),
        (300_000_000, 300_000_000),
        ("300000KiB", 300_000 * 1024),
    ],
)
def test_sizes(text, size) -> None:
    assert bytes_of(text) == size


@pytest.mark.parametrize("text", ["", "GiB", "4 gigs", "-1GB", "4GiB2", "none", 2.5, None, True])
def test_what_is_no_size_is_refused_with_an_example(text) -> None:
    with pytest.raises(UsageError, match="write a size as 4GiB or 500MB, not "):
        bytes_of(text)


@pytest.mark.parametrize("text", ["10MB", "0", 1])
def test_too_little_is_refused(text) -> None:
    with pytest.raises(UsageError, match="must be at least 256 MiB, not"):
        bytes_of(text)
    with pytest.raises(UsageError, match=r"at least 256 MiB"):
        AutoEncoder(max_memory=text).fit(KnowledgeBase.from_facts([("p", "a")]))


def test_sizes_for_people() -> None:
    assert [size_text(n) for n in (0, 1023, 1024, 3 * 2**29)] == ["0 B", "1023 B", "1 KiB", "1.5 GiB"]


def system(root: Path, **files: str) -> Path:
    names = {
        "meminfo": "proc/meminfo",
        "limit": "sys/fs/cgroup/memory.max",
        "used": "sys/fs/cgroup/memory.current",
        "old_limit": "sys/fs/cgroup/memory/memory.limit_in_bytes",
        "old_used": "sys/fs/cgroup/memory/memory.usage_in_bytes",
    }
    for name, text in files.items():
        path = root / names[name]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


MEMINFO = "MemTotal:  9000 kB\nMemFree:  1 kB\nMemAvailable:    8000 kB\n"


@pytest.mark.parametrize(
    ("files", "available"),
    [
        ({"meminfo": MEMINFO}, 8_192_000),
        ({"meminfo": MEMINFO, "limit": "max\n", "used": "5\n"}, 8_192_000),
        ({"meminfo": MEMINFO, "limit": "3000000\n", "used": "1000000\n"}, 2_000_000),
        ({"meminfo": MEMINFO, "limit": "3000\n", "used": "1000000\n"}, 0),
        ({"meminfo": MEMINFO, "old_limit": "3000000", "old_used": "500000"}, 2_500_000),
        ({"meminfo": MEMINFO, "old_limit": "9223372036854771712", "old_used": "5"}, 8_192_000),
        ({"meminfo": "nonsense"}, 4 << 30),
        ({}, 4 << 30),
    ],
)
def test_available_memory(tmp_path, files, available) -> None:
    assert available_memory(system(tmp_path, **files)) == available


def test_budget() -> None:
    budget = MemoryBudget.of("1GiB", 1_000_000, 500_000)
    assert budget.limit == 2**30
    assert budget.free == 2**30 - 160 * 2**20 - 40_000_000 - 100_000_000
    assert budget.part(0.5) == budget.free // 2
    # Where the data take everything, there is still a little to work with.
    assert MemoryBudget.of(LEAST, 10**9, 0).free == LEAST // 16
    assert MemoryBudget.of(None, 0, 0).limit >= LEAST
