"""The thing a user touches: `AutoEncoder`, stacks of them, what they say about data, and saved models."""

from logicoder.autoencoder.auto_encoder import AutoEncoder
from logicoder.autoencoder.explanation import Explanation
from logicoder.autoencoder.lossless import LosslessEncoding
from logicoder.autoencoder.model_difference import Difference
from logicoder.autoencoder.predicate_scores import PredicateScore
from logicoder.autoencoder.reconstruction import Reconstruction
from logicoder.autoencoder.stacked_auto_encoder import StackedAutoEncoder, load_model
from logicoder.autoencoder.suggestions import Suggestions

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
