"""Every setting of the library: declared once, told everywhere alike, and safe against hostile values."""

from __future__ import annotations

import inspect
import math
import re

import pytest
from tests.hostile import HOSTILE

from logicoder import (
    AutoEncoder,
    KnowledgeBase,
    LogicoderError,
    StackedAutoEncoder,
    UsageError,
    rate_distortion,
)
from logicoder.base.setting import meaning, settings_of
from logicoder.evaluation.configuration import Configuration
from logicoder.evaluation.links.link_configuration import LinkConfiguration
from logicoder.learner.parameters import LearnerParameters
from logicoder.learner.settings import Settings
from logicoder.mln.inference import infer
from logicoder.mln.network import MarkovLogicNetwork
from logicoder.mln.structure.structure_learner import learn_structure
from logicoder.mln.structure.structure_settings import Settings as StructureSettings
from logicoder.mln.weight_parameters import InferenceParameters

ESTIMATORS = (AutoEncoder, StackedAutoEncoder)


@pytest.fixture(scope="module")
def kb():
    return KnowledgeBase.from_facts([("p", "a"), ("p", "b"), ("q", "a"), ("r", "a", "b")])


# -- one declaration ----------------------------------------------------------------------------------


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_signature_declaration_and_documentation_agree(estimator):
    declared = settings_of(estimator)
    signature = inspect.signature(estimator).parameters
    assert signature.keys() == declared.keys() == estimator().get_params().keys()
    for name, parameter in signature.items():
        assert parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
        assert parameter.default == declared[name].default
        assert re.search(rf"^ +{name}: {re.escape(declared[name].doc[:10])}", estimator.__doc__, re.MULTILINE)
    assert inspect.signature(estimator.__init__).parameters.keys() - {"self"} == signature.keys()


@pytest.mark.parametrize(
    "declaring",
    [StackedAutoEncoder, StructureSettings, InferenceParameters, Configuration, LinkConfiguration],
)
def test_defaults_are_in_range_and_words_are_there(declaring):
    for item in settings_of(declaring).values():
        item.check(item.default)
        assert item.doc
        assert not item.doc.endswith(".")
        assert item.group
        assert item.default is not None or item.unset
        assert meaning(item).startswith(item.doc)


def test_a_stack_has_the_settings_of_its_layers():
    assert settings_of(StackedAutoEncoder).keys() == settings_of(AutoEncoder).keys() | {"layers"}
    assert next(iter(inspect.signature(StackedAutoEncoder).parameters)) == "layers"


def test_the_learner_takes_what_determines_a_result():
    assert settings_of(Settings).keys() == settings_of(LearnerParameters).keys()
    assert settings_of(AutoEncoder).keys() - settings_of(Settings).keys() == {
        *("background", "holdout", "engine", "max_sample", "checkpoint", "resume", "reporter"),
    }


def test_positions():
    assert AutoEncoder(1, 3, "0.7").get_params()["compression"] == "0.7"
    with pytest.raises(TypeError):
        AutoEncoder(1, 2, 3, 4)
    assert StackedAutoEncoder(3, 1).get_params()["encoder_length"] == 1


# -- hostile values -----------------------------------------------------------------------------------


def survives(work):
    """Whether work ends well, or with an error for people."""
    try:
        work()
    except LogicoderError:
        return False
    return True


@pytest.mark.parametrize("name", settings_of(StackedAutoEncoder))
def test_no_value_breaks_a_fit(name, kb, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    quick = {"encoder_length": 1, "decoder_length": 1, "compression": 2, "effort": 1.0, "jobs": 1}
    ended = []
    for value in HOSTILE:
        if name == "checkpoint" and isinstance(value, str) and len(value) > 200:
            continue  # no file system has such a name, and says so itself
        if name == "layers":
            model = StackedAutoEncoder(**{**quick, name: value})
        else:
            model = AutoEncoder(**{**quick, name: value})
        ended.append(survives(lambda model=model: model.fit(kb)))
    assert not all(ended), "hostile values are refused"


def test_no_value_breaks_a_curve(kb):
    quick = {"encoder_length": 1, "decoder_length": 1, "effort": 1.0, "jobs": 1, "points": 1}
    for name in (*settings_of(Settings), "points", "compressions", "layers", "header"):
        for value in (2**63, "no", math.nan, math.inf, "7" * 4000, -1, object()):
            survives(lambda n=name, v=value: rate_distortion(kb, **{**quick, n: v}))


@pytest.mark.parametrize("declaring", [Configuration, LinkConfiguration])
def test_no_value_breaks_a_configuration(declaring):
    for name in settings_of(declaring):
        assert not all(survives(lambda n=name, v=value: declaring(**{n: v})) for value in HOSTILE)


def test_no_value_breaks_structure_learning(kb):
    for name in settings_of(StructureSettings):
        for value in HOSTILE:
            survives(lambda n=name, v=value: learn_structure(kb, **{"max_literals": 1, n: v}))
    with pytest.raises(UsageError, match="learn_structure has no parameter 'speed'"):
        learn_structure(kb, speed=1)


def test_no_value_breaks_inference(kb):
    network = MarkovLogicNetwork(kb.schema)
    for name in ("method", "samples", "burn_in", "chains", "precision", "seed"):
        for value in HOSTILE:
            survives(lambda n=name, v=value: infer(network, kb, ["p"], **{n: v}))
