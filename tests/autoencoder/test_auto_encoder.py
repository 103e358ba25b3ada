"""The estimator as a user meets it."""

import logging
import sys
from fractions import Fraction

import pytest

from logicoder import (
    AutoEncoder,
    InputError,
    KnowledgeBase,
    LogicoderError,
    Predicate,
    Program,
    Schema,
    UsageError,
)
from logicoder.base.progress import Improved, PhaseFinished, PhaseStarted
from logicoder.datasets import star_wars, star_wars_figure, university
from logicoder.learner.presets import PRESETS
from logicoder.problem import TotalFacts


@pytest.fixture(scope="module")
def world():
    return university(people=20, seed=3)


@pytest.fixture(scope="module")
def model(world):
    return AutoEncoder(compression=world.compression).fit(world.kb)


def test_it_learns_the_planted_size(world, model):
    assert (model.loss_, model.bound_, model.gap_, model.status_) == (0, 0, 0.0, "optimal")
    assert model.size_ <= world.planted_size


@pytest.mark.parametrize(
    "parameters", [{}, {"jobs": 1}, {"jobs": 3}, {"solver": "lns", "effort": 5}, {"solver": "exact"}]
)
def test_a_seed_gives_the_same_program_whatever_the_threads(parameters):
    kb = star_wars_figure()
    first, second = (AutoEncoder(compression=1.5, seed=7, **parameters) for _ in range(2))
    assert first.fit(kb) is first
    second.set_params(jobs=2).fit(kb)
    assert (first.encoder_, first.decoder_) == (second.encoder_, second.decoder_)


def test_encoding_and_decoding_give_the_data_back(world, model):
    latent = model.transform(world.kb)
    assert len(latent) == model.latent_facts_ < world.kb.size
    assert model.inverse_transform(latent) == world.kb


def test_it_applies_to_new_data_with_unseen_constants(model):
    other = university(people=30, seed=8).kb
    renamed = KnowledgeBase.from_facts(
        [(fact.predicate, *(f"{a}_elsewhere" for a in fact.arguments)) for fact in other], schema=other.schema
    )
    outcome = model.reconstruct(renamed)
    assert outcome.facts == other.size
    assert outcome.loss == model.reconstruct(other).loss
    assert model.score(renamed) == 1 - outcome.loss / other.size


def test_reconstruction_lists_what_is_missing_and_false():
    kb = KnowledgeBase.from_facts([("p", "a"), ("p", "b"), ("q", "b"), ("q", "c")])
    alp = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X). q(X) :- l(X).")
    outcome = alp.reconstruct(kb)
    assert [str(f) for f in outcome.missing] == ["q(c)"]
    assert [str(f) for f in outcome.false] == ["q(a)"]
    assert outcome.loss == 2
    assert outcome.as_dict()["predicates"] == [
        {"predicate": "p", "facts": 2, "rebuilt": 2, "missing": 0, "false": 0},
        {"predicate": "q", "facts": 2, "rebuilt": 1, "missing": 1, "false": 1},
    ]


def test_unknown_atoms_and_open_predicates_are_neither_right_nor_wrong():
    kb = KnowledgeBase.from_facts([("p", "a"), ("p", "b"), ("q", "b")], unknown=[("q", "a")])
    alp = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X). q(X) :- l(X).")
    assert alp.reconstruct(kb).loss == 0
    schema = Schema.of(Predicate("p", ("t",)), Predicate("q", ("t",), open_world=True))
    opened = KnowledgeBase.from_facts(
        [("p", "a"), ("p", "b"), ("p", "c"), ("q", "b")], schema=schema, negatives=[("q", "c")]
    )
    assert [str(f) for f in alp.reconstruct(opened).false] == ["q(c)"]


def test_several_interpretations_stay_apart():
    one = KnowledgeBase.from_facts([("p", "a", "b"), ("q", "b")], interpretation="one")
    two = KnowledgeBase.from_facts([("p", "a", "b")], interpretation="two")
    alp = AutoEncoder.from_programs("l(X) :- p(X,Y), q(Y).", "q(X) :- l(X).")
    latent = alp.transform([one, two])
    assert [f.interpretation for f in latent] == ["one"]


