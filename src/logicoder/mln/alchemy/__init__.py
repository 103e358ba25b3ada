"""Markov logic networks as text, in the notation of Alchemy's `.mln` files."""
