"""The whole learner against a second, independent one that starts from the raw facts.

The oracle writes down every clause over a frame of variables, evaluates it by the definition of truth (a
relation is the set of assignments that satisfy it, a conjunction is an intersection, a head a projection),
applies the rules of a setting, and lets clingo choose. It shares no code with the package.

There are two settings: the paper's (mean size of latents, no decoder of which half is false) and the default
one (latent facts in all, every decoder that rebuilds something). The oracle knows nothing of dominance: that
the learner, which leaves out dominated decoders by default, has the same optimum shows that it loses none.

Clauses are told apart by what they derive, not by how they are written: naming variants are one latent, since
of two encoders with equal facts at most one may be selected anyway, and signature variants are one decoder.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from operator import or_
from typing import TYPE_CHECKING

import clingo
import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.base.errors import InfeasibleError
from logicoder.kb import Predicate, Schema
from logicoder.learner.naming import programs_of
from logicoder.selection import Solution

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Types = tuple[str, ...]
Row = tuple[str, ...]
"""Interpretation and constants."""


@dataclass(frozen=True)
class Relation:
    """A predicate: the types of its arguments, its rows, and the body literals that it takes to define it."""

    types: Types
    rows: frozenset[Row]
    literals: int = 1

    def normal(self) -> tuple[Types, tuple[Row, ...]]:
        """Return what relations have in common that are equal up to an exchange of columns."""
        orders = permutations(range(len(self.types)))
        return min(
            (
                tuple(self.types[i] for i in order),
                tuple(sorted((w, *(row[i] for i in order)) for w, *row in self.rows)),
            )
            for order in orders
        )

    def includes(self, other: Relation) -> bool:
        """Whether some exchange of columns makes the other's rows a subset of these."""
        return any(
            tuple(other.types[i] for i in order) == self.types
            and {(w, *(row[i] for i in order)) for w, *row in other.rows} <= self.rows
            for order in permutations(range(len(other.types)))
        )


class Frame:
    """Typed variables and all their assignments within the interpretations; sets of these are integers."""

    def __init__(self, types: Types, constants: Mapping[str, Sequence[str]], worlds: Sequence[str]) -> None:
        self.types = types
        self.assignments = list(product(worlds, *(constants[kind] for kind in types)))

    def literals(self, relation: Relation) -> Iterator[tuple[frozenset[int], int]]:
        """Return the variables of each literal over the frame, and the assignments that satisfy it."""
        for arguments in product(range(len(self.types)), repeat=len(relation.types)):
            if tuple(self.types[v] for v in arguments) == relation.types:
                satisfied = 0
                for bit, (world, *values) in enumerate(self.assignments):
                    if (world, *(values[v] for v in arguments)) in relation.rows:
                        satisfied |= 1 << bit
                yield frozenset(arguments), satisfied

    def projected(self, satisfied: int, head: Sequence[int]) -> frozenset[Row]:
        return frozenset(
            (world, *(values[v] for v in head))
            for bit, (world, *values) in enumerate(self.assignments)
            if satisfied >> bit & 1
        )


def frames(kinds: Sequence[str], most: int, head: Types = ()) -> Iterator[Types]:
    """Return the types of some head variables and of any others, up to `most` in all."""
    for count in range(max(most - len(head), 0) + 1):
        for others in combinations_with_replacement(sorted(kinds), count):
            yield (*head, *others)


