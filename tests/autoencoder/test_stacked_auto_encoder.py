"""Stacks: every layer on the latent facts of the one below, and the same as one flat program."""

from __future__ import annotations

import logging

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from engine.random_programs import REPEATABLE, Language, clause_of, knowledge_bases, types
from logicoder import (
    AutoEncoder,
    InputError,
    KnowledgeBase,
    Predicate,
    Program,
    Schema,
    StackedAutoEncoder,
    UsageError,
)
from logicoder.autoencoder import load_model
from logicoder.base.errors import InfeasibleError
from logicoder.base.progress import LayerStarted, PhaseStarted
from logicoder.base.stopping import StopToken
from logicoder.datasets import university
from logicoder.engine import run_program


def facts_of(kb, names=None):
    return {
        (f.interpretation, f.predicate, tuple(map(str, f.arguments)))
        for f in kb
        if names is None or f.predicate in names
    }


# -- random stacks ------------------------------------------------------------------------------------


@st.composite
def stacks(draw):
    """Two or three layers of random programs that make no sense, and data for them."""
    kb = draw(knowledge_bases(most_facts=5, most_predicates=2))
    layers, schema = [], kb.schema
    for number in range(draw(st.integers(2, 3))):
        latents = {}
        encoder = []
        for index in range(draw(st.integers(1, 2))):
            head = Predicate(f"l{number}{index}", draw(types(2)))
            latents[head.name] = head
            encoder += [draw(clause_of(head, Language(dict(schema), tuple(schema)))) for _ in range(2)]
        language = Language(dict(latents), tuple(latents))
        decoder = [draw(clause_of(p, language)) for p in schema.values() if draw(st.booleans())]
        layers.append(
            AutoEncoder.from_programs(Program(tuple(encoder)), Program(tuple(decoder)), schema=schema)
        )
        schema = Schema(latents)
    stack = StackedAutoEncoder.from_layers(layers)
    try:
        stack.inverse_transform(stack.transform(kb))
    except InputError as error:
        # An argument that only ever holds constants gets a type of its own, which may not fit.
        assume("type" not in str(error))
        raise
    return stack, kb


@settings(REPEATABLE, max_examples=35)
@given(stacks())
def test_flat_programs_derive_what_the_layers_derive(case):
    stack, kb = case
    latent = stack.transform(kb)
    encoder, decoder = stack.flat()
    top = stack.layers_[-1].encoder_.defined()
    event(f"latent facts {bool(len(latent))}")
    if len(encoder):
        assert facts_of(run_program(encoder, kb), top) == facts_of(latent)
    else:
        assert not len(latent)
    rebuilt = stack.inverse_transform(latent)
    if len(decoder):
        flat = run_program(decoder, latent, kb.schema)
        assert facts_of(flat, kb.schema) == facts_of(rebuilt, kb.schema)
    else:
        assert not len(rebuilt)
    outcome = stack.reconstruct(kb)
    assert facts_of(outcome.rebuilt) == facts_of(rebuilt)
    assert outcome.latent_facts == len(latent)


@settings(REPEATABLE, max_examples=25)
@given(stacks())
def test_stacks_are_lossless_with_exceptions(case):
    stack, kb = case
    encoded = stack.encode_losslessly(kb)
    assert stack.decode_losslessly(encoded.latent, encoded.exceptions) == kb


# -- learned stacks -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def world():
    return university(people=25, seed=2)


# With the second goal the first layer leaves nothing to save: the loss alone is satisfied with less.
QUICK = {"objective": "loss", "max_decoders": 300, "effort": 5.0}


@pytest.fixture(scope="module")
def stack(world):
    return StackedAutoEncoder(2, compression=1.0, **QUICK).fit(world.kb)


def test_a_layer_learns_on_the_latent_facts_of_the_one_below(world, stack):
    below, above = stack.layers_
    alone = AutoEncoder(compression=1.0, **QUICK).fit(world.kb)
    assert below.encoder_ == alone.encoder_
    latent = below.transform(world.kb)
    assert above.schema_ == latent.schema
    assert above.loss_ == above.reconstruct(latent).loss
    assert stack.transform(world.kb) == above.transform(latent)
    assert len(stack.transform(world.kb)) == stack.latent_facts_ < len(latent)


