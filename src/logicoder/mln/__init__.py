"""Markov logic networks: what can be learned on facts, original or latent."""

from logicoder.mln.formulas import Formula
from logicoder.mln.network import MarkovLogicNetwork

__all__ = ["Formula", "MarkovLogicNetwork"]
