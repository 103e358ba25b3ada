"""The part of stored data that a page shows, and what it says about the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from logicoder.engine.sql.sample import sampled

if TYPE_CHECKING:
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.kb.knowledge_base import KnowledgeBase


def shown_part(data: StoredData, most: int) -> tuple[KnowledgeBase, str]:
    """Return at most about so many facts to be shown, and a remark where they are not all."""
    kb, whole = sampled(data, most)
    if whole:
        return kb, ""
    return kb, (
        f"All numbers are those of all {len(data):,} facts, as {data.session.name} counts them. Examples "
        f"of clauses, proposals and the fact browser come from a sample: {len(kb):,} facts, some constants "
        "with all facts about no others. What depends on facts about others may be missing there."
    )
