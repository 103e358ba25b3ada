"""How useful latent facts are to predict a predicate from all the others: average precision on a test fold.

The features of a ground atom p(args) are booleans: for every relation that does not depend on p, and every
way to put arguments of p into some of its places by type, whether such a fact exists with anything in its
other places; and which arguments are equal. A logistic regression is trained on all ground atoms of the
training folds and ranks all ground atoms of the test fold; nothing is sampled. Atoms with the same features
are one row with a weight, so that even large predicates cost little.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score

from logicoder import AutoEncoder, KnowledgeBase, Program
from logicoder.engine import run_program
from logicoder.engine.database import Database
from logicoder.engine.relation import Column, Relation, distinct, pack
from logicoder.kb.table import FactTable

C = 10.0
"""Inverse strength of the L2 penalty."""

Booleans = NDArray[np.bool_]
Features = list[Booleans]
"""One boolean per ground atom, for each feature."""


@dataclass(frozen=True)
class Source:
    """Facts that features may use.

    Attributes:
        facts: of the relations.
        mentions: for each relation, the predicates of the data that its definition mentions.
    """

    facts: KnowledgeBase
    mentions: Mapping[str, frozenset[str]]


def mentions(program: Program) -> dict[str, frozenset[str]]:
    """Return for each defined predicate all that its clauses mention, also through other defined ones.

    >>> mentions(Program.parse("a(X) :- b(X), p(X). b(X) :- q(X)."))["a"] == {"b", "p", "q"}
    True
    """
    found: dict[str, set[str]] = {name: set() for name in program.defined()}
    for clause in program:
        found[clause.head.predicate] |= clause.body_predicates()
    grown = True
    while grown:
        sizes = [len(names) for names in found.values()]
        for names in found.values():
            names.update(*(found[name] for name in names & found.keys()))
        grown = sizes != [len(names) for names in found.values()]
    return {name: frozenset(names) for name, names in found.items()}


def original(kb: KnowledgeBase) -> Source:
    """Return the data themselves as a source: every predicate mentions itself."""
    return Source(kb, {name: frozenset({name}) for name in kb.schema})


def latent(model: AutoEncoder, kb: KnowledgeBase) -> Source:
    """Return the latent facts of some data as a source."""
    background = model.background or ()
    program = Program.parse(background) if isinstance(background, str) else background
    return Source(model.transform(kb), mentions(Program((*program, *model.encoder_))))


class Atoms:
    """All ground atoms of a predicate, well typed, within each interpretation."""

    def __init__(self, kb: KnowledgeBase, predicate: str) -> None:
        self.kb = kb
        self.predicate = predicate
        self.database = Database(kb)
        self.types = self.database.type_ids(kb.schema[predicate].types)
        self.columns = self._columns()
        self.truth = self.holds(self.database.relation(predicate), tuple(range(len(self.types))))

    def _columns(self) -> tuple[Column, ...]:
        """Return the entities of each argument: in every world all combinations."""
        blocks = []
        for world in range(self.database.worlds):
            domains = [np.flatnonzero(self.database.world_of[kind] == world) for kind in self.types]
            grid = np.meshgrid(*domains, indexing="ij")
            blocks.append([part.ravel().astype(np.int32) for part in grid])
        return tuple(np.concatenate(parts) for parts in zip(*blocks, strict=True))

    def relation(self, source: KnowledgeBase, name: str) -> Relation:
        """Return a relation of another knowledge base over the entities of this one."""
        kinds, table = source.schema[name].types, source.table(name)
        numbers = {symbol: number for number, symbol in enumerate(self.database.symbols)}
        renumber = np.array([numbers.get(symbol, -1) for symbol in source.symbols], np.int32)
        worlds = np.array([self.kb.interpretations.index(name) for name in source.interpretations], np.int32)
        renumbered = FactTable(worlds[table.worlds], renumber[table.arguments])
        return self.database.encode(kinds, renumbered)

    def holds(self, relation: Relation, arguments: Sequence[int | None]) -> Booleans:
        """Return for each atom whether a tuple exists with these of its arguments in the places.

        Args:
            relation: the tuples.
            arguments: for each place the argument of the atom that stands there, None for anything.
        """
        bound = [(place, argument) for place, argument in enumerate(arguments) if argument is not None]
        sizes = [self.database.sizes[relation.types[place]] for place, _ in bound]
        keys = pack(distinct([relation.columns[place] for place, _ in bound], sizes), sizes)
        return np.isin(pack([self.columns[argument] for _, argument in bound], sizes), keys)

    def equalities(self) -> Features:
        """Return which arguments of the same type are equal."""
        pairs = combinations(range(len(self.types)), 2)
        return [self.columns[i] == self.columns[j] for i, j in pairs if self.types[i] == self.types[j]]

    def literals(self, source: Source) -> Features:
        """Return the literals of all relations that do not depend on the predicate."""
        found = []
        for name, predicate in source.facts.schema.items():
            if self.predicate in source.mentions[name] or not predicate.arity:
                continue
            relation = self.relation(source.facts, name)
            places = list(_placements(self.kb.schema[self.predicate].types, predicate.types))
            found.extend(self.holds(relation, arguments) for arguments in places)
        return found

    def clauses(self, model: AutoEncoder, source: Source) -> Features:
        """Return what the decoder clauses of the predicate derive whose latents do not depend on it."""
        found = []
        for clause in model.decoder_:
            bodies = clause.body_predicates()
            if clause.head.predicate != self.predicate or any(
                self.predicate in source.mentions[name] for name in bodies
            ):
                continue
            derived = run_program(Program((clause,)), source.facts, self.kb.schema)
            relation = self.relation(derived, self.predicate)
            found.append(self.holds(relation, tuple(range(len(self.types)))))
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


@dataclass(frozen=True)
class Rows:
    """Distinct feature vectors with a truth value each, and how many atoms have them."""

    features: NDArray[np.uint8]
    truth: Booleans
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, features: Features, truth: Booleans) -> Rows:
        """Return the distinct rows of the atoms of a predicate."""
        bits = np.packbits(np.column_stack([truth, *features]), axis=1)
        packed = np.ascontiguousarray(bits).view(np.dtype((np.void, bits.shape[1]))).ravel()
        _, first, counts = np.unique(packed, return_index=True, return_counts=True)
        rows = np.column_stack([truth, *features])[first].astype(np.uint8)
        return cls(rows[:, 1:], rows[:, 0].astype(np.bool_), counts.astype(np.float64))


def precision(train: Rows, test: Rows) -> float:
    """Return the average precision on one set of rows of a logistic regression of another."""
    if train.features.shape[1] == 0 or train.truth.all():
        scores = np.zeros(len(test.truth))
    else:
        model = LogisticRegression(C=C, max_iter=5000)
        model.fit(train.features, train.truth, sample_weight=train.weights)
        scores = model.decision_function(test.features)
    # Rows with equal features but another truth are the same to the model, yet their sums may round apart.
    return float(average_precision_score(test.truth, scores.round(9), sample_weight=test.weights))


def scored_predicates(train: KnowledgeBase, test: KnowledgeBase) -> list[str]:
    """Return the predicates with facts in both."""
    return [name for name in train.learnable if name in test.learnable]


def trivial_predicates(kb: KnowledgeBase) -> set[str]:
    """Return the predicates that hold only of equal arguments: `sameperson` where nobody has two names."""
    tables = {name: kb.table(name).arguments for name in kb.learnable if kb.schema[name].arity == 2}
    return {name for name, rows in tables.items() if (rows[:, 0] == rows[:, 1]).all()}


def downstream(
    train: KnowledgeBase, test: KnowledgeBase, model: AutoEncoder | None = None
) -> dict[str, dict[str, float]]:
    """Return the average precision of each predicate, by kind of features.

    Without a model the features are `original`: single literals of the data. With one they are `latent`
    literals; `clauses`: these and the decoder clauses; `hybrid`: original literals as well.
    """
    sides = [_features(kb, model, scored_predicates(train, test)) for kb in (train, test)]
    return {
        name: {kind: precision(sides[0][name][kind], sides[1][name][kind]) for kind in kinds}
        for name, kinds in sides[0].items()
    }


def _features(
    kb: KnowledgeBase, model: AutoEncoder | None, predicates: Sequence[str]
) -> dict[str, dict[str, Rows]]:
    """Return the rows of each predicate, by kind of features."""
    data = original(kb)
    hidden = latent(model, kb) if model is not None else None
    found = {}
    for name in predicates:
        atoms = Atoms(kb, name)
        plain = [*atoms.equalities(), *atoms.literals(data)]
        kinds = {"original": plain}
        if model is not None and hidden is not None:
            literals = [*atoms.equalities(), *atoms.literals(hidden)]
            clauses = [*literals, *atoms.clauses(model, hidden)]
            kinds = {"latent": literals, "clauses": clauses, "hybrid": [*plain, *clauses]}
        found[name] = {kind: Rows.of(features, atoms.truth) for kind, features in kinds.items()}
    return found
