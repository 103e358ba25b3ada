"""The thing a user touches: `AutoEncoder`, its reconstructions and explanations, and saved models."""

from logicoder.autoencoder.comparing import Difference
from logicoder.autoencoder.estimator import AutoEncoder
from logicoder.autoencoder.explanation import Explanation
from logicoder.autoencoder.reconstruction import PredicateScore, Reconstruction
from logicoder.autoencoder.suggesting import Suggestions

__all__ = ["AutoEncoder", "Difference", "Explanation", "PredicateScore", "Reconstruction", "Suggestions"]
