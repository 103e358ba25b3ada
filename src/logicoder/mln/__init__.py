"""Markov logic networks: what can be learned on facts, original or latent."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from logicoder.mln.counting import Counter
from logicoder.mln.formula_weights import WeightLearning, learn_weights, wpll
from logicoder.mln.formulas import Formula
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.worlds import World, worlds_of

if TYPE_CHECKING:
    from logicoder.mln.inference import Marginals, MostProbable, infer, most_probable
    from logicoder.mln.program_formulas import HardFormulas, hard_formulas, program_of
    from logicoder.mln.structure import StructureLearning, learn_structure

# Imported on first use: inference needs the solver.
_HOMES = {
    "HardFormulas": "logicoder.mln.program_formulas",
    "Marginals": "logicoder.mln.inference",
    "MostProbable": "logicoder.mln.inference",
    "StructureLearning": "logicoder.mln.structure",
    "hard_formulas": "logicoder.mln.program_formulas",
    "infer": "logicoder.mln.inference",
    "learn_structure": "logicoder.mln.structure",
    "most_probable": "logicoder.mln.inference",
    "program_of": "logicoder.mln.program_formulas",
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
