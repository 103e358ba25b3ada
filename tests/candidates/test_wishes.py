"""Required and forbidden clauses, predicates and shapes, checked on the programs that come out."""

from __future__ import annotations

import pytest

from logicoder import AutoEncoder, Clause, InfeasibleError, KnowledgeBase, Program, UsageError
from logicoder.base.errors import InputError
from logicoder.candidates.wishes import EncoderClause, Wishes
from logicoder.datasets import star_wars_figure
from logicoder.engine import run_program
from logicoder.logic.clause_shapes import column_orders, contains, same_clause

KB = star_wars_figure().restricted(["mother", "father", "female"])
ARITIES = {name: KB.schema[name].arity for name in KB.predicates}


def fitted(**parameters) -> AutoEncoder:
    return AutoEncoder(2, 2, 1.5, bottlenecks=("total",), **parameters).fit(KB)


@pytest.fixture(scope="module")
def plain() -> AutoEncoder:
    return fitted()


PARENT = "l(X,Y) :- mother(X,Y) ; father(X,Y)."


class TestShapes:
    @pytest.mark.parametrize(
        ("one", "other", "orders"),
        [
            (PARENT, "k(A,B) :- father(A,B) ; mother(A,B).", [(0, 1)]),
            (PARENT, "k(B,A) :- father(A,B) ; mother(A,B).", [(1, 0)]),
            (PARENT, "k(A,B) :- father(A,B), mother(A,B).", []),
            (PARENT, "k(A) :- father(A,B) ; mother(A,B).", []),
            ("l(X,Y) :- p(X,Y), p(Y,X).", "k(A,B) :- p(B,A), p(A,B).", [(0, 1), (1, 0)]),
            # Variables outside of the head are apart in each alternative, whatever they are called.
            ("l(X) :- p(X,Y) ; q(X,Y).", "k(A) :- p(A,B) ; q(A,C).", [(0,)]),
            # A renaming is one to one.
            ("l(X) :- p(X,Y), q(X,Z).", "k(A) :- p(A,B), q(A,B).", []),
            ("l(X) :- p(X,Y), q(X,Y).", "k(A) :- p(A,B), q(A,C).", []),
            ("l(X) :- p(X,a).", "k(A) :- p(A,a).", [(0,)]),
            ("l(X) :- p(X,a).", "k(A) :- p(A,b).", []),
            ("l(X) :- p(X,Y), \\+ q(X).", "k(A) :- \\+ q(A), p(A,B).", [(0,)]),
            ("l(X) :- p(X,Y), \\+ q(X).", "k(A) :- q(A), p(A,B).", []),
        ],
    )
    def test_clauses_up_to_names_and_orders(self, one, other, orders) -> None:
        assert column_orders(Clause.parse(one), Clause.parse(other)) == orders

    @pytest.mark.parametrize(
        ("pattern", "clause", "found"),
        [
            ("p(X,X)", "l(A) :- p(A,A).", True),
            ("p(X,X)", "l(A) :- p(A,B).", False),
            ("p(X,Y)", "l(A) :- p(A,A).", False),
            ("p(X,Y), q(Y)", "l(A) :- q(A), r(A), p(B,A).", True),
            ("p(X,Y), q(Y)", "l(A) :- p(A,B) ; q(B), r(A).", False),
            ("p(X,Y), p(Y,Z)", "l(A) :- p(A,B), p(B,A).", False),
            ("p(X,Y), p(Y,X)", "l(A) :- p(A,B), p(B,A).", True),
        ],
    )
    def test_shapes_within_bodies(self, pattern, clause, found) -> None:
        assert contains(Clause.parse(clause), Clause.parse(f"x :- {pattern}.").alternatives[0]) == found

    def test_decoders_keep_the_order_of_their_head(self) -> None:
        assert not same_clause(Clause.parse("p(X,Y) :- l(X,Y)."), Clause.parse("p(Y,X) :- l(X,Y)."))
        assert same_clause(Clause.parse("p(X,Y) :- l(X,Y)."), Clause.parse("p(Y,X) :- l(Y,X)."))


