"""A plug-in of pytest: tests of a group, and those of a module that share something, run in one process.

What they share takes its time to make: a server, a browser, a model. Groups are marks `xdist_group`, which
pytest-xdist writes into the names of tests, so that they would not be found again by themselves (and from
pytest 9.2 on it does so in vain). Here, each process tells the scheduler in a file what it has collected.
"""

from __future__ import annotations

import itertools
import json
import tempfile
from pathlib import Path

import pytest
from xdist.scheduler import LoadScopeScheduling


def group_of(item):
    """Return the name of the group of a test, or None: it runs wherever there is room."""
    names = sorted({str(name) for mark in item.iter_markers("xdist_group") for name in mark.args})
    if names:
        return " ".join(names)
    shared = getattr(item, "_fixtureinfo", None)
    fixtures = () if shared is None else itertools.chain(*shared.name2fixturedefs.values())
    return item.nodeid.partition("::")[0] if any(each.scope == "module" for each in fixtures) else None


class Together(LoadScopeScheduling):
    """Gives the tests of a group to one process, the largest groups first."""

    def __init__(self, config, log, file):
        super().__init__(config, log)
        self._file, self._groups = file, None

    def _split_scope(self, nodeid):
        if self._groups is None:
            self._groups = json.loads(self._file.read_text(encoding="utf-8"))
        return self._groups.get(nodeid, nodeid)


class _Groups:
    """In the process that the others report to."""

    def __init__(self, file):
        self._file = file

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node):
        node.workerinput["groups"] = str(self._file)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_make_scheduler(self, config, log):
        return Together(config, log, self._file) if config.option.dist == "load" else None


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        folder = tempfile.TemporaryDirectory(prefix="groups")
        config.add_cleanup(folder.cleanup)
        config.pluginmanager.register(_Groups(Path(folder.name) / "groups.json"))


@pytest.hookimpl(tryfirst=True)  # before it is told that all are collected
def pytest_collection_finish(session):
    told = getattr(session.config, "workerinput", {})
    if told.get("workerid") == "gw0" and "groups" in told:
        groups = {item.nodeid: group_of(item) for item in session.items}
        text = json.dumps({name: group for name, group in groups.items() if group})
        Path(told["groups"]).write_text(text, encoding="utf-8")
