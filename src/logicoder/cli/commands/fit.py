"""`logicoder fit`: learn a model."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from logicoder.base.files import is_special
from logicoder.base.input_record import recorded_inputs
from logicoder.base.kinds import Choice
from logicoder.base.setting import settings_of
from logicoder.cli.config import load_config
from logicoder.cli.declared import settings, value
from logicoder.cli.fit_run import Learning, bars_wanted, check_file, prepared_folders, result
from logicoder.cli.inputs import read_background, read_texts
from logicoder.cli.message_output import print_findings, print_message_run, says_message
from logicoder.cli.options import Json, TypedData, file_option
from logicoder.cli.output import print_heading, print_json, print_layers, print_programs, print_reconstruction
from logicoder.cli.summary_output import print_candidates, print_summary
from logicoder.learner.presets import PRESETS
from logicoder.learner.stack_parameters import StackParameters

if TYPE_CHECKING:
    from logicoder import AutoEncoder, KnowledgeBase, StackedAutoEncoder
    from logicoder.cli.inputs import DataOptions
    from logicoder.engine.sql.stored_data import StoredData

_DECLARED = settings_of(StackParameters)
_SETTINGS = settings({**_DECLARED, "layers": replace(_DECLARED["layers"], default=1)})

PresetName = Annotated[
    Any,
    value(
        "--preset",
        Choice(tuple(PRESETS)),
        "Settings to start from; other options override them.",
        show_default=False,
    ),
]
OutputFolder = Annotated[
    Path | None,
    file_option(
        "--output",
        "-o",
        metavar="DIR",
        help="Save the model as DIR/model.alp and the record of the run as DIR/run.json.",
    ),
]
ReportFile = Annotated[
    Path | None,
    file_option(
        "--report", metavar="FILE", help="Write a page that shows the result, as `logicoder report` does."
    ),
]
StateFolder = Annotated[
    Path | None,
    file_option(
        "--state", metavar="DIR", help="Write the encoded data, for `logicoder update` to bring up to date."
    ),
]
ConfigFile = Annotated[
    Path | None,
    file_option(
        "--config",
        metavar="FILE",
        is_eager=True,
        callback=load_config,
        help="A TOML file with the same options, at its top or under [fit]; the command line overrides it.",
    ),
]


def fit(
    ctx: typer.Context,
    data: TypedData,
    given: Annotated[dict[str, Any], _SETTINGS],
    preset: PresetName = None,
    output: OutputFolder = None,
    report: ReportFile = None,
    state: StateFolder = None,
    config: ConfigFile = None,  # noqa: ARG001  (read before the other options)
    as_json: Json = False,
) -> None:
    """Learn which facts to keep and clauses that rebuild the rest.

    By default, the result is the shortest message found that conveys all facts. With a compression, or any
    setting of --help-all, a solver selects latent predicates. Ctrl-C keeps the best program so far.
    """
    if given.get("resume") and not given.get("checkpoint"):
        raise typer.BadParameter("--resume needs --checkpoint")
    learning = Learning(bars=bars_wanted(ctx, as_json=as_json))
    folders = [output, state, Path(given["checkpoint"]) if "checkpoint" in given else None]
    if report is not None:
        check_file(report)
        folders += [] if is_special(report) else [report.parent]
    with (
        learning.until_interrupted(),
        prepared_folders(*folders),
        recorded_inputs() as noted,
        ExitStack() as until_end,
    ):
        model = estimator(given, preset)
        kb = learned(learning, model, data, given, until_end, read=state is not None)
        failure = None
        inputs = {
            path: noted.sums[path] for path in noted.sums if not _is_state(path, given.get("checkpoint"))
        }
        if output is not None:
            failure = learning.save(model, output / "model.alp", inputs, data.format)
            failure = failure or learning.save_mapping(data, output)
        saved = output if failure is None else None
        if report is not None:
            failure = learning.report(model, kb, report, inputs, data.name or report.stem) or failure
        if state is not None:
            failure = learning.save_state(model, kb, state) or failure
        seconds = learning.seconds(model)
        if as_json:
            print_json(result(model, seconds, saved))
        else:
            print_run(model, seconds["total"], kb)
            if saved is not None:
                print_heading(f"Saved as {saved / 'model.alp'}")
            if report is not None and failure is None:
                print_heading(f"Report: {report}")
            if state is not None and failure is None:
                print_heading(f"State: {state}")
        if failure is not None:
            raise failure


def learned(
    learning: Learning,
    model: AutoEncoder | StackedAutoEncoder,
    data: DataOptions,
    given: dict[str, Any],
    until_end: ExitStack,
    *,
    read: bool = False,
) -> KnowledgeBase | StoredData:
    """Fit a model to data in memory or where they are, and return the data, which are open until the end.

    Args:
        learning: the run.
        model: what learns.
        data: what the data are.
        given: the options.
        until_end: closes the data.
        read: whether all facts are needed in memory afterwards.
    """
    from logicoder.engine.sql.choice import ARRAYS  # noqa: PLC0415  (numpy takes its time)

    engine = data.engine(given.get("engine", "auto"))
    if engine == ARRAYS:
        return learning.learn(data.read, model)

    def opened() -> StoredData:
        memory = given.get("max_memory")
        stop = learning.reading(model)
        stored = until_end.enter_context(
            data.stored(engine, max_memory=memory, stop=stop, report=learning.reporter)
        )
        stored.session.stop = learning.stop
        if read and len(stored) > model.max_sample:
            raise typer.BadParameter(
                f"a state is read into memory as a whole, and the data has {len(stored):,} facts: leave out "
                f"--state, choose --engine arrays, or raise --max-sample ({model.max_sample:,})"
            )
        return stored

    return learning.learn(opened, model)


def _is_state(path: Path, checkpoint: str | None) -> bool:
    """Whether a file is one of an earlier run that was taken up, and no input."""
    return checkpoint is not None and path.parent == Path(checkpoint)


def with_files(given: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters of options, with what is in the files that they name."""
    read: dict[str, Any] = {
        name: read_texts(given[name]) for name in ("require", "forbid") if given.get(name)
    }
    if given.get("background"):
        read["background"] = read_background(list(map(Path, given["background"])))
    return {**given, **read}


def estimator(given: dict[str, Any], preset: str | None) -> AutoEncoder | StackedAutoEncoder:
    """Return the estimator: options that were given, below them a preset, below that the defaults."""
    from logicoder import AutoEncoder, StackedAutoEncoder  # noqa: PLC0415  (numpy takes its time)

    parameters = {**PRESETS.get(preset or "", {}), **with_files(given)}
    layers = parameters.pop("layers", 1)
    return AutoEncoder(**parameters) if layers == 1 else StackedAutoEncoder(layers, **parameters)


def print_run(
    model: AutoEncoder | StackedAutoEncoder, seconds: float, kb: KnowledgeBase | StoredData | None = None
) -> None:
    """Print the outcome of a run for people: what it found first, where the data are given."""
    if says_message(model):
        if kb is not None:
            print_findings(model, kb)
        print_message_run(model, seconds)
        return
    print_summary(model, seconds)
    layers = getattr(model, "layers_", None)
    if layers is not None:
        print_layers(layers)
        print_reconstruction(model.scores_)
        return
    print_programs(model.encoder_, model.decoder_)
    print_reconstruction(model.scores_)
    print_candidates(model.statistics_["candidates"])
