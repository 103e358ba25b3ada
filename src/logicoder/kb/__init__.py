"""What is the data? Schemas, knowledge bases of one or more interpretations, readers and writers."""

from logicoder.kb.knowledge_base import Fact, KnowledgeBase
from logicoder.kb.schema import Predicate, Schema

__all__ = ["Fact", "KnowledgeBase", "Predicate", "Schema"]
