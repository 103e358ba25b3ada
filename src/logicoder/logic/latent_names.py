r"""Names for latent predicates that tell what they mean.

A name comes from the definition alone, so that the same definition has the same name in every run:

>>> from logicoder.logic import Program
>>> def name(text):
...     return latent_names([Program.parse(text).clauses], taken={"sister"})[0]
>>> name("l(X,Y) :- mother(X,Y) ; father(X,Y)."), name("l(X,Y) :- sister(X,Y).")
('father_or_mother', 'sister_copy')
>>> name("l(X) :- father(X,Y) ; sith(X)."), name("l(X,Y) :- child(Y,X).")
('father_1_or_sith', 'child_21')
>>> name("l(X,Y) :- son(Z,Y), daughter(X,Z)."), name("l(X) :- phase(X,'Post-Generals').")
('daughter_son', 'phase_post_generals')
>>> name(r"l(X) :- person(X), \+ professor(X).")
'person_not_professor'
>>> name("l(X,Y) :- parent(X,Y). l(X,Z) :- parent(X,Y), l(Y,Z).")
'parent_closure'

Where that is too long, it leaves out the first words that all predicates share:

>>> name("l(X,Y) :- order_line_customer_name(Z,X), order_line_customer_city(Z,Y).")
'name_city'

Definitions whose short names would be equal are told apart by where their variables stand, and where that is
too long, by a few letters that depend on the whole definition:

>>> latent_names([Program.parse("l(X,Y) :- son(X,Z), son(Z,Y).").clauses,
...               Program.parse("m(X,Y) :- son(X,Z), son(Y,Z).").clauses], taken=())
['son_ac_son_cb', 'son_ac_son_bc']
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from itertools import count

from logicoder.logic.orders import least_readings, orders
from logicoder.logic.symbols import plain_text
from logicoder.logic.terms import RESERVED, Atom, Body, Clause, Constant, Literal, Variable

LONGEST = 30
"""Most characters of a name."""

_MOST_ORDERS = 6
"""Literals of which all orders are tried."""

_TELLING = re.compile(r"[^\W\d_]{3}")
"""What a word needs to say something."""

Definition = Sequence[Clause]

_COMPARED = {"\\=": "differ", "<": "below", "=<": "at_most", ">": "above", ">=": "at_least"}
"""What comparisons are called in names."""


def renamed(clause: Clause, names: Mapping[str, str]) -> Clause:
    """Return a clause with other names for some of its predicates."""

    def other(atom: Atom) -> Atom:
        return replace(atom, predicate=names.get(atom.predicate, atom.predicate))

    def literal(item: Literal) -> Literal:
        return item if item.inequality else replace(item, atom=other(item.atom))

    return Clause(other(clause.head), tuple(tuple(map(literal, body)) for body in clause.alternatives))


def latent_names(definitions: Sequence[Definition], taken: Collection[str]) -> list[str]:
    """Return a name for each definition; their order does not matter, nor do the names of heads.

    Args:
        definitions: the clauses of each latent predicate.
        taken: names that are in use already; case does not tell names apart.
    """
    used = {name.lower() for name in (*taken, *RESERVED)}
    signatures = [_spelled_out(definition, str) for definition in definitions]

    def named(texts: Iterable[str]) -> list[str]:
        return [_fitting(text, signature) for text, signature in zip(texts, signatures, strict=True)]

    short = named(_shortened(definition, used) for definition in definitions)
    exact = named(_spelled_out(definition, _word) for definition in definitions)
    digests = [_with_digest(name, signature) for name, signature in zip(short, signatures, strict=True)]
    # What is spelled out does not tell l(X) :- p(X,Y) from l(X,Y) :- p(X,Y); the whole text does.
    whole = [_with_digest(name, _whole(clauses)) for name, clauses in zip(short, definitions, strict=True)]
    names = short
    for better in (exact, digests, whole):
        shared = Counter(name.lower() for name in names)
        names = [
            other if shared[name.lower()] > 1 or name.lower() in used else name
            for name, other in zip(names, better, strict=True)
        ]
    return _numbered(names, used)


def _numbered(names: list[str], used: set[str]) -> list[str]:
    """Tell equal names apart by numbers: the last resort, for definitions that are the same."""
    found: list[str] = []
    for name in names:
        attempts = (name if number == 1 else f"{name}_{number}" for number in count(1))
        found.append(next(n for n in attempts if n.lower() not in used))
        used.add(found[-1].lower())
    return found


# -- short names --------------------------------------------------------------------------------------


def _shortened(definition: Definition, taken: Collection[str]) -> str:
    """Return the short name; where that is too long, without the first words that all predicates share."""
    name = _short_name(definition, taken)
    if len(name) <= LONGEST:
        return name
    own = definition[0].head.predicate
    used = sorted({p for clause in definition for p in clause.body_predicates()} - {own})
    words = [predicate.split("_") for predicate in used]
    shared = 0
    while all(len(one) > shared + 1 and one[shared] == words[0][shared] for one in words):
        shared += 1
    while shared and not all(_TELLING.search("_".join(one[shared:])) for one in words):
        shared -= 1
    names = {predicate: "_".join(one[shared:]) for predicate, one in zip(used, words, strict=True)}
    return _short_name([renamed(clause, names) for clause in definition], taken)


def _short_name(definition: Definition, taken: Collection[str]) -> str:
    own = definition[0].head.predicate
    bases = [(c, body) for c in definition for body in c.alternatives if not _uses(body, own)]
    steps = [(c, body) for c in definition for body in c.alternatives if _uses(body, own)]
    base = "_or_".join(sorted({_conjunction(clause, body) for clause, body in bases}))
    if not steps:
        return _copy(base, taken) if len(bases) == 1 and len(bases[0][1]) == 1 else base
    known = {literal.atom.predicate for _, body in bases for literal in body}
    others = {i.atom.predicate for _, body in steps for i in body if not i.inequality} - known - {own}
    return f"{base}_via_{'_'.join(sorted(map(_word, others)))}" if others else f"{base}_closure"


def _uses(body: Body, predicate: str) -> bool:
    return any(literal.atom.predicate == predicate and not literal.inequality for literal in body)


def _copy(name: str, taken: Collection[str]) -> str:
    """Return a name for what is in the data already; copies of copies are counted."""
    if name.lower() not in taken:
        return name
    before = re.fullmatch(r"(.+)_copy(\d*)", name)
    return f"{before[1]}_copy{int(before[2] or 1) + 1}" if before else f"{name}_copy"


def _conjunction(clause: Clause, body: Body) -> str:
    """Name the literals from the head on: those with its first variable, then what they lead to."""
    ordered = _from_head(clause, body)
    head = clause.head.variables()
    uses = Counter(v for literal in body for v in literal.atom.variables())
    parts = []
    for literal in ordered:
        if literal.inequality:
            parts.append(_COMPARED[literal.atom.predicate])
            continue
        lonely = {v for v in literal.atom.variables() if v not in head and uses[v] == 1}
        places = _places(literal.atom, head, lonely, alone=len(body) == 1)
        words = [_word(literal.atom.predicate), *_constants(literal.atom), *([places] if places else [])]
        parts.append("_".join(words if literal.positive else ["not", *words]))
    return "_".join(parts) if parts else "always"


def _from_head(clause: Clause, body: Body) -> list[Literal]:
    known = list(clause.head.variables())
    remaining = list(_in_order(clause, body, clause.head.predicate))
    ordered: list[Literal] = []
    while remaining:
        following = min(remaining, key=partial(_rank, known=tuple(known)))
        remaining.remove(following)
        ordered.append(following)
        known += [v for v in following.atom.variables() if v not in known]
    return ordered


def _rank(literal: Literal, known: tuple[Variable, ...]) -> tuple[bool, bool, int, str]:
    places = [known.index(v) for v in literal.atom.variables() if v in known]
    return not literal.binds, not places, min(places, default=0), _pattern(literal, {})


def _places(atom: Atom, head: Sequence[Variable], lonely: Collection[Variable], *, alone: bool) -> str:
    """Return the argument places that count, where that is not all of them in their order.

    Constants and variables that occur nowhere else do not count.
    """
    variables = [(i, a) for i, a in enumerate(atom.arguments, 1) if isinstance(a, Variable)]
    kept = [(i, v) for i, v in variables if v not in lonely]
    if len({v for _, v in kept}) < len(kept):
        return "same" + "".join(str(i) for i, _ in kept)
    if alone:
        kept.sort(key=lambda place: head.index(place[1]))
    return "" if kept == variables else "".join(str(i) for i, _ in kept)


def _constants(atom: Atom) -> list[str]:
    return [_constant(a) for a in atom.arguments if isinstance(a, Constant)]


def _constant(constant: Constant) -> str:
    return _clean(plain_text(constant.symbol)).lower()


def _word(predicate: str) -> str:
    """Return a predicate as part of a name; of a path, the last step says most."""
    return _clean(predicate.rstrip("/").rpartition("/")[2] or predicate)


def _clean(text: str) -> str:
    kept = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")
    return kept[:1].lower() + kept[1:] if kept else "x"


# -- long names ---------------------------------------------------------------------------------------


def _spelled_out(definition: Definition, word: Callable[[str], str]) -> str:
    """Return a text that shows where each variable stands: head variables are a, b, ..., others follow."""
    own = definition[0].head.predicate
    return "_or_".join(sorted(_exact(c, body, own, word) for c in definition for body in c.alternatives))


def _whole(definition: Definition) -> str:
    """Return a text that no other definition has."""
    own = definition[0].head.predicate
    texts = []
    for clause in definition:
        head = "".join(_parts(clause, (Literal(Atom("", clause.head.arguments)),), own, str))
        texts += [
            repr((head, _parts(clause, _in_order(clause, b, own), own, repr))) for b in clause.alternatives
        ]
    return "\n".join(sorted(texts))


def _exact(clause: Clause, body: Body, own: str, word: Callable[[str], str]) -> str:
    return "_".join(_parts(clause, _in_order(clause, body, own), own, word)) or "always"


def _in_order(clause: Clause, body: Body, own: str) -> Body:
    """Return the literals in an order that does not depend on how they are given, nor on variables' names."""
    ordered = sorted(body, key=lambda literal: (literal.inequality, _pattern(literal, {}, own)))
    tried = orders(ordered, most=_MOST_ORDERS)
    return least_readings(tried, lambda order, _: _parts(clause, order, own, str))[1][0][0]


