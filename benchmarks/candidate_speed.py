"""Candidate clauses per second, beside DuckDB, polars and clingo on the same candidates.

    python benchmarks/candidate_speed.py [--quick] [--data FOLDER] [--results FOLDER]

For each candidate every engine counts the distinct head atoms and the true ones among them; all must agree.
The library evaluates all candidates at once; of the others, which have no notion of that, a random sample is
asked, with the data loaded and the queries written before the clock starts. What they do best is allowed:
semi-joins where they suffice, many candidates in one statement, and bodies shared by all heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from common import Journal, Row, Stopwatch, journal_of, require_data, say, speed_parser, training_data
from engines.candidates import DecoderCandidates, Known, encoder_questions, predicate_table
from engines.clingo_grounding import ClingoGrounding
from engines.duckdb_sql import DuckBatched, DuckOneByOne, DuckShared
from engines.polars_joins import PolarsJoins
from engines.question import Engine, Tables

from logicoder import KnowledgeBase
from logicoder.base.machine import available_cores
from logicoder.candidates.encoders import EncoderEnumeration, Latent
from logicoder.candidates.heads import heads_of
from logicoder.candidates.language import EncoderLanguage
from logicoder.engine.arrays.array_engine import ArrayEngine
from logicoder.engine.questions import Acceptance, DecoderQuestion

ENGINES: tuple[type[Engine], ...] = (DuckOneByOne, DuckBatched, DuckShared, PolarsJoins, ClingoGrounding)
OURS = "logicoder"
RELATIONS = 8
"""So many of the largest relations of FB15k-237 are taken."""
SEED = 0


class DisagreementError(SystemExit):
    """Two engines count differently: one of them is wrong, and no speed means anything."""


class Data:
    """Some data, and the library's candidates of one and two literals over it.

    Args:
        title: what to call it.
        kb: the data.
        predicates: what bodies and heads may use.
        encoder_length: literals of the encoders whose latents the decoders are made of.
    """

    def __init__(self, title: str, kb: KnowledgeBase, predicates: Sequence[str], encoder_length: int) -> None:
        self.title = title
        self.kb = kb
        self.predicates = tuple(predicates)
        self.encoder_length = encoder_length
        self.engine = ArrayEngine(kb, jobs=available_cores())

    def encoders(self, length: int) -> tuple[list[Latent], int, Stopwatch]:
        """Evaluate encoders; return the latents, the number of candidates that derive anything, the time."""
        watch = Stopwatch()
        arity = max(self.kb.schema[name].arity for name in self.predicates)
        with watch.running():
            language = EncoderLanguage(self.engine, self.kb.schema, self.predicates)
            enumeration = EncoderEnumeration(language, length, arity)
            latents = enumeration.run(lambda _: None)
        counts = enumeration.statistics
        return latents, counts.encoders - counts.empty - counts.too_large, watch

    def decoders(self, latents: Sequence[Latent]) -> tuple[DecoderCandidates, int, Stopwatch]:
        """Evaluate decoders of one and two literals; return them, their number and the time."""
        extensions = {i: latent.extension for i, latent in enumerate(latents)}
        watch = Stopwatch()
        with watch.running():
            heads = heads_of(self.engine, self.predicates)
            question = DecoderQuestion(heads, extensions, 2, Acceptance(None))
            batches = list(self.engine.count(question, lambda _done, _total: None))
        return DecoderCandidates(extensions, batches), question.statistics.decoders_evaluated, watch

    @property
    def tables(self) -> Tables:
        """The facts, for questions about encoders."""
        return {
            predicate_table(self.predicates, i): self.engine.database.relation(name).columns
            for i, name in enumerate(self.predicates)
        }


def check(known: Known, engine: str, size: int, true: Sequence[int]) -> None:
    """Compare an engine's answer with the library's."""
    if known.size not in (None, size):
        raise DisagreementError(f"{engine} counts {size} atoms, not {known.size}, for {known.question}")
    for counts, found in zip(known.counts, true, strict=True):
        expected = (0, None) if counts is None else (counts[0], sum(counts))
        if found != expected[0] or expected[1] not in (None, size):
            raise DisagreementError(
                f"{engine} counts {size} atoms, {found} of them true, and the library {counts}, "
                f"for {known.question}"
            )


def rate(engine: Engine, questions: Sequence[Known], seconds: float, *, heavy: bool) -> Row:
    """Ask an engine until the time is over or all is answered; compare its answers with the library's."""
    watch = Stopwatch()
    batch = engine.heavy if heavy else engine.light
    candidates = done = 0
    for low in range(0, len(questions), batch):
        part = questions[low : low + batch]
        asked = [known.question for known in part]
        prepared = engine.prepare(asked)
        with watch.running():
            found = engine.run(prepared)
        for known, answer in zip(part, engine.answers(asked, found), strict=True):
            check(known, engine.name, answer.size, answer.true)
        candidates += sum(question.candidates for question in asked)
        done += len(part)
        if watch.seconds > seconds:
            break
    return {"candidates": candidates, "bodies": done, "seconds": watch.seconds, "cpu": watch.cpu}


