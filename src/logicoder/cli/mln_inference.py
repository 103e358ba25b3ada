"""`logicoder mln infer` and `mln score`: ask a network, and compare its answers with the truth."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from logicoder.cli import mln_inference_options as o
from logicoder.cli.mln_options import Network, Seed, TimeLimit
from logicoder.cli.mln_programs import Programs
from logicoder.cli.mln_reading import read_with_network
from logicoder.cli.mln_running import interruptible
from logicoder.cli.options import (
    Data,
    DataFormat,
    DataTypes,
    HeaderRow,
    Interpretations,
    Json,
    SchemaFile,
    Types,
    Worlds,
)
from logicoder.cli.printing import print_json, print_lines, print_table
from logicoder.cli.reading import DataOptions

if TYPE_CHECKING:
    from logicoder import KnowledgeBase
    from logicoder.evaluation.results import ResultScores
    from logicoder.evaluation.scores import Scores
    from logicoder.kb.formats.alchemy.results import Results
    from logicoder.mln import MarkovLogicNetwork
    from logicoder.mln.inference import Marginals, MostProbable

_log = logging.getLogger("logicoder")

_SAMPLING = ("gibbs", "mc-sat", "cp-sat")
_NAMED = 5
"""As many predicates a warning names at most."""


def infer(
    ctx: typer.Context,
    network: Network,
    data: Data,
    query: o.Query = None,
    each: o.Each = False,
    open_predicates: o.Open = None,
    closed: o.Closed = None,
    hide: o.Hide = True,
    definitions: o.Definitions = None,
    encoder: o.Encoder = None,
    decoder: o.Decoder = None,
    most_probable: o.MostProbable = False,
    output: o.ResultsOutput = None,
    schema: SchemaFile = None,
    data_format: DataFormat = None,
    interpretations: Worlds = Interpretations.AUTO,
    types: DataTypes = Types.ONE,
    header: HeaderRow = None,
    method: o.Inference = o.InferenceMethod.AUTO,
    samples: o.Samples = 1000,
    burn_in: o.BurnIn = 100,
    chains: o.Chains = 8,
    precision: o.Precision = 0.01,
    time_limit: TimeLimit = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Say how probable atoms are, given facts; how that was found; and how sure it is.

    The facts of the query predicates are hidden. Ctrl-C while sampling keeps the numbers so far. Of several
    queries each has the time limit.
    """
    if most_probable and method is not o.InferenceMethod.AUTO:
        raise typer.BadParameter("--map has one method only: leave --method out")
    programs = Programs.read(definitions, encoder, decoder)
    options = DataOptions(data, schema, data_format, interpretations, types, header)
    with interruptible(ctx, _SAMPLING, "estimate", as_json=as_json) as (interruption, report):
        known, kb = read_with_network(network, options)
        queries = _queries(known, query, programs, each=each)
        _remark(known, kb)
        _remark_silence(known, kb, {*(open_predicates or ()), *programs.defined}, queries)
        shared: dict[str, Any] = {
            "open": open_predicates or (),
            "closed": closed or (),
            "hide": hide,
            "seed": seed,
            "time_limit": time_limit,
            "stop": interruption,
            "progress": report,
        }
        if not most_probable:
            shared |= {"method": method.value, "samples": samples, "burn_in": burn_in, "chains": chains}
            shared |= {"precision": precision}
        found = []
        for names in queries:
            if interruption.requested:
                _log.warning("not asked any more: %s", ", ".join(names))
            else:
                found.append(_asked(known, kb, names, shared, programs, most_probable=most_probable))
    results = _results(found)
    if output is not None:
        _write(results, output)
    if as_json:
        print_json(
            {
                "queries": [part.summary() for part in found],
                "results": None if output is not None else _texts(results),
                "output": None if output is None else str(output),
            }
        )
    else:
        _print(results, found, output)
    interruption.leave()


def score(
    results: o.ResultsPath,
    data: Data,
    leave_out: o.LeaveOut = None,
    schema: SchemaFile = None,
    data_format: DataFormat = None,
    interpretations: Worlds = Interpretations.AUTO,
    types: DataTypes = Types.ONE,
    header: HeaderRow = None,
    as_json: Json = False,
) -> None:
    """Compare probabilities with the true facts: areas under curves, average precision, log-likelihood."""
    from logicoder.evaluation.results import score_results  # noqa: PLC0415
    from logicoder.kb.formats.alchemy.results import read_results  # noqa: PLC0415

    kb = DataOptions(data, schema, data_format, interpretations, types, header).read()
    found = score_results(read_results(results, tuple(kb.schema)), kb, leave_out or ())
    if as_json:
        print_json(
            {
                "predicates": {name: part.as_dict() for name, part in found.predicates.items()},
                "mean": found.mean.as_dict(),
                "left_out": list(found.left_out),
                "mean_of_others": found.mean_of_others.as_dict(),
                "missing": found.missing,
                "unknown": found.unknown,
            }
        )
        return
    _print_scores(found)


