"""From candidates to the problem: coverage classes, generality, requirements, bottleneck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder.candidates.assembly import Assembly
from logicoder.candidates.heads import heads_of
from logicoder.datasets import star_wars_figure
from logicoder.engine.questions import Acceptance, Choice, DecoderQuestion
from logicoder.kb import KnowledgeBase
from logicoder.logic import Clause
from logicoder.problem import AverageFacts, Inclusion, Problem
from logicoder.problem.bottlenecks import with_bottlenecks
from logicoder.problem.evaluate import loss_of

from .asking import encoder_enumeration
from .naive import Row, derived, rows_of
from .random_data import REPEATABLE, plain_data
from .test_decoders import ignore

HALF = Fraction(1, 2)


def build(
    kb: KnowledgeBase,
    length: int = 2,
    *,
    compression: Fraction = HALF,
    max_corruption: Fraction | None = HALF,
    generality: bool = True,
    reconstruct_all: bool = True,
    masking: bool = False,
) -> Problem:
    largest = max(kb.schema[name].arity for name in kb.predicates)
    encoders = encoder_enumeration(kb, length, largest)
    engine = encoders.language.engine
    latents = encoders.run(ignore)
    question = DecoderQuestion(
        heads_of(engine, kb.learnable),
        {i: latent.extension for i, latent in enumerate(latents)},
        length,
        Acceptance(max_corruption),
    )
    choice = Choice([latent.extension.size for latent in latents], drop_extensions=False)
    decoders = engine.choose(list(engine.count(question, ignore)), choice, question.statistics, set())
    assembly = Assembly(encoders.language, kb.learnable, latents, generality, reconstruct_all, masking)
    problem = assembly.problem(decoders)
    return with_bottlenecks(problem, [AverageFacts(compression)])


def evaluate(text: str, relations: dict[str, frozenset[Row]]) -> frozenset[Row]:
    """Return what one clause derives, evaluated naively."""
    clause = Clause.parse(text)
    return frozenset[Row]().union(
        *(
            derived(
                clause.head.arguments, [(lit.atom.predicate, lit.atom.arguments) for lit in body], relations
            )
            for body in clause.alternatives
        )
    )


class Evaluated:
    """A problem whose clauses were read back and evaluated."""

    def __init__(self, problem: Problem, kb: KnowledgeBase) -> None:
        inputs = {name: rows_of(kb, name) for name in kb.predicates}
        self.latents = [evaluate(encoder.clause, inputs) for encoder in problem.encoders]
        names = [Clause.parse(encoder.clause).head.predicate for encoder in problem.encoders]
        self.latent_types = [_head_types(encoder.clause, kb) for encoder in problem.encoders]
        relations = dict(zip(names, self.latents, strict=True))
        self.atoms = [evaluate(decoder.clause, relations) for decoder in problem.decoders]
        self.facts = inputs


def _head_types(text: str, kb: KnowledgeBase) -> tuple[str, ...]:
    clause = Clause.parse(text)
    kinds = {}
    for literal in clause.literals():
        kinds |= dict(zip(literal.atom.arguments, kb.schema[literal.atom.predicate].types, strict=True))
    return tuple(kinds[v] for v in clause.head.arguments)


def closure(edges: tuple[tuple[int, int], ...]) -> set[tuple[int, int]]:
    """Return all pairs (more general, less general): what can be reached from each node."""
    below: dict[int, set[int]] = {}
    for parent, child in edges:
        below.setdefault(parent, set()).add(child)
    found = set()
    for start in below:
        work = [start]
        while work:
            for child in below.get(work.pop(), ()):
                if (start, child) not in found:
                    found.add((start, child))
                    work.append(child)
    return found


Typed = tuple[tuple[str, ...], frozenset[Row]]


def includes_up_to_column_order(larger: Typed, smaller: Typed) -> bool:
    types, rows = larger
    others, inner = smaller
    return any(
        tuple(others[i] for i in order) == types
        and {(row[0], *(row[1 + i] for i in order)) for row in inner} <= rows
        for order in permutations(range(len(others)))
    )


@settings(REPEATABLE, max_examples=120)
@given(
    plain_data(most_predicates=2, arities=(1, 2, 2)),
    st.integers(1, 2),
    st.sampled_from((HALF, Fraction(2, 3), Fraction(1))),
    st.sampled_from((None, HALF)),
)
def test_random_data(kb, length, compression, max_corruption) -> None:
    problem = build(kb, length, compression=compression, max_corruption=max_corruption)
    evaluated = Evaluated(problem, kb)
    event(f"decoders: {'many' if len(problem.decoders) > 20 else 'few'}")
    check_clauses(problem, evaluated)
    check_coverage(problem, evaluated)
    check_generality(problem, evaluated)
    check_requirements(problem, kb)
    check_bottleneck(problem, kb, compression)


def check_clauses(problem: Problem, evaluated: Evaluated) -> None:
    for encoder, rows in zip(problem.encoders, evaluated.latents, strict=True):
        clause = Clause.parse(encoder.clause)
        assert encoder.weight == len(rows)
        assert encoder.literals == clause.length
        assert set(encoder.dependencies) == clause.body_predicates()
    assert {latent for decoder in problem.decoders for latent in decoder.latents} == set(
        range(len(problem.encoders))
    ), "every encoder has a decoder that uses it"
    for decoder, atoms in zip(problem.decoders, evaluated.atoms, strict=True):
        clause = Clause.parse(decoder.clause)
        facts = evaluated.facts[decoder.predicate]
        assert clause.head.predicate == decoder.predicate
        assert (decoder.true, decoder.false) == (len(atoms & facts), len(atoms - facts))
        assert decoder.literals == clause.length
        used = {Clause.parse(problem.encoders[latent].clause).head.predicate for latent in decoder.latents}
        assert used == clause.body_predicates()


def check_coverage(problem: Problem, evaluated: Evaluated) -> None:
    """Atoms of equal truth and equal covering decoders are one class."""
    covering: dict[tuple[str, Row], set[int]] = {}
    for index, atoms in enumerate(evaluated.atoms):
        for atom in atoms:
            covering.setdefault((problem.decoders[index].predicate, atom), set()).add(index)
    expected = Counter(
        (atom in evaluated.facts[name], tuple(sorted(decoders)))
        for (name, atom), decoders in covering.items()
    )
    found = {(item.true, item.decoders): item.weight for item in problem.classes}
    assert len(found) == len(problem.classes)
    assert found == dict(expected)
    facts = {(name, fact) for name, rows in evaluated.facts.items() for fact in rows}
    assert problem.facts == len(facts)
    assert problem.unreachable == len(facts - set(covering))
    assert problem.atoms == len(covering)


def check_generality(problem: Problem, evaluated: Evaluated, *, masking: bool = False) -> None:
    """Comparable clauses, and no others, are in one node or connected by edges; the edges are reduced.

    Where masked facts count, only clauses are comparable that may rebuild the same predicates.
    """
    mentioned = {}
    for encoder in problem.encoders:
        clause = Clause.parse(encoder.clause)
        mentioned[clause.head.predicate] = clause.body_predicates()
    heads = []
    for decoder in problem.decoders:
        latents = Clause.parse(decoder.clause).body_predicates()
        eligible = not any(decoder.predicate in mentioned[name] for name in latents)
        heads.append((decoder.predicate, eligible or not masking))
    decoders = list(zip(heads, evaluated.atoms, strict=True))
    check_order(
        problem.decoder_generality,
        decoders,
        lambda one, other: one[0] == other[0] and one[1] == other[1],
        lambda one, other: one[0] == other[0] and one[1] > other[1],
    )
    sources = [names if masking else None for names in mentioned.values()]
    encoders = list(zip(evaluated.latent_types, evaluated.latents, sources, strict=True))

    def includes(one, other):
        return one[2] == other[2] and includes_up_to_column_order(one[:2], other[:2])

    check_order(
        problem.encoder_generality,
        encoders,
        lambda one, other: len(one[1]) == len(other[1]) and includes(one, other),
        lambda one, other: len(one[1]) > len(other[1]) and includes(one, other),
    )


def check_order(inclusion: Inclusion, items: list, equal: Callable, greater: Callable) -> None:
    nodes: dict[int, object] = {}
    for node, item in zip(inclusion.nodes, items, strict=True):
        assert equal(nodes.setdefault(node, item), item)
    above = closure(inclusion.edges)
    for a, one in nodes.items():
        for b, other in nodes.items():
            assert a == b or not equal(one, other)
            assert ((a, b) in above) == greater(one, other)
    for a, b in inclusion.edges:
        assert not any((a, c) in above and (c, b) in above for c in nodes)


def check_requirements(problem: Problem, kb: KnowledgeBase) -> None:
    good: dict[str, list[int]] = {name: [] for name in kb.learnable}
    for index, decoder in enumerate(problem.decoders):
        if Fraction(decoder.false, decoder.true + decoder.false) < HALF:
            good[decoder.predicate].append(index)
    assert {r.predicate: list(r.decoders) for r in problem.requirements} == {
        n: d for n, d in good.items() if d
    }
    assert set(problem.irreparable) == {name for name, decoders in good.items() if not decoders}


def check_bottleneck(problem: Problem, kb: KnowledgeBase, compression: Fraction) -> None:
    """For small selections: the integers say what the fractions say."""
    (bottleneck,) = problem.bottlenecks
    average = Fraction(kb.size, len(kb.learnable))
    for size in (1, 2, 3):
        chosen = range(0, len(problem.encoders), size)
        weights = [problem.encoders[e].weight for e in chosen]
        if weights:
            holds = Fraction(sum(weights), len(weights)) <= compression * average
            assert (sum(bottleneck.encoders[e] for e in chosen) <= bottleneck.bound) == holds


def test_under_masking_only_clauses_of_equal_eligibility_are_compared() -> None:
    kb = star_wars_figure()
    orders = []
    for masking in (False, True):
        problem = build(kb, masking=masking)
        check_generality(problem, Evaluated(problem, kb), masking=masking)
        orders.append((problem.decoder_generality, problem.encoder_generality))
    assert all(one != other for one, other in zip(*orders, strict=True))


def test_generality_and_requirements_can_be_switched_off() -> None:
    problem = build(star_wars_figure(), generality=False, reconstruct_all=False)
    assert problem.encoder_generality is problem.decoder_generality is None
    assert problem.requirements == ()


class TestFigureOne:
    """The numbers and the examples of the paper's text, on nine facts over five predicates."""

    kb = star_wars_figure()
    problem = build(kb, compression=Fraction(1))

    def test_there_are_nine_fifths_of_a_fact_per_predicate(self) -> None:
        assert Fraction(self.problem.facts, len(self.kb.learnable)) == Fraction(9, 5)
        (bottleneck,) = self.problem.bottlenecks
        weights = [encoder.weight for encoder in self.problem.encoders]
        assert list(bottleneck.encoders) == [5 * w - 9 for w in weights]

    def test_mother_or_father_has_four_latent_facts(self) -> None:
        """latent1(X,Y) :- mother(X,Y); father(X,Y)."""
        disjunctions = [
            e
            for e in self.problem.encoders
            if e.dependencies == ("father", "mother")
            and ";" in e.clause
            and len(_head_types(e.clause, self.kb)) == 2
        ]
        assert 4 in [encoder.weight for encoder in disjunctions]

    def test_two_decoders_rebuild_mother_padme_leia(self) -> None:
        """mother(X,Y) :- latent1(X,Y), latent2(X) with parents and women; mother(X,Y) :- latent3(X,Y)."""
        evaluated = Evaluated(self.problem, self.kb)
        world = self.kb.interpretations[0]
        parents = frozenset({(world, p, c) for p in ("vader", "padme") for c in ("luke", "leia")})
        women = frozenset({(world, "padme"), (world, "leia")})
        mothers = frozenset({(world, "padme", "luke"), (world, "padme", "leia")})

        def latent(rows: frozenset[Row]) -> set[int]:
            turned = frozenset((w, *reversed(row)) for w, *row in rows)
            return {i for i, found in enumerate(evaluated.latents) if found in (rows, turned)}

        first = {
            i
            for i, decoder in enumerate(self.problem.decoders)
            if evaluated.atoms[i] == mothers
            and len(decoder.latents) == 2
            and set(decoder.latents) & latent(parents)
            and set(decoder.latents) & latent(women)
        }
        second = {
            i
            for i, decoder in enumerate(self.problem.decoders)
            if evaluated.atoms[i] == mothers
            and decoder.predicate == "mother"
            and len(decoder.latents) == 1
            and set(decoder.latents) <= latent(mothers)
        }
        assert first
        assert second
        # rf <=> dc1 or dc2: the classes of luke and of leia have all of these among their decoders.
        both = [c for c in self.problem.classes if first | second <= set(c.decoders)]
        assert [(c.true, c.weight) for c in both] == [(True, 1), (True, 1)]
        for choice in ([], [min(first)], [min(second)], [min(first), min(second)]):
            assert loss_of(self.problem, choice) == (self.problem.facts - (2 if choice else 0), 0)

    def test_signature_variants_are_one_candidate(self) -> None:
        seen = Counter(
            (decoder.predicate, decoder.latents, atoms)
            for decoder, atoms in zip(
                self.problem.decoders, Evaluated(self.problem, self.kb).atoms, strict=True
            )
        )
        assert set(seen.values()) == {1}

    def test_no_decoder_is_half_corrupt(self) -> None:
        assert max(decoder.corruption for decoder in self.problem.decoders) < HALF
