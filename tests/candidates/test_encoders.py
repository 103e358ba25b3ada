"""Encoder candidates: all of them, with the right extensions, and naming variants merged as documented."""

from __future__ import annotations

from ast import literal_eval
from collections import Counter
from functools import lru_cache
from itertools import permutations

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder.candidates.encoder_limits import EncoderLimits
from logicoder.candidates.encoders import EncoderStatistics, Latent
from logicoder.kb import KnowledgeBase, Predicate, Schema
from logicoder.logic import Clause

from . import brute_force
from .asking import encoder_enumeration, plain_language, remembered
from .naive import Row, derived, rows_of
from .random_data import REPEATABLE, plain_data


def encoders(
    kb: KnowledgeBase, length: int, largest: int, **options
) -> tuple[list[Latent], EncoderStatistics]:
    enumeration = encoder_enumeration(kb, length, largest, **options)
    steps: list[int] = []
    found = enumeration.run(steps.append)
    assert [step for step in steps if step] == list(range(1, enumeration.total + 1))
    return found, enumeration.statistics


@remembered
def relations_of(kb: KnowledgeBase) -> dict[str, frozenset[Row]]:
    return {name: rows_of(kb, name) for name in kb.predicates}


def clause_of(latent: Latent, name: str, kb: KnowledgeBase) -> Clause:
    (clause,) = latent.definition(name, plain_language(kb))
    return clause


def extension(latent: Latent, kb: KnowledgeBase) -> frozenset[Row]:
    """Return what the latent's clause derives, evaluated naively; its relation must be the same."""
    clause = clause_of(latent, "latent", kb)
    relations = relations_of(kb)
    expected = frozenset[Row]().union(
        *(
            derived(
                clause.head.arguments, [(lit.atom.predicate, lit.atom.arguments) for lit in body], relations
            )
            for body in clause.alternatives
        )
    )
    rows = plain_language(kb).engine.materialise(latent.extension)
    assert len(rows) == len(set(rows))
    assert set(rows) == expected, f"{clause} does not derive its extension"
    assert latent.dependencies == {kb.predicates.index(name) for name in clause.body_predicates()}
    assert latent.literals == clause.length
    return expected


def form(latent: Latent, kb: KnowledgeBase) -> str:
    """Return one text for all renamings of a latent's clause."""
    if len(latent.bodies) == 1:
        return repr(brute_force.clause_form(latent.head, latent.bodies[0]))
    names = {variable: number for number, variable in enumerate(latent.head)}
    kinds = {}
    disjuncts = []
    for ((symbol, arguments),) in latent.bodies:
        renamed = tuple(names.get(a, a + len(names)) for a in arguments)
        disjuncts.append((symbol, renamed))
        kinds |= dict(zip(renamed, signature_of(kb)[symbol], strict=True))
    return repr(brute_force.disjunction_form([kinds[v] for v in range(len(names))], disjuncts))


def signature_of(kb: KnowledgeBase) -> brute_force.Signature:
    kinds = sorted(kb.schema.types())
    return tuple(tuple(kinds.index(kind) for kind in kb.schema[name].types) for name in kb.predicates)


@lru_cache
def every_clause(signature: brute_force.Signature, length: int, largest: int) -> dict[str, list]:
    """Return the forms of all candidates with head and bodies that have them."""
    found = {}
    for number in range(1, length + 1):
        for body in brute_force.bodies(signature, number):
            variables = brute_force.variables_of(body)
            for size in range(1, largest + 1):
                for head in permutations(variables, size):
                    found.setdefault(repr(brute_force.clause_form(head, body)), (head, [body]))
    for text in brute_force.disjunctions(signature, length, largest):
        kinds, literals = literal_eval(text)
        found[text] = (range(len(kinds)), [[literal] for literal in literals])
    return found


def nonempty(kb: KnowledgeBase, length: int, largest: int) -> set[str]:
    relations = {str(i): rows_of(kb, name) for i, name in enumerate(kb.predicates)}
    return {
        text
        for text, (head, bodies) in every_clause(signature_of(kb), length, largest).items()
        if any(derived(head, [(str(p), args) for p, args in body], relations) for body in bodies)
    }


@settings(REPEATABLE, max_examples=250)
@given(plain_data(most_predicates=2), st.integers(1, 2), st.integers(1, 3))
def test_all_candidates_with_facts_are_there_once(kb, length, largest) -> None:
    found, statistics = encoders(kb, length, largest, merge_naming_variants=False)
    forms = Counter(form(latent, kb) for latent in found)
    for latent in found:
        assert extension(latent, kb)
    assert forms == Counter(nonempty(kb, length, largest))
    assert statistics.encoders == len(every_clause(signature_of(kb), length, largest))
    assert statistics.empty == statistics.encoders - len(found)
    assert (statistics.too_large, statistics.naming_variants) == (0, 0)


@settings(REPEATABLE, max_examples=50)
@given(plain_data(most_predicates=2, arities=(1, 2)))
def test_three_literals(kb) -> None:
    found, _ = encoders(kb, 3, 2, merge_naming_variants=False)
    assert Counter(form(latent, kb) for latent in found) == Counter(nonempty(kb, 3, 2))
    for latent in found[::7]:
        extension(latent, kb)


