"""One run of learning as a user sees it: progress bars, the time of each phase, and what Ctrl-C does."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from logicoder.base.address import masked
from logicoder.base.errors import OutputError
from logicoder.base.progress import PhaseFinished, PhaseStarted, Reporter, silent
from logicoder.base.stopping import PartToken
from logicoder.cli.bars import progress_bars
from logicoder.cli.inputs import MAPPING_FILE, DataOptions
from logicoder.cli.interruption import Interruption
from logicoder.cli.message_output import message_fields, says_message
from logicoder.cli.output import clause_texts
from logicoder.cli.verbosity import is_quiet

if TYPE_CHECKING:
    from logicoder import AutoEncoder, KnowledgeBase, StackedAutoEncoder
    from logicoder.base.stopping import StopToken
    from logicoder.engine.sql.stored_data import StoredData

Known = TypeVar("Known", "KnowledgeBase", "StoredData")
_PHASES = ("read", "encoders", "decoders", "problem", "solve", "write")
_LEAST_SHARE = 0.3
"""The part of a time limit that is left for learning, however long reading takes."""
_READING_GRACE = 1.0
"""Seconds that reading has beyond its part."""
_TRIAL = b"\0" * 1024


class Learning:
    """Learns, and keeps the time.

    Attributes:
        reporter: shows progress while data are read.

    Args:
        bars: whether to show progress, if there is a terminal to show it on.
    """

    def __init__(self, *, bars: bool) -> None:
        self._bars = bars
        self._started = perf_counter()
        self._read_seconds = 0.0
        self._write_seconds = 0.0
        self._interruption = Interruption()
        self.reporter: Reporter = silent

    @property
    def stop(self) -> StopToken:
        """Tells when to end."""
        return self._interruption

    def reading(self, model: AutoEncoder | StackedAutoEncoder) -> StopToken:
        """Return what tells when to end reading: a time limit leaves a part for learning."""
        token, limit = PartToken(self._interruption), model.get_params()["time_limit"]
        if limit is not None:
            token.allow((1 - _LEAST_SHARE) * limit + _READING_GRACE)
        return token

    @contextmanager
    def until_interrupted(self) -> Iterator[None]:
        """Handle Ctrl-C in a block, which shows what there is; after it the command exits with 130."""
        with self._interruption.handling():
            yield
        self._interruption.leave()

    def learn(self, read: Callable[[], Known], model: AutoEncoder | StackedAutoEncoder) -> Known:
        """Read or open the data, fit the model, and return the data."""
        with (
            self._interruption.refusing(),
            progress_bars(shown=self._bars, remaining=lambda: self._interruption.remaining) as bars,
        ):
            report = self.reporter = self._interruption.watching(bars)
            report(PhaseStarted("read"))
            kb = read()
            self._read_seconds = perf_counter() - self._started
            report(PhaseFinished("read", self._read_seconds, {"facts": len(kb)}))
            if _says_data(model, kb):
                self._interruption.begin()
            limit = model.get_params()["time_limit"]
            if limit is not None:  # reading was a part of it
                model.set_params(time_limit=max(_LEAST_SHARE * limit, limit - self._read_seconds))
            model.set_params(reporter=report).fit(kb, stop=self._interruption)
            model.set_params(reporter=None, time_limit=limit)
        return kb

    def save(
        self,
        model: AutoEncoder | StackedAutoEncoder,
        path: Path,
        inputs: Mapping[Path, str],
        data_format: str | None = None,
    ) -> OutputError | None:
        """Save a model; an error is returned, so that the result of a long run can be shown all the same.

        Args:
            model: the model.
            path: where to.
            inputs: the files that it was learned from, with their sums.
            data_format: the format that was named for them, which others like them have, too.
        """
        getattr(model, "layers_", [model])[0].format_ = data_format
        return self._written(lambda: model.save(path, inputs=inputs, command=_command()))

    def save_mapping(self, data: DataOptions, folder: Path) -> OutputError | None:
        """Write the mapping of tables beside their model, if data came from any; errors as by `save`."""
        from logicoder.kb.mapping.mapping_file import write_mapping  # noqa: PLC0415  (numpy takes its time)

        def write() -> None:
            for used in data.used:
                write_mapping(used, folder / MAPPING_FILE)

        return self._written(write)

    def save_state(
        self, model: AutoEncoder | StackedAutoEncoder, kb: KnowledgeBase | StoredData, folder: Path
    ) -> OutputError | None:
        """Write the encoded data; an error is returned as by `save`."""
        from logicoder.autoencoder.following.state_file import moment_of, write_state  # noqa: PLC0415
        from logicoder.engine.sql.sample import read  # noqa: PLC0415
        from logicoder.engine.sql.stored_data import StoredData  # noqa: PLC0415

        def write() -> None:
            encoding = model.encode_losslessly(read(kb) if isinstance(kb, StoredData) else kb)
            write_state(folder, encoding, [moment_of(encoding, learned=True, proved=model)])

        return self._written(write)

    def report(
        self,
        model: AutoEncoder | StackedAutoEncoder,
        kb: KnowledgeBase | StoredData,
        path: Path,
        inputs: Mapping[Path, str],
        title: str,
    ) -> OutputError | None:
        """Write the report of a run; an error is returned as by `save`."""
        from logicoder.autoencoder.run_record import run_record  # noqa: PLC0415  (numpy takes its time)
        from logicoder.report import write_report  # noqa: PLC0415

        def write() -> None:
            record = run_record(parameters={}, results={}, inputs=inputs, command=_command())
            write_report(model, kb, path, title=title, record=record)

        return self._written(write)

    def _written(self, write: Callable[[], None]) -> OutputError | None:
        started = perf_counter()
        try:
            write()
        except OutputError as error:
            return error
        except OSError as error:
            return OutputError(f"{error.filename}: {error.strerror}")
        finally:
            self._write_seconds += perf_counter() - started
        return None

    def seconds(self, model: AutoEncoder | StackedAutoEncoder) -> dict[str, float]:
        """Return the time of each phase so far, and in all."""
        known = {**model.statistics_["seconds"], "read": self._read_seconds, "write": self._write_seconds}
        phases = {
            name: round(float(known.get(name, 0.0)), 6)
            for name in (known if says_message(model) else _PHASES)
        }
        return {**phases, "total": round(perf_counter() - self._started, 6)}


def _says_data(model: AutoEncoder | StackedAutoEncoder, kb: KnowledgeBase | StoredData) -> bool:
    """Whether the data themselves are a program to be kept, as for a message about data in memory."""
    from logicoder import AutoEncoder, KnowledgeBase  # noqa: PLC0415  (numpy takes its time)
    from logicoder.learner.goal import selects  # noqa: PLC0415

    return isinstance(model, AutoEncoder) and isinstance(kb, KnowledgeBase) and not selects(model)


def _command() -> list[str]:
    return ["logicoder", *map(masked, sys.argv[1:])]


def bars_wanted(ctx: typer.Context, *, as_json: bool) -> bool:
    """Whether to show progress: not with -q, and not beside JSON that a program reads."""
    watched = sys.stdout is not None and sys.stdout.isatty()
    return not is_quiet(ctx) and (watched or not as_json)


def check_file(path: Path) -> None:
    """Make sure before long work that a file to write is not a folder."""
    if path.is_dir():
        raise OutputError(f"{path}: this is a folder, not a file; choose a file in it")


@contextmanager
def prepared_folder(folder: Path | None) -> Iterator[None]:
    """Make sure before long work that a folder can be written to; one that stays empty is removed again."""
    if folder is None:
        yield
        return
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder) as trial:
                trial.write(_TRIAL)
        except FileExistsError:
            raise OutputError(f"{folder}: this is a file, not a folder") from None
        except OSError as error:
            raise OutputError(f"{folder}: this folder cannot be written to: {error.strerror}") from None
        yield
    finally:
        for path in made:
            try:
                path.rmdir()
            except OSError:
                break


@contextmanager
def prepared_folders(*folders: Path | None) -> Iterator[None]:
    """Make sure of several folders; see `prepared_folder`."""
    with ExitStack() as stack:
        for folder in folders:
            stack.enter_context(prepared_folder(folder))
        yield


def result(
    model: AutoEncoder | StackedAutoEncoder, seconds: dict[str, float], output: Path | None
) -> dict[str, Any]:
    """Return what a run came to as plain data: the JSON object of `fit --json`."""
    parameters = model.get_params()
    run = {
        "seed": parameters["seed"],
        "objective": getattr(model, "goal_", parameters["objective"]),
        "seconds": seconds,
        "engine": model.statistics_.get("engine"),
        **clause_texts(model),
        "output": None if output is None else str(output),
    }
    if not hasattr(model, "layers_"):
        return {**_outcome(model), **_search(model), **run}
    layers = [{**_outcome(layer), **_search(layer), **clause_texts(layer)} for layer in model.layers_]
    return {**_outcome(model), "layers": layers, **run}


def _outcome(model: AutoEncoder | StackedAutoEncoder) -> dict[str, Any]:
    programs = model.programs()
    return {
        "loss": model.loss_,
        "missing": model.missing_,
        "false": model.false_,
        "masked": getattr(model, "masked_", None),
        "facts": model.facts_,
        "size": model.size_,
        "stopped": model.stopped_,
        "latent_predicates": len(programs[-1][0].defined()),
        "latent_facts": model.latent_facts_,
        "encoder_clauses": sum(len(encoder) for encoder, _ in programs),
        "decoder_clauses": sum(len(decoder) for _, decoder in programs),
    }


def _search(model: AutoEncoder) -> dict[str, Any]:
    found = {
        "minimised": model.objective_,
        "bound": model.bound_,
        "gap": model.gap_,
        "status": model.status_,
        "bound_scope": model.bound_scope_,
        "size_bound": model.size_bound_,
    }
    if says_message(model):
        return {**found, **message_fields(model)}
    return {
        **found,
        "bits": model.bits_,
        "plain_bits": model.plain_bits_,
        "bits_saved": model.bits_saved_,
        "candidates": model.statistics_["candidates"],
        "problem": model.statistics_["problem"],
        "irreparable": list(model.problem_.irreparable),
    }
