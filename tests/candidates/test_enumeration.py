"""Every candidate body and head appears exactly once up to renaming, and none is missing."""

from __future__ import annotations

import pytest

from logicoder.candidates.bodies import Symbol, canonical, conjunctions, disjunctions, heads
from logicoder.candidates.body_room import BodyRoom

from . import brute_force
from .brute_force import body_form, clause_form, disjunction_form

# Signatures, and how many literals brute force can afford over them.
SIGNATURES = {
    "p(a)": ([(0,)], 3),
    "p(a,a)": ([(0, 0)], 3),
    "p(a,b)": ([(0, 1)], 3),
    "p(a,a) q(a)": ([(0, 0), (0,)], 3),
    "p(a,b) q(b)": ([(0, 1), (1,)], 3),
    "p(a,b) q(b,a)": ([(0, 1), (1, 0)], 3),
    "p(a,a) q(a,a)": ([(0, 0), (0, 0)], 2),
    "p(a,a) q(a,b) r(b)": ([(0, 0), (0, 1), (1,)], 2),
    "p(a,b,b)": ([(0, 1, 1)], 2),
    "p(a,a,a)": ([(0, 0, 0)], 2),
    "p(a,a,b) q(b)": ([(0, 0, 1), (1,)], 2),
}
EACH_SIGNATURE = pytest.mark.parametrize(("signature", "length"), SIGNATURES.values(), ids=SIGNATURES.keys())


def symbols(signature, modes=None) -> list[Symbol]:
    return [Symbol(kinds, modes[i] if modes else None) for i, kinds in enumerate(signature)]


@EACH_SIGNATURE
def test_conjunctions_are_those_of_brute_force(signature, length) -> None:
    levels = conjunctions(symbols(signature), length)
    assert len(levels) == length
    for number, level in enumerate(levels, start=1):
        forms = [body_form(node.body) for node in level]
        assert len(forms) == len(set(forms)), "a body appears twice"
        assert set(forms) == brute_force.bodies(tuple(signature), number)


@EACH_SIGNATURE
def test_bodies_tell_their_types_and_how_they_extend_their_parents(signature, length) -> None:
    levels = conjunctions(symbols(signature), length)
    for parents, level in zip([[], *levels[:-1]], levels, strict=True):
        for node in level:
            kinds = brute_force.types_of(node.body, tuple(signature))
            assert {v: {kind} for v, kind in enumerate(node.types)} == kinds
            before = parents[node.parent].body if parents else ()
            grown = (*before, node.literal)
            names = dict(enumerate(node.renaming))
            assert brute_force.renamed(grown, names) == tuple(sorted(node.body))


@EACH_SIGNATURE
@pytest.mark.parametrize("largest", [1, 2, 3])
def test_heads_are_all_subsets_up_to_symmetries_of_the_body(signature, length, largest) -> None:
    for level in conjunctions(symbols(signature), min(length, 2)):
        found = [
            repr(clause_form(head, node.body))
            for node in level
            for head in heads(node.body, len(node.types), largest)
        ]
        assert len(found) == len(set(found)), "a clause appears twice"
        assert set(found) == brute_force.conjunctive_clauses([node.body for node in level], largest)


@pytest.mark.parametrize("modes", [None, "+", "-"])
@pytest.mark.parametrize(
    ("signature", "length", "largest"),
    [
        ([(0,)], 2, 1),
        ([(0,), (0,), (1,)], 3, 2),
        ([(0, 0)], 3, 2),
        ([(0, 0), (0,)], 3, 2),
        ([(0, 1), (1, 0)], 3, 2),
        ([(0, 0), (0, 1)], 2, 2),
        ([(0, 0, 1)], 3, 2),
        ([(0, 0, 0)], 2, 3),
        ([(0, 0, 1), (1, 0)], 2, 3),
    ],
)
def test_disjunctions_are_those_of_brute_force(signature, length, largest, modes) -> None:
    # With modes, a single literal has fresh variables throughout, whatever the modes are.
    annotations = modes and tuple((modes,) * len(kinds) for kinds in signature)
    found = [
        repr(disjunction_form(kinds, literals))
        for kinds, literals in disjunctions(symbols(signature, annotations), length, largest)
    ]
    assert len(found) == len(set(found)), "a disjunction appears twice"
    assert set(found) == brute_force.disjunctions(tuple(signature), length, largest, annotations)


