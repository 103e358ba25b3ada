"""Problems without constraints, and choices from them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from logicoder.problem.masking import with_masking

SHARES = st.fractions(Fraction(1, 20), 3, max_denominator=20)


def bare(problem):
    """Return a problem without any constraint."""
    return with_masking(
        replace(
            problem,
            constraints=(),
            requirements=(),
            demands=(),
            encoder_generality=None,
            decoder_generality=None,
            decoders=tuple(replace(decoder, exclusive=False) for decoder in problem.decoders),
        )
    )


def choices(problem):
    """Any choice of decoders."""
    return st.sets(st.sampled_from(range(len(problem.decoders)))) if problem.decoders else st.just(set())
