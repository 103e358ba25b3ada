"""Asking the engine of arrays about candidates, in few words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from logicoder.candidates.deep import DeepEnumeration
from logicoder.candidates.encoders import EncoderEnumeration
from logicoder.candidates.heads import heads_of
from logicoder.candidates.language import EncoderLanguage, Switches
from logicoder.engine.arrays.array_engine import ArrayEngine
from logicoder.engine.handles import Counted, Decoder
from logicoder.engine.questions import Acceptance, Choice, DecoderQuestion
from logicoder.kb import KnowledgeBase

Answer = TypeVar("Answer")

ALL = 1000
"""More constants than any type of small data has."""


def remembered(function: Callable[[KnowledgeBase], Answer]) -> Callable[[KnowledgeBase], Answer]:
    """Remember the latest answer, since the same data are asked about for one latent after the other."""
    latest: list[tuple[KnowledgeBase, Answer]] = []

    def answer(kb: KnowledgeBase) -> Answer:
        if not latest or latest[0][0] is not kb:
            latest[:] = [(kb, function(kb))]
        return latest[0][1]

    return answer


def ignore(*progress: int) -> None:
    """Nobody watches."""
    assert all(number >= 0 for number in progress)


def language_of(
    kb: KnowledgeBase, switches: Switches | None = None, *, constants: int = 0, jobs: int = 1
) -> EncoderLanguage:
    engine = ArrayEngine(kb, constants=constants, jobs=jobs)
    return EncoderLanguage(engine, kb.schema, kb.predicates, switches or Switches())


plain_language = remembered(language_of)


def encoder_enumeration(
    kb: KnowledgeBase,
    length: int,
    largest: int,
    switches: Switches | None = None,
    *,
    constants: int = 0,
    jobs: int = 1,
    **options,
) -> EncoderEnumeration:
    language = language_of(kb, switches, constants=constants, jobs=jobs)
    return EncoderEnumeration(language, length, largest, **options)


def data_and_latents(kb: KnowledgeBase) -> tuple[list[str], list[str]]:
    return list(kb.learnable), [name for name in kb.predicates if kb.schema[name].background]


def question_of(
    engine: ArrayEngine,
    kb: KnowledgeBase,
    length: int,
    max_corruption: Fraction | None = None,
    switches: Switches | None = None,
) -> DecoderQuestion:
    """Return the question about all decoders over the background predicates."""
    data, latents = data_and_latents(kb)
    switches = switches or Switches()
    return DecoderQuestion(
        heads_of(engine, data, switches),
        {i: engine.facts(name) for i, name in enumerate(latents)},
        length,
        Acceptance(max_corruption),
        negation=switches.negation,
    )


def deep_counted(
    engine: ArrayEngine, question: DecoderQuestion, *, max_bodies=None, drop_extensions=False
) -> list[Counted]:
    return list(DeepEnumeration(engine, question, max_bodies, drop_extensions).run(ignore))


def chosen(
    engine: ArrayEngine, question: DecoderQuestion, counted: Sequence[Counted], **rules
) -> list[Decoder]:
    """Return the chosen decoders, with no rule applied unless given."""
    options = {"merge_signature_variants": False, "drop_extensions": False} | rules
    weights = [extension.size for extension in question.latents.values()]
    return engine.choose(counted, Choice(weights, **options), question.statistics, set())
