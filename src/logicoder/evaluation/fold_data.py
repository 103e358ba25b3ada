"""The data of an experiment: folds, atoms that are explicitly false, and what is checked before the work."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from logicoder.base.errors import UsageError
from logicoder.base.files import read_text
from logicoder.evaluation.fold_scores import asked_predicates
from logicoder.evaluation.splits import Protocol
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.kb.sources import find_schemas, find_sources


@lru_cache(maxsize=2)
def all_data(data: str) -> KnowledgeBase:
    """Return all folds of a folder. Whoever begins a run clears the cache: files may have changed since."""
    return KnowledgeBase.from_path(data)


def training_data(data: str, folds: Sequence[str]) -> KnowledgeBase:
    """Return some folds as one knowledge base, each an interpretation."""
    parts = {part.interpretations[0]: part for part in all_data(data).split()}
    return parts[folds[0]] if len(folds) == 1 else KnowledgeBase.union([parts[name] for name in folds])


def explicit_negatives(data: str, fold: str, schema: Schema) -> KnowledgeBase | None:
    """Return the atoms that `neg/FOLD.neg.db` lists as false, if there is such a file."""
    path = _negatives_path(data, fold)
    if not path.exists() or not read_text(path).strip():
        return None
    return KnowledgeBase.from_path(path, schema=schema)


def checked_files(data: Path, protocols: Sequence[Protocol]) -> list[Path]:
    """Return the files that the results of an experiment rest on, once they can be used.

    Raises:
        UsageError: if a fold that chooses or tests has nothing to ask for.
        InputError: if atoms that are explicitly false cannot be read.
    """
    sources = find_sources([data], None, "auto")
    negatives = (_negatives_path(data, fold) for fold in all_data(str(data)).interpretations)
    files = [*(source.path for source in sources), *find_schemas([data])[:1]]
    files += [path for path in negatives if path.exists()]
    tested = {split.test: "test" for protocol in protocols for split in protocol.testing}
    choosing = {protocol.choosing.validation: "validation" for protocol in protocols}
    for fold, role in (choosing | tested).items():
        if fold is None:
            continue
        kb = training_data(str(data), (fold,))
        if not asked_predicates(kb):
            path = next(source.path for source in sources if source.world == fold)
            raise UsageError(
                f"the {role} fold {fold} has no facts to ask for: {path}\n"
                "  hint: add facts of predicates with arguments, choose another fold, or remove the file"
            )
        explicit_negatives(str(data), fold, kb.schema)
    return files


def _negatives_path(data: str | Path, fold: str) -> Path:
    return Path(data) / "neg" / f"{fold}.neg.db"
