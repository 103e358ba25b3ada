"""Markov logic networks: what can be learned on facts, original or latent."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from logicoder.mln.counting import Counter
    from logicoder.mln.formula_weights import WeightLearning, learn_weights, wpll
    from logicoder.mln.formulas import Formula
    from logicoder.mln.inference import Marginals, MostProbable, infer, most_probable
    from logicoder.mln.network import MarkovLogicNetwork
    from logicoder.mln.program_formulas import HardFormulas, hard_formulas, program_of
    from logicoder.mln.structure.structure_learner import StructureLearning, learn_structure
    from logicoder.mln.worlds import World, worlds_of

# Imported on first use: the command line reads the settings without numpy, and inference needs the solver.
_HOMES = {
    "Counter": "logicoder.mln.counting",
    "Formula": "logicoder.mln.formulas",
    "HardFormulas": "logicoder.mln.program_formulas",
    "Marginals": "logicoder.mln.inference",
    "MarkovLogicNetwork": "logicoder.mln.network",
    "MostProbable": "logicoder.mln.inference",
    "StructureLearning": "logicoder.mln.structure.structure_learner",
    "WeightLearning": "logicoder.mln.formula_weights",
    "World": "logicoder.mln.worlds",
    "hard_formulas": "logicoder.mln.program_formulas",
    "infer": "logicoder.mln.inference",
    "learn_structure": "logicoder.mln.structure.structure_learner",
    "learn_weights": "logicoder.mln.formula_weights",
    "most_probable": "logicoder.mln.inference",
    "program_of": "logicoder.mln.program_formulas",
    "worlds_of": "logicoder.mln.worlds",
    "wpll": "logicoder.mln.formula_weights",
}

__all__ = [
    "Counter",
    "Formula",
    "HardFormulas",
    "Marginals",
    "MarkovLogicNetwork",
    "MostProbable",
    "StructureLearning",
    "WeightLearning",
    "World",
    "hard_formulas",
    "infer",
    "learn_structure",
    "learn_weights",
    "most_probable",
    "program_of",
    "worlds_of",
    "wpll",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'logicoder.mln' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
