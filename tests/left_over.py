"""A plug-in of pytest: what has not passed when a run was cut off, or failed in it, can be run by itself."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_addoption(parser):
    parser.addoption("--left-over", action="store_true", help="run what has not passed in the last run")


def pytest_configure(config):
    if not hasattr(config, "workerinput"):  # of several processes, the one that the others report to
        config.pluginmanager.register(_Passed(Path(config.cache.mkdir("left-over")) / "passed"))


class _Passed:
    """The tests that have passed, in a file that grows with every test: a run may end at any moment."""

    def __init__(self, path):
        self._path = path
        self._failed = set()
        self._nothing_left = False

    def pytest_sessionstart(self, session):
        if not session.config.option.left_over:
            self._path.write_text("", encoding="utf-8")

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self._failed.add(report.nodeid)
        if report.when == "teardown" and report.nodeid not in self._failed:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(repr(report.nodeid) + "\n")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        if config.option.left_over:
            known = self._path.read_text(encoding="utf-8") if self._path.exists() else ""
            passed = set(known.splitlines())
            config.hook.pytest_deselected(items=[item for item in items if repr(item.nodeid) in passed])
            items[:] = [item for item in items if repr(item.nodeid) not in passed]
            self._nothing_left = bool(passed) and not items

    def pytest_sessionfinish(self, session, exitstatus):
        # All had passed, and the run did not come to its end all the same.
        if self._nothing_left and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK
