"""The settings of a stack, declared: those of an auto-encoder, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from logicoder.base.kinds import Whole
from logicoder.base.setting import setting
from logicoder.learner.parameters import LANGUAGE, Parameters


class _Layers(Whole):
    """A number of layers, or the layers themselves."""

    def accepts(self, value: Any) -> bool:
        """See `Kind.accepts`."""
        if not isinstance(value, Sequence):
            return super().accepts(value)
        return len(value) > 0 and all(hasattr(layer, "get_params") for layer in value)


@dataclass(eq=False, repr=False)
class _Stack:
    layers: int | Sequence[Any] = setting(
        2,
        _Layers(1, 64),
        "number of stacked auto-encoders, each on the latent facts of the one below",
        more="in Python, also a list of auto-encoders; see [Stack auto-encoders]"
        "(../howto/choose-settings.md#stack-auto-encoders)",
        group=LANGUAGE,
    )


@dataclass(eq=False, repr=False)
class StackParameters(Parameters, _Stack):
    """The number of layers, which comes first, and the settings of each of them."""
