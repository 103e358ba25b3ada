"""Bodies of candidate clauses: connected, typed, and each exactly once up to renaming and reordering.

A body is a tuple of literals `(symbol, arguments)`: the symbol is the index of a predicate and the
arguments are variables numbered from zero in the order of their first occurrence. Literals are sorted
by symbol; among the orders that remain, the smallest numbering is the canonical one. Symbols that only
test variables (negation, inequality) come after all others, so that their variables are numbered already.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, product

from logicoder.candidates.body_room import BodyRoom
from logicoder.engine.clauses import IndexBody, IndexLiteral
from logicoder.logic.orders import least_readings, orders

MOST_HEADS = 1000
"""Most heads of a body: all of them for nine variables, which have less than this."""

_TURNS = 721
"""Where room is short, heads are left out whose variables have so many orders: seven of one type."""


@dataclass(frozen=True)
class Symbol:
    """What a literal is made of, as the enumeration sees it.

    Attributes:
        types: types of its arguments.
        modes: their modes, where given.
        tests: whether it only tests variables that other literals bind.
        symmetric: whether the order of its arguments does not matter.
        repeats: whether a variable may be more than one of its arguments.
    """

    types: tuple[int, ...]
    modes: tuple[str, ...] | None = None
    tests: bool = False
    symmetric: bool = False
    repeats: bool = True


@dataclass(frozen=True)
class BodyNode:
    """A canonical body, the body it extends, and the types of its variables.

    Attributes:
        body: the canonical body.
        parent: position of the body that it extends in the list of the previous length; -1 for none.
        literal: the literal added to the parent, in the parent's variables.
        renaming: for each variable of parent-plus-literal, its number in `body`.
        types: types of the variables of `body`.
    """

    body: IndexBody
    parent: int
    literal: IndexLiteral
    renaming: tuple[int, ...]
    types: tuple[int, ...]


def canonical(
    literals: Iterable[IndexLiteral], symmetric: Container[int] = (), room: BodyRoom | None = None
) -> tuple[IndexBody, list[dict[int, int]]]:
    """Return the canonical form of a body and all renamings of its variables that lead to it.

    Arguments of `symmetric` symbols are sorted. A long body has many readings, so the room is watched.

    >>> canonical([(1, (4,)), (0, (7, 4))])
    (((0, (0, 1)), (1, (1,))), [{7: 0, 4: 1}])

    More than one renaming means that the body has symmetries:

    >>> body, renamings = canonical([(0, (0, 1)), (0, (1, 0))])
    >>> len(renamings)
    2
    """

    def renamed(order: Iterable[IndexLiteral], numbers: dict[int, int]) -> IndexBody:
        found = tuple(
            (symbol, tuple([numbers.setdefault(a, len(numbers)) for a in arguments]))
            for symbol, arguments in order
        )
        if not symmetric:
            return found
        return tuple((s, tuple(sorted(arguments)) if s in symmetric else arguments) for s, arguments in found)

    tried = orders(sorted(set(literals)), lambda literal: literal[0])
    best, found = least_readings(tried if room is None else room.watched(tried), renamed)
    renamings: list[dict[int, int]] = []
    for _, numbers in found:
        if numbers not in renamings:
            renamings.append(numbers)
    return best, renamings


def conjunctions(
    symbols: Sequence[Symbol], length: int, room: BodyRoom | None = None
) -> list[list[BodyNode]]:
    """Return all connected bodies of 1..length literals, a list per length.

    Where there is no room for all bodies of a length, each shorter body is extended by some literals only,
    those of its last symbol and of the next ones by number first, and no longer bodies are listed.

    Without modes an argument is any variable of its type, old or new, and may repeat within a literal.
    With modes the first literal has fresh variables throughout; later a `+` argument is an old variable
    and a `-` argument is a new one (appendix of the paper).
    """
    room = room or BodyRoom()
    levels: list[list[BodyNode]] = [_first_level(symbols, room)]
    for _ in range(length - 1):
        left = None if room.most is None else max(0, room.most - sum(map(len, levels)))
        before = room.left_out
        level = room.taken(_longer(symbols, levels[-1], room), left)
        if left is not None and room.left_out > before:
            share = left // len(levels[-1])
            levels.append(list(_longer(symbols, levels[-1], room, share)) if share else [])
            break
        levels.append(level)
    return levels


def _longer(
    symbols: Sequence[Symbol], level: Sequence[BodyNode], room: BodyRoom, share: int | None = None
) -> Iterator[BodyNode]:
    """Return bodies with a literal more, each once: all of them, or so many for each shorter body."""
    symmetric = symmetric_symbols(symbols)
    seen: set[IndexBody] = set()
    for index, node in enumerate(level):
        # Tests come last: a body with a test is extended by further tests only.
        last = node.body[-1][0]
        literals = extensions(symbols, node.types, only_tests=symbols[last].tests, first=last if share else 0)
        new = 0
        for literal in room.watched(literals):
            if literal in node.body:
                continue
            body, renamings = canonical((*node.body, literal), symmetric, room)
            if body in seen:
                continue
            if share is not None and new >= share:
                room.left_out += 1
                break
            new += 1
            seen.add(body)
            yield _node(symbols, body, index, literal, renamings[0])


def symmetric_symbols(symbols: Sequence[Symbol]) -> frozenset[int]:
    """Return the symbols whose arguments may be exchanged."""
    return frozenset(index for index, symbol in enumerate(symbols) if symbol.symmetric)


def _first_level(symbols: Sequence[Symbol], room: BodyRoom) -> list[BodyNode]:
    """Return the bodies of one literal; where there is no room for all, those that repeat no variable."""
    before = room.left_out
    level = room.taken(_singles(symbols), room.most)
    if room.left_out > before:
        level = list(room.watched(_singles([replace(symbol, repeats=False) for symbol in symbols])))
    return level


def _singles(symbols: Sequence[Symbol]) -> Iterator[BodyNode]:
    seen: set[IndexBody] = set()
    for index, symbol in enumerate(symbols):
        if symbol.tests:
            continue
        for arguments in _first_arguments(symbol):
            body, renamings = canonical([(index, arguments)])
            if body not in seen:
                seen.add(body)
                yield _node(symbols, body, -1, (index, arguments), renamings[0])


def _first_arguments(symbol: Symbol) -> Iterator[tuple[int, ...]]:
    if symbol.modes is not None:
        yield tuple(range(len(symbol.types)))
        return
    yield from _arguments(symbol, [], bound=False)


def _node(
    symbols: Sequence[Symbol], body: IndexBody, parent: int, literal: IndexLiteral, renaming: dict[int, int]
) -> BodyNode:
    types: dict[int, int] = {}
    for symbol, arguments in body:
        for argument, kind in zip(arguments, symbols[symbol].types, strict=True):
            types[argument] = kind
    numbers = tuple(renaming[variable] for variable in range(len(renaming)))
    return BodyNode(body, parent, literal, numbers, tuple(types[v] for v in range(len(types))))


def extensions(
    symbols: Sequence[Symbol], types: Sequence[int], *, only_tests: bool = False, first: int = 0
) -> Iterator[IndexLiteral]:
    """Return the literals that share at least one variable with a body whose variables have these types.

    Those of the symbol `first` come first, then those of the next ones, round to the one before it.
    """
    for index in chain(range(first, len(symbols)), range(first)):
        symbol = symbols[index]
        if symbol.tests:
            yield from ((index, arguments) for arguments in _tested(symbol, types))
        elif not only_tests:
            yield from ((index, arguments) for arguments in _arguments(symbol, types, bound=True))


def _tested(symbol: Symbol, types: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return the argument lists of a test: variables of the body only, in ascending order if symmetric."""
    choices = [[v for v, other in enumerate(types) if other == kind] for kind in symbol.types]
    for arguments in product(*choices):
        once = symbol.repeats or len(set(arguments)) == len(arguments)
        if once and (not symbol.symmetric or arguments[0] < arguments[1]):
            yield arguments