def test_results_are_end_to_end(world, stack):
    facts, rebuilt = facts_of(world.kb), facts_of(stack.inverse_transform(stack.transform(world.kb)))
    assert (stack.missing_, stack.false_) == (len(facts - rebuilt), len(rebuilt - facts))
    assert stack.loss_ == stack.reconstruct(world.kb).loss == stack.missing_ + stack.false_
    assert stack.score(world.kb) == 1 - stack.loss_ / len(facts)
    literals = sum(c.length for layer in stack.layers_ for p in (layer.encoder_, layer.decoder_) for c in p)
    assert stack.size_ == stack.latent_facts_ + literals


def test_flat_programs_of_a_learned_stack(world, stack):
    inputs, top = set(world.kb.schema), set(stack.layers_[-1].encoder_.defined())
    encoder, decoder = stack.flat()
    assert {p for clause in encoder for p in clause.body_predicates()} <= inputs
    assert {p for clause in decoder for p in clause.body_predicates()} <= top
    assert run_program(encoder, world.kb) == stack.transform(world.kb)


def test_names_never_clash(world, stack):
    below, above = (set(layer.encoder_.defined()) for layer in stack.layers_)
    assert not below & above
    assert not (below | above) & set(world.kb.schema)


def test_explanations_agree_with_the_reconstruction(world, stack):
    explainer = stack.explainer(world.kb)
    outcome = stack.reconstruct(world.kb)
    for fact in list(outcome.missing)[:5]:
        assert explainer.explain(fact).answers[0].verdict == "missing"
    for fact in list(outcome.false)[:5]:
        assert explainer.explain(fact).answers[0].verdict == "false"
    rebuilt = next(fact for fact in outcome.rebuilt if str(fact) in world.kb)
    (answer,) = explainer.explain(rebuilt).answers
    assert (answer.verdict, answer.node.level) == ("reconstructed", 4)
    assert len(stack.suggest(world.kb).of("add")) == len(outcome.false)


def test_names_of_the_data_are_avoided():
    kb = KnowledgeBase.from_facts(
        [("latent2_1", "a"), ("latent2_1", "b"), ("q", "a"), ("q", "b"), ("r", "a")]
    )
    stack = StackedAutoEncoder(3, compression=2).fit(kb)
    names = [name for layer in stack.layers_ for name in layer.encoder_.defined()]
    assert len({*names, *kb.schema}) == len(names) + 3


def test_where_nothing_gets_smaller_the_stack_ends(caplog):
    kb = KnowledgeBase.from_facts([("p", "a"), ("q", "b")])
    with caplog.at_level(logging.WARNING, "logicoder"):
        stack = StackedAutoEncoder(4, compression=1).fit(kb)
    assert len(stack.layers_) == 1
    assert "there is no layer 2 of 4: it has 2 latent facts for 2" in caplog.text
    assert stack.loss_ == stack.layers_[0].loss_ == 0


def test_an_impossible_layer_ends_the_stack_unless_it_is_the_first(world, caplog):
    impossible = AutoEncoder(compression="1/100", **QUICK)
    stack = StackedAutoEncoder([AutoEncoder(compression=1, **QUICK), impossible]).fit(world.kb)
    assert len(stack.layers_) == 1
    assert "there is no layer 2 of 2" in caplog.text
    with pytest.raises(InfeasibleError):
        StackedAutoEncoder([impossible]).fit(world.kb)


def test_progress_says_which_layer(world):
    events = []
    StackedAutoEncoder(2, compression=1.0, reporter=events.append, **QUICK).fit(world.kb)
    starts = [e for e in events if isinstance(e, LayerStarted | PhaseStarted)]
    assert [e.layer for e in starts if isinstance(e, LayerStarted)] == [1, 2]
    assert [getattr(e, "phase", "layer") for e in starts[:5]] == [
        "layer",
        "encoders",
        "decoders",
        "problem",
        "solve",
    ]


