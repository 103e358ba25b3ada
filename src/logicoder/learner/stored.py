"""Learning from data that stay where they are: a sample shows the rules, all of the data judges them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from logicoder.compression.stored_search import StoredSearch
from logicoder.engine.sql.sample import sampled
from logicoder.learner.compress import LearnedMessage, compress

if TYPE_CHECKING:
    from logicoder.compression.compressed import Compressed
    from logicoder.compression.learn import Compressor
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.kb.knowledge_base import KnowledgeBase
    from logicoder.learner.settings import Settings

SAMPLE = 200_000
"""Facts that are brought into memory at the most."""


def compress_stored(
    data: StoredData, settings: Settings, *, most: int = SAMPLE, types: str = "auto", **options: Any
) -> tuple[KnowledgeBase, bool, LearnedMessage]:
    """Learn how to say stored data in few bits.

    Data of no more than `most` facts are read as a whole, and learned from as any data in memory.

    Args:
        data: the facts.
        settings: what to minimise and to spend.
        most: facts that may be brought into memory.
        types: for undeclared predicates, see `KnowledgeBase.from_facts`.
        options: as `compress` takes them.

    Returns:
        what was brought into memory, whether that is all, and what was learned.
    """
    kb, whole = sampled(data, most, types)

    def judge(compressor: Compressor, found: Compressed) -> Compressed:
        data.session.stop = compressor.effort.stop
        return StoredSearch(compressor, found, data, kb.schema).message()

    return kb, whole, compress(kb, settings, judge=None if whole else judge, **options)