def _arguments(symbol: Symbol, types: Sequence[int], *, bound: bool) -> Iterator[tuple[int, ...]]:
    """Return the argument lists of a literal; fresh variables are numbered in order after the old ones."""
    old = len(types)

    def grow(prefix: tuple[int, ...], fresh: list[int]) -> Iterator[tuple[int, ...]]:
        position = len(prefix)
        if position == len(symbol.types):
            if not bound or any(argument < old for argument in prefix):
                yield prefix
            return
        kind = symbol.types[position]
        mode = symbol.modes[position] if symbol.modes else ""
        if mode != "-":
            for variable in range(old):
                if types[variable] == kind and (symbol.repeats or variable not in prefix):
                    yield from grow((*prefix, variable), fresh)
        if mode == "" and symbol.repeats:
            for number, other in enumerate(fresh):
                if other == kind:
                    yield from grow((*prefix, old + number), fresh)
        if mode != "+":
            yield from grow((*prefix, old + len(fresh)), [*fresh, kind])

    yield from grow((), [])


def heads(
    body: IndexBody, variables: int, largest: int, symmetric: Container[int] = ()
) -> list[tuple[int, ...]]:
    """Return the variable subsets of 1..largest variables that make distinct heads of a body.

    Two subsets that a symmetry of the body maps onto each other are one. Where there are very many, those of
    few variables are returned, and that of all variables.
    """
    _, renamings = canonical(body, symmetric)
    found: list[tuple[int, ...]] = []
    seen: set[tuple[int, ...]] = set()
    for size in range(1, min(largest, variables) + 1):
        for subset in combinations(range(variables), size):
            if subset in seen:
                continue
            if len(found) == MOST_HEADS:
                return [*found[:-1], tuple(range(variables))] if variables <= largest else found
            found.append(subset)
            seen.update(tuple(sorted(renaming[v] for v in subset)) for renaming in renamings)
    return found