def test_an_interruption_keeps_the_layers_so_far(world):
    token = StopToken()

    def stop_in_layer_two(event):
        if event == LayerStarted(2, 3):
            token.stop("interrupted")

    stack = StackedAutoEncoder(3, compression=1.0, reporter=stop_in_layer_two, **QUICK)
    stack.fit(world.kb, stop=token)
    assert len(stack.layers_) == 1
    assert stack.stopped_ == "interrupted"
    assert stack.reconstruct(world.kb).loss == stack.loss_


def test_an_interruption_in_the_first_layer_leaves_nothing(world):
    token = StopToken()
    token.stop("interrupted")
    with pytest.raises(KeyboardInterrupt):
        StackedAutoEncoder(2).fit(world.kb, stop=token)


def test_checkpoints_are_kept_for_each_layer(world, tmp_path):
    settings = {"compression": 1.0, "checkpoint": tmp_path, **QUICK}
    first = StackedAutoEncoder(2, **settings).fit(world.kb)
    assert (tmp_path / "layer1" / "best.json").exists()
    again = StackedAutoEncoder(2, resume=True, **settings).fit(world.kb)
    assert again.programs() == first.programs()
    # The layer above starts anew where the one below has changed.
    (tmp_path / "layer2" / "checkpoint.json").write_text('{"data": "other", "settings": {}}')
    assert StackedAutoEncoder(2, resume=True, **settings).fit(world.kb).programs() == first.programs()


def test_a_time_limit_is_for_each_layer(world):
    stack = StackedAutoEncoder(2, compression=1.0, time_limit=0.01, **QUICK).fit(world.kb)
    assert len(stack.layers_) == 2


def test_background_belongs_to_the_first_layer(tmp_path):
    couples = {
        ("padme", "vader"): ["luke", "leia"],
        ("leia", "han"): ["ben"],
        ("mon", "bail"): ["rey", "finn"],
    }
    facts = [("woman", mother) for mother, _ in couples] + [("man", father) for _, father in couples]
    for (mother, father), children in couples.items():
        for child in children:
            facts += [("mother", mother, child), ("father", father, child)]
    kb = KnowledgeBase.from_facts(facts)
    background = """
        parent(X,Y) :- mother(X,Y).  parent(X,Y) :- father(X,Y).
        couple(X,Y) :- mother(X,Z), father(Y,Z).
    """
    stack = StackedAutoEncoder(2, compression=0.8, effort=2, background=background).fit(kb)
    first, second = stack.layers_
    assert any(clause.body_predicates() & {"parent", "couple"} for clause in first.encoder_)
    assert first.background_predicates() == stack.background_predicates() == {"parent", "couple"}
    assert {name for name, p in stack.schema_.items() if p.background} == {"parent", "couple"}
    assert second.background is None
    assert set(second.schema_) == set(first.encoder_.defined())
    stack.save(tmp_path / "m.alp")
    loaded = load_model(tmp_path / "m.alp")
    assert loaded.background_predicates() == {"parent", "couple"}
    assert loaded.layers_[1].background is None
    assert loaded.transform(kb) == stack.transform(kb)


# -- saved stacks -------------------------------------------------------------------------------------


