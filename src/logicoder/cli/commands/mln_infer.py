"""`logicoder mln infer` and `mln score`: ask a network, and compare its answers with the truth."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logicoder.base.errors import one_line
from logicoder.base.setting import settings_of
from logicoder.cli.declared import settings
from logicoder.cli.mln_inputs import Network, read_with_network
from logicoder.cli.mln_programs import Programs
from logicoder.cli.options import Json, TypedData, file_argument, file_option
from logicoder.cli.output import print_json, print_lines, print_table
from logicoder.cli.watch import interruptible
from logicoder.mln.weight_parameters import INFERENCE, KNOWN, SAMPLING, InferenceParameters

if TYPE_CHECKING:
    from logicoder import KnowledgeBase
    from logicoder.evaluation.inference_results import ResultScores
    from logicoder.evaluation.scores import Scores
    from logicoder.kb.formats.alchemy.results import Results
    from logicoder.mln import MarkovLogicNetwork
    from logicoder.mln.inference import Marginals, MostProbable

_log = logging.getLogger("logicoder")

_PHASES = ("gibbs", "mc-sat", "cp-sat")
_NAMED = 5
"""As many predicates a warning names at most."""


_DECLARED = settings_of(InferenceParameters)

ResultsPath = Annotated[
    Path,
    file_argument(
        "RESULTS", "The output of `mln infer --output`: a file, or a folder for several interpretations."
    ),
]
ResultsOutput = Annotated[
    Path | None,
    file_option(
        "--output",
        "-o",
        metavar="PATH",
        help="Write atoms and probabilities to this file (or folder, for several interpretations) instead "
        "of printing them.",
    ),
]
Query = Annotated[
    list[str] | None,
    typer.Option(
        "--query",
        metavar="NAME",
        help="Predicates to ask for; may be repeated.",
        rich_help_panel=KNOWN,
        show_default="all but background ones, each given the others",
    ),
]
Each = Annotated[
    bool,
    typer.Option(
        "--each",
        help="Ask for one predicate after the other, each given the facts of all others.",
        rich_help_panel=KNOWN,
    ),
]
Definitions = Annotated[
    list[Path] | None,
    file_option(
        "--definitions",
        metavar="FILE",
        help="Logic programs that define predicates of the network over the data; what they derive is "
        "evidence; may be repeated.",
        rich_help_panel=KNOWN,
    ),
]
Encoder = Annotated[
    Path | None,
    file_option(
        "--encoder",
        metavar="FILE",
        help="A logic program that defines the latents of the network; those that depend on the query are "
        "open.",
        rich_help_panel=KNOWN,
    ),
]
Decoder = Annotated[
    Path | None,
    file_option(
        "--decoder",
        metavar="FILE",
        help="A logic program over the latents of --encoder, whose clauses are hard formulas.",
        rich_help_panel=KNOWN,
    ),
]
WorldOnly = Annotated[
    bool,
    typer.Option(
        "--map",
        help="Find the most probable world instead of probabilities: 1 for its true atoms, 0 for others.",
    ),
]
LeaveOut = Annotated[
    list[str] | None,
    typer.Option(
        "--leave-out",
        metavar="NAME",
        help="Predicates, or patterns such as 'same*', to leave out of a second mean; may be repeated.",
        show_default=False,
    ),
]


def infer(
    ctx: typer.Context,
    network: Network,
    data: TypedData,
    given: Annotated[dict[str, Any], settings(_DECLARED)],
    query: Query = None,
    each: Each = False,
    definitions: Definitions = None,
    encoder: Encoder = None,
    decoder: Decoder = None,
    most_probable: WorldOnly = False,
    output: ResultsOutput = None,
    as_json: Json = False,
) -> None:
    """Compute how probable atoms are, and how reliable that is.

    The facts of the query predicates are hidden. Ctrl-C while sampling keeps the results so far. The time
    limit applies to each query.
    """
    if most_probable and given.get("method", INFERENCE.method) != INFERENCE.method:
        raise typer.BadParameter("--map has only one method: leave out --method")
    programs = Programs.read(definitions, encoder, decoder)
    with interruptible(ctx, _PHASES, "estimate", as_json=as_json) as (interruption, report):
        known, kb = read_with_network(network, data)
        queries = _queries(known, query, programs, each=each)
        opened = given.get("open", INFERENCE.open)
        _remark(known, kb)
        _remark_silence(known, kb, {*opened, *programs.defined}, queries)
        used = (name for name, item in _DECLARED.items() if not (most_probable and item.group == SAMPLING))
        shared: dict[str, Any] = {name: given.get(name, _DECLARED[name].default) for name in used}
        shared |= {"stop": interruption, "progress": report}
        found = []
        for names in queries:
            if interruption.requested:
                _log.warning("no longer queried: %s", ", ".join(names))
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


def score(results: ResultsPath, data: TypedData, leave_out: LeaveOut = None, as_json: Json = False) -> None:
    """Compare probabilities with the true facts."""
    from logicoder.evaluation.inference_results import score_results  # noqa: PLC0415
    from logicoder.kb.formats.alchemy.results import read_results  # noqa: PLC0415

    kb = data.read()
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
            "the data has no facts of %s: all atoms of it count as false evidence; if a program defines "
            "them, pass it with --definitions; if they are unknown, name them with --open",
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
    from logicoder.evaluation.inference_results import joined_results, results_of  # noqa: PLC0415

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
                print(f"// {one_line(name)}")
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
        print(
            f"{found.missing:,} facts of these predicates have no probability and do not count in any score"
        )
    if found.unknown:
        print(f"{found.unknown:,} atoms of unknown truth are left out")