def test_scikit_learn_can_clone_it_search_its_grid_and_chain_it():
    base = pytest.importorskip("sklearn.base")
    selection = pytest.importorskip("sklearn.model_selection")
    pipelines = pytest.importorskip("sklearn.pipeline")
    copy = base.clone(AutoEncoder(compression=0.7, seed=5))
    assert copy.get_params()["compression"] == 0.7
    assert copy.get_params()["seed"] == 5
    assert not copy.__sklearn_is_fitted__()
    parts = [star_wars_figure(), star_wars_figure()]
    everything = [([0, 1], [0, 1])]
    search = selection.GridSearchCV(
        AutoEncoder(),
        {"reconstruct_all": [False], "compression": [0.4, 1.5]},
        cv=everything,
        error_score="raise",
    )
    search.fit(parts)
    assert search.best_params_["compression"] == 1.5
    assert search.best_score_ == 1.0
    pipeline = pipelines.Pipeline([("encode", AutoEncoder(compression=1.5))])
    assert pipeline.fit_transform(parts) == pipeline.transform(parts)


def test_set_params_refuses_strangers():
    with pytest.raises(UsageError, match="no parameter 'compresion'"):
        AutoEncoder().set_params(compresion=1)


def test_the_paper_preset_is_ordinary_parameters():
    alp = AutoEncoder.from_preset("paper", compression=0.3)
    assert alp.get_params()["compression"] == 0.3
    assert alp.get_params()["objective"] == "loss"
    assert PRESETS["paper"]["bottlenecks"] == ("average",)
    with pytest.raises(UsageError, match="choose from: paper"):
        AutoEncoder.from_preset("papre")


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ({"encoder_length": 0}, "encoder_length must be a whole number of at least 1"),
        ({"decoder_length": 1.5}, "decoder_length"),
        ({"compression": "half"}, "compression must be a number"),
        ({"compression": 0}, "compression must be a number greater than 0"),
        (
            {"max_corruption": 2},
            "max_corruption must be a number of at least 0 and at most 1.*, or None, not 2",
        ),
        ({"solver": "best"}, "solver must be one of auto, exact, lns, paper, highs, rc2, clingo, not 'best'"),
        ({"objective": "size"}, "objective must be one of bits, stored, loss, lexicographic"),
        ({"bottlenecks": ["tight"]}, "there is no bottleneck 'tight'"),
        ({"weights": {"mother": 0}}, "the weight of mother must be greater than 0"),
        ({"weights": {"nobody": 2}}, "the weight of nobody does not name a predicate .* father"),
        ({"limits": {"nobody": {"loss": 2}}}, "the limit nobody:loss=2 does not name a predicate .* father"),
        ({"limits": {"mother": {"lost": 2}}}, "an unknown kind; choose from: clauses, loss"),
        ({"alpha": 2}, "alpha must be a number of at least 0 and at most 1, not 2"),
        ({"time_limit": 0}, "time_limit must be a number greater than 0"),
        ({"effort": 0}, "effort must be a number greater than 0"),
        ({"seed": -1}, "seed must be a whole number"),
        ({"resume": True}, "`resume` needs a checkpoint folder: set `checkpoint`"),
    ],
)
def test_wrong_parameters_are_named(parameters, complaint):
    with pytest.raises(UsageError, match=complaint):
        AutoEncoder(**parameters).fit(star_wars())


def test_using_it_before_fitting_is_explained():
    with pytest.raises(UsageError, match="call fit, load, or from_programs"):
        AutoEncoder().transform(star_wars())
    with pytest.raises(UsageError, match="expected a KnowledgeBase"):
        AutoEncoder().fit([[1, 2], [3, 4]])


