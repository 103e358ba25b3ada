"""A session of each system."""

from __future__ import annotations

import pytest

from .systems import SYSTEMS, session_of


@pytest.fixture(
    params=[pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in SYSTEMS], scope="module"
)
def session(request):
    with session_of(request.param, request) as made:
        made.system = request.param
        yield made