def uses_like(model: AutoEncoder, text: str) -> bool:
    return any(column_orders(Clause.parse(text), clause) for clause in model.encoder_)


@pytest.mark.parametrize(
    "text",
    [
        PARENT,
        "q(A) :- mother(A,B).",
        "q(A,B) :- father(B,A).",
        "q(Z) :- female(Z), mother(Z,_).",
    ],
)
def test_a_required_encoder_is_selected_and_a_forbidden_one_is_not(text) -> None:
    assert uses_like(fitted(require=text), text)
    assert not uses_like(fitted(forbid=Program.parse(text)), text)


def test_forbidding_what_was_chosen_gives_another_program(plain) -> None:
    forbidden = fitted(forbid=str(plain.encoder_))
    for clause in plain.encoder_:
        assert not uses_like(forbidden, str(clause))
    assert forbidden.size_ >= plain.size_
    assert forbidden.statistics_["candidates"]["pruned"]["forbidden"] >= len(plain.encoder_)


@pytest.mark.parametrize("name", ["mother", "father", "female"])
def test_predicates(name) -> None:
    indicator = f"{name}/{ARITIES[name]}"
    mentioned = set().union(*(clause.body_predicates() for clause in fitted(require=indicator).encoder_))
    assert name in mentioned
    model = fitted(forbid=f"{indicator}.  % not this one", reconstruct_all=False)
    assert all(name not in clause.body_predicates() for clause in model.encoder_)


def test_shapes() -> None:
    shape = ":- mother(X,Y), father(Z,Y)."
    body = Clause.parse("x " + shape).alternatives[0]
    assert any(contains(clause, body) for clause in fitted(require=shape).encoder_)
    assert not any(contains(clause, body) for clause in fitted(forbid=shape).encoder_)


DECODER = """
mother(X,Y) :- par(Y,X), fem(X).
par(C,P) :- mother(P,C) ; father(P,C).
fem(X) :- female(X).
"""


def test_a_decoder_with_the_definitions_of_its_latents() -> None:
    def rebuilds_like(model: AutoEncoder) -> list[Clause]:
        """Return decoders of mother by a latent of the parents, child first or last, and one of the women."""
        latents = run_program(model.encoder_, KB)
        parents = {("luke", "vader"), ("leia", "vader"), ("luke", "padme"), ("leia", "padme")}
        women = {("padme",), ("leia",)}
        found = []
        for clause in model.decoder_:
            if clause.head.predicate == "mother" and clause.length == 2:
                sets = [{fact.arguments for fact in latents.facts(p)} for p in clause.body_predicates()]
                turned = [{row[::-1] for row in rows} for rows in sets]
                if women in sets and parents in (*sets, *turned):
                    found.append(clause)
        return found

    assert rebuilds_like(fitted(require=DECODER))
    model = fitted(forbid=DECODER)
    assert model.statistics_["candidates"]["pruned"]["forbidden_decoders"] == 1
    assert model.statistics_["candidates"]["pruned"]["forbidden"] == 0


def test_several_texts_and_programs() -> None:
    model = fitted(require=(PARENT, Program.parse("q(X) :- female(X).")))
    assert uses_like(model, PARENT)
    assert uses_like(model, "q(X) :- female(X).")


