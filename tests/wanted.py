"""What tests need beside the package: without it they skip, or fail in continuous integration."""

from __future__ import annotations

import os

import pytest


def wanted_or_skipped(message):
    """Skip a test for want of something; where continuous integration runs, it must be there."""
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


def wanted_module(name):
    """Return a module, if it is installed."""
    try:
        return __import__(name)
    except ImportError:
        return wanted_or_skipped(f"{name} is not installed: `make test` installs it")
