"""Learning the structure of a Markov logic network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from logicoder.base.clock import Clock
from logicoder.base.errors import InputError
from logicoder.base.progress import Reporter, silent
from logicoder.base.stopping import StopToken
from logicoder.kb.knowledge_base import KnowledgeBase
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
    constants: int = 0,
    sigma: float = 100.0,
    length_penalty: float = 0.01,
    min_gain: float = 0.0,
    min_support: float = 0.0,
    independence_level: float = 0.15,
    tnode_atoms: int = 2,
    free_variables: int = 1,
    symmetry: str = "either",
    cliques: bool = False,
    in_order: bool = False,
    selection: str = "greedy",
    max_rows: int = 2_000_000,
    max_candidates: int = 1000,
    domains: Mapping[str, Sequence[str]] | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    checkpoint: str | Path | None = None,
    report: Reporter = silent,
    stop: StopToken | None = None,
) -> StructureLearning:
    """Learn clauses and weights from facts, each interpretation a world of its own.

    Args:
        kb: the facts. Background predicates may occur in clauses, but nobody has to predict them.
        method: `busl` (bottom-up, Mihalkova and Mooney 2007), or `exhaustive`: all connected clauses within
            the limits, screened by the gradient; those that repeat a predicate come last.
        max_literals: the most literals of a clause.
        max_variables: the most variables of a clause.
        constants: for `exhaustive`, types with at most this many constants may have them in clauses.
        sigma: standard deviation of the Gaussian prior of the weights.
        length_penalty: what each literal of a clause costs.
        min_gain: what a clause has to gain beyond its cost to be added.
        min_support: the share of its groundings that a clause has to satisfy.
        independence_level: for `busl`, the chance of error below which two columns depend on each other.
        tnode_atoms: for `busl`, 1 for single atoms around the head only, 2 for chains of two as well.
        free_variables: for `busl`, the most variables that only one atom of a chain has.
        symmetry: for `busl`, whether `either` or `both` of two columns are in the blanket of the other.
        cliques: for `busl`, whether all members of a clause have to be neighbours, as in the paper.
        in_order: add candidates in the order of what they gain alone; otherwise in that of what they still
            gain.
        selection: `greedy`, from all candidates that gain something, or `l1`: only from those that keep a
            weight when all are fitted together under an L1 penalty that matches their cost.
        max_rows: for `busl`, the most ground atoms of a predicate and world; of more a sample is taken.
        max_candidates: for `exhaustive`, how many clauses of each length are scored after screening.
        domains: further constants of types.
        seed: of the sample.
        time_limit: in seconds; then the best so far is returned. Ctrl-C does the same.
        checkpoint: a file that keeps the state; another run with the same data and settings goes on from it.
        report: told of the progress.
        stop: another way to end the run early.

    >>> smokes = [("smokes", p) for p in "abc"]
    >>> cancer = [("cancer", p) for p in "abc"]
    >>> people = [("person", p) for p in "abcdefgh"]
    >>> found = learn_structure(KnowledgeBase.from_facts(smokes + cancer + people), max_variables=1)
    >>> any(len(formula.literals) == 2 for formula in found.network)
    True
    """
    settings = Settings(
        method=method,
        max_literals=max_literals,
        max_variables=max_variables,
        constants=constants,
        sigma=sigma,
        length_penalty=length_penalty,
        min_gain=min_gain,
        min_support=min_support,
        independence_level=independence_level,
        tnode_atoms=tnode_atoms,
        free_variables=free_variables,
        symmetry=symmetry,
        cliques=cliques,
        in_order=in_order,
        selection=selection,
        max_rows=max_rows,
        max_candidates=max_candidates,
        seed=seed,
    )
    if not kb.size:
        raise InputError("there are no facts to learn from")
    started = perf_counter()
    file = Checkpoint(checkpoint, kb, settings, domains)
    state = file.load()
    earlier = state.seconds
    token = stop or StopToken()
    if time_limit is not None:
        token.allow(time_limit)
    data = Data(Counter(worlds_of(kb, domains)))
    search = Search(data, settings, state, Clock(report), token, file)
    search.run()
    best = search.best()
    search.save(earlier + perf_counter() - started)
    formulas = [Formula(c, w) for c, w in zip(best.clauses, best.weights.tolist(), strict=True)]
    finished = state.phase == "done"
    return StructureLearning(
        MarkovLogicNetwork(kb.schema, tuple(formulas)),
        best.value,
        best.score(length_penalty),
        tuple(state.history),
        dict(state.counts),
        state.seconds,
        finished,
        None if finished else token.reason,
    )
