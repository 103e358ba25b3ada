"""Dominance between decoders, pair by pair against its definition, and what it must not lose."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from logicoder import AutoEncoder, InfeasibleError
from logicoder.candidates.dominance import undominated
from logicoder.candidates.language import Switches
from logicoder.datasets import star_wars, star_wars_figure
from logicoder.engine.arrays.array_engine import ArrayEngine
from logicoder.engine.handles import Decoder
from logicoder.kb import KnowledgeBase, Predicate, Schema

from .random_data import REPEATABLE, data_with_latents
from .test_richer_programs import atoms, decoders_of, facts

EVERYTHING = Switches(constants=2, negation=True, inequality=True, recursion=True)


@dataclass(frozen=True)
class Seen:
    """A candidate as sets."""

    predicate: str
    latents: frozenset[int]
    true: frozenset[object]
    false: frozenset[object]
    literals: int
    recursive: bool

    @classmethod
    def of(cls, decoder: Decoder, engine: ArrayEngine, kb: KnowledgeBase) -> Seen:
        name = decoder.predicate
        predicate = kb.schema[name]
        derived = atoms(engine, decoder)
        true = derived & facts(kb, name)
        if predicate.open_world:
            false = derived & facts(kb, name, "false")
        else:
            false = derived - true - facts(kb, name, "unknown")
        body = decoder.body
        return cls(
            decoder.predicate,
            frozenset(decoder.latents),
            frozenset(true),
            frozenset(false),
            body.literals,
            body.step is not None,
        )

    @property
    def good(self) -> bool:
        return len(self.true) > len(self.false)

    def dominates(self, other: Seen) -> bool:
        return (
            self.predicate == other.predicate
            and self.latents <= other.latents
            and self.true >= other.true
            and self.false <= other.false
            and self.literals <= other.literals
            and self.recursive <= other.recursive
            # What a predicate must have stays, whatever generality forbids.
            and (self.good or self.true == other.true)
            and (not other.good or self.false == other.false)
        )


@settings(REPEATABLE, max_examples=60)
@given(
    kb=data_with_latents(),
    needed=st.sets(st.integers(0, 2), max_size=2),
    everything=st.booleans(),
)
def test_every_dropped_decoder_has_one_that_stands_for_it(kb, needed, everything) -> None:
    switches = EVERYTHING if everything else Switches()
    engine, found = decoders_of(kb, 2, switches)
    # A part of them, some in other order: which is first must not matter to what is allowed.
    found = found[:: 1 + len(found) // 150][::-1]
    data = [name for name in kb.schema if name.startswith("p")]
    kept = undominated(engine, found, needed)
    seen = {id(decoder): Seen.of(decoder, engine, kb) for decoder in found}
    stays = {id(decoder) for decoder in kept}

    def stands_for(better: Decoder, worse: Decoder) -> bool:
        surplus = set(worse.latents) - set(better.latents)
        return not surplus & needed and seen[id(better)].dominates(seen[id(worse)])

    for decoder in found:
        rivals = [other for other in kept if other is not decoder and stands_for(other, decoder)]
        assert bool(rivals) == (id(decoder) not in stays)
    event("dropped some" if len(kept) < len(found) else "dropped none")
    event("dropped unknown" if any(kb.count(n, "unknown") for n in data) else "nothing unknown")


@st.composite
def one_predicate_and_background(draw) -> KnowledgeBase:
    """One predicate to rebuild from a few sets, most of which overlap in false atoms."""
    schema = Schema.of(
        Predicate("p", ("t",)),
        *(Predicate(name, ("t",), background=True) for name in "abc"),
        Predicate("d", ("t", "u"), background=True),
    )
    symbols = "12345xy"
    some = st.sets(st.sampled_from(symbols), min_size=2, max_size=5)
    rows = [("p", symbol) for symbol in symbols[:5]]
    for name in "abc":
        rows += [(name, symbol) for symbol in sorted(draw(some))]
    rows += [("d", symbol, "u") for symbol in sorted(draw(st.sets(st.sampled_from(symbols), min_size=1)))]
    return KnowledgeBase.from_facts(rows, schema=schema)


@settings(REPEATABLE, max_examples=60)
@given(
    kb=one_predicate_and_background(),
    options=st.fixed_dictionaries(
        {"generality": st.booleans(), "reconstruct_all": st.booleans(), "negation": st.booleans()}
    ),
    average=st.booleans(),
)
def test_the_optimum_is_that_of_all_candidates(kb, options, average) -> None:
    bottlenecks = ("average=0.8",) if average else ("largest=4", "total=3")
    outcomes = []
    for dominance in (True, False):
        model = AutoEncoder(
            1, 2, bottlenecks=bottlenecks, dominance=dominance, drop_extensions=None if dominance else False,
            effort=20.0, **options,
        )  # fmt: skip
        try:
            model.fit(kb)
        except InfeasibleError:
            outcomes.append(None)
        else:
            assert (model.status_, model.size_bound_) == ("optimal", model.size_)
            outcomes.append((model.loss_, model.size_))
    event("infeasible" if outcomes[0] is None else "feasible")
    assert outcomes[0] == outcomes[1]


def overlapping(e: str) -> KnowledgeBase:
    """`p` is 1 to 5, and no latent of five facts is allowed; `g` and `d` have the same false atoms."""
    schema = Schema.of(
        Predicate("p", ("t",)),
        *(Predicate(name, ("t",), background=True) for name in ("g", "d", "c")),
        Predicate("e", ("t", "u"), background=True),
    )
    sets = {"p": "12345", "g": "34xy", "d": "12xy", "c": "1xyw"}
    rows = [(name, symbol) for name, symbols in sets.items() for symbol in symbols]
    return KnowledgeBase.from_facts([*rows, *(("e", symbol, "u") for symbol in e)], schema=schema)


def test_a_clause_that_must_be_there_is_not_pushed_out() -> None:
    """The only clause that is mostly true is `e` = {2}.

    `d` = {1,2,x,y} has all atoms of `d, c` = {1,x,y} and no more false ones, but includes `e`: with `d` in
    its place, generality would forbid `e`, which `p` must have.
    """
    learned = AutoEncoder(1, 2, bottlenecks=("largest=4",)).fit(overlapping("2"))
    assert (learned.loss_, learned.bound_, learned.bound_scope_) == (3, 3, "enumerated")
    assert any(clause.length == 2 for clause in learned.decoder_)
    free = AutoEncoder(1, 2, bottlenecks=("largest=4",), reconstruct_all=False).fit(overlapping("2"))
    assert (free.loss_, len(free.decoder_)) == (3, 2)


@pytest.mark.parametrize(("data", "encoder_length"), [(star_wars_figure, 2), (star_wars, 1)])
def test_under_the_mean_and_generality_all_decoders_stay(data, encoder_length) -> None:
    """There, a clause that stands for another may exclude a third whose small latents the mean needs."""
    options = {"encoder_length": encoder_length, "bottlenecks": ("average",), "effort": 1.0}
    model = AutoEncoder(**options, dominance=True).fit(data())
    assert model.statistics_["candidates"]["pruned"]["dominated"] == 0
    assert model.reconstruct(data()).loss == model.loss_
    assert str(model.decoder_) == str(AutoEncoder(**options, dominance=False).fit(data()).decoder_)
