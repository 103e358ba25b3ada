"""A propositional view: ground atoms of a predicate as rows, what latents say of them as columns.

The features of an atom p(a,b) are booleans. A *literal* feature says that a fact of some relation exists with
arguments of the atom in some of its places, by type, and anything in the others; a *clause* feature that a
decoder clause derives the atom; an *equality* that two of its arguments are the same; a *constant*
feature that an argument is a certain constant of a small type. Relations and clauses that depend on p are
left out: the features know nothing of the facts of p.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from logicoder.engine.arrays.ground_atoms import Booleans, GroundAtoms
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.logic.dependencies import eligible_clauses, reach_of
from logicoder.logic.symbols import atom_text
from logicoder.logic.terms import Clause, Program

if TYPE_CHECKING:
    from scipy.sparse import csr_array

VARIABLES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, eq=False)
class Features:
    """The features of all ground atoms of a predicate.

    Attributes:
        predicate: the predicate.
        names: what each column says; A, B, ... stand for the arguments of the atom.
        matrix: a row per ground atom, a column per feature, ones and zeros.
        truth: which atoms are facts.
        atoms: the atoms themselves.
        constants: the columns that name constants; each other column also comes together with each of them.
    """

    predicate: str
    names: tuple[str, ...]
    matrix: csr_array
    truth: Booleans
    atoms: GroundAtoms
    constants: tuple[str, ...] = ()

    def rows(self) -> tuple[Any, Booleans, NDArray[np.int64], NDArray[np.int64]]:
        """Return the distinct rows: features, truth, how many atoms have them, and which row each atom has.

        Most predicates have far fewer distinct rows than atoms; weighted rows train the same model.
        """
        dense = np.column_stack([self.truth, self.matrix.toarray().astype(np.bool_)])
        bits = np.ascontiguousarray(np.packbits(dense, axis=1))
        packed = bits.view(np.dtype((np.void, bits.shape[1]))).ravel()
        _, first, row, counts = np.unique(packed, return_index=True, return_inverse=True, return_counts=True)
        return self.matrix[first], self.truth[first], counts, row

    def select(self, keep: Callable[[str], bool]) -> Features:
        """Return the columns whose names a function accepts."""
        kept = [number for number, name in enumerate(self.names) if keep(name)]
        names = tuple(self.names[number] for number in kept)
        constants = tuple(name for name in self.constants if name in names)
        return replace(self, names=names, matrix=self.matrix[:, kept], constants=constants)

    def __len__(self) -> int:
        return len(self.truth)

    def __repr__(self) -> str:
        return f"<Features of {self.predicate}: {len(self):,} atoms, {len(self.names)} columns>"


def _equalities(atoms: GroundAtoms) -> dict[str, Booleans]:
    """Return which arguments of the same type are equal."""
    return {
        f"{VARIABLES[i]} = {VARIABLES[j]}": atoms.columns[i] == atoms.columns[j]
        for i, j in combinations(range(len(atoms.types)), 2)
        if atoms.types[i] == atoms.types[j]
    }


def _literals(atoms: GroundAtoms, source: KnowledgeBase, name: str) -> dict[str, Booleans]:
    """Return in which ways a relation speaks of the arguments."""
    relation = atoms.relation(source, name)
    return {
        _literal_text(name, arguments): atoms.holds(relation, arguments)
        for arguments in _placements(atoms.kinds, source.schema[name].types)
    }


def _derived(atoms: GroundAtoms, clause: Clause, latent: KnowledgeBase) -> Booleans:
    """Return which atoms a decoder clause derives from latent facts."""
    from logicoder.engine.programs import run_program  # noqa: PLC0415  (only with decoders)

    found = run_program(Program((clause,)), latent, atoms.kb.schema.restricted([atoms.predicate]))
    return atoms.holds(atoms.relation(found, atoms.predicate), tuple(range(len(atoms.types))))


def _constants(atoms: GroundAtoms, most: int) -> dict[str, Booleans]:
    """Return which argument is which constant, for types of at most so many."""
    found: dict[str, Booleans] = {}
    for variable, kind, column in zip(VARIABLES, atoms.types, atoms.columns, strict=False):
        symbols = atoms.database.symbol_of[kind][column]
        present = np.unique(symbols)
        if len(present) <= most:
            names = {atoms.database.symbols[i]: i for i in present.tolist()}
            found |= {f"{variable} = {name}": symbols == names[name] for name in sorted(names)}
    return found


def _placements(given: Sequence[str], wanted: Sequence[str]) -> Iterator[tuple[int | None, ...]]:
    """Yield every way to put arguments of given types into places of wanted types, at least one of them.

    >>> list(_placements(("a", "b"), ("b", "c")))
    [(1, None)]
    """
    choices = [[None, *(i for i, kind in enumerate(given) if kind == place)] for place in wanted]
    for arguments in product(*choices):
        if any(argument is not None for argument in arguments):
            yield arguments


def _literal_text(name: str, arguments: Sequence[int | None]) -> str:
    places = ",".join("_" if argument is None else VARIABLES[argument] for argument in arguments)
    return f"{atom_text(name)}({places})"


def crossed(features: Mapping[str, Booleans], constants: Mapping[str, Booleans]) -> dict[str, Booleans]:
    """Return each feature together with each constant: what it says may differ from one to the other."""
    return {
        f"{name}, {constant}": column & here
        for name, column in features.items()
        for constant, here in constants.items()
    }


def features_of(
    atoms: GroundAtoms,
    origins: Program,
    decoder: Program,
    latent: KnowledgeBase,
    *,
    original: bool,
    constants: int,
    like: Features | None,
) -> Features:
    """Return the features of the ground atoms of a predicate.

    Args:
        atoms: the ground atoms.
        origins: what the latents depend on: encoder and background.
        decoder: rebuilds the data.
        latent: the latent facts.
        original: whether literals of the data count as well.
        constants: name the constants of types that have at most so many.
        like: features whose columns these shall have.
    """
    depends = reach_of(origins.mentions())
    name = atoms.predicate
    columns = _equalities(atoms)
    sources = [(latent, latent.schema)]
    if original:
        sources.append((atoms.kb, atoms.kb.schema))
    for source, schema in sources:
        for relation, predicate in schema.items():
            if relation != name and predicate.arity and name not in depends.get(relation, ()):
                columns |= _literals(atoms, source, relation)
    for clause in eligible_clauses(decoder, name, depends):
        if clause.head.predicate == name and name not in clause.body_predicates():
            columns[str(clause)] = _derived(atoms, clause, latent)
    if like is None:
        named = _constants(atoms, constants)
    else:
        present = _constants(atoms, len(atoms)) if like.constants else {}
        named = {text: present[text] for text in like.constants if text in present}
    columns |= named | crossed(columns, named)
    names = tuple(columns) if like is None else like.names
    return _collected(atoms, columns, names, tuple(named) if like is None else like.constants)


def _collected(
    atoms: GroundAtoms, columns: Mapping[str, Booleans], names: tuple[str, ...], constants: tuple[str, ...]
) -> Features:
    from scipy.sparse import csr_array, hstack  # noqa: PLC0415  (takes a while to import)

    none = np.zeros(len(atoms), np.bool_)
    parts = [csr_array(columns.get(name, none)[:, None].astype(np.int8)) for name in names]
    matrix = hstack(parts, format="csr") if parts else csr_array((len(atoms), 0), dtype=np.int8)
    return Features(atoms.predicate, names, matrix, atoms.truth, atoms, constants)
