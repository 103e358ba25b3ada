"""Changes between neighbouring bins are not suggested, those to others are."""

from __future__ import annotations

import pytest

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.autoencoder.bin_suggestions import only_of_bins
from logicoder.autoencoder.suggestions import Suggestion

BINS = ("[..10)", "[10..20)", "[20..30)", "[30..)")


@pytest.mark.parametrize(
    ("kind", "atom", "expected", "evidence", "dropped"),
    [
        ("change", "p(a,'[458..469)')", "p(a,'[469..)')", "p(X,Y) :- q(X,Y).", True),
        ("change", "p(a,'[469..)')", "p(a,'[458..469)')", "p(X,Y) :- q(X,Y).", True),
        ("change", "p(a,'[..458)')", "p(a,'[469..)')", "p(X,Y) :- q(X,Y).", False),
        ("change", "p(a,'[1..2)')", "p(b,'[1..2)')", "p(X,Y) :- q(X,Y).", False),
        ("change", "p(a,red)", "p(a,blue)", "p(X,Y) :- q(X,Y).", False),
        ("check", "p(a,'[1..2)')", "", "", True),
        ("check", "p(a,red)", "", "", False),
    ],
)
def test_which_rest_on_bins(kind, atom, expected, evidence, dropped):
    assert only_of_bins(Suggestion(kind, 0.9, atom, expected, "", 1, 98, 99, evidence)) is dropped


def test_gross_follows_from_net_but_for_the_ends_of_bins():
    net = {f"o{i}": (7 * i) % 4 for i in range(400)}
    gross = dict(net)
    for order in ("o40", "o80", "o122"):
        gross[order] += 1
    gross["o200"] = 3  # of the first bin, and so no neighbour
    rows = [("net", order, BINS[place]) for order, place in net.items()]
    kb = KnowledgeBase.from_facts([*rows, *(("gross", order, BINS[place]) for order, place in gross.items())])
    model = AutoEncoder().fit(kb)
    likely = {row.atom.split("(")[1].split(",")[0] for row in model.suggest(kb).of("change")}
    assert likely == {"o200"}
    weak = {row.atom.split("(")[1].split(",")[0] for row in model.suggest(kb, weak=True).of("change")}
    assert weak >= {"o40", "o80", "o122", "o200"}
