"""Questions to a Markov logic network: how probable are atoms, and which world is the most probable?"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import numpy as np

from logicoder.base.progress import PhaseFinished, PhaseStarted, Reporter, silent
from logicoder.base.stopping import StopToken
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.mln.inference.atom_values import AtomValues
from logicoder.mln.inference.best_state import best_of
from logicoder.mln.inference.chain_estimates import Sureness
from logicoder.mln.inference.contradictions import EXAMPLES, Contradiction, gathered
from logicoder.mln.inference.ground_network import GroundNetwork, side_by_side
from logicoder.mln.inference.grounder import ground
from logicoder.mln.inference.known_atoms import Evidence, evidence_of
from logicoder.mln.inference.marginals import marginals_of
from logicoder.mln.inference.result import Marginals, MostProbable
from logicoder.mln.inference.schedule import Schedule
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.weight_parameters import INFERENCE


def infer(
    network: MarkovLogicNetwork,
    kb: KnowledgeBase,
    query: Sequence[str] | str,
    *,
    open: Sequence[str] = INFERENCE.open,  # noqa: A002
    closed: Sequence[str] = INFERENCE.closed,
    hide: bool = INFERENCE.hide,
    domains: Mapping[str, Sequence[str]] | None = None,
    method: str = INFERENCE.method,
    samples: int = INFERENCE.samples,
    burn_in: int = INFERENCE.burn_in,
    chains: int = INFERENCE.chains,
    precision: float = INFERENCE.precision,
    seed: int = INFERENCE.seed,
    time_limit: float | None = None,
    stop: StopToken | None = None,
    progress: Reporter = silent,
) -> Marginals:
    """Return how probable the open atoms are, given all that is known.

    All atoms of the query predicates are open, regardless of the data: they are inferred together, so
    that no atom is predicted from the true values of its neighbours. All other predicates are evidence: atoms
    that are not listed are false, unless the predicate is open.

    >>> from logicoder.logic.terms import Atom, Literal, Variable
    >>> from logicoder.mln.formulas import Formula
    >>> kb = KnowledgeBase.from_facts(["smokes(anna)", "person(anna)", "person(bob)", "cancer(bob)"])
    >>> x = Variable("X")
    >>> smoking = Formula((Literal(Atom("smokes", (x,)), False), Literal(Atom("cancer", (x,)))), 1.5)
    >>> found = infer(MarkovLogicNetwork(kb.schema, (smoking,)), kb, ["cancer"])
    >>> round(found.probability("cancer(anna)"), 4), found.probability("cancer(bob)"), found.exact
    (0.8176, 0.5, True)

    Args:
        network: the formulas.
        kb: the data; its interpretations are independent of each other.
        query: predicates whose atoms are asked for.
        open: further predicates whose atoms are unknown where the data does not say that they are true or
            false (in addition to those that the schema declares open).
        closed: predicates whose atoms are false where the data does not list them, although the schema
            declares them open.
        hide: hide the facts of query predicates; else the true and false atoms among them are evidence.
        domains: constants of types, in addition to those of the data and the schema.
        method: `auto`: exact where possible, else Gibbs sampling, or MC-SAT where hard formulas keep states
            apart or the chains of Gibbs disagree; `exact`: never sample;
            `gibbs` or `mc-sat`: sample whatever is connected.
        samples: maximum number of states of each chain.
        burn_in: maximum number of initial states of each chain to discard.
        chains: independent chains, to see whether they agree.
        precision: sampling ends once at least four chains agree and all standard errors are at most this;
            with 0 all states are drawn.
        seed: seed of the random numbers.
        time_limit: seconds after which sampling ends with the results so far.
        stop: ends sampling early; Ctrl-C does, too.
        progress: called with phases and batches.

    Raises:
        UsageError: for unknown predicates and methods, and for networks that are too large.
    """
    started = time.perf_counter()
    schedule = Schedule(samples, burn_in, chains, seed, precision)
    stop = _limited(stop, time_limit)
    names = (query,) if isinstance(query, str) else tuple(query)
    evidence = evidence_of(network, kb, names, open=open, closed=closed, hide=hide, domains=domains)
    whole, contradictions = _grounded(network, evidence, progress)
    answer = marginals_of(whole, method=method, schedule=schedule, stop=stop, progress=progress)
    return Marginals(
        names,
        evidence,
        answer.values,
        answer.errors,
        methods=answer.methods(),
        sureness=Sureness.of(answer.estimates),
        contradictions=gathered([*contradictions, *_given_up(answer, network, evidence)]),
        clauses=len(whole.clauses),
        stopped=stop.reason if answer.estimates else None,
        seconds=time.perf_counter() - started,
    )


def most_probable(
    network: MarkovLogicNetwork,
    kb: KnowledgeBase,
    query: Sequence[str] | str,
    *,
    open: Sequence[str] = INFERENCE.open,  # noqa: A002
    closed: Sequence[str] = INFERENCE.closed,
    hide: bool = INFERENCE.hide,
    domains: Mapping[str, Sequence[str]] | None = None,
    seed: int = INFERENCE.seed,
    time_limit: float | None = None,
    stop: StopToken | None = None,
    progress: Reporter = silent,
) -> MostProbable:
    """Return the most probable truth values of all open atoms together, given all that is known.

    Small components are solved directly, larger ones by CP-SAT, exactly unless time runs
    out. Atoms that may equally well be true or false are false, except in larger components.

    Args:
        network: the formulas.
        kb: the data; its interpretations are independent of each other.
        query: predicates whose atoms are asked for.
        open: see `infer`.
        closed: see `infer`.
        hide: see `infer`.
        domains: see `infer`.
        seed: seed of the search.
        time_limit: seconds after which the best world so far is returned, with a bound.
        stop: ends the search early; Ctrl-C does, too.
        progress: called with phases.
    """
    started = time.perf_counter()
    stop = _limited(stop, time_limit)
    names = (query,) if isinstance(query, str) else tuple(query)
    evidence = evidence_of(network, kb, names, open=open, closed=closed, hide=hide, domains=domains)
    whole, contradictions = _grounded(network, evidence, progress)
    answer, best = best_of(whole, seed=seed, stop=stop, progress=progress)
    return MostProbable(
        names,
        evidence,
        best,
        methods=answer.methods(),
        contradictions=gathered([*contradictions, *_given_up(answer, network, evidence)]),
        stopped=None if best.proved else stop.reason,
        seconds=time.perf_counter() - started,
    )


def _limited(stop: StopToken | None, seconds: float | None) -> StopToken:
    stop = stop or StopToken()
    if seconds is not None:
        stop.allow(seconds)
    return stop


def _grounded(
    network: MarkovLogicNetwork, evidence: Sequence[Evidence], progress: Reporter
) -> tuple[GroundNetwork, list[Contradiction]]:
    """Ground all worlds into one network, their atoms one after the other."""
    started = time.perf_counter()
    progress(PhaseStarted("ground", len(evidence)))
    parts, contradictions = [], []
    for known in evidence:
        part, found = ground(network, known)
        parts.append(part)
        contradictions += found
    whole = side_by_side(parts) if len(parts) > 1 else parts[0]
    counts = {"atoms": whole.atoms, "clauses": len(whole.clauses)}
    progress(PhaseFinished("ground", time.perf_counter() - started, counts))
    return whole, contradictions


def _given_up(
    answer: AtomValues, network: MarkovLogicNetwork, evidence: Sequence[Evidence]
) -> list[Contradiction]:
    """Return the hard ground clauses that no state could satisfy together with the others."""
    firsts = np.cumsum([0, *(part.atoms for part in evidence)])
    groups: dict[tuple[int, int], list[list[int]]] = {}
    for literals, number in answer.given_up:
        world = int(np.searchsorted(firsts, literals[0] >> 1, "right")) - 1
        groups.setdefault((world, number), []).append(literals)
    found = []
    for (world, number), clauses in groups.items():
        part, first = evidence[world], int(firsts[world])
        examples = tuple(
            " v ".join(f"{'!' if x & 1 else ''}{part.atom_at((x >> 1) - first)}" for x in literals)
            for literals in clauses[:EXAMPLES]
        )
        formula = str(network.formulas[number])
        found.append(Contradiction(part.world.name, number, formula, len(clauses), examples))
    return found
