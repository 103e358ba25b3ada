"""Inference in Markov logic networks: how probable atoms are, and the most probable world."""
