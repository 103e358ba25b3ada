"""Property tests of the project, again and again with other random examples."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, settings

from campaign.kind import Case, FoundError

# Some tests name their neighbours as pytest finds them: from the folder of all tests on.
sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))


class Properties:
    """A test of a property holds for examples that no run has seen.

    Args:
        unit: what is counted.
        tests: `module:function` of tests without fixtures, and how many examples each gets at a time.
    """

    seconds = 300

    def __init__(self, unit: str, **tests: int) -> None:
        self.unit = unit
        self._tests = {f"tests.{name.replace('__', '.')}": number for name, number in tests.items()}

    def case(self, random: Random) -> Case:
        """Return a test and a seed."""
        return {"test": random.choice(list(self._tests)), "seed": random.getrandbits(32)}

    def check(self, case: Case, folder: Path) -> int:  # noqa: ARG002
        """Run the test with this seed."""
        module, _, name = case["test"].rpartition(".")
        test: Any = getattr(import_module(module), name)
        number = self._tests[case["test"]]
        before = test._hypothesis_internal_use_settings, test._hypothesis_internal_use_seed
        test._hypothesis_internal_use_settings = settings(
            max_examples=number,
            deadline=None,
            database=None,
            derandomize=False,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate, Phase.shrink],
            print_blob=False,
        )
        test._hypothesis_internal_use_seed = case["seed"]
        try:
            _run(test)
        finally:
            test._hypothesis_internal_use_settings, test._hypothesis_internal_use_seed = before
        return number


def _run(test: Callable[[], None]) -> None:
    try:
        test()
    except Exception as error:
        notes = "\n".join(getattr(error, "__notes__", ()))
        raise FoundError(f"{error!r}\n{notes}"[:3000]) from error


PROGRAMS = Properties(
    "programs",
    engine__test_programs_against_clingo__test_random_programs_derive_what_clingo_derives=100,
    engine__test_queries_against_clingo__test_random_queries=100,
)
NETWORKS = Properties(
    "networks",
    mln__inference__test_marginals__test_exact_inference_is_that_of_the_definition=10,
    mln__inference__test_marginals__test_the_closed_form_is_that_of_counts=10,
    mln__inference__test_best_state__test_the_most_probable_world=10,
)
ROUND_TRIPS = Properties(
    "data",
    kb__test_round_trips__test_prolog_folders=30,
    kb__test_round_trips__test_prolog_files=30,
    kb__test_round_trips__test_alchemy_folders=30,
    kb__test_round_trips__test_alchemy_files=30,
    kb__test_round_trips__test_tables=30,
)
