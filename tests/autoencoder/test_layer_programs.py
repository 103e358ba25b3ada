"""Names of layers on top of each other: they fit together, and every one is taken once."""

from __future__ import annotations

import pytest

from logicoder import InputError, Program, UsageError
from logicoder.autoencoder.layer import Layer
from logicoder.autoencoder.layer_programs import (
    flattened,
    require_latents,
    require_layers_that_fit,
    with_own_names,
)


def layer(encoder: str, decoder: str, background: str = "") -> Layer:
    return Layer(Program.parse(encoder), Program.parse(decoder), background=Program.parse(background))


BELOW = layer("l(X) :- p(X), b(X).", "q(X) :- l(X).", "b(X) :- p(X).")


@pytest.mark.parametrize("name", ["p", "q", "b", "l"])
def test_no_layer_takes_a_name_again(name) -> None:
    """Not that of a predicate of the data (read or rebuilt), of the background, or of a latent below."""
    above = layer(f"{name}(X) :- l(X).", f"l(X) :- {name}(X).")
    with pytest.raises(InputError, match=f"the latent predicate {name} of layer 2 has the name of another"):
        require_layers_that_fit([BELOW, above])
    third = layer(f"{name}(X) :- m(X).", f"m(X) :- {name}(X).")
    with pytest.raises(InputError, match=f"the latent predicate {name} of layer 3 has the name of another"):
        require_layers_that_fit([BELOW, layer("m(X) :- l(X).", "l(X) :- m(X)."), third])


def test_a_first_layer_may_not_take_the_name_of_its_own_data() -> None:
    with pytest.raises(InputError, match="the latent predicate p of layer 1 has the name of another"):
        require_layers_that_fit([layer("p(X) :- q(X). r(X) :- p(X).", "p(X) :- r(X).")])


def test_layers_speak_of_what_the_one_below_defines() -> None:
    fits = layer("m(X) :- l(X), c(X). n(X) :- m(X).", "l(X) :- n(X).", "c(X) :- l(X).")
    require_layers_that_fit([BELOW, fits])
    for stranger in ("p", "b"):  # the data and the background of the first layer are two layers below
        above = layer(f"m(X) :- {stranger}(X), l(X).", "l(X) :- m(X).")
        with pytest.raises(InputError, match=f"layer 2 uses {stranger}, which the layer below does not"):
            require_layers_that_fit([BELOW, above])
    third = layer("o(X) :- l(X).", "l(X) :- o(X).")
    with pytest.raises(InputError, match="layer 3 uses l, which the layer below does not define") as caught:
        require_layers_that_fit([BELOW, fits, third])
    assert caught.value.hint == "it defines: m, n"
    with pytest.raises(UsageError, match="at least one layer"):
        require_layers_that_fit([])


def test_decoders_speak_of_latents_and_of_each_other() -> None:
    encoder = Program.parse("l(X) :- p(X). m(X) :- q(X).")
    require_latents(encoder, Program.parse("p(X) :- aux(X). aux(X) :- l(X), m(X)."))
    with pytest.raises(InputError, match="the encoder defines no latent predicate k") as caught:
        require_latents(encoder, Program.parse("p(X) :- l(X). q(X) :- m(X), k(X)."))
    assert caught.value.hint == "it defines: l, m"


@pytest.mark.parametrize(
    ("number", "taken", "expected"),
    [
        (1, (), ["latent1", "latent_2", "other"]),
        (2, (), ["latent2_1", "latent2_2", "other"]),
        (3, ("latent3_1", "other", "other_"), ["latent3_1_", "latent3_2", "other__"]),
        (1, ("latent1", "latent1_"), ["latent1__", "latent_2", "other"]),
    ],
)
def test_numbered_latents_tell_their_layer(number, taken, expected) -> None:
    encoder = Program.parse("latent1(X) :- p(X). latent_2(X) :- q(X). other(X) :- latent1(X), r(X).")
    decoder = Program.parse(r"p(X) :- latent1(X), \+ other(X). q(X) :- latent_2(X). r(X) :- other(X).")
    one, two = with_own_names(encoder, decoder, number, taken)
    first, second, third = expected
    assert str(one) == str(
        Program.parse(f"{first}(X) :- p(X). {second}(X) :- q(X). {third}(X) :- {first}(X), r(X).")
    )
    assert str(two) == str(
        Program.parse(rf"p(X) :- {first}(X), \+ {third}(X). q(X) :- {second}(X). r(X) :- {third}(X).")
    )


def test_auxiliary_predicates_of_decoders_get_names_of_their_own() -> None:
    below = layer("l(X) :- p(X).", r"p(X) :- l(X), \+ aux(X). aux(X) :- l(X), bad(X). bad(a).")
    above = layer("m(X) :- l(X).", r"l(X) :- m(X), \+ p(X). p(b).")
    encoder, decoder = flattened([below, above])
    assert str(encoder) == "m(X) :- p(X)."
    assert set(decoder.defined()) >= {"p", "aux", "p_"}
    assert "p_(b)." in [str(clause) for clause in decoder]
    top = layer("n(X) :- m(X).", r"m(X) :- n(X), \+ p(X). p(c).")
    decoder = flattened([below, above, top])[1]
    assert {"p_(b).", "p__(c)."} <= {str(clause) for clause in decoder}