def others(tables: Tables, questions: Sequence[Known], seconds: float, *, heavy: bool) -> list[Row]:
    """Ask all other engines."""
    rows = []
    for kind in ENGINES:
        if kind is DuckShared and not any(known.question.targets for known in questions):
            # Without heads to share a body it is the same as DuckBatched.
            continue
        engine = kind()
        engine.load(tables)
        rows.append({"engine": engine.name, **rate(engine, questions, seconds, heavy=heavy)})
    return rows


def compared(ours: Row, rows: Sequence[Row]) -> list[Row]:
    """Add rates, and how many times ours is as fast."""
    found = []
    for row in (ours, *rows):
        row["rate"] = row["candidates"] / row["seconds"]
        row["cpu_rate"] = row["candidates"] / row["cpu"] if row["cpu"] else None
        row["ratio"] = ours["rate"] / row["rate"]
        row["cpu_ratio"] = ours["cpu_rate"] / row["cpu_rate"] if row["cpu_rate"] else None
        found.append(row)
    return found


def mean(runs: Sequence[Stopwatch]) -> Row:
    """Return the mean of some runs."""
    return {
        "seconds": sum(run.seconds for run in runs) / len(runs),
        "cpu": sum(run.cpu for run in runs) / len(runs),
    }


def measure_decoders(data: Data, bodies: int, seconds: float, *, heavy: bool) -> list[Row]:
    """Compare on a sample of all decoder candidates."""
    latents, _, _ = data.encoders(data.encoder_length)
    candidates, count, first = data.decoders(latents)
    rows = others(candidates.tables, candidates.sample(bodies, SEED), seconds, heavy=heavy)
    time = mean([first, data.decoders(latents)[2]])
    return compared({"engine": OURS, "candidates": count, **time}, rows)


def measure_encoders(data: Data, bodies: int, seconds: float, *, heavy: bool) -> list[Row]:
    """Compare on encoder candidates of at most two literals."""
    latents, count, first = data.encoders(2)
    asked = encoder_questions(latents, data.predicates, bodies, SEED)
    rows = others(data.tables, asked, seconds, heavy=heavy)
    time = mean([first, data.encoders(2)[2]])
    return compared({"engine": OURS, "candidates": count, **time}, rows)


def read(folder: Path, name: str, relations: int) -> Data:
    """Return UW-CSE with latents of two literals, or the largest relations of FB15k-237 with those of one."""
    if name == "uwcse":
        kb = training_data(folder, name)
        return Data(name, kb, kb.predicates, 2)
    kb = KnowledgeBase.from_path(folder / name / "train.txt.gz", format="triples")
    largest = sorted(kb.learnable, key=lambda predicate: -len(kb.table(predicate).worlds))
    return Data(f"{name}, {relations} largest relations", kb, largest[:relations], 1)


def measure(folder: Path, journal: Journal, *, quick: bool = False) -> None:
    """Add the rows that are not there yet."""
    bodies, seconds = (60, 3.0) if quick else (400, 15.0)
    for name in ("uwcse", "fb15k237"):
        data = read(folder, name, RELATIONS // 2 if quick else RELATIONS)
        for kind, compare in (("encoders", measure_encoders), ("decoders", measure_decoders)):
            key = {"bench": "candidates", "data": data.title, "kind": kind}
            if not journal.find(**key):
                say(f"{kind} of {data.title}")
                for row in compare(data, bodies, seconds, heavy=name != "uwcse"):
                    journal.add({**key, **row})


def main() -> None:
    """Measure."""
    options = speed_parser(__doc__).parse_args()
    measure(require_data(options), journal_of(options), quick=options.quick)


if __name__ == "__main__":
    main()
