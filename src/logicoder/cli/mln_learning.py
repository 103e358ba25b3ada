"""`logicoder mln learn` and `mln weights`: learn clauses and weights."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from logicoder.base.numbers import seconds_text
from logicoder.cli import mln_learning_options as o
from logicoder.cli.mln_options import Network, Seed, TimeLimit
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
from logicoder.cli.printing import print_heading, print_json, print_lines, print_pairs
from logicoder.cli.reading import DataOptions, plain

if TYPE_CHECKING:
    from logicoder.mln import MarkovLogicNetwork

_SEARCH = ("candidates", "scoring", "adding", "pruning")


def learn(
    ctx: typer.Context,
    data: Data,
    output: o.NetworkOutput = None,
    schema: SchemaFile = None,
    data_format: DataFormat = None,
    interpretations: Worlds = Interpretations.AUTO,
    types: DataTypes = Types.ONE,
    header: HeaderRow = None,
    method: o.Method = o.StructureMethod.BUSL,
    max_literals: o.MaxLiterals = 3,
    max_variables: o.MaxVariables = 3,
    constants: o.Constants = 0,
    length_penalty: o.LengthPenalty = 0.01,
    min_gain: o.MinGain = 0.0,
    min_support: o.MinSupport = 0.0,
    independence_level: o.IndependenceLevel = 0.15,
    tnode_atoms: o.TnodeAtoms = 2,
    free_variables: o.FreeVariables = 1,
    symmetry: o.SymmetryName = o.Symmetry.EITHER,
    cliques: o.Cliques = False,
    in_order: o.InOrder = False,
    selection: o.SelectionName = o.Selection.GREEDY,
    max_rows: o.MaxRows = 2_000_000,
    max_candidates: o.MaxCandidates = 1000,
    checkpoint: o.CheckpointFile = None,
    sigma: o.Sigma = 100.0,
    time_limit: TimeLimit = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Learn the clauses of a Markov logic network and their weights from facts.

    Ctrl-C keeps the best network so far.
    """
    from logicoder import Schema  # noqa: PLC0415  (numpy takes its time)
    from logicoder.mln.structure import learn_structure  # noqa: PLC0415

    options = DataOptions(data, schema, data_format, interpretations, types, header)
    with interruptible(ctx, _SEARCH, "network", as_json=as_json) as (interruption, report):
        found = learn_structure(
            options.read(),
            method=method.value,
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
            symmetry=symmetry.value,
            cliques=cliques,
            in_order=in_order,
            selection=selection.value,
            max_rows=max_rows,
            max_candidates=max_candidates,
            seed=seed,
            time_limit=time_limit,
            checkpoint=checkpoint,
            report=report,
            stop=interruption,
        )
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
    data: Data,
    output: o.NetworkOutput = None,
    schema: SchemaFile = None,
    data_format: DataFormat = None,
    interpretations: Worlds = Interpretations.AUTO,
    types: DataTypes = Types.ONE,
    header: HeaderRow = None,
    objective: o.Objective = o.WeightObjective.WPLL,
    query: o.WeightQuery = None,
    prior: o.Prior = o.PriorName.GAUSSIAN,
    sigma: o.Sigma = 100.0,
    mean: o.Mean = 0.0,
    unit_clauses: o.UnitClauses = False,
    as_json: Json = False,
) -> None:
    """Learn the weights of the formulas of a Markov logic network from facts; hard formulas stay hard."""
    from logicoder.mln.formula_weights import learn_weights  # noqa: PLC0415  (numpy takes its time)

    options = DataOptions(data, schema, data_format, interpretations, types, header)
    given, kb = read_with_network(network, options)
    found = learn_weights(
        given,
        kb,
        objective=plain(objective),
        query=query or None,
        prior=plain(prior),
        sigma=sigma,
        mean=mean,
        unit_clauses=unit_clauses,
    )
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
            ("value", f"{found.value:.6f}", f"{objective.value} less the prior"),
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
