"""First-order formulas over two people, evaluated by going through all worlds. Slow and obviously right."""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st

from logicoder.logic.terms import Constant, Variable

PEOPLE = ("Anna", "Bob")
SCHEMA = "person = {Anna, Bob}\np(person)\nq(person, person)\nr\n"
ATOMS = [("p", a) for a in PEOPLE] + [("q", a, b) for a in PEOPLE for b in PEOPLE] + [("r",)]


def worlds():
    for truths in product((False, True), repeat=len(ATOMS)):
        yield {atom for atom, true in zip(ATOMS, truths, strict=True) if true}


def terms(variables):
    return st.sampled_from([*variables, *PEOPLE])


def nodes(variables=("x", "y"), depth=4, fresh=("z", "x", "w"), *, quantifiers=True):
    """Random formulas as nested tuples; quantified variables may hide others of the same name."""
    leaf = st.one_of(
        st.tuples(st.just("p"), terms(variables)),
        st.tuples(st.just("q"), terms(variables), terms(variables)),
        st.just(("r",)),
        st.tuples(st.sampled_from(["=", "!="]), terms(variables), terms(variables)),
    )
    if depth == 0:
        return leaf
    inner = nodes(variables, depth - 1, fresh, quantifiers=quantifiers)
    kinds = [
        leaf,
        st.tuples(st.just("!"), inner),
        st.tuples(st.sampled_from(["^", "v"]), inner, inner),
        st.tuples(st.sampled_from(["=>", "<=>"]), inner, inner),
    ]
    if quantifiers and fresh:
        bound = nodes((*variables, fresh[0]), depth - 1, fresh[1:], quantifiers=True)
        kinds.append(st.tuples(st.sampled_from(["EXIST", "FORALL"]), st.just(fresh[0]), bound))
    return st.one_of(kinds)


def text_of(node):
    kind = node[0]
    if kind in ("p", "q"):
        return f"{kind}({', '.join(node[1:])})"
    if kind == "r":
        return "r"
    if kind in ("=", "!="):
        return f"{node[1]} {kind} {node[2]}"
    if kind == "!":
        return f"!({text_of(node[1])})"
    if kind in ("EXIST", "FORALL"):
        return f"({kind} {node[1]} {text_of(node[2])})"
    return f"({text_of(node[1])} {kind} {text_of(node[2])})"


def holds(node, world, values):
    kind = node[0]
    if kind in ("p", "q", "r"):
        return (kind, *(values.get(t, t) for t in node[1:])) in world
    if kind in ("=", "!="):
        return (values.get(node[1], node[1]) == values.get(node[2], node[2])) == (kind == "=")
    if kind == "!":
        return not holds(node[1], world, values)
    if kind in ("EXIST", "FORALL"):
        found = [holds(node[2], world, {**values, node[1]: person}) for person in PEOPLE]
        return any(found) if kind == "EXIST" else all(found)
    left, right = holds(node[1], world, values), holds(node[2], world, values)
    return {"^": left and right, "v": left or right, "=>": not left or right, "<=>": left == right}[kind]


def free(node):
    if node[0] in ("EXIST", "FORALL"):
        return free(node[2]) - {node[1]}
    if node[0] in ("p", "q", "=", "!="):
        return {t for t in node[1:] if t not in PEOPLE}
    return set().union(*(free(part) for part in node[1:])) if len(node) > 1 else set()


def always_holds(node, world):
    """Whether a formula holds for all values of its free variables."""
    names = sorted(free(node))
    return all(
        holds(node, world, dict(zip(names, values, strict=True)))
        for values in product(PEOPLE, repeat=len(names))
    )


def clause_holds(formula, world):
    """Whether all groundings of a clause hold."""
    return satisfied(formula, world) == len(PEOPLE) ** len(formula.variables())


def satisfied(formula, world):
    """Return the number of groundings of a clause that hold."""
    variables = formula.variables()
    found = 0
    for people in product(PEOPLE, repeat=len(variables)):
        values = dict(zip(variables, people, strict=True))
        found += any(_literal_holds(literal, world, values) for literal in formula.literals)
    return found


def _literal_holds(literal, world, values):
    def value(term):
        if isinstance(term, Variable):
            return values[term]
        assert isinstance(term, Constant)
        return term.value

    arguments = [value(term) for term in literal.atom.arguments]
    if literal.inequality:
        return (arguments[0] != arguments[1]) == literal.positive
    return ((literal.atom.predicate, *arguments) in world) == literal.positive
