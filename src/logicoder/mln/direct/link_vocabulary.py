r"""What networks of links may say, other facts of the relation they are about included.

A body about an atom of a relation must never look at the atom itself: in training its truth would be among
its own features. Here that is a matter of syntax. Every literal of the relation has a variable Z in it, and
the body says `Z \= A, Z \= B` for an atom r(A,B); the inverse says `A \= B`. So no grounding uses the atom:
its features are the same whether it is a fact or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.terms import Atom, Clause, Literal, Program, Variable
from logicoder.mln.direct.vocabulary import Body, Vocabulary, data_bodies, small_types

_A, _B, _Z = (Variable(name) for name in "ABZ")


def link_vocabulary(
    train: KnowledgeBase, encoder: Program, decoder: Program, *, literals: int, constants: int, apart: bool
) -> Vocabulary:
    """Return what the networks of all relations of a graph may say.

    Args:
        train: the facts to learn from.
        encoder: defines the latents; empty without any.
        decoder: rebuilds the relations.
        literals: the most literals of a body over the data; 0 leaves such bodies out.
        constants: formulas may name entities if there are at most so many.
        apart: whether other facts of a relation tell of its atoms.
    """
    found = Vocabulary(constants=small_types(train, constants))
    steps: list[str] = []
    if literals:
        found.bodies += data_bodies(train, literals)
        steps += train.predicates
    latents = found.add_latents(train.schema, encoder, decoder)
    steps += [name for name, latent in latents.items() if latent.arity == 2]
    if apart:
        found.apart = {
            name: bodies_apart(
                name,
                [step for step in steps if step != name and name not in found.depends.get(step, ())],
                train.schema[name].types[0],
            )
            for name in train.predicates
        }
    return found


def bodies_apart(relation: str, steps: Sequence[str], kind: str) -> list[Body]:
    r"""Return the bodies about an atom r(A,B) that use other facts of r, not evaluated.

    They say that the inverse holds, or that a path of two steps leads from A to B, one of r and one of r or
    of `steps`, in any direction.

    >>> print(*(body.definition for body in bodies_apart("likes", [], "person")[:3]), sep="\n")
    likes_apart_0(A,B) :- likes(B,A), A \= B.
    likes_apart_1(A,B) :- likes(A,Z), likes(B,Z), Z \= A, Z \= B.
    likes_apart_2(A,B) :- likes(A,Z), likes(Z,B), Z \= A, Z \= B.

    Args:
        relation: the relation r.
        steps: relations or latents that do not depend on r, of two arguments.
        kind: the type of all arguments.
    """
    bodies: list[tuple[Literal, ...]] = [(Literal(Atom(relation, (_B, _A))), Literal.unequal(_A, _B))]
    others = (Literal.unequal(_Z, _A), Literal.unequal(_Z, _B))
    from_a, to_b = list(_directions(relation, _A)), list(_directions(relation, _B))
    bodies += [(one, two, *others) for one in from_a for two in to_b]
    for step in steps:
        bodies += [(one, two, *others) for one in from_a for two in _directions(step, _B)]
        bodies += [(one, two, *others) for one in _directions(step, _A) for two in to_b]
    clauses = [Clause(_head(relation, number), (body,)) for number, body in enumerate(bodies)]
    own = frozenset([relation])
    return [Body(clause, (kind, kind), own, 1) for clause in clauses]


def _directions(name: str, end: Variable) -> Iterator[Literal]:
    yield Literal(Atom(name, (end, _Z)))
    yield Literal(Atom(name, (_Z, end)))


def _head(relation: str, number: int) -> Atom:
    return Atom(f"{relation}_apart_{number}", (_A, _B))
