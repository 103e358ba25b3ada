"""`logicoder fit`: learn a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer

from logicoder.cli import fit_options as o
from logicoder.cli import search_options as s
from logicoder.cli.learning import Learning, bars_wanted, check_file, prepared_folders, result
from logicoder.cli.options import (
    Data,
    DataFormat,
    DataTypes,
    HeaderRow,
    Interpretations,
    Json,
    Preset,
    SchemaFile,
    Types,
    Worlds,
)
from logicoder.cli.printing import (
    print_candidates,
    print_heading,
    print_json,
    print_layers,
    print_programs,
    print_reconstruction,
    print_summary,
)
from logicoder.cli.reading import DataOptions, named_files, read_background, read_texts

if TYPE_CHECKING:
    from logicoder import AutoEncoder, Program, StackedAutoEncoder

_LIMITS = ("max_decoders", "working_set", "max_bodies", "max_tuples", "max_encoders", "max_work")
_TEXTS = ("bottlenecks", "weights", "limits")
_PROGRAMS = ("require", "forbid")


def fit(
    ctx: typer.Context,
    data: Data,
    schema: SchemaFile = None,
    data_format: DataFormat = None,
    interpretations: Worlds = Interpretations.AUTO,
    types: DataTypes = Types.ONE,
    header: HeaderRow = None,
    layers: o.Layers = None,
    encoder_length: o.EncoderLength = None,
    decoder_length: o.DecoderLength = None,
    compression: o.Compression = None,
    max_latent_arity: o.MaxLatentArity = None,
    constants: o.Constants = None,
    negation: o.Negation = None,
    inequality: o.Inequality = None,
    recursion: o.Recursion = None,
    generality: o.Generality = None,
    reconstruct_all: o.ReconstructAll = None,
    bottlenecks: o.Bottlenecks = None,
    weights: o.Weights = None,
    limits: o.Limits = None,
    require: o.Require = None,
    forbid: o.Forbid = None,
    background: o.BackgroundFiles = None,
    preset: o.PresetName = None,
    max_corruption: s.MaxCorruption = None,
    naming_variants: s.NamingVariants = None,
    signature_variants: s.SignatureVariants = None,
    dominance: s.Dominance = None,
    drop_extensions: s.DropExtensions = None,
    max_decoders: s.MaxDecoders = None,
    working_set: s.WorkingSet = None,
    rounds: s.Rounds = None,
    max_bodies: s.MaxBodies = None,
    max_tuples: s.MaxTuples = None,
    max_encoders: s.MaxEncoders = None,
    max_work: s.MaxWork = None,
    max_memory: s.MaxMemory = None,
    objective: s.ObjectiveName = None,
    mask_weight: s.MaskWeight = None,
    solver: s.SolverName = None,
    time_limit: s.TimeLimit = None,
    effort: s.Effort = None,
    seed: s.Seed = None,
    alpha: s.Alpha = None,
    beta: s.Beta = None,
    jobs: o.Jobs = None,
    output: o.OutputFolder = None,
    report: o.ReportFile = None,
    checkpoint: o.CheckpointFolder = None,
    resume: o.Resume = False,
    config: o.ConfigFile = None,
    as_json: Json = False,
) -> None:
    """Learn an encoder and a decoder program from facts.

    Ctrl-C during the search keeps the best program so far.
    """
    if resume and checkpoint is None:
        raise typer.BadParameter("--resume needs --checkpoint")
    given = {
        "encoder_length": encoder_length,
        "decoder_length": decoder_length,
        "compression": compression,
        "max_latent_arity": max_latent_arity,
        "constants": constants,
        "negation": negation,
        "inequality": inequality,
        "recursion": recursion,
        "generality": generality,
        "reconstruct_all": reconstruct_all,
        "bottlenecks": bottlenecks,
        "weights": weights,
        "limits": limits,
        "require": require,
        "forbid": forbid,
        "max_corruption": max_corruption,
        "naming_variants": naming_variants,
        "signature_variants": signature_variants,
        "dominance": dominance,
        "drop_extensions": drop_extensions,
        "max_decoders": max_decoders,
        "working_set": working_set,
        "rounds": rounds,
        "max_bodies": max_bodies,
        "max_tuples": max_tuples,
        "max_encoders": max_encoders,
        "max_work": max_work,
        "max_memory": max_memory,
        "objective": objective,
        "mask_weight": mask_weight,
        "solver": solver,
        "time_limit": time_limit,
        "effort": effort,
        "seed": seed,
        "alpha": alpha,
        "beta": beta,
        "jobs": jobs,
        "checkpoint": checkpoint,
        "resume": resume,
    }
    options = DataOptions(data, schema, data_format, interpretations, types, header)
    learning = Learning(bars=bars_wanted(ctx, as_json=as_json))
    folder = None
    if report is not None:
        check_file(report)
        folder = report.parent
    with learning.until_interrupted(), prepared_folders(output, folder, checkpoint):
        model = estimator(given, preset, read_background(background or []), layers or 1)
        kb = learning.learn(options.read, model)
        failure = None
        inputs = [*options.files(), *(background or []), *named_files(require, forbid)]
        inputs += [config] if config is not None else []
        if output is not None:
            failure = learning.save(model, output / "model.alp", inputs)
        saved = output if failure is None else None
        if report is not None:
            failure = learning.report(model, kb, report, inputs) or failure
        seconds = learning.seconds(model)
        if as_json:
            print_json(result(model, seconds, saved))
        else:
            print_run(model, seconds["total"])
            if saved is not None:
                print_heading(f"Saved as {saved / 'model.alp'}")
            if report is not None and failure is None:
                print_heading(f"Report: {report}")
        if failure is not None:
            raise failure


def parameters_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that were given as parameters of the library."""
    found = {name: getattr(value, "value", value) for name, value in given.items() if value is not None}
    for name in _TEXTS:
        if found.get(name) is not None:
            found[name] = tuple(found[name])
    for name in _PROGRAMS:
        if found.get(name) is not None:
            found[name] = read_texts(found[name])
    return {
        name: None if value == "none" else int(value) if name in _LIMITS else value
        for name, value in found.items()
    }


def estimator(
    given: dict[str, Any], preset: Preset | None, background: Program | None, layers: int = 1
) -> AutoEncoder | StackedAutoEncoder:
    """Return the estimator: options that were given, below them a preset, below that the defaults."""
    from logicoder import AutoEncoder, StackedAutoEncoder  # noqa: PLC0415  (numpy takes its time)

    parameters = parameters_of(given)
    made = (
        AutoEncoder.from_preset(preset.value, background=background, **parameters)
        if preset is not None
        else AutoEncoder(background=background, **parameters)
    )
    return made if layers == 1 else StackedAutoEncoder(layers, **made.get_params())


def print_run(model: AutoEncoder | StackedAutoEncoder, seconds: float) -> None:
    """Print the outcome of a run for people."""
    print_summary(model, seconds)
    layers = getattr(model, "layers_", None)
    if layers is not None:
        print_layers(layers)
        print_reconstruction(model.scores_)
        return
    print_programs(model.encoder_, model.decoder_)
    print_reconstruction(model.scores_)
    print_candidates(model.statistics_["candidates"])
