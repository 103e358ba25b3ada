"""The thing a user touches: `AutoEncoder`, its reconstructions, and saved models."""

from logicoder.autoencoder.estimator import AutoEncoder
from logicoder.autoencoder.reconstruction import PredicateScore, Reconstruction

__all__ = ["AutoEncoder", "PredicateScore", "Reconstruction"]
