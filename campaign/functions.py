"""Every public function, by its signature, with one argument that it cannot use."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from tests.hostile import HOSTILE

import logicoder
from campaign.corpus import DATA, corpus
from campaign.kind import Case, FoundError
from logicoder import AutoEncoder, KnowledgeBase, LatentFeatures, StackedAutoEncoder
from logicoder.base.errors import shown
from logicoder.base.setting import settings_of
from logicoder.learner.stack_parameters import StackParameters

PARAMETERS = (*settings_of(StackParameters),)
_MORE = (
    "man", "mother", "man(luke)", "man(luke", "nothing(x)", "p(X) :- q(X).", "X", " ", "a" * 300,
    "é\u2028", "'", ["man"],
    [("p", "a")], [("p",)], [()], {"p": [("a",)]}, {"p": [["a", 1]]}, [("p", None)], [("p",
    float("nan"))], 3, 0.5,
    [1, 2], [[]], {"man": -1}, "/nowhere/at/all", "/", ".", Path("x"), range(3), {"a"}, iter(()),
    lambda: None,
)  # fmt: skip
VALUES: tuple[Any, ...] = (*HOSTILE, *_MORE)
_FIT = {"effort": 0.02, "time_limit": 2.0}


@cache
def _sound() -> dict[str, Any]:
    kb = KnowledgeBase.from_path(DATA)
    message = AutoEncoder.load(corpus() / "message")
    latent = message.transform(kb)
    return {
        "X": kb, "kb": kb, "data": kb, "y": None, "atom": "man(luke)", "facts": [("p", "a"), ("p", "b")],
        "path": "out.pl", "other": message, "query": "man(X)", "names": ["man"], "predicate": "man",
        "encoder": "l(X) :- man(X).", "decoder": "man(X) :- l(X).", "text": "p(X) :- q(X).",
        "latent": latent,
        "schema": kb.schema, "parts": [kb], "several": [kb],
        "exceptions": message.encode_losslessly(kb).exceptions,
        "triples": [("a", "r", "b")], "name": "paper", "layers": [message],
        "variations": [{"compression": "0.9"}],
        "predicates": ["man"], "source": corpus() / "shop.db", "frames": {}, "graph": [("a", "b")],
        "value": "x",
    }  # fmt: skip


@cache
def _functions() -> dict[str, Callable[..., Any]]:
    """Return the public functions and methods by name; methods are those of sound objects."""
    kb, model = _sound()["kb"], AutoEncoder.load(corpus() / "selection")
    stack = StackedAutoEncoder.load(corpus() / "stack")
    owners: dict[str, Any] = {
        "KnowledgeBase": kb, "AutoEncoder": model, "StackedAutoEncoder": stack, "Schema": kb.schema,
        "Program": model.encoder_, "Clause": model.encoder_.clauses[0],
        "LatentFeatures": LatentFeatures("person").fit(kb),
    }  # fmt: skip
    found: dict[str, Callable[..., Any]] = {
        "rate_distortion": lambda *given, **named: logicoder.rate_distortion(*given, **{**_FIT, **named}),
        "AutoEncoder": lambda **named: AutoEncoder(**{**_FIT, **named}).fit(kb),
        "StackedAutoEncoder": lambda **named: StackedAutoEncoder(2, **{**_FIT, **named}).checked(),
    }
    for owner, thing in owners.items():
        for name in dir(type(thing)):
            method = getattr(thing, name)
            if not name.startswith("_") and callable(method) and name not in _LEFT_OUT:
                found[f"{owner}.{name}"] = method
    return found


_LEFT_OUT = (
    "fit_several",
    "from_stored",
    "get_metadata_routing",
    "set_output",
    "table",
    "fit",
    "fit_transform",
)
"""Not for users, of scikit-learn, or tried by the constructors."""


class Functions:
    """A wrong argument is refused in words."""

    unit = "inputs"
    seconds = 60

    def case(self, random: Random) -> Case:
        """Return a function, a parameter, and which value it gets."""
        name = random.choice(list(_functions()))
        if name in ("AutoEncoder", "StackedAutoEncoder", "rate_distortion"):
            wanted = random.choice([p for p in PARAMETERS if p not in ("layers", "reporter")])
        else:
            taken = list(inspect.signature(_functions()[name]).parameters)
            wanted = random.choice(taken) if taken else ""
        return {"function": name, "parameter": wanted, "value": random.randrange(len(VALUES))}

    def check(self, case: Case, folder: Path) -> int:
        """Call the function; Python's own TypeError will do where a value is of no use at all."""
        name, wanted, value = case["function"], case["parameter"], VALUES[case["value"]]
        function = _functions()[name]
        given: dict[str, Any] = {wanted: value} if wanted else {}
        if name == "rate_distortion":
            given["kb"] = _sound()["kb"]
        positional = []
        for parameter in inspect.signature(function).parameters.values() if "." in name else ():
            if parameter.name == wanted and parameter.kind is parameter.VAR_POSITIONAL:
                positional = [given.pop(wanted)]
            elif parameter.name == wanted and parameter.kind is parameter.VAR_KEYWORD:
                given.pop(wanted)
            elif (
                parameter.name != wanted
                and parameter.default is parameter.empty
                and parameter.name in _sound()
            ):
                given[parameter.name] = _sound()[parameter.name]
        before = Path.cwd()
        os.chdir(folder)
        try:
            found = function(*positional, **given)
            if inspect.isgenerator(found):
                list(found)
        except (logicoder.LogicoderError, TypeError) as error:
            if not str(error):
                raise FoundError(f"{name}({wanted}={shown(value)}): no word") from error
        except Exception as error:
            raise FoundError(f"{name}({wanted}={shown(value)}): {error!r}"[:1500]) from error
        finally:
            os.chdir(before)
        return 1
