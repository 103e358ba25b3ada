"""A sum that tells whether two knowledge bases hold the same data."""

from __future__ import annotations

import hashlib

from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase


def data_hash(kb: KnowledgeBase) -> str:
    """Return a SHA-256 sum of the content of a knowledge base, whatever the order of its facts."""
    digest = hashlib.sha256()
    lines = [f"{truth} {fact.interpretation} {fact}" for truth in TRUTHS for fact in kb.facts(truth=truth)]
    for line in (str(kb.schema), *sorted(lines)):
        digest.update(line.encode())
        digest.update(b"\n")
    return digest.hexdigest()