def test_a_stack_comes_back_as_it_was(stack, world, tmp_path):
    stack.save(tmp_path)
    loaded = load_model(tmp_path)
    assert isinstance(loaded, StackedAutoEncoder)
    assert loaded.programs() == stack.programs()
    assert loaded.get_params() == stack.get_params()
    assert (loaded.loss_, loaded.size_, loaded.stopped_) == (stack.loss_, stack.size_, stack.stopped_)
    assert loaded.transform(world.kb) == stack.transform(world.kb)
    assert [layer.loss_ for layer in loaded.layers_] == [layer.loss_ for layer in stack.layers_]
    with pytest.raises(InputError, match=r"model.alp:1:1: this model has several layers"):
        AutoEncoder.load(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("version 2", "version 3", ":1:1: this stack has version 3"),
        ("%% layer 2", "%% layer 3", "expected the line '%% layer 2'"),
        ("%% layer 1\n", "", "expected the line '%% layer 1'"),
        ("%% end of the stack\n", "", "the last line should be"),
        ('"layers": 2', '"layers": 3', "announces 3 layers, there are 2"),
        ('"results"', '"result"', ":2:1: the header of this stack is damaged: object missing required field"),
        ("%% decoder\n", "", "the line '%% decoder' is missing"),
        (":-", ":", "unexpected character"),
    ],
)
def test_damaged_stacks_are_refused(stack, tmp_path, old, new, complaint):
    stack.save(tmp_path / "s.alp")
    text = (tmp_path / "s.alp").read_text()
    (tmp_path / "s.alp").write_text(text.replace(old, new, 1))
    with pytest.raises(InputError) as caught:
        load_model(tmp_path / "s.alp")
    assert complaint in str(caught.value)
    assert "s.alp:" in str(caught.value)


def test_damage_in_a_later_layer_is_found_at_its_place(stack, tmp_path):
    stack.save(tmp_path / "s.alp")
    text = (tmp_path / "s.alp").read_text()
    clause = str(stack.layers_[1].decoder_.clauses[0])
    line = text[: text.index(clause)].count("\n") + 1
    (tmp_path / "s.alp").write_text(text.replace(clause, clause.replace(":-", ":")))
    with pytest.raises(InputError, match=rf"s.alp:{line}:\d+: unexpected character"):
        load_model(tmp_path / "s.alp")


# -- the contract -------------------------------------------------------------------------------------


def test_parameters_by_name():
    stack = StackedAutoEncoder(3, compression=0.7)
    assert stack.get_params() == {**AutoEncoder(compression=0.7).get_params(), "layers": 3}
    assert repr(stack.set_params(layers=2, seed=5)) == "StackedAutoEncoder(2, compression=0.7, seed=5)"
    with pytest.raises(UsageError, match="no parameter 'speed'"):
        stack.set_params(speed=1)
    for wrong in (0, True, []):
        with pytest.raises(UsageError, match="layer"):
            StackedAutoEncoder(wrong).fit(KnowledgeBase.from_facts([("p", "a")]))
    with pytest.raises(UsageError, match="no layers yet"):
        stack.transform(KnowledgeBase.from_facts([("p", "a")]))


def test_scikit_learn_can_clone_it():
    sklearn = pytest.importorskip("sklearn.base")
    stack = StackedAutoEncoder.from_preset("paper", 3, compression=1.0)
    copy = sklearn.clone(stack)
    assert copy.get_params() == stack.get_params()
    assert (copy.layers, copy.get_params()["objective"]) == (3, "loss")


def test_layers_that_do_not_fit_are_refused():
    below = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X).")
    above = AutoEncoder.from_programs("m(X) :- k(X).", "k(X) :- m(X).")
    with pytest.raises(InputError, match="layer 2 uses k, which the layer below does not define"):
        StackedAutoEncoder.from_layers([below, above])
    with pytest.raises(InputError, match="latent predicate l of layer 2 has the name of another"):
        StackedAutoEncoder.from_layers([below, AutoEncoder.from_programs("l(X) :- l(X).", "l(X) :- l(X).")])


def test_latents_that_an_upper_layer_gives_up_are_explained():
    """The lower decoder reads `m`, which the upper one does not rebuild."""
    below = AutoEncoder.from_programs("l(X) :- p(X). m(X) :- q(X).", "p(X) :- l(X). q(X) :- m(X).")
    above = AutoEncoder.from_programs("top(X) :- l(X).", "l(X) :- top(X).")
    kb = KnowledgeBase.from_facts([("p", "a"), ("q", "b")])
    above.schema_ = below.transform(kb).schema
    told = str(StackedAutoEncoder.from_layers([below, above]).explain(kb, "q(b)"))
    assert "q(b): a fact, but missing" in told
    assert "m(b)  not derived (no clause for m(b))" in told
