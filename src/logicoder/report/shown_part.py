"""The part of stored data that a page shows, and what it says about the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from logicoder.autoencoder.stored_layers import StoredLayers
from logicoder.engine.sql.sample import sampled

if TYPE_CHECKING:
    from logicoder.autoencoder.auto_encoder import AutoEncoder
    from logicoder.autoencoder.stacked_auto_encoder import StackedAutoEncoder
    from logicoder.engine.sql.stored_data import StoredData
    from logicoder.kb.knowledge_base import KnowledgeBase


def shown_part(model: AutoEncoder | StackedAutoEncoder, data: StoredData) -> tuple[KnowledgeBase, str]:
    """Return the facts to be shown, and a remark where they are not all; its counts are of all facts."""
    kb, whole = sampled(data, model.max_sample)
    if whole:
        return kb, ""
    remark = (
        f"This page shows the model on a sample: {len(kb):,} of {len(data):,} facts, some constants with all "
        "facts about no others. What depends on facts about others may be missing here."
    )
    stack = StoredLayers(model.stack(), data)
    represented = stack.encoded()
    scores = stack.scores(represented, stack.exceptions(represented))
    missing, false = sum(score.missing for score in scores), sum(score.false for score in scores)
    counted = f"{missing:,} facts are missing and {false:,} are false"
    return kb, f"{remark} In all of the data, {counted}, as {data.session.name} counts them."