@pytest.mark.parametrize(
    ("signature", "modes", "length"),
    [
        ([(0, 0), (0,)], ["+-", "+"], 3),
        ([(0, 0), (0,)], ["+-", "-"], 3),
        ([(0, 0), (0,)], ["++", "+"], 3),
        ([(0, 0), (0,)], ["--", "+"], 3),
        ([(0, 0), (0,)], ["-+", None], 3),
        ([(0, 0), (0, 0)], ["+-", "++"], 2),
        ([(0, 1), (1, 0)], ["+-", "-+"], 3),
        ([(0, 1), (1, 0)], ["+-", None], 3),
        ([(0, 0, 1)], ["+--"], 2),
        ([(0, 0, 1), (1,)], ["++-", "+"], 2),
    ],
)
def test_modes_leave_the_bodies_that_can_be_written_in_their_order(signature, modes, length) -> None:
    annotations = tuple(tuple(mode) if mode else None for mode in modes)
    for number, level in enumerate(conjunctions(symbols(signature, annotations), length), start=1):
        forms = [body_form(node.body) for node in level]
        assert len(forms) == len(set(forms)), "a body appears twice"
        every = brute_force.bodies(tuple(signature), number)
        assert set(forms) == {form for form in every if brute_force.respects_modes(form, annotations)}


class TestAppendix:
    """The example of the paper's appendix; its extensions treat q's argument as bound."""

    p, q = 0, 1
    language = (Symbol((0, 0), ("+", "-")), Symbol((0,), ("+",)))

    def test_the_first_bodies_are_the_predicates_themselves(self) -> None:
        first, _ = conjunctions(self.language, 2)
        assert [node.body for node in first] == [((self.p, (0, 1)),), ((self.q, (0,)),)]

    def test_p_has_four_extensions(self) -> None:
        _, second = conjunctions(self.language, 2)
        x, y, z = range(3)
        expected = {
            body_form([(self.p, (x, y)), literal])
            for literal in ((self.p, (y, z)), (self.p, (x, z)), (self.q, (x,)), (self.q, (y,)))
        }
        assert len(expected) == len(second) == 4
        assert {body_form(node.body) for node in second} == expected

    def test_a_chain_has_three_heads_of_arity_two(self) -> None:
        body = ((self.p, (0, 1)), (self.p, (1, 2)))
        assert [head for head in heads(body, 3, 2) if len(head) == 2] == [(0, 1), (0, 2), (1, 2)]


def test_the_canonical_form_is_the_same_for_all_renamings_and_orders() -> None:
    body = [(0, (0, 1)), (0, (1, 2)), (1, (2,)), (0, (2, 0))]
    forms = set()
    for names in brute_force.renamings(range(3)):
        forms.add(canonical(reversed(brute_force.renamed(body, names)))[0])
    assert len(forms) == 1


def test_exchanging_the_ends_of_a_symmetric_body_is_a_symmetry() -> None:
    """p(X,Y), p(Z,Y): the heads X and Z are one, and so are (X,Y) and (Y,Z)."""
    body, renamings = canonical([(0, (0, 1)), (0, (2, 1))])
    assert len(renamings) == 2
    assert len(heads(body, 3, 1)) == 2
    assert len(heads(body, 3, 2)) == 2 + 2


class TestRoom:
    """Where not all bodies fit into memory, some of each predicate do, and none is made up."""

    many = symbols([(0, 0)] * 12)

    @pytest.mark.parametrize("most", [0, 10, 24, 100, 700, 10**6])
    def test_conjunctions_have_no_more_than_their_room(self, most) -> None:
        whole = [{node.body for node in level} for level in conjunctions(self.many, 2)]
        room = BodyRoom(most)
        found = conjunctions(self.many, 2, room)
        singles = 12  # which are there in any case
        assert sum(map(len, found)) <= max(most, singles)
        assert all({node.body for node in own} <= every for own, every in zip(found, whole, strict=True))
        assert bool(room.left_out) == (sum(map(len, found)) < sum(map(len, whole)))
        assert {node.body[0][0] for node in found[0]} == set(range(12))
        if most >= 100:
            assert {symbol for node in found[1] for symbol, _ in node.body} == set(range(12))

    @pytest.mark.parametrize("most", [0, 30, 100, 10**6])
    def test_disjunctions_have_no_more_than_their_room(self, most) -> None:
        whole = disjunctions(self.many, 2, 2)
        room = BodyRoom(most)
        found = disjunctions(self.many, 2, 2, room)
        assert len(found) <= most
        assert set(found) <= set(whole)
        assert len(found) == len(set(found))
        assert bool(room.left_out) == (len(found) < len(whole))
        if most >= 100:
            assert {symbol for _, literals in found for symbol, _ in literals} == set(range(12))

    def test_a_wide_predicate_has_its_most_general_literal(self) -> None:
        ((node,),) = conjunctions(symbols([(0,) * 30]), 1, BodyRoom(1000))
        assert node.body == ((0, tuple(range(30))),)

    @pytest.mark.parametrize(
        "listed",
        [
            lambda room: conjunctions(symbols([(0, 0)] * 3), 64, room),
            lambda room: disjunctions(symbols([(0, 0)] * 40), 64, 2, room),
            # A single long body has more readings than anybody can wait for.
            lambda room: canonical([(0, (n, n + 1)) for n in range(30)], (), room),
        ],
    )
    def test_whoever_watches_can_end_it(self, listed) -> None:
        def end() -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            listed(BodyRoom(None, end))
