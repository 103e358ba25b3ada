"""Names come from definitions alone."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.learner.selected_programs import programs_of
from logicoder.logic import Atom, Clause, Constant, Literal, Program, Variable
from logicoder.logic.canonical import meanings
from logicoder.logic.latent_names import LONGEST, latent_names, renamed
from logicoder.problem.model import DecoderItem, EncoderItem, Problem
from logicoder.selection import Solution

# Long ones, one that is no plain atom, one in capitals, one of no Latin letter, one that looks like a latent.
PREDICATES = {
    "p": 2,
    "q": 1,
    "tempAdvisedByProfessorInAutumn": 2,
    "/people/person/p": 2,
    "Two Words": 1,
    "отец": 2,
    "p_q": 1,
    "rainy": 0,
}
TAKEN = frozenset(PREDICATES)


@st.composite
def definitions(draw):
    """A conjunction, a disjunction of literals, or a transitive closure."""
    names = st.sampled_from(sorted(PREDICATES))
    variables = [Variable(name) for name in "XYZ"]
    terms = st.sampled_from([*variables, *variables, Constant("red"), Constant("'Post-Generals'")])

    def literal(positive=True):
        name = draw(names)
        return Literal(Atom(name, tuple(draw(terms) for _ in range(PREDICATES[name]))), positive)

    kind = draw(st.sampled_from(("and", "or", "closure")))
    if kind == "closure":
        name = draw(st.sampled_from(("p", "отец")))
        return Program.parse(f"l(X,Y) :- '{name}'(X,Y). l(X,Z) :- '{name}'(X,Y), l(Y,Z).").clauses
    body = tuple(literal() for _ in range(draw(st.integers(1, 3))))
    if kind == "or":
        common = set.intersection(*(set(item.atom.variables()) for item in body))
        head = tuple(v for v in variables if v in common)
        return (Clause(Atom("l", head), tuple((item,) for item in body)),)
    bound = sorted({v for item in body for v in item.atom.variables()})
    if bound and draw(st.booleans()):
        body = (*body, Literal(Atom("q", (draw(st.sampled_from(bound)),)), positive=False))
    if len(bound) > 1 and draw(st.booleans()):
        body = (*body, Literal.unequal(*draw(st.permutations(bound))[:2]))
    head = draw(st.permutations(bound))[: draw(st.integers(0, len(bound)))]
    return (Clause(Atom("l", tuple(head)), (body,)),)


def different(found):
    """Return definitions that are not the same up to the names and the order of things."""
    kept = {}
    for clauses in found:
        meaning = meanings(Program(clauses))[clauses[0].head.predicate]
        kept.setdefault((meaning.text, meaning.columns), clauses)
    return list(kept.values())


def turned(draw, literal):
    """Return a literal, an inequality perhaps with its sides exchanged."""
    if literal.inequality and draw(st.booleans()):
        return Literal.unequal(*reversed(literal.atom.arguments))
    return literal


def rewritten(draw, clauses, number):
    """Return the same definition with other names, and things in another order."""
    letters = dict(zip(map(Variable, "XYZ"), map(Variable, draw(st.permutations("ABC"))), strict=True))

    def other(atom):
        return replace(atom, arguments=tuple(letters.get(a, a) for a in atom.arguments))

    found = []
    for clause in clauses:
        bodies = [
            tuple(draw(st.permutations([turned(draw, replace(i, atom=other(i.atom))) for i in body])))
            for body in clause.alternatives
        ]
        found.append(Clause(other(clause.head), tuple(draw(st.permutations(bodies)))))
    return tuple(renamed(clause, {"l": f"candidate{number}"}) for clause in draw(st.permutations(found)))


@settings(deadline=None, derandomize=True, max_examples=150)
@given(st.data(), st.lists(definitions(), min_size=1, max_size=8))
def test_names_depend_on_the_definitions_only(data, found):
    found = different(found)
    names = latent_names(found, TAKEN)
    order = data.draw(st.permutations(range(len(found))))
    again = latent_names([rewritten(data.draw, found[i], i) for i in order], TAKEN)
    assert again == [names[i] for i in order]
    assert len({name.lower() for name in names}) == len(names)
    for name in names:
        assert re.fullmatch(r"[a-z][A-Za-z0-9_]*", name)
        assert len(name) <= LONGEST
        assert name.lower() not in {taken.lower() for taken in TAKEN} | {"not", "true"}
        assert str(Program.parse(f"{name}(X) :- p(X,Y).")).startswith(f"{name}(X)")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("l(X,Y) :- mother(X,Y) ; father(X,Y).", "father_or_mother"),
        ("l(X) :- movie(X,Y).", "movie_1"),
        ("l(Y) :- movie(X,Y).", "movie_2"),
        ("l(Y) :- movie(X,Y), director(Y).", "director_movie_2"),
        ("l(X,Y) :- actor(X), movie(Y,X).", "actor_movie"),
        (r"l(X) :- person(X), \+ faculty(X).", "person_not_faculty"),
        (r"l(X,Y) :- parent(Z,X), parent(Z,Y), X \= Y.", "parent_parent_differ"),
        ("l(X) :- inphase(X,post_generals).", "inphase_post_generals"),
        ("l(X) :- likes(X,X).", "likes_same12"),
        ("l(X,Y) :- edge(X,Y) ; road(X,Y). l(X,Z) :- bridge(X,Y), l(Y,Z).", "edge_or_road_via_bridge"),
        ("l(X,Y) :- sister_copy(X,Y).", "sister_copy2"),
        ("l(X,Y) :- taken(X,Y).", "taken_copy"),
        ("l :- rainy.", "rainy"),
    ],
)
def test_names(text, name):
    assert latent_names([Program.parse(text).clauses], {"taken", "sister_copy"}) == [name]


def test_definitions_that_are_the_same_are_numbered():
    clauses = Program.parse("l(X) :- p(X,Y).").clauses
    first, second = latent_names([clauses, clauses], ())
    assert second == f"{first}_2"


def test_definitions_of_several_clauses_keep_their_recursion():
    path = "c0(X,Y) :- edge(X,Y).\nc0(X,Z) :- edge(X,Y), c0(Y,Z)."
    problem = Problem(
        targets=(),
        encoders=(EncoderItem(path, 1, 3, ("edge",)),),
        decoders=(DecoderItem("edge(X,Y) :- c0(X,Y).", "edge", (0,), 1, 1, 0),),
        families={"ordinary": ()},
    )
    encoder, decoder = programs_of(problem, Solution.of(problem, {0}, 0, "by hand"), {"edge"})
    assert str(encoder) == (
        "edge_closure(X,Y) :- edge(X,Y).\nedge_closure(X,Z) :- edge(X,Y), edge_closure(Y,Z)."
    )
    assert str(decoder) == "edge(X,Y) :- edge_closure(X,Y)."


def test_data_may_have_predicates_that_are_called_like_candidates():
    kb = KnowledgeBase.from_facts(["latent1(a,b)", "latent1(b,c)", "latent2(a)", "latent3(b)"])
    learned = AutoEncoder(2, 2, 2, recursion=True).fit(kb)
    assert not set(learned.encoder_.defined()) & set(kb.schema)
    assert learned.loss_ == learned.reconstruct(kb).loss == 0


def test_long_names_of_different_definitions_get_no_numbers():
    """`p(X,Y)` with both variables in the head, or one: spelled out, both are `p_ab`."""
    long = "temporarily_advised_by_professor"
    found = [Program.parse(f"{head} :- {long}(X,Y), {long}(Y,X).").clauses for head in ("l(X)", "l(X,Y)")]
    names = latent_names(found, {long})
    assert len(set(names)) == 2
    assert not any(name.endswith("_2") for name in names)
    assert latent_names(found[::-1], {long}) == names[::-1]