class Oracle:
    """Candidates, constraints and optimum of a tiny knowledge base.

    Args:
        kb: the data.
        encoder_length: greatest number of literals of an encoder.
        decoder_length: greatest number of literals of a decoder.
        pruned: leave out decoders of which half or more is false.
        idle: keep decoders that rebuild nothing, where their latents can make room under the mean.
    """

    def __init__(
        self,
        kb: KnowledgeBase,
        encoder_length: int,
        decoder_length: int,
        *,
        pruned: bool = True,
        idle: bool = False,
    ) -> None:
        self.worlds = kb.interpretations
        self.constants = kb.constants()
        self.inputs = {
            name: Relation(
                kb.schema[name].types,
                frozenset((f.interpretation, *map(str, f.arguments)) for f in kb.facts(name)),
            )
            for name in kb.schema
            if kb.count(name)
        }
        self.targets = {n: r for n, r in self.inputs.items() if not kb.schema[n].background}
        self.pruned = pruned
        self.idle = idle
        self.largest = max(len(relation.types) for relation in self.inputs.values())
        self.latents = self._latents(encoder_length)
        self.decoders = self._decoders(decoder_length)

    # -- candidates -----------------------------------------------------------------------------------

    def _latents(self, length: int) -> list[Relation]:
        found: dict[object, Relation] = {}

        def add(relation: Relation) -> None:
            if relation.rows:
                known = found.setdefault(relation.normal(), relation)
                if relation.literals < known.literals:
                    found[relation.normal()] = relation

        relations = list(self.inputs.values())
        for types in frames(list(self.constants), length * self.largest - (length - 1)):
            frame = Frame(types, self.constants, self.worlds)
            literals = [literal for relation in relations for literal in frame.literals(relation)]
            for size in range(1, length + 1):
                for body in combinations(literals, size):
                    if connected([used for used, _ in body]):
                        satisfied = reduce(lambda a, b: a & b, (bits for _, bits in body))
                        for head in heads(frozenset().union(*(used for used, _ in body)), self.largest):
                            rows = frame.projected(satisfied, head)
                            add(Relation(tuple(types[v] for v in head), rows, size))
        if length > 1:
            for relation in self._disjunctions(length):
                add(relation)
        return list(found.values())

    def _disjunctions(self, length: int) -> Iterator[Relation]:
        """Return disjunctions of single literals that each bind all head variables."""
        for size in range(1, self.largest + 1):
            for head in combinations_with_replacement(sorted(self.constants), size):
                parts: set[frozenset[Row]] = set()
                for types in frames(list(self.constants), self.largest, head):
                    frame = Frame(types, self.constants, self.worlds)
                    for relation in self.inputs.values():
                        for used, satisfied in frame.literals(relation):
                            if used >= set(range(size)):
                                parts.add(frame.projected(satisfied, range(size)))
                for count in range(2, length + 1):
                    for chosen in combinations(parts, count):
                        yield Relation(head, reduce(or_, chosen), count)

    def _decoders(self, length: int) -> list[tuple[str, frozenset[int], frozenset[Row], int]]:
        """Return head predicate, latents, derived atoms and least length of the decoders."""
        found: dict[tuple[str, frozenset[int], frozenset[Row]], int] = {}
        widest = max((len(latent.types) for latent in self.latents), default=0)
        for name, target in self.targets.items():
            for pattern, head in equalities(target.types):
                for types in frames(list(self.constants), length * widest - (length - 1), head):
                    for latents, satisfied, frame, size in self._bodies(types, length):
                        atoms = frame.projected(satisfied, pattern)
                        if self._considered(atoms, target):
                            key = (name, latents, atoms)
                            found[key] = min(found.get(key, size), size)
        return [(*key, size) for key, size in found.items()]

    def _considered(self, atoms: frozenset[Row], target: Relation) -> bool:
        if self.pruned:
            return more_true_than_false(atoms, target)
        return self.idle or not target.rows.isdisjoint(atoms)

    def _bodies(self, types: Types, length: int) -> Iterator[tuple[frozenset[int], int, Frame, int]]:
        frame = Frame(types, self.constants, self.worlds)
        literals = [
            (number, used, satisfied)
            for number, latent in enumerate(self.latents)
            for used, satisfied in frame.literals(latent)
            if satisfied
        ]
        everything = frozenset(range(len(types)))
        seen: set[tuple[frozenset[int], int]] = set()
        for size in range(1, length + 1):
            for body in combinations(literals, size):
                variables = [used for _, used, _ in body]
                # A variable of the frame that nobody uses belongs to a smaller frame.
                if frozenset().union(*variables) == everything and connected(variables):
                    satisfied = reduce(lambda a, b: a & b, (bits for _, _, bits in body))
                    latents = frozenset(number for number, _, _ in body)
                    if satisfied and (latents, satisfied) not in seen:
                        seen.add((latents, satisfied))
                        yield latents, satisfied, frame, size

    # -- choice ---------------------------------------------------------------------------------------

    def optimum(
        self,
        compression: Fraction,
        *,
        reconstruct_all: bool,
        bottleneck: str = "average",
        generality: bool = True,
    ) -> tuple[int, int] | None:
        """Return the least loss and the least size at this loss; None where nothing is allowed."""
        control = clingo.Control(["--warn=none"])
        rules = [self.RULES]
        rules += [self.RECONSTRUCT_ALL] if reconstruct_all else []
        rules += [self.GENERALITY] if generality else []
        control.add("base", [], "\n".join([*self._facts(compression, bottleneck), *rules]))
        control.ground([("base", [])])
        best: list[list[int]] = []
        control.solve(on_model=lambda model: best.append(list(model.cost)))
        if not best:
            return None
        loss, size = best[-1]
        return loss, size

    RULES = """
    { decoder(D) : decoder_of(D,_) }.
    latent(L) :- decoder(D), uses(D,L).
    :- #sum { C,L : latent(L), coefficient(L,C) } > M, most(M).
    result(R) :- decoder(D), decoder_of(D,R).
    derived(A) :- result(R), derives(R,A).
    wrong(A) :- fact(A), not derived(A).
    wrong(A) :- derived(A), not fact(A).
    #minimize { 1@2,A : wrong(A) }.
    #minimize { S@1,latent,L : latent(L), latent_size(L,S) ; S@1,decoder,D : decoder(D), decoder_size(D,S) }.
    """

    GENERALITY = """
    :- latent(A), latent(B), general(A,B).
    :- result(R), #count { D : decoder(D), decoder_of(D,R) } > 1.
    :- result(A), result(B), more(A,B).
    """

    RECONSTRUCT_ALL = """
    rebuilt(P) :- result(R), of(R,P).
    :- reparable(P), not rebuilt(P).
    """

    def _facts(self, compression: Fraction, bottleneck: str) -> Iterator[str]:
        facts = sum(len(relation.rows) for relation in self.targets.values())
        a, b = compression.numerator, compression.denominator
        yield f"most({0 if bottleneck == 'average' else a * facts})."
        for number, latent in enumerate(self.latents):
            if bottleneck == "average":  # w <= γF/P, as integers
                coefficient = len(latent.rows) * b * len(self.targets) - a * facts
            else:  # Σ w <= γF
                coefficient = len(latent.rows) * b
            yield f"coefficient({number},{coefficient})."
            yield f"latent_size({number},{len(latent.rows) + latent.literals})."
        for one, other in permutations(range(len(self.latents)), 2):
            if self.latents[one].includes(self.latents[other]):
                yield f"general({one},{other})."
        yield from self._results()

    def _results(self) -> Iterator[str]:
        """Write down what decoders derive, those of equal atoms together, and compare it with the facts."""
        atoms: dict[tuple[str, Row], int] = {}
        for name, relation in self.targets.items():
            for row in sorted(relation.rows):
                yield f"fact({atoms.setdefault((name, row), len(atoms))})."
        results: dict[tuple[str, frozenset[Row]], int] = {}
        for number, (name, latents, derived, size) in enumerate(self.decoders):
            if (name, derived) not in results:
                result = results[name, derived] = len(results)
                if more_true_than_false(derived, self.targets[name]):
                    yield f'of({result},"{name}"). reparable("{name}").'
                for row in sorted(derived):
                    yield f"derives({result},{atoms.setdefault((name, row), len(atoms))})."
            yield f"decoder_of({number},{results[name, derived]}). decoder_size({number},{size})."
            for latent in latents:
                yield f"uses({number},{latent})."
        for (name, one), first in results.items():
            for (same, other), second in results.items():
                if name == same and one > other:
                    yield f"more({first},{second})."