def test_programs_that_do_not_fit_together_are_refused():
    with pytest.raises(InputError, match="no latent predicate m"):
        AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- m(X).")


def test_progress_is_reported_as_events_and_nothing_is_printed(capsys, caplog, monkeypatch):
    # A command line that ran in this process may have asked for log lines on standard error.
    monkeypatch.setattr(logging.getLogger("logicoder"), "handlers", [])
    events = []
    with caplog.at_level(logging.INFO, logger="logicoder"):
        AutoEncoder(compression=1.5, reporter=events.append).fit(star_wars_figure())
    started = [e.phase for e in events if isinstance(e, PhaseStarted)]
    finished = [e.phase for e in events if isinstance(e, PhaseFinished)]
    assert started == finished == ["encoders", "decoders", "problem", "solve"]
    losses = [(e.loss, e.size) for e in events if isinstance(e, Improved)]
    assert losses == sorted(losses, reverse=True)
    assert all(0 <= e.bound <= e.loss for e in events if isinstance(e, Improved))
    assert capsys.readouterr() == ("", "")
    assert "decoders" in caplog.text


def test_an_impossible_bottleneck_is_explained():
    kb = KnowledgeBase.from_facts([("p", "a"), ("p", "b"), ("q", "a", "b")])
    with pytest.raises(LogicoderError, match="raise `compression`"):
        AutoEncoder(compression=0.01).fit(kb)


def test_background_is_used_saved_and_not_reconstructed(tmp_path):
    kb = KnowledgeBase.from_facts(
        [("grandparent", "shmi", "luke"), ("parent", "shmi", "vader"), ("parent", "vader", "luke")]
    )
    background = Program.parse(
        """
        ancestor(X,Y) :- parent(X,Y).
        ancestor(X,Z) :- parent(X,Y), ancestor(Y,Z).
        old(shmi). old(yoda).
        """
    )
    alp = AutoEncoder(compression=2, background=background).fit(kb)
    assert alp.facts_ == 3
    assert {score.predicate for score in alp.reconstruct(kb).predicates} == {"grandparent", "parent"}
    alp.save(tmp_path)
    assert AutoEncoder.load(tmp_path).transform(kb) == alp.transform(kb)
    with pytest.raises(InputError, match="which is a predicate of the data"):
        AutoEncoder(background=Program.parse("parent(a,b).")).fit(kb)


def test_propositions_are_facts_of_a_whole_interpretation():
    schema = Schema.of(Predicate("raining", ()), Predicate("wet", ()), Predicate("sunny", ()))
    days = {"monday": ["raining", "wet"], "tuesday": ["sunny"], "wednesday": ["raining", "wet"]}
    kb = KnowledgeBase.union(
        KnowledgeBase.from_facts([(name,) for name in facts], schema=schema, interpretation=day)
        for day, facts in days.items()
    )
    alp = AutoEncoder(compression=2).fit(kb)
    assert alp.loss_ == 0
    assert alp.latent_facts_ == 3
    assert alp.reconstruct(kb).loss == 0
    assert {len(clause.head.arguments) for clause in (*alp.encoder_, *alp.decoder_)} == {0}


def test_background_facts_keep_their_types_on_new_data():
    kb = KnowledgeBase.from_facts(["mother(padme,luke)", "mother(padme,leia)", "jedi(luke)"])
    alp = AutoEncoder(compression=2, background="force(luke). force(yoda).").fit(kb)
    other = KnowledgeBase.from_facts(["mother(leia,ben)", "jedi(leia)"])
    assert alp.reconstruct(other).facts == 2


