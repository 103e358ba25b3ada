"""Small examples that come with the package."""

from __future__ import annotations

from importlib.resources import as_file, files

from logicoder.kb import KnowledgeBase, Predicate, Schema


def star_wars() -> KnowledgeBase:
    """Return the family of the paper's first figure, extended to 89 facts over twelve predicates.

    All relations read "X is the ... of Y". One lossless program has 62 latent facts: the disjunctions
    `parent` (father or mother) and `sibling` (brother or sister), and copies of `male`, `female`, `jedi`,
    `sith` and `saber`. From these, `father(X,Y) :- parent(X,Y), male(X)`, `son(X,Y) :- parent(Y,X), male(X)`,
    `brother(X,Y) :- sibling(X,Y), male(X)` (for women likewise) and
    `grandparent(X,Z) :- parent(X,Y), parent(Y,Z)` rebuild everything. Red sabers almost define `sith`: ben
    has one, but is no Sith.

    >>> kb = star_wars()
    >>> kb
    <KnowledgeBase: 89 facts, 12 predicates, 1 interpretation>
    >>> print(kb.schema["saber"], *kb.constants()["colour"])
    saber(person,colour) blue green purple red white
    >>> "father(vader,luke)" in kb
    True
    """
    data = files("logicoder.datasets") / "data"
    with as_file(data / "star_wars.pl") as facts, as_file(data / "star_wars.mln") as schema:
        return KnowledgeBase.from_path(facts, schema=schema)


def star_wars_figure() -> KnowledgeBase:
    r"""Return nine facts over five predicates: the numbers of the paper's first figure.

    G = 9/5, and `parent(X,Y) :- mother(X,Y) ; father(X,Y)` has w = 4.

    >>> print(*star_wars_figure(), sep="\n")
    father(vader,luke)
    father(vader,leia)
    mother(padme,luke)
    mother(padme,leia)
    female(padme)
    female(leia)
    jedi(luke)
    saber(vader,red)
    saber(luke,green)
    """
    schema = Schema.of(
        Predicate("father", ("person", "person")),
        Predicate("mother", ("person", "person")),
        Predicate("female", ("person",)),
        Predicate("jedi", ("person",)),
        Predicate("saber", ("person", "colour")),
    )
    facts = [
        ("father", "vader", "luke"),
        ("father", "vader", "leia"),
        ("mother", "padme", "luke"),
        ("mother", "padme", "leia"),
        ("female", "padme"),
        ("female", "leia"),
        ("jedi", "luke"),
        ("saber", "vader", "red"),
        ("saber", "luke", "green"),
    ]
    return KnowledgeBase.from_facts(facts, schema=schema, interpretation="star_wars_figure")