def test_a_required_clause_survives_pruning() -> None:
    """Variants of other encoders, and decoders beyond the limit, are kept if they are required."""
    text = "q(X) :- female(X), mother(X,Y)."  # a naming variant: padme is the only mother
    model = fitted(require=text, max_decoders=20)
    assert uses_like(model, text)
    required = AutoEncoder(2, 2, 2, bottlenecks=(), max_decoders=5, require=DECODER, generality=False).fit(KB)
    assert any(c.head.predicate == "mother" and c.length == 2 for c in required.decoder_)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("l(X) :- nobody(X).", "no predicate nobody/1 in the data"),
        ("l(X,Y) :- mother(X,Y), X < Y.", "X < Y is not in the search space"),
        ("mother/3", "no predicate mother/3"),
        (":- mother(X).", "no predicate mother/1"),
        ("mother(X,Y) :- l(X,Y).", "l is not a latent predicate"),
        ("mother(X,Y) :- father(X,Y).", "father is not a latent predicate"),
        (DECODER + "mother(X,Y) :- par(X,Y), par(Y,X) ; par(Y,X).", "disjunction of single literals"),
        ("mother(X,Y) :- l(X). l(X,Y) :- father(X,Y).", "wrong number of arguments"),
        ("mother(X,Y,Z) :- l(X,Y,Z). l(X,Y,Z) :- mother(X,Y), father(Z,Y).", "rebuilds no predicate"),
    ],
)
def test_wishes_that_make_no_sense_are_refused(text, said) -> None:
    for option in ("require", "forbid"):
        with pytest.raises(UsageError, match=said) as caught:
            fitted(**{option: text})
        assert option in str(caught.value)


def test_texts_that_cannot_be_read_name_the_place() -> None:
    with pytest.raises(InputError, match=r"<require>:1:8"):
        fitted(require=":- p(X ; q(X).")
    with pytest.raises(InputError, match="conjunction"):
        fitted(require=":- mother(X,Y) ; father(X,Y).")
    with pytest.raises(UsageError, match=r"not \[3\]"):
        fitted(forbid=[3])


def test_a_required_clause_that_is_no_candidate_is_an_error() -> None:
    with pytest.raises(UsageError, match="is required, but not among the encoder candidates"):
        fitted(require="l(X) :- mother(X,Y), father(Z,Y), female(X).")  # three literals
    with pytest.raises(UsageError, match="is required, but not among the decoder candidates"):
        fitted(require="mother(X,Y) :- fem(X), fem(Y). fem(X) :- female(X).")


def test_a_decoder_of_alternatives_can_be_required_and_forbidden() -> None:
    text = "fem(X) :- female(X). mot(X) :- mother(X,Y). female(X) :- mot(X) ; fem(X)."
    free = {"bottlenecks": (), "generality": False, "naming_variants": False, "dominance": False}
    free |= {"signature_variants": False}
    with pytest.raises(UsageError, match=r"not among the decoder candidates[^$]*disjunctive_decoders"):
        AutoEncoder(1, 2, 2, require=text, **free).fit(KB)
    model = AutoEncoder(1, 2, 2, require=text, disjunctive_decoders=True, **free).fit(KB)
    assert any(c.is_disjunction and c.head.predicate == "female" for c in model.decoder_)
    problem = AutoEncoder(1, 2, 2, forbid=text, disjunctive_decoders=True, **free).fit(KB).problem_
    every = AutoEncoder(1, 2, 2, disjunctive_decoders=True, **free).fit(KB).problem_
    assert len(every.decoders) - len(problem.decoders) == 1


def test_requirements_that_do_not_fit_the_rest_are_explained() -> None:
    with pytest.raises(InfeasibleError, match="What is required cannot be selected"):
        AutoEncoder(2, 2, 0.5, bottlenecks=("largest=3",), require=PARENT).fit(KB)


def test_propositions_can_be_named() -> None:
    kb = KnowledgeBase.from_facts([("rainy",), ("wet", "street"), ("wet", "roof")])
    model = AutoEncoder(1, 1, 2, bottlenecks=(), require="l :- rainy.").fit(kb)
    assert any(clause.head.arity == 0 for clause in model.encoder_)
    model = AutoEncoder(1, 1, 2, bottlenecks=(), forbid="l :- rainy.", reconstruct_all=False).fit(kb)
    assert not any(clause.body_predicates() == {"rainy"} for clause in model.encoder_)


def test_names_in_quotation_marks() -> None:
    wishes = Wishes.of(
        "'Odd one'/1. 'Odd one'(X) :- l(X). l(X) :- p(X).", {"Odd one": 1, "p": 1}, ["Odd one"], "x"
    )
    assert [str(wish) for wish in wishes.encoders] == ["'Odd one'/1"]
    assert wishes.decoders[0].definitions == (("l", EncoderClause(Clause.parse("l(X) :- p(X)."))),)