def test_a_bound_is_about_all_candidates_only_where_no_rule_can_have_lost_any():
    """The bottleneck limits a mean: a clause that rebuilds nothing may bring in a small latent."""
    kb = KnowledgeBase.from_facts(["p(a)", "p(e)", "q(d)", "q(e)", "r(a,b)", "r(b,b)", "r(c,d)"])
    options = {"max_corruption": None, "drop_extensions": False, "max_decoders": None}
    alp = AutoEncoder(1, 1, "0.9", bottlenecks=("average",), **options).fit(kb)
    assert alp.statistics_["candidates"]["pruned"]["unsupported"]
    assert alp.bound_scope_ == "pruned"
    full = AutoEncoder(1, 1, "2", max_corruption=None).fit(KnowledgeBase.from_facts(["p(a)", "p(b)"]))
    assert (full.bound_, full.bound_scope_) == (0, "language")
    kb = KnowledgeBase.from_facts(["p(a)", "p(b)"])
    part = AutoEncoder(1, 1, "0.4", max_corruption=None, bottlenecks=("total",), reconstruct_all=False).fit(
        kb
    )
    assert (part.bound_, part.bound_scope_) == (2, "enumerated")


def test_enumerating_far_beyond_the_time_limit_fails_clearly(monkeypatch):
    # The package has a function of the same name as the module.
    monkeypatch.setattr(sys.modules["logicoder.learner.time_budget"], "_GRACE", 0.0)
    with pytest.raises(LogicoderError, match="the candidates are not enumerated yet"):
        AutoEncoder(compression=0.8, time_limit=1e-6).fit(star_wars())


TIGHT = {"compression": 0.4, "bottlenecks": ("total",), "encoder_length": 1, "reconstruct_all": False}


class TestWeightsAndLimits:
    """On the training data, counted once more by running the programs."""

    kb = star_wars_figure()

    def mistakes(self, alp):
        return {p.predicate: (p.missing, p.false) for p in alp.reconstruct(self.kb).predicates}

    @pytest.mark.parametrize("weights", [{"saber": 3, "father": "1/2"}, {"jedi": 2.5}, "balanced"])
    def test_the_weighted_loss(self, weights):
        alp = AutoEncoder(weights=weights, **TIGHT).fit(self.kb)
        plain = AutoEncoder(**TIGHT).fit(self.kb)
        if weights == "balanced":
            most = max(map(self.kb.count, self.kb.learnable))
            weights = {name: Fraction(most, self.kb.count(name)) for name in self.kb.learnable}

        def weighted(model):
            return sum(Fraction(weights.get(p, 1)) * sum(n) for p, n in self.mistakes(model).items())

        assert alp.objective_ == weighted(alp) <= weighted(plain)
        assert alp.bound_ == alp.objective_
        assert alp.loss_ == sum(map(sum, self.mistakes(alp).values())) >= plain.loss_
        assert (alp.status_, alp.gap_) == ("optimal", 0)
        assert alp.history_[-1].objective == alp.objective_
        assert plain.objective_ == plain.loss_

    @pytest.mark.parametrize(
        ("limits", "kept"),
        [
            ({"saber": {"loss": 0}}, lambda found: found["saber"] == (0, 0)),
            ({"father": {"missing": "50%"}}, lambda found: found["father"][0] <= 1),
            ({"mother": {"clauses": 0}}, lambda found: found["mother"] == (2, 0)),
            (["saber:false=0", "father:missing=1"], lambda found: found["father"][0] <= 1),
        ],
    )
    def test_limits(self, limits, kept):
        alp = AutoEncoder(limits=limits, **TIGHT).fit(self.kb)
        assert kept(self.mistakes(alp))

    def test_parameters_come_back_from_a_file(self, tmp_path):
        alp = AutoEncoder(
            bottlenecks=(TotalFacts("0.9"), "latents=9"), weights={"saber": Fraction(1, 2)},
            limits={"saber": {"loss": 0}}, forbid="jedi/1", encoder_length=1,
        ).fit(self.kb)  # fmt: skip
        alp.save(tmp_path / "model.alp")
        again = AutoEncoder.load(tmp_path / "model.alp")
        assert again.get_params()["bottlenecks"] == ("total=9/10", "latents=9")
        assert (again.objective_, again.bits_) == (alp.objective_, alp.bits_)
        assert str(again.fit(self.kb).encoder_) == str(alp.encoder_)
