"""The settings of learning, declared: the learner's own, and those of an auto-encoder.

Nothing but declarations: the command line shows them without waiting for the library. To add a setting, add
its declaration here and use it where it counts; signatures, checks, options and tables follow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from logicoder.base.kinds import (
    Choice,
    Exact,
    Function,
    Number,
    PathName,
    Plugin,
    Read,
    Several,
    Switch,
    Texts,
    Whole,
)
from logicoder.base.setting import Adjustable, Setting, setting

if TYPE_CHECKING:
    from logicoder.base.progress import Reporter
    from logicoder.logic.terms import Program
    from logicoder.problem.bottlenecks import Bottleneck

LANGUAGE, CONSTRAINTS, PRUNING = "Language", "Constraints", "Pruning"
LIMITS, SEARCH, RUN = "Limits", "Search", "Run"

OBJECTIVES = ("bits", "stored", "loss", "lexicographic", "masked", "loss-then-masked")
SOLVERS = Plugin(
    ("auto", "exact", "lns", "paper", "highs", "rc2", "clingo"), "logicoder.selection.solvers:SOLVERS"
)

_LENGTH = Whole(1, 64)
_COMPRESSION = Exact(0, above=True, places=24, metavar="G")
_LIMIT = Whole(1)
_SHARE = Number(0, 1)
_NO_LIMIT = "no limit"
_WISHES = Texts("logicoder.learner.settings:require_programs", "FILE|TEXT")


@dataclass(eq=False, repr=False)
class LearnerParameters(Adjustable):
    """What the learner considers, demands and spends."""

    encoder_length: int = setting(2, _LENGTH, "maximum number of literals in an encoder body", group=LANGUAGE)
    decoder_length: int = setting(2, _LENGTH, "maximum number of literals in a decoder body", group=LANGUAGE)
    compression: float | str | Fraction | None = setting(
        None,
        _COMPRESSION,
        "limit on the size of the latent representation, as a multiple of that of the data",
        more="applies to all bottlenecks without their own value; a decimal or a fraction such as `1/3`, "
        "which is exact",
        unset="none; 0.8 if a solver selects the clauses",
        group=CONSTRAINTS,
        first=True,
    )
    _: KW_ONLY
    max_latent_arity: int | None = setting(
        None,
        Whole(1, 64),
        "maximum number of arguments of a latent predicate",
        unset="as in the data",
        group=LANGUAGE,
    )
    constants: int = setting(
        0,
        Whole(0),
        "name constants of types that have at most this many, in encoder bodies and decoder heads",
        group=LANGUAGE,
    )
    negation: bool = setting(False, Switch(), "allow negated literals", group=LANGUAGE)
    inequality: bool = setting(
        False, Switch(), "allow clauses to require that two variables differ", group=LANGUAGE
    )
    recursion: bool = setting(
        False,
        Switch(),
        "allow recursive definitions",
        more="for latents and for the predicates of the data",
        group=LANGUAGE,
    )
    disjunctive_decoders: bool = setting(
        False,
        Switch(),
        "allow decoders whose literals are alternatives, evaluated together",
        more="without pruning by corruption, two clauses do the same; not for "
        "[large data](../explanation/semantics.md#large-data)",
        group=LANGUAGE,
    )
    repeated_variables: bool = setting(
        True,
        Switch(),
        "allow a variable more than once in a literal or in the head of a decoder",
        group=LANGUAGE,
    )
    naming_variants: bool = setting(
        True,
        Switch(),
        "keep only one of several encoders that derive the same facts from the same predicates",
        group=PRUNING,
    )
    dependency_variants: bool = setting(
        True,
        Switch(),
        "keep one naming variant for each minimal set of predicates instead of only one",
        more="[masked](../explanation/semantics.md#masked-reconstruction) reconstruction needs variants that "
        "do not mention the predicate",
        group=PRUNING,
    )
    signature_variants: bool = setting(
        True,
        Switch(),
        "keep only one of several decoders that rebuild the same facts from the same latents",
        group=PRUNING,
    )
    max_corruption: float | str | Fraction | None = setting(
        None,
        Exact(0, 1),
        "drop decoders with at least this share of false atoms",
        unset="none",
        group=PRUNING,
    )
    dominance: bool = setting(
        True, Switch(), "drop decoders that another one can replace in every selection", group=PRUNING
    )
    drop_extensions: bool | None = setting(
        None,
        Switch(),
        "drop decoders if part of their body derives no more false atoms than the whole",
        more="by default and without `dominance`, such bodies come last if there are more than "
        "`max_decoders`",
        unset="with dominance",
        option="--drop-extensions/--keep-extensions",
        group=PRUNING,
    )
    max_decoders: int | None = setting(
        20_000, _LIMIT, "maximum number of decoder candidates to select from", unset=_NO_LIMIT, group=LIMITS
    )
    working_set: int | None = setting(
        1_500,
        _LIMIT,
        "maximum number of latents combined with each other at once; others follow in rounds",
        unset=_NO_LIMIT,
        group=LIMITS,
    )
    rounds: int = setting(
        8,
        Whole(0),
        "maximum number of rounds of further candidates, as long as the program loses facts",
        group=LIMITS,
    )
    max_bodies: int | None = setting(
        10_000,
        _LIMIT,
        "maximum number of bodies of each length per head, for decoders with three or more literals",
        unset=_NO_LIMIT,
        group=LIMITS,
    )
    max_tuples: int | None = setting(
        5_000_000,
        _LIMIT,
        "leave out encoder bodies whose join has more tuples; grows with the data beyond a million facts",
        unset=_NO_LIMIT,
        group=LIMITS,
    )
    max_encoders: int | None = setting(
        100_000, _LIMIT, "maximum number of encoder candidates to evaluate", unset=_NO_LIMIT, group=LIMITS
    )
    max_work: int | None = setting(
        8_000_000,
        _LIMIT,
        "beyond this number of tuples of latents times predicates, search decoders head by head, on samples",
        more="such data is [large](../explanation/semantics.md#large-data)",
        unset="never",
        group=LIMITS,
    )
    max_memory: int | str | None = setting(
        None,
        Read("logicoder.base.memory:bytes_of", "SIZE"),
        "memory limit of the process, such as 4GiB or 500MB",
        more="candidates that do not fit are left out and counted",
        unset="60% of the free memory",
        group=LIMITS,
        first=True,
    )
    generality: bool = setting(
        True, Switch(), "select at most one of two comparable clauses", group=CONSTRAINTS
    )
    reconstruct_all: bool = setting(
        True,
        Switch(),
        "require a decoder for every predicate that has one with a corruption below one half",
        group=CONSTRAINTS,
    )
    bottlenecks: Sequence[Bottleneck | str] = setting(
        ("total",),
        Texts("logicoder.problem.bottlenecks:bottlenecks_of"),
        "what is limited: average, total or bits, also with a value such as total=0.8; latents=N, largest=N, "
        "masked=X, none",
        more="see [Bottlenecks](#bottlenecks)",
        option="--bottleneck",
        group=CONSTRAINTS,
    )
    weights: Mapping[str, Any] | Sequence[str] | str | None = setting(
        None,
        Texts("logicoder.problem.weights:weights_of"),
        "how much a mistake in a predicate counts, such as advisedby=5, or balanced",
        more="in Python also a mapping; `balanced` is inverse to the number of facts",
        unset="1 for each",
        option="--weight",
        group=CONSTRAINTS,
    )
    limits: Mapping[str, Mapping[str, Any]] | Sequence[str] | None = setting(
        None,
        Texts("logicoder.problem.limits:limits_of"),
        "limit the clauses, loss, missing, false or masked facts of a predicate, such as "
        "advisedby:clauses=3 or advisedby:missing=10%",
        more="in Python also a mapping; see [Limits](#limits)",
        unset="none",
        option="--limit",
        group=CONSTRAINTS,
    )
    require: Program | str | Sequence[Program | str] | None = setting(
        None,
        _WISHES,
        "clauses, predicates (takes/2) or shapes (:- p(X,X).) that must be selected",
        more="see [Required and forbidden clauses](#required-and-forbidden-clauses)",
        unset="nothing",
        group=CONSTRAINTS,
    )
    forbid: Program | str | Sequence[Program | str] | None = setting(
        None,
        _WISHES,
        "clauses, predicates or shapes that must not be selected",
        unset="nothing",
        group=CONSTRAINTS,
    )
    objective: str | None = setting(
        None,
        Choice(OBJECTIVES),
        "what to minimise: the bits of a message that conveys the data, the facts and literals that it "
        "stores, the loss alone, the loss and then the size, or also the facts that are missing when a "
        "predicate is rebuilt from the others",
        more="`bits`: the [description length](../explanation/semantics.md#description-length) of programs, "
        "kept facts and exceptions; `stored`: facts kept, missing and false plus body literals. With any "
        "other objective, and with any setting of language, constraints or pruning, a solver selects the "
        "clauses: `lexicographic`: the loss, then latent facts plus body literals; `loss`: only the loss; "
        "`masked`: the loss plus the [masked loss](../explanation/semantics.md#masked-reconstruction), then "
        "latent facts plus body literals; `loss-then-masked`: one loss after the other",
        unset="bits; lexicographic if a solver selects the clauses",
        group=SEARCH,
        first=True,
    )
    mask_weight: float | str | Fraction = setting(
        1,
        Exact(0, 10**6, places=6, metavar="W"),
        "how much a fact that is missing when masked counts, with the objective masked",
        group=SEARCH,
    )
    solver: str = setting(
        "auto",
        SOLVERS,
        "how to select the clauses: exact, lns (large neighbourhood search), or auto, which combines both",
        more="`paper` is that search as the paper describes it, with constant shares; "
        "`highs`, `rc2` and `clingo` (the last two are extras) solve exactly, within `effort` seconds "
        "of wall-clock time; other packages may offer [more](../howto/extending.md#a-solver)",
        group=SEARCH,
    )
    alpha: float = setting(
        0.5,
        _SHARE,
        "large neighbourhood search: share of the selected decoders that stay selected",
        group=SEARCH,
    )
    beta: float = setting(
        0.9,
        _SHARE,
        "large neighbourhood search: share of the unselected encoders that stay unselected",
        group=SEARCH,
    )
    effort: float = setting(
        120.0,
        Number(0, above=True, metavar="E"),
        "limit on the search in the solver's deterministic seconds; gives the same result on every run",
        more="applies to each goal of the objective; large data gets a tenth. By description length, it "
        "counts work instead: 120 is a billion tuples and atoms, plus ten thousand per fact",
        group=SEARCH,
    )
    time_limit: float | None = setting(
        None,
        Number(0, above=True, metavar="S"),
        "stop the search after this many seconds and keep the best program",
        more="wall-clock time for the whole fit; unlike `effort`, it makes results depend on the load of the "
        "machine. If a solver selects the clauses, the search gets at least two seconds, and candidates are "
        "enumerated to the end; the fit fails if that takes more than twice the limit (and ten seconds)",
        unset=_NO_LIMIT,
        group=SEARCH,
        first=True,
    )
    seed: int = setting(0, Whole(0, 2**31 - 1), "seed of the search", group=SEARCH)
    jobs: int | None = setting(
        None,
        Whole(1, 4096),
        "number of threads that evaluate candidates; the result does not depend on it",
        unset="one per core",
        group=RUN,
    )


@dataclass(eq=False, repr=False)
class Parameters(LearnerParameters):
    """The learner's settings, and what concerns one run of an auto-encoder."""

    _: KW_ONLY
    background: Program | str | None = setting(
        None,
        Texts("logicoder.learner.settings:require_program", "FILE"),
        "Prolog facts and clauses that encoders may use",
        more="in Python, a `Program` or its text",
        unset="none",
        group=RUN,
        first=True,
    )
    holdout: float | str | Fraction | None = setting(
        None,
        Read("logicoder.base.numbers:share_of", "SHARE"),
        "hold out a share, such as 10%, of the facts (or interpretations, if there are several), learn from "
        "the rest first, and report how well that describes them",
        unset="a fifth of the interpretations, if there are several and not too many facts",
        group=RUN,
        first=True,
    )
    engine: str = setting(
        "auto",
        Choice(("auto", "arrays", "duckdb", "postgresql", "spark")),
        "what evaluates clauses: arrays in memory, or a system that leaves the data where it is",
        more="`auto`: arrays for data that fits into memory; see [Engines](../howto/engines.md)",
        group=RUN,
    )
    max_sample: int = setting(
        200_000,
        Whole(100),
        "with engines other than arrays, bring at most about this many facts into memory",
        more="data with no more facts is read as a whole",
        group=LIMITS,
    )
    checkpoint: str | Path | None = setting(
        None,
        PathName("a folder", "DIR"),
        "keep the state of the run in this folder",
        unset="none",
        group=RUN,
    )
    resume: bool = setting(
        False, Switch(), "continue from the state in the checkpoint folder", option="--resume", group=RUN
    )
    reporter: Reporter | None = setting(
        None,
        Function(),
        "called with [progress events](names.md#progress-events)",
        unset="none",
        option="",
        group=RUN,
    )


CURVE = "Curve"
POINTS = Setting(Whole(1, 10_000), 10, "number of compressions, evenly spaced, up to 1", CURVE, name="points")
COMPRESSIONS = Setting(
    Several(_COMPRESSION),
    None,
    "values of the compression",
    CURVE,
    unset="--points of them, up to 1",
    name="compressions",
)

ONE_RUN = ("background", "engine", "holdout", "checkpoint", "resume", "reporter")
"""What a saved model does not keep among its settings."""
