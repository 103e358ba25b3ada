"""A small knowledge graph in three files: the relations of a generated university."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np

from logicoder import KnowledgeBase
from logicoder.datasets import university
from logicoder.evaluation.links.knowledge_graph import KnowledgeGraph

RELATIONS = ("advisedby", "paidby", "publication", "ta", "taughtby")


def triples(people: int = 40, seed: int = 5) -> list[tuple[str, str, str]]:
    """Return the facts of two arguments: head, relation, tail."""
    kb = university(people=people, noise=0.02, seed=seed).kb
    facts = [fact for name in RELATIONS if name in kb.schema for fact in kb.facts(name)]
    return sorted((str(fact.arguments[0]), fact.predicate, str(fact.arguments[1])) for fact in facts)


def parts(facts: list[tuple[str, str, str]], seed: int = 0) -> dict[str, list[tuple[str, str, str]]]:
    """Return a split in which training facts mention everything."""
    order = np.random.default_rng(seed).permutation(len(facts))
    found: dict[str, list[tuple[str, str, str]]] = {"train": [], "valid": [], "test": []}
    seen: set[str] = set()
    for number in order:
        fact = facts[number]
        rare = not seen.issuperset(fact)
        part = "train" if rare or len(found["train"]) < 0.7 * len(facts) else "valid"
        if part == "valid" and len(found["test"]) < len(found["valid"]):
            part = "test"
        found[part].append(fact)
        seen.update(fact if part == "train" else ())
    return found


def write(folder: Path, found: dict[str, list[tuple[str, str, str]]]) -> Path:
    """Write a graph as three files of triples."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, facts in found.items():
        (folder / f"{part}.txt").write_text("".join("\t".join(fact) + "\n" for fact in facts))
    return folder


def random_graph(seed: int, entities: int = 5, relations: int = 3, share: float = 0.3) -> KnowledgeGraph:
    """Return a graph of training facts only."""
    rng = np.random.default_rng(seed)
    names = [f"e{number}" for number in range(entities)]
    facts = [
        (f"r{r}", names[h], names[t])
        for r, h, t in product(range(relations), range(entities), range(entities))
        if rng.random() < share
    ]
    facts += [("r0", names[0], name) for name in names if ("r0", names[0], name) not in facts]
    kb = KnowledgeBase.from_facts(facts)
    numbers = {name: number for number, name in enumerate(names)}
    triples = [(kb.predicates.index(r), numbers[h], numbers[t]) for r, h, t in facts]
    none = np.empty((0, 3), np.int64)
    return KnowledgeGraph(
        kb, tuple(names), kb.predicates, {"train": np.array(triples, np.int64), "valid": none, "test": none}
    )
