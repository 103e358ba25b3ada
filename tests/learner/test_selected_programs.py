"""Selected clauses as programs: definitions of several clauses, and data with predicates called latent1."""

from __future__ import annotations

from logicoder.learner.selected_programs import programs_of
from logicoder.problem import CoverageClass, DecoderItem, EncoderItem, PredicateItem, Problem
from logicoder.selection import Solution

PATH = "latent_2(X,Y) :- edge(X,Y).\nlatent_2(X,Y) :- edge(X,Z), latent_2(Z,Y)."
CHAIN = "path(X,Y) :- latent_1(X,Y).\npath(X,Y) :- latent_1(X,Z), path(Z,Y)."


def test_recursive_definitions_are_renamed_throughout() -> None:
    """The data has a predicate `latent1`, so that candidates are called `latent_1` and so on."""
    problem = Problem(
        targets=(PredicateItem("path", 3), PredicateItem("latent1", 1)),
        encoders=(
            EncoderItem("latent_1(X,Y) :- latent1(X,Y).", 1, 1, ("latent1",)),
            EncoderItem(PATH, 3, 3, ("edge",)),
        ),
        decoders=(
            DecoderItem(CHAIN, "path", (0,), 3, 3, 0, exclusive=True),
            DecoderItem("latent1(X,Y) :- latent_1(X,Y), latent_2(X,Y).", "latent1", (0, 1), 2, 1, 0),
        ),
        families={"ordinary": (CoverageClass(True, 3, (0,), 0), CoverageClass(True, 1, (1,), 1))},
    )
    solution = Solution.of(problem, [0, 1], 0, "test")
    encoder, decoder = programs_of(problem, solution, {"latent1", "edge", "path"})
    first, second = encoder.defined()
    assert not {first, second} & {"latent1", "edge", "path"}
    assert list(map(str, encoder)) == [
        f"{first}(X,Y) :- latent1(X,Y).",
        f"{second}(X,Y) :- edge(X,Y).",
        f"{second}(X,Y) :- edge(X,Z), {second}(Z,Y).",
    ]
    assert list(map(str, decoder)) == [
        f"path(X,Y) :- {first}(X,Y).",
        f"path(X,Y) :- {first}(X,Z), path(Z,Y).",
        f"latent1(X,Y) :- {first}(X,Y), {second}(X,Y).",
    ]