def up_to_column_order(latent: Latent, kb: KnowledgeBase) -> tuple[object, ...]:
    """Return what naming variants have in common, by trying all orders of the columns."""
    signature = signature_of(kb)
    kinds = {
        v: kind
        for body in latent.bodies
        for p, args in body
        for v, kind in zip(args, signature[p], strict=True)
    }
    types = [kinds[v] for v in latent.head]
    rows = extension(latent, kb)
    return min(
        (
            tuple(types[i] for i in order),
            tuple(sorted((row[0], *(row[1 + i] for i in order)) for row in rows)),
        )
        for order in permutations(range(len(types)))
    )


@settings(REPEATABLE, max_examples=250)
@given(plain_data(), st.integers(1, 2))
def test_naming_variants_merge_within_equal_and_minimal_dependencies(kb, length) -> None:
    largest = max(kb.schema[name].arity for name in kb.predicates)
    everything, _ = encoders(kb, length, largest, merge_naming_variants=False)
    groups: dict[object, dict[frozenset[int], list[Latent]]] = {}
    for latent in everything:
        variants = groups.setdefault(up_to_column_order(latent, kb), {})
        variants.setdefault(latent.dependencies, []).append(latent)
    expected = Counter(
        (key, dependencies, min(latent.literals for latent in latents))
        for key, variants in groups.items()
        for dependencies, latents in variants.items()
        if not any(other < dependencies for other in variants)
    )
    found, statistics = encoders(kb, length, largest)
    merged = Counter(
        (up_to_column_order(latent, kb), latent.dependencies, latent.literals) for latent in found
    )
    event("merged some" if len(found) < len(everything) else "merged none")
    assert merged == expected
    assert statistics.naming_variants == len(everything) - len(found)
    assert statistics.after_naming_variants == len(found)
    assert statistics.encoders == statistics.empty + statistics.naming_variants + len(found)


class TestNamingVariants:
    """Equal facts under other names carry the same information, but not under the same conditions."""

    kb = KnowledgeBase.from_facts(
        [("mother", "padme", "luke"), ("born", "luke", "padme"), ("human", "luke"), ("human", "padme")],
        schema=Schema.of(
            Predicate("mother", ("person", "person")),
            Predicate("born", ("person", "person")),
            Predicate("human", ("person",)),
        ),
    )

    def clauses(self, **options) -> set[str]:
        found, _ = encoders(self.kb, 2, 2, **options)
        return {str(clause_of(latent, "l", self.kb)) for latent in found}

    def test_variants_with_other_dependencies_stay(self) -> None:
        """born is mother with its columns exchanged; masking one of them needs the other."""
        copies = [c for c in self.clauses() if c in {"l(X,Y) :- mother(X,Y).", "l(X,Y) :- born(Y,X)."}]
        copies += [c for c in self.clauses() if c in {"l(X,Y) :- mother(Y,X).", "l(X,Y) :- born(X,Y)."}]
        assert len(copies) == 2

    def test_variants_with_more_dependencies_go(self) -> None:
        """mother(X,Y), human(X) derives what mother(X,Y) derives alone."""
        assert not [c for c in self.clauses() if "mother" in c and "human" in c and c.startswith("l(X,Y)")]

    def test_without_the_rule_all_stay(self) -> None:
        assert "l(X,Y) :- human(X), mother(X,Y)." in self.clauses(merge_naming_variants=False) or (
            "l(X,Y) :- mother(X,Y), human(X)." in self.clauses(merge_naming_variants=False)
        )


def too_large_and_kept(limit: int) -> tuple[KnowledgeBase, list[Latent], EncoderStatistics]:
    kb = KnowledgeBase.from_facts(
        [("p", "a", x) for x in "abcd"] + [("q", "a"), ("q", "b")],
        schema=Schema.of(Predicate("p", ("t", "t")), Predicate("q", ("t",))),
    )
    return kb, *encoders(kb, 2, 2, merge_naming_variants=False, limits=EncoderLimits(max_tuples=limit))


@pytest.mark.parametrize("limit", [1, 3, 4, 7, 100])
def test_bodies_with_larger_joins_are_left_out(limit) -> None:
    kb, found, statistics = too_large_and_kept(limit)
    relations = relations_of(kb)

    def join_size(body) -> int:
        literals = [(kb.predicates[p], arguments) for p, arguments in body]
        return len(derived(brute_force.variables_of(body), literals, relations))

    everything, _ = encoders(kb, 2, 2, merge_naming_variants=False)
    expected = {
        form(latent, kb)
        for latent in everything
        if len(latent.bodies) > 1 or len(latent.bodies[0]) == 1 or join_size(latent.bodies[0]) <= limit
    }
    assert {form(latent, kb) for latent in found} == expected
    assert statistics.too_large == len(everything) - len(found)
    assert (statistics.too_large == 0) == (limit == 100)


def test_counts_add_up_when_joins_are_too_large() -> None:
    _, found, statistics = too_large_and_kept(1)
    assert statistics.naming_variants == 0
    left_out = statistics.empty + statistics.too_large + statistics.naming_variants
    assert statistics.encoders == left_out + len(found)