def disjunctions(
    symbols: Sequence[Symbol], length: int, largest: int, room: BodyRoom | None = None
) -> list[tuple[tuple[int, ...], IndexBody]]:
    """Return disjunctions of 2..length single literals with their head types.

    Where there is no room for all, those of two literals that are next to each other by number come first.

    Head variables are numbered 0..m-1 and every disjunct binds all of them; its other arguments are
    existential, numbered from m on within the disjunct. Up to a permutation of head variables of equal
    type and the order of disjuncts, each appears once.
    """
    room = room or BodyRoom()
    disjuncts: dict[tuple[int, ...], set[IndexLiteral]] = {}
    for kinds, literal in room.taken(_disjuncts(symbols, largest, room), room.most):
        disjuncts.setdefault(kinds, set()).add(literal)
    share = None if room.most is None else room.most // max(1, len(disjuncts))
    found: list[tuple[tuple[int, ...], IndexBody]] = []
    for kinds in sorted(disjuncts):
        turns = room.taken(orders(range(len(kinds)), kinds.__getitem__), None if share is None else _TURNS)
        if share is not None and len(turns) == _TURNS:
            continue
        forms = sorted(disjuncts[kinds])
        before = room.left_out
        choices = chain.from_iterable(combinations(forms, size) for size in range(2, length + 1))
        listed = room.taken(_distinct(room.watched(choices), turns), share)
        if room.left_out > before:
            listed = room.taken(_distinct(_neighbours(forms), turns), share)
        found.extend((kinds, choice) for choice in listed)
    return found


def _disjuncts(
    symbols: Sequence[Symbol], largest: int, room: BodyRoom
) -> Iterator[tuple[tuple[int, ...], IndexLiteral]]:
    """Return literals that disjunctions may have, with the types of their head variables, which ascend."""
    for node in _first_level([replace(symbol, modes=None) for symbol in symbols], room):
        ((symbol, arguments),) = node.body
        if symbols[symbol].modes is not None and len(set(arguments)) < len(arguments):
            continue
        variables = range(len(node.types))
        for size in range(1, min(largest, len(variables)) + 1):
            for subset in combinations(variables, size):
                for chosen in orders(subset, node.types.__getitem__):
                    place = {variable: number for number, variable in enumerate(chosen)}
                    others = [v for v in variables if v not in place]
                    place |= {v: size + i for i, v in enumerate(others)}
                    kinds = tuple(node.types[v] for v in chosen)
                    yield kinds, (symbol, tuple(place[a] for a in arguments))


def _neighbours(forms: Sequence[IndexLiteral]) -> Iterator[IndexBody]:
    """Return all pairs, those whose numbers differ by one first, then by two, and so on."""
    for apart in range(1, len(forms)):
        yield from zip(forms, forms[apart:], strict=False)


def _distinct(choices: Iterable[IndexBody], turns: Sequence[tuple[int, ...]]) -> Iterator[IndexBody]:
    """Return the choices that are the least of those that equal them but for the order of head variables."""
    return (choice for choice in choices if choice == min(_turned(choice, turn) for turn in turns))


def _turned(choice: IndexBody, turn: tuple[int, ...]) -> IndexBody:
    size = len(turn)
    return tuple(
        sorted((symbol, tuple(turn[a] if a < size else a for a in arguments)) for symbol, arguments in choice)
    )
