"""Markov logic networks: what can be learned on facts, original or latent."""

from logicoder.mln.counting import Counter
from logicoder.mln.formulas import Formula
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.weights import WeightLearning, learn_weights, wpll
from logicoder.mln.worlds import World, worlds_of

__all__ = [
    "Counter",
    "Formula",
    "MarkovLogicNetwork",
    "WeightLearning",
    "World",
    "learn_weights",
    "worlds_of",
    "wpll",
]
