"""logicoder learns auto-encoding logic programs: readable latent predicates from relational facts.

>>> import logicoder
>>> kb = logicoder.KnowledgeBase.from_facts([("father", "vader", "luke"), ("saber", "vader", "red")])
>>> len(kb)
2
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from logicoder.autoencoder import AutoEncoder, Reconstruction, StackedAutoEncoder
    from logicoder.autoencoder.latent_features import LatentFeatures as LatentFeatures
    from logicoder.base.errors import InfeasibleError, InputError, LogicoderError, UsageError
    from logicoder.kb import Fact, KnowledgeBase, Predicate, Schema
    from logicoder.learner.bottleneck_curve import Curve, CurvePoint, rate_distortion
    from logicoder.logic import Atom, Clause, Constant, Literal, Program, Variable

__version__ = "0.2.0"

# Imported on first use: `import logicoder` stays quick, and numpy or the solver wait until they are needed.
_HOMES = {
    "AutoEncoder": "logicoder.autoencoder",
    "LatentFeatures": "logicoder.autoencoder.latent_features",
    "Reconstruction": "logicoder.autoencoder",
    "StackedAutoEncoder": "logicoder.autoencoder",
    "InfeasibleError": "logicoder.base.errors",
    "InputError": "logicoder.base.errors",
    "LogicoderError": "logicoder.base.errors",
    "UsageError": "logicoder.base.errors",
    "Fact": "logicoder.kb",
    "KnowledgeBase": "logicoder.kb",
    "Predicate": "logicoder.kb",
    "Schema": "logicoder.kb",
    "Curve": "logicoder.learner.bottleneck_curve",
    "CurvePoint": "logicoder.learner.bottleneck_curve",
    "rate_distortion": "logicoder.learner.bottleneck_curve",
    "Atom": "logicoder.logic",
    "Clause": "logicoder.logic",
    "Constant": "logicoder.logic",
    "Literal": "logicoder.logic",
    "Program": "logicoder.logic",
    "Variable": "logicoder.logic",
}

# Without `LatentFeatures`, which needs scikit-learn: `from logicoder import *` works without it.
__all__ = [
    "Atom",
    "AutoEncoder",
    "Clause",
    "Constant",
    "Curve",
    "CurvePoint",
    "Fact",
    "InfeasibleError",
    "InputError",
    "KnowledgeBase",
    "Literal",
    "LogicoderError",
    "Predicate",
    "Program",
    "Reconstruction",
    "Schema",
    "StackedAutoEncoder",
    "UsageError",
    "Variable",
    "__version__",
    "rate_distortion",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'logicoder' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted({*__all__, *_HOMES})