def _parts(clause: Clause, order: Body, own: str, word: Callable[[str], str]) -> list[str]:
    letters: dict[Variable, str] = {}
    for variable in clause.head.variables():
        letters[variable] = _letter(len(letters))
    # Inequalities come last: by then all of their variables have letters, and sides can be put in order.
    ordered = sorted(order, key=lambda literal: literal.inequality)
    return [_pattern(literal, letters, own, word) for literal in ordered]


def _pattern(
    literal: Literal, letters: dict[Variable, str], own: str = "", word: Callable[[str], str] = str
) -> str:
    parts = []
    for argument in literal.atom.arguments:
        if isinstance(argument, Variable):
            parts.append(letters.setdefault(argument, _letter(len(letters))))
        else:
            # Spelled out for a digest, the symbol keeps its marks: '1' and 1 are two constants.
            parts.append(f"_{_constant(argument) if word is _word else argument.symbol}_")
    if literal.inequality and not literal.orders:
        parts.sort()
    predicate = literal.atom.predicate
    name = _COMPARED[predicate] if literal.inequality else "again" if predicate == own else word(predicate)
    text = "_".join(filter(None, (name, "".join(parts).strip("_").replace("__", "_"))))
    return text if literal.positive else f"not_{text}"


def _letter(number: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[number % 26] + ("" if number < 26 else str(number // 26))


def _digest(text: str) -> str:
    """Return four letters that depend on the whole text."""
    number = int(sha256(text.encode()).hexdigest(), 16)
    return "".join("bcdfghjklmnpqrstvwxz"[number // 20**i % 20] for i in range(4))


def _fitting(name: str, definition: str) -> str:
    """Return a name that is a plain atom and not too long."""
    if not name[0].isalpha():
        name = f"p{name}"
    return name if len(name) <= LONGEST else _with_digest(name, definition)


def _with_digest(name: str, definition: str) -> str:
    return f"{name[: LONGEST - 5].rstrip('_')}_{_digest(definition)}"
