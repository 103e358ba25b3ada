"""Inference in Markov logic networks: how probable atoms are, and the most probable world."""

from logicoder.mln.inference.dispatch import infer, most_probable
from logicoder.mln.inference.result import Marginals, MostProbable

__all__ = ["Marginals", "MostProbable", "infer", "most_probable"]
