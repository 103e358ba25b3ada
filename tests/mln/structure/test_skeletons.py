"""Enumerated clauses against brute force over all assignments of variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logicoder.kb import Predicate, Schema
from logicoder.logic import Atom, Constant, Literal, Variable
from logicoder.mln.counting import canonical
from logicoder.mln.formulas import Literals
from logicoder.mln.structure.skeletons import clause_of, sign_patterns, skeletons

SCHEMA = Schema.of(Predicate("p", ("t",)), Predicate("q", ("t", "t")), Predicate("r", ("t", "u")))


def brute_force(
    schema: Schema, literals: int, variables: int, constants: Mapping[str, Sequence[str]], *, signed: bool
) -> set[frozenset[tuple[object, ...]]]:
    """All connected clauses as sets of literals, each class under renaming once."""
    found = set()
    names = [f"{kind}{i}" for kind in schema.types() for i in range(variables)]
    symbols = {kind: [n for n in names if n.startswith(kind)] for kind in schema.types()}
    atoms = [
        (name, *arguments)
        for name, predicate in schema.items()
        for arguments in product(*(symbols[kind] + list(constants.get(kind, ())) for kind in predicate.types))
    ]
    renamings = [
        dict(zip(names, order, strict=True))
        for order in permutations(names)
        if all(a[0] == b[0] for a, b in zip(names, order, strict=True))
    ]
    for size in range(1, literals + 1):
        for chosen in combinations_with_replacement(atoms, size):
            if len(set(chosen)) < size or not connected(chosen, set(names)):
                continue
            if len({a for atom in chosen for a in atom[1:] if a in names}) > variables:
                continue
            for signs in product((False, True), repeat=size) if signed else [(True,) * size]:
                forms = []
                for renaming in renamings:
                    renamed = (
                        (atom[0], sign, *(renaming.get(a, a) for a in atom[1:]))
                        for atom, sign in zip(chosen, signs, strict=True)
                    )
                    forms.append(tuple(sorted(renamed)))
                found.add(frozenset(min(forms)))
    return found


def connected(atoms: Sequence[tuple[str, ...]], variables: set[str]) -> bool:
    groups = [variables.intersection(atom[1:]) for atom in atoms]
    reached = {0}
    for _ in atoms:
        reached |= {i for i, group in enumerate(groups) if any(group & groups[j] for j in reached)}
    return len(reached) == len(atoms)


@pytest.mark.parametrize(("literals", "variables"), [(1, 2), (2, 1), (2, 2), (2, 3), (3, 2)])
def test_every_skeleton_once(literals: int, variables: int) -> None:
    found = list(skeletons(SCHEMA, max_literals=literals, max_variables=variables))
    assert len(found) == len(set(found))
    assert len(found) == len(brute_force(SCHEMA, literals, variables, {}, signed=False))


@pytest.mark.parametrize(("literals", "variables"), [(2, 2), (2, 3)])
def test_every_clause_once(literals: int, variables: int) -> None:
    clauses = [
        canonical(clause_of(skeleton, signs))
        for skeleton in skeletons(SCHEMA, max_literals=literals, max_variables=variables)
        for signs in sign_patterns(skeleton)
    ]
    assert len(clauses) == len(set(clauses))
    assert len(clauses) == len(brute_force(SCHEMA, literals, variables, {}, signed=True))


def test_constants_of_small_types() -> None:
    constants = {"u": ("a", "b")}
    found = list(skeletons(SCHEMA, max_literals=2, max_variables=2, constants=constants))
    assert (("p", (0,)), ("r", (0, "b"))) in found
    assert len(found) == len(brute_force(SCHEMA, 2, 2, constants, signed=False))


def test_ground_atoms_are_no_part_of_longer_clauses() -> None:
    found = skeletons(
        Schema.of(Predicate("s", ("u",)), Predicate("p", ("t",))),
        max_literals=2,
        max_variables=2,
        constants={"u": ("a",)},
    )
    assert list(found) == [
        (("p", (0,)),),
        (("s", ("a",)),),
        (("s", (0,)),),
    ]


def clauses() -> st.SearchStrategy[Literals]:
    terms = st.sampled_from([Variable("X"), Variable("Y"), Variable("Z"), Constant("a")])
    atoms = st.one_of(
        st.builds(lambda a: Atom("p", (a,)), terms), st.builds(lambda a, b: Atom("q", (a, b)), terms, terms)
    )
    return st.lists(st.builds(Literal, atoms, st.booleans()), min_size=1, max_size=3).map(tuple)


@given(clauses(), st.permutations(["X", "Y", "Z"]), st.randoms())
def test_names_and_order_do_not_matter(clause: Literals, names: list[str], random: object) -> None:
    new = dict(zip((Variable("X"), Variable("Y"), Variable("Z")), map(Variable, names), strict=True))
    renamed = [
        Literal(
            Atom(x.atom.predicate, tuple(new[a] if isinstance(a, Variable) else a for a in x.atom.arguments)),
            x.positive,
        )
        for x in clause
    ]
    random.shuffle(renamed)  # type: ignore[attr-defined]
    assert canonical(tuple(renamed)) == canonical(clause)
    assert canonical(canonical(clause)) == canonical(clause)