def more_true_than_false(atoms: frozenset[Row], target: Relation) -> bool:
    return 2 * len(atoms & target.rows) > len(atoms)


def connected(parts: Sequence[frozenset[int]]) -> bool:
    reached, rest = parts[0], list(parts[1:])
    while near := [part for part in rest if part & reached]:
        reached = reached.union(*near)
        rest = [part for part in rest if not part & reached]
    return not rest


def heads(variables: frozenset[int], largest: int) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(sorted(variables), n) for n in range(1, largest + 1))


def equalities(types: Types) -> Iterator[tuple[tuple[int, ...], Types]]:
    """Return the ways to write variables into a head, equal ones included: their numbers and their types."""
    for pattern in product(range(len(types)), repeat=len(types)):
        first = list(dict.fromkeys(pattern))
        if first == sorted(first) == list(range(len(first))):
            kinds = [{types[i] for i, v in enumerate(pattern) if v == number} for number in first]
            if all(len(kind) == 1 for kind in kinds):
                yield pattern, tuple(kind.pop() for kind in kinds)


# -- random data ---------------------------------------------------------------------------------------

REPEATABLE = settings(
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
CONSTANTS = {"person": ("a", "b", "c"), "place": ("c", "d")}
SIGNATURES = [
    [("person",), ("person", "person")],
    [("person",), ("person",), ("person", "person")],
    [("person", "person"), ("person", "person")],
    [("person", "place"), ("person",), ("place",)],
    [("person", "place"), ("person", "person")],
    [("person", "place"), ("place", "person"), ("person",)],
]
SETTINGS = {
    "paper": {"bottlenecks": ("average",), "max_corruption": 0.5, "dominance": False},
    "default": {},
}
COMPRESSIONS = {
    "paper": ("0.5", "0.6", "0.75", "0.9", "1", "4/3"),
    "default": ("0.3", "0.5", "0.6", "0.7", "0.8", "0.9", "1"),
}
both_settings = pytest.mark.parametrize("setting", SETTINGS)


@st.composite
def knowledge_bases(
    draw, signatures: list[list[Types]], most_facts: int = 10, background: str | None = None
) -> KnowledgeBase:
    """At most ten facts over two or three predicates, in one interpretation or two."""
    signature = draw(st.sampled_from(signatures))
    schema = Schema.of(
        *(Predicate(f"p{i}", types, background=f"p{i}" == background) for i, types in enumerate(signature))
    )
    worlds = draw(st.sampled_from((("earth",), ("earth",), ("earth", "mars"))))
    share = most_facts // len(signature)
    parts = {world: [] for world in worlds}
    for predicate in schema.values():
        every = [(w, row) for w in worlds for row in product(*(CONSTANTS[kind] for kind in predicate.types))]
        for world, row in draw(st.lists(st.sampled_from(every), unique=True, min_size=2, max_size=share)):
            parts[world].append((predicate.name, *row))
    return KnowledgeBase.union(
        KnowledgeBase.from_facts(facts, schema=schema, interpretation=world) for world, facts in parts.items()
    )


def check(
    kb: KnowledgeBase,
    encoder_length: int,
    decoder_length: int,
    compressions: Sequence[str],
    reconstruct_all: bool = True,
    setting: str = "paper",
    generality: bool = True,
) -> list[int | None]:
    """Compare learner and oracle for some compressions, and return the least losses."""
    oracle = Oracle(kb, encoder_length, decoder_length, pruned=setting == "paper")
    losses: list[int | None] = []
    for compression in compressions:
        best = oracle.optimum(
            Fraction(compression),
            reconstruct_all=reconstruct_all,
            bottleneck="average" if setting == "paper" else "total",
            generality=generality,
        )
        losses.append(best and best[0])
        estimator = AutoEncoder(
            encoder_length,
            decoder_length,
            compression,
            reconstruct_all=reconstruct_all,
            generality=generality,
            **SETTINGS[setting],
        )
        if best is None:
            with pytest.raises(InfeasibleError):
                estimator.fit(kb)
            continue
        loss, size = best
        learned = estimator.fit(kb)
        assert (learned.loss_, learned.bound_, learned.gap_, learned.status_) == (loss, loss, 0, "optimal")
        if setting == "default":
            # Nothing that could matter was left out; a loss of zero is the least for anybody.
            assert learned.bound_scope_ == ("enumerated" if loss else "language")
        assert (learned.size_, learned.size_bound_, learned.stopped_) == (size, size, None)
        outcome = learned.reconstruct(kb)
        assert (outcome.loss, outcome.latent_facts) == (loss, learned.latent_facts_)
    return losses


def note(losses: list[int | None]) -> None:
    for loss in losses:
        event("infeasible" if loss is None else "loss 0" if loss == 0 else "loss above 0")


def several_compressions(data, setting: str) -> list[str]:
    choices = st.sampled_from(COMPRESSIONS[setting])
    return data.draw(st.lists(choices, min_size=2, max_size=3, unique=True))


@both_settings
@pytest.mark.parametrize("lengths", [(1, 1), (2, 1), (1, 2)])
@settings(REPEATABLE, max_examples=40)
@given(kb=knowledge_bases(SIGNATURES), reconstruct_all=st.booleans(), data=st.data())
def test_a_literal_on_one_side(lengths, setting, kb, reconstruct_all, data) -> None:
    note(check(kb, *lengths, several_compressions(data, setting), reconstruct_all, setting))


@settings(REPEATABLE, max_examples=30)
@given(kb=knowledge_bases(SIGNATURES), reconstruct_all=st.booleans(), data=st.data())
def test_without_generality(kb, reconstruct_all, data) -> None:
    compressions = several_compressions(data, "default")
    note(check(kb, 1, 2, compressions, reconstruct_all, "default", generality=False))


@both_settings
@settings(REPEATABLE, max_examples=10)
@given(kb=knowledge_bases(SIGNATURES), data=st.data())
def test_two_literals_on_both_sides(setting, kb, data) -> None:
    note(check(kb, 2, 2, several_compressions(data, setting), setting=setting))


@both_settings
@pytest.mark.parametrize("lengths", [(2, 1), (1, 2)])
@settings(REPEATABLE, max_examples=15)
@given(kb=knowledge_bases(SIGNATURES, background="p1"), data=st.data())
def test_background_predicates_are_used_but_not_reconstructed(lengths, setting, kb, data) -> None:
    note(check(kb, *lengths, several_compressions(data, setting), setting=setting))


@both_settings
@pytest.mark.parametrize("lengths", [(3, 1), (1, 3)])
@settings(REPEATABLE, max_examples=10)
@given(kb=knowledge_bases([[("person",), ("person", "place")]]), data=st.data())
def test_three_literals(lengths, setting, kb, data) -> None:
    note(check(kb, *lengths, several_compressions(data, setting), setting=setting))


@both_settings
@pytest.mark.parametrize("lengths", [(1, 1), (1, 2)])
@settings(REPEATABLE, max_examples=10)
@given(kb=knowledge_bases([[("person", "person", "place"), ("person", "place")]]), data=st.data())
def test_three_arguments(lengths, setting, kb, data) -> None:
    note(check(kb, *lengths, several_compressions(data, setting), setting=setting))


def test_a_family_by_hand() -> None:
    """G is 6/4: with γ = 1/2 no latent may have more than 3/4 of a fact on average, which none has."""
    kb = KnowledgeBase.from_facts(
        [
            ("mother", "padme", "luke"),
            ("mother", "padme", "leia"),
            ("father", "vader", "luke"),
            ("father", "vader", "leia"),
            ("woman", "padme"),
            ("man", "vader"),
        ]
    )
    assert check(kb, 2, 2, ["0.5", "0.6", "0.8", "1"]) == [None, None, 0, 0]
    assert check(kb, 1, 1, ["0.8", "1"]) == [None, 0]
    # Both parents have both children, so that `mother` and `man` tell the rest: three latent facts in all.
    assert check(kb, 2, 2, ["0.4", "0.5"], setting="default") == [None, 0]


def test_a_bound_for_all_enumerated_clauses_holds_for_all_of_them() -> None:
    """Without pruning, `p2(X) :- latent(X)` over the place of `p0` costs one false atom and makes room."""
    schema = Schema.of(
        Predicate("p0", ("person", "place")), Predicate("p1", ("person",)), Predicate("p2", ("place",))
    )
    facts = [("p0", "a", "c"), ("p1", "a"), ("p1", "b"), ("p1", "c"), ("p2", "d")]
    kb = KnowledgeBase.from_facts(facts, schema=schema)
    learned = AutoEncoder(1, 1, "0.9", bottlenecks=("average",)).fit(kb)
    best = Oracle(kb, 1, 1, pruned=False, idle=True).optimum(Fraction("0.9"), reconstruct_all=True)
    assert learned.bound_scope_ != "enumerated" or learned.bound_ <= best[0]


@pytest.mark.parametrize(
    "name",
    [
        "latent1",
        "latent_1",
        "$world",
        "Two Words",
        "it's",
        "answer",
        "not",
        "true",
    ],
)
def test_predicates_may_have_any_name(name) -> None:
    """Learned clauses are kept as text: what is printed must read back as the same clause."""
    schema = Schema.of(Predicate(name, ()), Predicate("p", ("person",)), Predicate("q", ("person",)))
    facts = {"earth": [(name,), ("p", "a"), ("q", "b")], "mars": [("p", "b"), ("q", "a")]}
    kb = KnowledgeBase.union(
        KnowledgeBase.from_facts(rows, schema=schema, interpretation=world) for world, rows in facts.items()
    )
    learned = AutoEncoder(1, 1, compression=2).fit(kb)
    assert learned.loss_ == learned.reconstruct(kb).loss == 0


@st.composite
def partly_known(draw) -> KnowledgeBase:
    """Facts, explicit negatives and unknown atoms; one predicate may be open, one is a proposition."""
    schema = Schema.of(
        Predicate("p0", ("person", "person"), open_world=draw(st.booleans())),
        Predicate("p1", ("person",)),
        Predicate("p2", ()),
    )
    rows: dict[str, list[Row]] = {"true": [("p0", "a", "b"), ("p1", "a")], "false": [], "unknown": []}
    for predicate in schema.values():
        for row in product(*(CONSTANTS[kind] for kind in predicate.types)):
            atom = (predicate.name, *row)
            truth = draw(st.sampled_from(("true", "true", "false", "unknown", "unlisted")))
            if truth != "unlisted" and atom not in rows["true"]:
                rows[truth].append(atom)
    return KnowledgeBase.from_facts(
        rows["true"], negatives=rows["false"], unknown=rows["unknown"], schema=schema
    )


@settings(REPEATABLE, max_examples=100)
@given(data=st.data(), kb=partly_known(), max_corruption=st.sampled_from((None, "0.5")))
def test_any_selection_has_the_loss_of_its_programs(data, kb, max_corruption) -> None:
    """Missing facts and known falsehoods; unknown atoms count neither for nor against."""
    problem = AutoEncoder(1, 2, 2, max_corruption=max_corruption).fit(kb).problem_
    candidates = st.sampled_from(range(len(problem.decoders)))
    selected = Solution.of(problem, data.draw(st.sets(candidates, max_size=6)), 0, "by hand")
    alp = AutoEncoder.from_programs(*programs_of(problem, selected, set(kb.schema)), schema=kb.schema)

    rebuilt = {(f.predicate, f.arguments) for f in alp.inverse_transform(alp.transform(kb))}
    facts, negatives, unknown = (
        {(f.predicate, f.arguments) for f in kb.facts(truth=truth)} for truth in ("true", "false", "unknown")
    )
    false = {a for a in rebuilt - facts - unknown if a in negatives or not kb.schema[a[0]].open_world}
    event("false atoms" if false else "no false atoms")
    event("unknown atoms rebuilt" if rebuilt & unknown else "no unknown atom rebuilt")
    assert (selected.missing, selected.false) == (len(facts - rebuilt), len(false))
    outcome = alp.reconstruct(kb)
    assert (len(outcome.missing), len(outcome.false)) == (selected.missing, selected.false)
    assert outcome.latent_facts == sum(problem.encoders[e].weight for e in selected.encoders)
