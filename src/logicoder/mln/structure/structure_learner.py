"""Learning the structure of a Markov logic network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from logicoder.base.clock import Clock
from logicoder.base.errors import InputError
from logicoder.base.progress import Reporter, silent
from logicoder.base.setting import require_known, settings_of
from logicoder.base.stopping import StopToken
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.mln.counting import Counter
from logicoder.mln.formulas import Formula
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.structure.objective import Data
from logicoder.mln.structure.state import NetworkChange, StructureCheckpoint
from logicoder.mln.structure.structure_search import StructureSearch
from logicoder.mln.structure.structure_settings import Settings
from logicoder.mln.worlds import worlds_of


@dataclass(frozen=True)
class StructureLearning:
    """What was learned.

    Attributes:
        network: the clauses with their weights.
        value: the weighted pseudo-log-likelihood of the data, minus the prior of the weights.
        score: the value minus the penalty for literals.
        history: the changes of the network, in order.
        candidates: how many clauses there were at each stage.
        seconds: how long it took, earlier parts of a resumed run included.
        finished: whether nothing was left to do; otherwise this is the best so far.
        reason: why it ended early: `interrupted` or `time limit`.
    """

    network: MarkovLogicNetwork
    value: float
    score: float
    history: tuple[NetworkChange, ...]
    candidates: Mapping[str, int]
    seconds: float
    finished: bool
    reason: str | None


def learn_structure(
    kb: KnowledgeBase,
    *,
    domains: Mapping[str, Sequence[str]] | None = None,
    time_limit: float | None = None,
    checkpoint: str | Path | None = None,
    report: Reporter = silent,
    stop: StopToken | None = None,
    **settings: Any,
) -> StructureLearning:
    """Learn clauses and weights from facts; each interpretation is a separate world.

    Args:
        kb: the facts. Background predicates may occur in clauses but need not be predicted.
        domains: further constants of types.
        time_limit: in seconds; then the best so far is returned. Ctrl-C does the same.
        checkpoint: a file that keeps the state; another run with the same data and settings continues it.
        report: called with progress events.
        stop: another way to end the run early.
        settings: see `Settings`.

    >>> smokes = [("smokes", p) for p in "abc"]
    >>> cancer = [("cancer", p) for p in "abc"]
    >>> people = [("person", p) for p in "abcdefgh"]
    >>> found = learn_structure(KnowledgeBase.from_facts(smokes + cancer + people), max_variables=1)
    >>> any(len(formula.literals) == 2 for formula in found.network)
    True
    """
    require_known("learn_structure", settings, settings_of(Settings))
    chosen = Settings(**settings)
    if not kb.size:
        raise InputError("there are no facts to learn from")
    started = perf_counter()
    file = StructureCheckpoint(checkpoint, kb, chosen, domains)
    state = file.load()
    earlier = state.seconds
    token = stop or StopToken()
    if time_limit is not None:
        token.allow(time_limit)
    data = Data(Counter(worlds_of(kb, domains)))
    search = StructureSearch(data, chosen, state, Clock(report), token, file)
    search.run()
    best = search.best()
    search.save(earlier + perf_counter() - started)
    formulas = [Formula(c, w) for c, w in zip(best.clauses, best.weights.tolist(), strict=True)]
    finished = state.phase == "done"
    return StructureLearning(
        MarkovLogicNetwork(kb.schema, tuple(formulas)),
        best.value,
        best.score(chosen.length_penalty),
        tuple(state.history),
        dict(state.counts),
        state.seconds,
        finished,
        None if finished else token.reason,
    )
