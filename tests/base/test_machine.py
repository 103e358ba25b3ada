"""How many cores there are, also in a container that may use some of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from logicoder.base import machine

NEW = {"sys/fs/cgroup/cpu.max": "{quota} 100000\n"}
OLD = {
    "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "{quota}\n",
    "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
}


@pytest.mark.parametrize("files", [NEW, OLD])
@pytest.mark.parametrize(
    ("quota", "cores"), [(200_000, 2), (150_000, 2), (10_000, 1), (9_900_000, 64), ("max", 64), (-1, 64)]
)
def test_a_container_has_the_cores_that_it_was_given(files, quota, cores, tmp_path, monkeypatch):
    monkeypatch.setattr(machine.os, "sched_getaffinity", lambda _: range(64), raising=False)
    for name, text in files.items():
        path = Path(tmp_path, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.format(quota=quota))
    assert machine.available_cores(tmp_path) == cores


def test_a_machine_that_says_nothing_has_all_of_its_cores(tmp_path, monkeypatch):
    monkeypatch.setattr(machine.os, "sched_getaffinity", lambda _: range(3), raising=False)
    assert machine.available_cores(tmp_path) == 3
