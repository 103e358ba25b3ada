"""Small random formulas and data for inference, and what of the data is known."""

from __future__ import annotations

from hypothesis import strategies as st

from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Predicate, Schema
from logicoder.logic.terms import Atom, Constant, Literal, Variable
from logicoder.mln.formulas import Formula
from mln.brute_force import Ground, ground_atoms

SCHEMA = Schema.of(
    Predicate("p", ("a",)),
    Predicate("q", ("a", "b")),
    Predicate("r", ("a", "a")),
    Predicate("s", ()),
)
NAMES = {"a": ("a1", "a2", "a3"), "b": ("b1", "b2")}


@st.composite
def formulas(draw, hard: bool | None = False, most: int = 3, predicates: tuple[str, ...] = tuple(SCHEMA)):
    """Draw a clause over `SCHEMA`, variables and constants, possibly repeated."""
    variables = {"a": [Variable("X"), Variable("Y"), Variable("Z")], "b": [Variable("B"), Variable("C")]}
    literals = []
    for _ in range(draw(st.integers(1, most))):
        name = draw(st.sampled_from(predicates))
        terms = []
        for kind in SCHEMA[name].types:
            constants = [Constant(NAMES[kind][0]), Constant("nobody")]
            terms.append(draw(st.sampled_from([*variables[kind], *variables[kind], *constants])))
        literals.append(Literal(Atom(name, tuple(terms)), draw(st.booleans())))
    used = [v for x in literals for v in x.atom.variables() if v in variables["a"]]
    if len(set(used)) > 1 and draw(st.booleans()):
        left, right = sorted(set(used))[:2]
        literals.append(Literal(Atom("\\=", (left, right)), draw(st.booleans()), inequality=True))
    is_hard = draw(st.booleans()) if hard is None else hard
    weight = draw(st.floats(-2, 2).map(lambda w: round(w, 3)))
    return Formula(tuple(literals), 0.0 if is_hard else weight, is_hard)


@st.composite
def knowledge(draw, sizes: tuple[int, int] = (2, 2)):
    """Draw a small knowledge base with true, false and unknown atoms."""
    domains = {"a": NAMES["a"][: sizes[0]], "b": NAMES["b"][: sizes[1]]}
    schema = Schema(SCHEMA.predicates, domains)
    truths = {}
    for name in schema:
        for atom in ground_atoms(name, schema, domains):
            truths[atom] = draw(st.sampled_from(["true", "false", "unlisted", "unlisted", "unknown"]))
    given_atoms = {t: [a for a, v in truths.items() if v == t] for t in ("true", "false", "unknown")}
    kb = KnowledgeBase.from_facts(
        given_atoms["true"], schema=schema, negatives=given_atoms["false"], unknown=given_atoms["unknown"]
    )
    return kb, domains, truths


def known_and_open(truths: dict[Ground, str], query, unlisted, hide=True) -> tuple[set[Ground], list[Ground]]:
    """Return the true atoms and the open ones, by the words of the documentation."""
    true, still = set(), []
    for atom, truth in truths.items():
        name = atom[0]
        if name in query and hide:
            still.append(atom)
        elif name in query or name in unlisted:
            if truth == "true":
                true.add(atom)
            elif truth != "false":
                still.append(atom)
        elif truth == "true":
            true.add(atom)
        elif truth == "unknown":
            still.append(atom)
    return true, still
