"""`logicoder mln learn` and `mln weights`: learn clauses and weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logicoder.base.numbers import seconds_text
from logicoder.base.setting import settings_of
from logicoder.cli.declared import settings
from logicoder.cli.mln_inputs import Network, read_with_network
from logicoder.cli.options import Json, TypedData, file_option
from logicoder.cli.output import print_heading, print_json, print_lines, print_pairs
from logicoder.cli.watch import interruptible
from logicoder.mln.structure.structure_settings import STRUCTURE, Settings
from logicoder.mln.weight_parameters import WEIGHTS, InferenceParameters, WeightParameters

if TYPE_CHECKING:
    from logicoder.mln import MarkovLogicNetwork

_SEARCH = ("candidates", "scoring", "adding", "pruning")


NetworkOutput = Annotated[
    Path | None,
    file_option("--output", "-o", metavar="FILE", help="Write the network to this .mln file."),
]
CheckpointFile = Annotated[
    Path | None,
    file_option(
        "--checkpoint",
        metavar="FILE",
        help="Keep the state of the run in this file; the same command continues from it.",
        rich_help_panel=STRUCTURE,
    ),
]
_STRUCTURE = settings([*settings_of(Settings).values(), settings_of(InferenceParameters)["time_limit"]])


def learn(
    ctx: typer.Context,
    data: TypedData,
    given: Annotated[dict[str, Any], _STRUCTURE],
    output: NetworkOutput = None,
    checkpoint: CheckpointFile = None,
    as_json: Json = False,
) -> None:
    """Learn clauses and weights of a Markov logic network.

    Ctrl-C keeps the best network so far.
    """
    from logicoder import Schema  # noqa: PLC0415  (numpy takes its time)
    from logicoder.mln.structure.structure_learner import learn_structure  # noqa: PLC0415

    with interruptible(ctx, _SEARCH, "network", as_json=as_json) as (interruption, report):
        found = learn_structure(data.read(), checkpoint=checkpoint, report=report, stop=interruption, **given)
    # The constants are those of the data, not of the network: other data has others.
    network = replace(found.network, schema=Schema(found.network.schema.predicates))
    if output is not None:
        network.save(output)
    if as_json:
        print_json(
            {
                **_network(network),
                "value": found.value,
                "score": found.score,
                "candidates": dict(found.candidates),
                "steps": list(map(str, found.history)),
                "finished": found.finished,
                "stopped": found.reason,
                "seconds": found.seconds,
                "output": None if output is None else str(output),
            }
        )
    else:
        _print_network(network, output)
        print_pairs(
            [
                ("value", f"{found.value:.6f}", "weighted pseudo-log-likelihood less the prior"),
                ("score", f"{found.score:.6f}", "less the penalty for literals"),
                (
                    "clauses",
                    len(network),
                    ", ".join(f"{n:,} {stage}" for stage, n in found.candidates.items()),
                ),
                ("time", seconds_text(found.seconds), f"stopped: {found.reason}" if found.reason else ""),
            ]
        )
    interruption.leave()


def weights(
    network: Network,
    data: TypedData,
    given: Annotated[dict[str, Any], settings(settings_of(WeightParameters))],
    output: NetworkOutput = None,
    as_json: Json = False,
) -> None:
    """Learn the weights of a network; hard formulas stay hard."""
    from logicoder.mln.formula_weights import learn_weights  # noqa: PLC0415  (numpy takes its time)

    found = learn_weights(*read_with_network(network, data), **given)
    if output is not None:
        found.network.save(output)
    if as_json:
        print_json(
            {
                **_network(found.network),
                "value": found.value,
                "gradient_norm": found.gradient_norm,
                "iterations": found.iterations,
                "converged": found.converged,
                "atoms": found.atoms,
                "rows": found.rows,
                "fixed": found.fixed,
                "violations": found.violations,
                "output": None if output is None else str(output),
            }
        )
        return
    _print_network(found.network, output)
    converged = "" if found.converged else "not converged: "
    print_pairs(
        [
            ("value", f"{found.value:.6f}", f"{given.get('objective', WEIGHTS.objective)} less the prior"),
            ("iterations", found.iterations, f"{converged}largest slope left {found.gradient_norm:.1e}"),
            ("atoms", found.atoms, f"in {found.rows:,} different rows"),
            ("decided", found.fixed, "atoms that hard formulas decide"),
            ("violations", found.violations, "groundings of hard formulas that the data violates"),
        ]
    )


def _network(network: MarkovLogicNetwork) -> dict[str, Any]:
    from logicoder.mln.alchemy.notation import clause_text  # noqa: PLC0415

    return {
        "formulas": [
            {"clause": clause_text(f.literals), "weight": None if f.hard else f.weight, "hard": f.hard}
            for f in network
        ]
    }


def _print_network(network: MarkovLogicNetwork, output: Path | None) -> None:
    """Print the formulas, or where they are."""
    if output is not None:
        print(f"{len(network)} formulas: {output}")
    else:
        print_heading("Formulas")
        print_lines(network)
    print()