def _remark(network: MarkovLogicNetwork, kb: KnowledgeBase) -> None:
    """Warn of formulas that say nothing."""
    from logicoder.mln.oddities import oddities  # noqa: PLC0415  (numpy takes its time)

    for sentence in oddities(network, kb):
        _log.warning("%s", sentence)


def _remark_silence(
    network: MarkovLogicNetwork, kb: KnowledgeBase, known: set[str], queries: Sequence[tuple[str, ...]]
) -> None:
    """Warn of evidence that nobody gave: predicates of formulas without facts that are not asked for."""
    from logicoder.mln.oddities import silent_predicates  # noqa: PLC0415  (numpy takes its time)

    common = known.union(*([queries[0]] if len(queries) == 1 else ()))
    silent = silent_predicates(network, kb, common)
    if silent:
        _log.warning(
            "the data has no facts of %s: as evidence all atoms are false; if a program defines them, give "
            "it with --definitions, and if they are unknown, name them with --open",
            ", ".join(silent[:_NAMED]) + (f" and {len(silent) - _NAMED:,} more" if silent[_NAMED:] else ""),
        )


def _queries(
    network: MarkovLogicNetwork, query: Sequence[str] | None, programs: Programs, *, each: bool
) -> list[tuple[str, ...]]:
    """Return the predicates that are asked for together."""
    names = tuple(
        query or (n for n, p in network.schema.items() if not p.background and n not in programs.defined)
    )
    return [(name,) for name in names] if each or not query else [names]


def _asked(
    network: MarkovLogicNetwork,
    kb: KnowledgeBase,
    names: tuple[str, ...],
    options: dict[str, Any],
    programs: Programs,
    *,
    most_probable: bool,
) -> Marginals | MostProbable:
    from logicoder.mln import inference  # noqa: PLC0415  (numpy takes its time)

    ask = inference.most_probable if most_probable else inference.infer
    network, kb, opened = programs.prepared(network, kb, names, options["open"], hide=options["hide"])
    return ask(network, kb, names, **{**options, "open": opened})


def _results(found: Sequence[Marginals | MostProbable]) -> Results:
    from logicoder.evaluation.results import joined_results, results_of  # noqa: PLC0415

    return joined_results([results_of(part) for part in found])


def _write(results: Results, output: Path) -> None:
    from logicoder.kb.formats.alchemy.results import write_results  # noqa: PLC0415

    write_results(results, output)


def _texts(results: Results) -> dict[str, list[str]]:
    from logicoder.kb.formats.alchemy.results import result_lines  # noqa: PLC0415

    return {name: list(result_lines(part)) for name, part in results.items()}


def _print(results: Results, found: Sequence[Marginals | MostProbable], output: Path | None) -> None:
    """Print what was found: atoms to standard output, unless they were written to a file."""
    if output is None:
        for name, lines in _texts(results).items():
            if len(results) > 1:
                print(f"// {name}")
            print_lines(lines)
    else:
        atoms = sum(len(p.atoms) for part in results.values() for p in part.values())
        print(f"{atoms:,} atoms: {output}")
    for part in found:
        said = f"{', '.join(part.query)}: {part}" if len(found) > 1 else str(part)
        print(said, file=sys.stderr if output is None else sys.stdout)


def _print_scores(found: ResultScores) -> None:
    def row(name: str, scores: Scores) -> tuple[object, ...]:
        numbers = (scores.auc_pr, scores.average_precision, scores.auc_roc, scores.cll)
        texts = ("-" if value != value else f"{value:.4f}" for value in numbers)  # noqa: PLR0124  (NaN)
        return (name, scores.positives, scores.negatives, *texts)

    rows = [row(name, scores) for name, scores in found.predicates.items()]
    rows.append(row("mean", found.mean))
    if found.left_out:
        rows.append(row(f"mean without {', '.join(found.left_out)}", found.mean_of_others))
    print_table(("predicate", "true", "false", "AUC-PR", "average precision", "AUC-ROC", "CLL"), rows)
    if found.missing:
        print(f"{found.missing:,} facts of these predicates have no probability: they count in no score")
    if found.unknown:
        print(f"{found.unknown:,} atoms of unknown truth are left out")
