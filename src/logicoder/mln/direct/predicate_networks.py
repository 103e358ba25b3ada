"""Networks that predict a predicate from everything else, one predicate at a time.

For each predicate p there is a network of its own, of formulas with p in them once: given the
others, its atoms are independent, and their probabilities are exact and in closed form. What depends on p is
in no formula of that network, so its weights are learned without a look at p, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from logicoder.base.files import write_text
from logicoder.engine.arrays.ground_atoms import GroundAtoms
from logicoder.engine.programs import run_program, with_derived
from logicoder.engine.signatures import program_schema
from logicoder.kb.file_names import file_stem
from logicoder.kb.knowledge_base import KnowledgeBase
from logicoder.kb.schema import Schema
from logicoder.logic.dependencies import depends_of
from logicoder.logic.terms import Atom, Literal, Program, Variable
from logicoder.mln.direct.conditions import (
    Columns,
    Feature,
    FeatureRows,
    atom_numbers,
    definitions_of,
    derived_schema,
    distinct_rows,
    formula_of,
)
from logicoder.mln.formulas import Formula
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.predicate_questions import Prediction, Question


@dataclass(frozen=True, eq=False)
class PredicateNetwork:
    """The network of one predicate.

    Attributes:
        predicate: the predicate.
        arity: the number of its arguments.
        features: what its formulas say.
        weights: one for each feature.
        bias: the weight of the formula of the predicate alone.
    """

    predicate: str
    arity: int
    features: tuple[Feature, ...]
    weights: np.ndarray
    bias: float

    @property
    def definitions(self) -> Program:
        """Defines the derived predicates of the formulas."""
        return definitions_of(self.features)

    def network(self, schema: Schema) -> MarkovLogicNetwork:
        """Return the network, given the predicates of data and latents."""
        derived = derived_schema(self.features, schema[self.predicate].types)
        own = Schema({self.predicate: schema[self.predicate], **derived})
        variables = tuple(Variable(chr(ord("A") + i)) for i in range(self.arity))
        alone = Formula((Literal(Atom(self.predicate, variables)),), self.bias)
        pairs = zip(self.features, self.weights.tolist(), strict=True)
        return MarkovLogicNetwork(
            own, (alone, *(formula_of(f, self.predicate, self.arity, w) for f, w in pairs))
        )

    def margins(self, rows: FeatureRows) -> np.ndarray:
        """Return the log odds of each atom."""
        return np.asarray((rows.features @ self.weights + self.bias)[rows.which])


@dataclass(frozen=True)
class DirectModel:
    """A network for each predicate, over data and latents.

    Attributes:
        encoder: defines the latents; empty where there are none.
        networks: by predicate.
    """

    encoder: Program
    networks: Mapping[str, PredicateNetwork] = field(default_factory=dict)

    def answer(self, question: Question) -> Prediction:
        """Return how probable the atoms of a predicate are."""
        method = "closed form" if question.predicate in self.networks else "unknown"
        probabilities = np.exp(-np.logaddexp(0.0, -self.log_odds(question)))
        return Prediction(question.predicate, probabilities, {"method": method, "exact": True})

    def log_odds(self, question: Question) -> np.ndarray:
        """Return the log odds of the atoms of a predicate; 0 where nothing was learned about it."""
        shape = question.world.shape(question.predicate)
        found = np.zeros(int(np.prod(shape)))
        own = self.networks.get(question.predicate)
        if own is None:
            return found
        atoms = GroundAtoms(question.evidence, question.predicate, question.domains)
        columns = Columns(atoms)
        columns.derive(own.features, with_latents(question.evidence, self.encoder, question.predicate))
        rows = distinct_rows(columns.packed(own.features), len(own.features))
        found[atom_numbers(atoms, shape)] = own.margins(rows)
        return found

    def save(self, folder: Path, schema: Schema) -> None:
        """Write the encoder, and for each predicate a network and what defines its derived predicates."""
        if len(self.encoder):
            write_text(folder / "encoder.pl", f"{self.encoder}\n")
            schema = Schema({**schema, **program_schema(self.encoder, schema)})
        for name, network in self.networks.items():
            network.network(schema).save(folder / f"{file_stem(name)}.mln")
            write_text(folder / f"{file_stem(name)}.pl", f"{network.definitions}\n")


def independent_part(encoder: Program, predicate: str) -> Program:
    """Return the clauses of the latents that do not depend on a predicate."""
    depends = depends_of(encoder)
    return Program(tuple(c for c in encoder if predicate not in depends[c.head.predicate]))


def with_latents(kb: KnowledgeBase, encoder: Program, predicate: str | None = None) -> KnowledgeBase:
    """Return a knowledge base with its latent facts, without those that depend on a predicate."""
    if predicate is not None:
        encoder = independent_part(encoder, predicate)
    return with_derived(kb, run_program(encoder, kb)) if len(encoder) else kb


def signed_rows(rows: FeatureRows, truth: Sequence[bool] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return signed rows of features, a first one for the bias, and the number of atoms of each."""
    width = len(rows.features)
    true = np.asarray(truth, np.bool_)
    positive = np.bincount(rows.which[true], minlength=width)
    negative = np.bincount(rows.which[~true], minlength=width)
    full = np.column_stack([np.ones(width), rows.features.astype(float)])
    signed = np.concatenate([full[positive > 0], -full[negative > 0]])
    return signed, np.concatenate([positive[positive > 0], negative[negative > 0]]).astype(float)
