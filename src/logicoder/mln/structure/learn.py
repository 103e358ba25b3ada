"""Learning the structure of a Markov logic network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from logicoder.base.errors import InputError
from logicoder.base.progress import Reporter, silent
from logicoder.base.stopping import StopToken
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.learner.clock import Clock
from logicoder.mln.counting import Counter
from logicoder.mln.formulas import Formula
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.structure.objective import Data
from logicoder.mln.structure.search import Search
from logicoder.mln.structure.settings import Settings
from logicoder.mln.structure.state import Checkpoint, Step
from logicoder.mln.worlds import worlds_of


@dataclass(frozen=True)
class StructureLearning:
    """What was learned.

    Attributes:
        network: the clauses with their weights.
        value: the weighted pseudo-log-likelihood of the data, less the prior of the weights.
        score: that less the penalty for literals.
        history: the changes of the network, in order.
        candidates: how many clauses there were at each stage.
        seconds: how long it took, earlier parts of a resumed run included.
        finished: whether nothing was left to do; otherwise this is the best so far.
        reason: why it ended early: `interrupted` or `time limit`.
    """

    network: MarkovLogicNetwork
    value: float
    score: float
    history: tuple[Step, ...]
    candidates: Mapping[str, int]
    seconds: float
    finished: bool
    reason: str | None


def learn_structure(
    kb: KnowledgeBase,
    *,
    method: str = "busl",
    max_literals: int = 3,
    max_variables: int = 3,
    domains: Mapping[str, Sequence[str]] | None = None,
    time_limit: float | None = None,
    checkpoint: str | Path | None = None,
    report: Reporter = silent,
    stop: StopToken | None = None,
    **options: object,
) -> StructureLearning:
    pass
