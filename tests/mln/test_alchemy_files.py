"""`.mln` files: what is read, what is written, and what is refused with its place."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logicoder.base.errors import InputError, UsageError
from logicoder.kb.formats.alchemy.declarations import parse_schema
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.symbols import symbol_of
from logicoder.logic.terms import Atom, Constant, Literal, Variable
from logicoder.mln import Formula, MarkovLogicNetwork

REFERENCE = Path(__file__).parents[3] / "shared" / "mln_reference"
SMOKERS = "smokes(person)\ncancer(person)\nfriends(person,person)\n"


def lines(text, **options):
    return [str(formula) for formula in MarkovLogicNetwork.parse(SMOKERS + text, **options)]


# --- round trips

NAMES = st.text("abcxyzXY_", min_size=1, max_size=4).filter(lambda name: name[0] != "_")
CONSTANTS = st.one_of(
    st.text(min_size=1, max_size=5).filter(lambda s: "\0" not in s), st.integers(-5, 10**20)
)


@st.composite
def networks(draw):
    predicates = {}
    kind = draw(st.sampled_from(["t", "T", "a, 'b'! type"]))
    for name in draw(st.lists(st.one_of(NAMES, st.sampled_from(["v", "exist", "Big one"])), min_size=1)):
        if name.lower() not in {known.lower() for known in predicates}:
            predicates[name] = Predicate(name, (kind,) * draw(st.integers(0, 3)))
    variables = st.sampled_from([Variable(n) for n in ("x", "y", "a1", "vv")])
    term = st.one_of(variables, st.builds(lambda value: Constant(symbol_of(value)), CONSTANTS))
    formulas = []
    for _ in range(draw(st.integers(0, 4))):
        literals = []
        for name in draw(st.lists(st.sampled_from(sorted(predicates)), min_size=1, max_size=3)):
            arguments = tuple(draw(term) for _ in predicates[name].types)
            literals.append(Literal(Atom(name, arguments), draw(st.booleans())))
        typed = sorted({v for literal in literals for v in literal.atom.variables()})
        if len(typed) > 1:
            literals.append(
                Literal(Literal.unequal(typed[0], typed[1]).atom, draw(st.booleans()), inequality=True)
            )
        hard = draw(st.booleans())
        weight = 0.0 if hard else draw(st.floats(allow_nan=False, allow_infinity=False))
        formulas.append(Formula(tuple(literals), weight, hard))
    named = {
        a.symbol for f in formulas for x in f.literals for a in x.atom.arguments if isinstance(a, Constant)
    }
    domains = {kind: tuple(sorted(named))} if named and draw(st.booleans()) else {}
    return MarkovLogicNetwork(Schema(predicates, domains), tuple(formulas))


@settings(max_examples=200, deadline=None)
@given(networks())
def test_what_is_written_is_read_back(network):
    assert MarkovLogicNetwork.parse(str(network)) == network
    assert MarkovLogicNetwork.parse(str(network), network.schema) == network


def test_files_keep_every_digit(tmp_path):
    network = MarkovLogicNetwork.parse(SMOKERS).extended(Formula.parse("0.1 smokes(x)"))
    network = network.with_weights([1 / 3])
    network.save(tmp_path / "a.mln")
    assert MarkovLogicNetwork.load(tmp_path / "a.mln") == network
    assert f"{1 / 3!r} smokes(x)" in (tmp_path / "a.mln").read_text()


def test_lower_case_constants_are_quoted_everywhere():
    network = MarkovLogicNetwork.parse("person = {anna, Bob}\n" + SMOKERS + '1 smokes("anna")')
    assert 'person = {"anna", Bob}' in str(network)
    assert str(network).endswith('1.0 smokes("anna")')


def test_variables_of_programs_are_written_as_variables():
    x, y = Variable("X"), Variable("_Anonymous1")
    formula = Formula((Literal(Atom("friends", (x, y))), Literal(Atom("friends", (Variable("x"), y)))), 1.0)
    assert str(formula) == "1 friends(x1,_anonymous1) v friends(x,_anonymous1)".replace("_anonymous1", "x2")


@pytest.mark.parametrize("name", ["imdb", "uwcse"])
def test_alchemys_own_output(name):
    path = REFERENCE / name / "weighted.mln"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    network = MarkovLogicNetwork.load(path)
    written = [line for line in path.read_text().splitlines() if line]
    assert [str(formula) for formula in network] == [" ".join(line.split()) for line in written]


# --- the language


def test_comments_continued_lines_and_cases():
    text = """
    // a comment with a formula 1 smokes(x)
    1.5 Smokes(x) ^      /* within
                            it */ FRIENDS(x, y)
        => smokes(y)     // continued after a connective
    -2 ( cancer(x) v
         !smokes(x) )
    """
    assert lines(text) == ["1.5 !smokes(x) v !friends(x,y) v smokes(y)", "-2 cancer(x) v !smokes(x)"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1e-3 smokes(x)", ["0.001 smokes(x)"]),
        ("-.5 smokes(x)", ["-0.5 smokes(x)"]),
        ("+2 smokes(x)", ["2 smokes(x)"]),
        ("2!smokes(x)", ["2 !smokes(x)"]),
        ("3. smokes(x)", ["3 smokes(x)"]),
        ("smokes(x).", ["smokes(x)."]),
        ("smokes(x)", ["0 smokes(x)"]),
        ("smokes(x) => cancer(x)", ["0 !smokes(x) v cancer(x)"]),
        ("smokes(person)", []),
        ('1 smokes(Anna) v smokes(7) v smokes(-7) v smokes("a, b")', None),
        ("1 !!smokes(x)", ["1 smokes(x)"]),
        ("1 smokes(x) ^ smokes(y) v cancer(x) => friends(x,y)", None),
        ("1 friends(x,y) v x = y", ["1 friends(x,y) v x = y"]),
        ("1 friends(x,y) v !(x = y)", ["1 friends(x,y) v x != y"]),
        ("1 friends(x,y) v !x = y", ["1 friends(x,y) v x != y"]),
        ("1 smokes(x) v x = Anna", ["1 smokes(x) v x = Anna"]),
        ("1 forall x exist y (friends(x,y) ^ y = x)", ["1 friends(x,x)"]),
    ],
)
def test_single_formulas(text, found):
    if found is None:
        found = {
            "1 smokes(Anna)": ['1 smokes(Anna) v smokes(7) v smokes(-7) v smokes("a, b")'],
            "1 smokes(x) ^ ": ["0.5 !smokes(x) v !smokes(y) v friends(x,y)", "0.5 !cancer(x) v friends(x,y)"],
        }[text[:14]]
    assert lines(text) == found


def test_constants_of_formulas_are_those_of_facts():
    [formula] = MarkovLogicNetwork.parse(SMOKERS + '1 friends(Anna, "anna") v friends("Anna", 007)')
    assert [a.symbol for literal in formula.literals for a in literal.atom.arguments] == [
        "'Anna'",
        "anna",
        "'Anna'",
        "'007'",
    ]


def test_plus_makes_a_formula_for_each_constant():
    domain = "person = {Anna, Bob}\n"
    assert lines(domain + "2 friends(+x,+y) => smokes(x)") == [
        f"2 !friends({a},{b}) v smokes({a})" for a in ("Anna", "Bob") for b in ("Anna", "Bob")
    ]
    assert lines("smokes(+x)", domains={"person": ["7", "'Bob'"]}) == ["0 smokes(7)", "0 smokes(Bob)"]
    # Instances that say nothing are left out.
    assert lines(domain + "2 x = Bob v smokes(+x)") == ["2 smokes(Anna)"]


def test_star_makes_a_formula_for_each_sign():
    assert lines("1 *smokes(x) v !*cancer(x)") == [
        "1 smokes(x) v !cancer(x)",
        "1 smokes(x) v cancer(x)",
        "1 !smokes(x) v !cancer(x)",
        "1 !smokes(x) v cancer(x)",
    ]


def test_exclamation_marks_of_declarations_become_hard_formulas():
    network = MarkovLogicNetwork.parse("year = {1, ..., 3}\nborn(person, year!)\n")
    assert [str(f) for f in network] == [
        "!born(a1,a2) v !born(a1,b2) v a2 = b2.",
        "born(a1,1) v born(a1,2) v born(a1,3).",
    ]
    with pytest.raises(InputError, match=r"<text>:2:1: the constants of the type year"):
        MarkovLogicNetwork.parse("\nborn(person, year!)\n")


def test_declarations_come_from_the_schema_or_from_the_file_beside(tmp_path):
    schema = parse_schema(SMOKERS)
    (tmp_path / "w.mln").write_text("1.5 smokes(x)\ncancer(x)\n")
    with pytest.raises(InputError, match=r"w\.mln: the predicates of the formulas are not declared here\n"):
        MarkovLogicNetwork.load(tmp_path / "w.mln")
    assert len(MarkovLogicNetwork.load(tmp_path / "w.mln", schema)) == 2
    (tmp_path / "smokers.mln").write_text(SMOKERS)
    assert MarkovLogicNetwork.load(tmp_path / "w.mln").schema == schema
    (tmp_path / "third.mln").write_text(SMOKERS)
    with pytest.raises(InputError, match=r"smokers\.mln and third\.mln beside it"):
        MarkovLogicNetwork.load(tmp_path / "w.mln")


def test_a_given_schema_and_declarations_must_agree():
    schema = parse_schema("person = {Anna}\n" + SMOKERS)
    network = MarkovLogicNetwork.parse("smokes(person)\nperson = {Bob}\nhappy(person)\n1 smokes(+x)", schema)
    assert sorted(network.schema) == ["cancer", "friends", "happy", "smokes"]
    assert network.schema.domains == {"person": ("'Anna'", "'Bob'")}
    assert len(network) == 2
    with pytest.raises(InputError, match="declared here, and smokes"):
        MarkovLogicNetwork.parse(
            "happy(person)\nsmokes(happy)\nfat(smoker)\nsmokes(smoker)", parse_schema("smokes(thing)")
        )


def test_domains_of_a_given_schema():
    network = MarkovLogicNetwork.parse("person = {Anna, Bob}\n1 smokes(+x)", parse_schema(SMOKERS))
    assert [str(f) for f in network] == ["1 smokes(Anna)", "1 smokes(Bob)"]
    with pytest.raises(InputError, match=r"<text>:1:1: no predicate has an argument of the type persn"):
        MarkovLogicNetwork.parse("persn = {Anna}\n1 smokes(x)", parse_schema(SMOKERS))


def test_a_given_spelling_is_kept():
    network = MarkovLogicNetwork.parse(
        "ADVISEDBY(person,person)\n1 advisedby(x,y)", parse_schema("advisedBy(person,person)")
    )
    assert list(network.schema) == ["advisedBy"]
    assert str(network.formulas[0]) == "1 advisedBy(x,y)"


def test_the_example_of_the_documentation():
    text = (Path(__file__).parents[2] / "docs" / "howto" / "markov-logic.md").read_text(encoding="utf-8")
    [_, language] = text.split("## The language\n")
    example = language.split("```text\n")[1].split("```")[0]
    schema = parse_schema("cancer(person)\nfriends(person,person)\nhappy(person)\nenemies(person,person)")
    found = [str(formula) for formula in MarkovLogicNetwork.parse(example, schema)]
    assert len(found) == 2 + 1 + 1 + 1 + 1 + 3 + 4 + 1 + 1
    assert '-1 smokes(Anna) v !friends(x,"Carl C.")' in found
    assert "0.25 !smokes(x)" in found
    assert "0 !friends(x,y) v happy(x)" in found
    assert "x = y v !friends(x,y) v !enemies(x,y)." in found


# --- errors


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("1 smokes(x", "1:9", "this parenthesis ( is not closed"),
        ("1 smokes(x))", "1:12", "expected a connective or the end of the formula, found ')'"),
        ("1 smokes(x) cancer(x)", "1:13", "expected a connective or the end of the formula, found 'cancer'"),
        ("1 smokes(x) v", "1:14", "expected an atom, found 'the end of the line'"),
        ("1 smokes(x) & cancer(x)", "1:13", "unexpected character '&'"),
        ("1 smokes(x).", "1:1", "both the weight 1 and a final period"),
        ("1 likes(x)", "1:1", "there is no predicate likes; choose from: smokes, cancer, friends"),
        ("1 smokes(x,y)", "1:1", "smokes has 1 arguments, not 2"),
        ("1 smokes(mother(x))", "1:10", "functions such as mother(...) are not supported"),
        ("1 smokes(+Anna)", "1:10", "+ stands before a variable, and Anna is a constant"),
        ("1 EXIST x smokes(+x)", "1:18", "+x is bound by a quantifier"),
        ("1 smokes(+x)", "1:1", "the constants of the type person, over which x ranges, are unknown"),
        ("1 EXIST Anna smokes(Anna)", "1:9", "expected a variable after EXIST, found 'Anna'"),
        ("1 EXIST y x = y v smokes(x)", "1:1", "the type of y is unknown"),
        ("1 smokes(x) => cancer(x) => smokes(x)", "1:26", "is ambiguous"),
        ("1 smokes(x) v x < y", "1:17", "there is no arithmetic or comparison such as '<'"),
        ('1 smokes("x)', "1:10", 'this quotation mark " is not closed'),
        ('1 smokes("\\q")', "1:11", "unknown escape sequence \\q"),
        ('#include "a.mln"', "1:1", "#include is not supported"),
        ("1e999 smokes(x)", "1:1", "the weight 1e999 is too large"),
        ("1 *x = y v smokes(x)", "1:3", "* stands before an atom"),
        ("1 x = y", "1:1", "the type of x is unknown"),
        ("smokes(x) ^ !smokes(x) ^ Anna = Bob.", "1:1", "this hard formula cannot be satisfied"),
        ("1 Anna = Anna", "1:1", "always true or always false"),
        ("1 smokes(3x)", "1:10", "neither a number nor a name: '3x)'"),
        ("/* 1 smokes(x)", "1:1", "this comment /* is not closed"),
        ("1 smokes(x) v friends(y,y) v y = x\n2 smokes(\n", "2:9", "this parenthesis ( is not closed"),
        ("1 " + "(" * 300 + "smokes(x)" + ")" * 300, "1:103", "nested 100 deep at most"),
        ("1 - smokes(x)", "1:5", "expected a number after the minus sign"),
        ("1 smokes(x)\nsmokes(smoker)\nsmokes(cancer, x)", "3:1", "smokes has 1 arguments, not 2"),
    ],
)
def test_errors_name_the_place_and_what_is_wrong(text, place, message):
    with pytest.raises(InputError) as caught:
        MarkovLogicNetwork.parse(text, parse_schema(SMOKERS))
    assert str(caught.value).startswith(f"<text>:{place}: ")
    assert message in str(caught.value)


def test_constants_outside_a_declared_domain_are_refused():
    with pytest.raises(InputError, match=r"<text>:5:1: 'Ana' is not a declared constant"):
        lines("person = {Anna}\n1 smokes(Ana)")


def test_what_cannot_be_written_is_refused():
    schema = parse_schema(SMOKERS)
    smokes = Literal(Atom("smokes", (Variable("x"),)))
    with pytest.raises(UsageError, match="the weight inf of smokes"):
        str(MarkovLogicNetwork(schema, (Formula((smokes,), float("inf")),)))
    with pytest.raises(UsageError, match="without literals"):
        str(MarkovLogicNetwork(schema, (Formula(()),)))
    with pytest.raises(UsageError, match=r"the constant 2\.5 cannot be used in a formula"):
        str(Formula((Literal(Atom("smokes", (Constant("2.5"),))),), 1.0))


def test_one_formula_is_one_clause():
    with pytest.raises(UsageError, match=r"gives 2 clauses; use Formula\.parse_all"):
        Formula.parse("smokes(x) <=> cancer(x)")


WORDS = [
    *(
        "smokes",
        "friends",
        "(",
        ")",
        "x",
        "y",
        "Anna",
        "v",
        "^",
        "=>",
        "<=>",
        "!",
        "=",
        "!=",
        "+",
        "*",
        "EXIST",
    ),
    *(
        "FORALL",
        ",",
        ".",
        "1.5",
        "-2",
        "\n",
        " ",
        '"',
        "'",
        "{",
        "}",
        "//",
        "/*",
        "*/",
        "person",
        "...",
        "#",
        "é",
    ),
]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join))
def test_any_text_is_read_or_refused_with_its_place(text):
    try:
        network = MarkovLogicNetwork.parse(text, parse_schema(SMOKERS))
    except InputError as error:
        place = error.location
    else:
        place = MarkovLogicNetwork.parse(str(network)) == network
    assert place
