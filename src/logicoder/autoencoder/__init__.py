"""The thing a user touches: `AutoEncoder`, stacks of them, their reconstructions, and saved models."""

from logicoder.autoencoder.estimator import AutoEncoder
from logicoder.autoencoder.lossless import LosslessEncoding
from logicoder.autoencoder.reconstruction import PredicateScore, Reconstruction
from logicoder.autoencoder.stacking import StackedAutoEncoder, load_model

__all__ = [
    "AutoEncoder",
    "LosslessEncoding",
    "PredicateScore",
    "Reconstruction",
    "StackedAutoEncoder",
    "load_model",
]
