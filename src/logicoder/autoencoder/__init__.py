"""The thing a user touches: `AutoEncoder`, stacks of them, what they say about data, and saved models."""

from logicoder.autoencoder.comparing import Difference
from logicoder.autoencoder.estimator import AutoEncoder
from logicoder.autoencoder.explanation import Explanation
from logicoder.autoencoder.lossless import LosslessEncoding
from logicoder.autoencoder.reconstruction import PredicateScore, Reconstruction
from logicoder.autoencoder.stacking import StackedAutoEncoder, load_model
from logicoder.autoencoder.suggesting import Suggestions

__all__ = [
    "AutoEncoder",
    "Difference",
    "Explanation",
    "LosslessEncoding",
    "PredicateScore",
    "Reconstruction",
    "StackedAutoEncoder",
    "Suggestions",
    "load_model",
]
