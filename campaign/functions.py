"""Every public function, by its signature, with one argument that it cannot use."""

from __future__ import annotations

import inspect
import json
import logging
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from tests.hostile import HOSTILE

import logicoder
from campaign.corpus import DATA, corpus
from campaign.damage import damaged_text
from campaign.kind import Case, FoundError, set_limit
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
            if name.startswith("_") or not callable(method) or name in _LEFT_OUT:
                continue
            if inspect.signature(method).parameters:
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


_SLOW = ("AutoEncoder", "StackedAutoEncoder", "rate_distortion")
"""Those that learn: any setting of theirs is a parameter."""
BATCH = 200
_CALL_SECONDS = 20


@cache
def _parameters(name: str) -> list[inspect.Parameter]:
    return list(inspect.signature(_functions()[name]).parameters.values())


@cache
def _settings() -> list[str]:
    return [name for name in PARAMETERS if name not in ("layers", "reporter")]


def _recipe(random: Random, parameter: str, depth: int = 2) -> Any:
    """Return how a value is made: a number for one of the known, otherwise text or what holds others."""
    way = random.random()
    if depth == 0 or way < 0.3:
        return random.randrange(len(VALUES))
    sound = _sound().get(parameter)
    if way < 0.7:
        start = sound if isinstance(sound, str) else random.choice(_WORDS)
        for _ in range(random.choice((1, 1, 2, 4))):
            start = damaged_text(random, start, list(_WORDS))
        return {"text": start}
    if way < 0.85:
        return {"number": random.choice((-1, 1)) * random.getrandbits(random.choice((1, 4, 16, 64, 200)))}
    if way < 0.9:
        return {"float": random.choice((-1, 1)) * random.random() * 10.0 ** random.randrange(-320, 309)}
    several = [_recipe(random, parameter, depth - 1) for _ in range(random.randrange(4))]
    if way < 0.95:
        return {"list": several} if way < 0.93 else {"tuple": several}
    names = ("man", "mother", "total", "x", "", "7")
    return {"dict": {random.choice((*names, *_WORDS)): one for one in several}}


def _made(recipe: Any) -> Any:
    """Return the value that a recipe makes."""
    if isinstance(recipe, int):
        return VALUES[recipe]
    ((kind, content),) = recipe.items()
    if kind == "dict":
        return {name: _made(one) for name, one in content.items()}
    if kind in ("list", "tuple"):
        return (list if kind == "list" else tuple)(_made(one) for one in content)
    return content


_WORDS = (
    "man(luke)", "p(X) :- q(X), \\+ r(X).", "mother(leia,X), X \\= luke", "total=0.5", "man:loss=1", "512MiB",
    "0.75", "2x2", "earth", "person",
)  # fmt: skip


class Functions:
    """A wrong argument is refused in words."""

    unit = "inputs"
    seconds = 120

    def __init__(self) -> None:
        self._spent: dict[str, float] = {}
        self._tried: set[int] = set()

    def case(self, random: Random) -> Case:
        """Return where random calls start from."""
        return {"seed": random.getrandbits(32)}

    def check(self, case: Case, folder: Path) -> int:
        """Call functions at random, or the one that the case is about."""
        logging.getLogger("logicoder").setLevel(logging.ERROR)
        if "function" in case:
            self._call(case, folder)
            return 1
        random = Random(case["seed"])
        number = 0
        while number < BATCH:
            names = random.sample(list(_functions()), 8)
            # Some take milliseconds, and others learn: each gets the same time.
            name = min(names, key=lambda name: self._spent.get(name, 0.0))
            offered = _settings() if name in _SLOW else [p.name for p in _parameters(name)]
            wanted = random.sample(offered, min(len(offered), random.choice((1, 1, 2))))
            call = {"function": name, "given": {one: _recipe(random, one) for one in wanted}}
            mark = hash(json.dumps(call, sort_keys=True))
            if mark in self._tried:
                continue  # the same again is no other input
            self._tried.add(mark)
            number += 1
            began = process_time()
            set_limit(_CALL_SECONDS)
            try:
                self._call(call, folder)
            except Exception as error:
                why = str(error) if isinstance(error, FoundError) else f"{name}: {error!r}"
                raise FoundError(why, call, number) from error
            self._spent[name] = self._spent.get(name, 0.0) + process_time() - began + 1e-4
        return BATCH

    def _call(self, case: Case, folder: Path) -> None:
        """Call a function; Python's own TypeError will do where a value is of no use at all."""
        name = case["function"]
        values = {parameter: _made(recipe) for parameter, recipe in case["given"].items()}
        given, positional = dict(values), []
        if name == "rate_distortion":
            given["kb"] = _sound()["kb"]
        for parameter in _parameters(name) if "." in name else ():
            if parameter.kind is parameter.VAR_POSITIONAL:
                positional = [given.pop(parameter.name)] if parameter.name in given else []
            elif parameter.kind is parameter.VAR_KEYWORD:
                given.pop(parameter.name, None)
            elif (
                parameter.name not in given
                and parameter.default is parameter.empty
                and parameter.name in _sound()
            ):
                given[parameter.name] = _sound()[parameter.name]
        told = ", ".join(f"{parameter}={shown(value)}" for parameter, value in values.items())
        before = Path.cwd()
        os.chdir(folder)
        try:
            found = _functions()[name](*positional, **given)
            if inspect.isgenerator(found):
                list(found)
        except FoundError as error:  # of the clock
            raise FoundError(f"{name}({told}): {error}"[:1500]) from error
        except (logicoder.LogicoderError, TypeError) as error:
            if not str(error):
                raise FoundError(f"{name}({told}): no word") from error
        except Exception as error:
            raise FoundError(f"{name}({told}): {error!r}"[:1500]) from error
        finally:
            os.chdir(before)
