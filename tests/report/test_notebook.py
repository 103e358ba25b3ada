"""What a notebook shows: plain HTML, escaped, of bounded size."""

from __future__ import annotations

from logicoder import AutoEncoder, KnowledgeBase, StackedAutoEncoder

from .test_markup import read


def test_a_model(model):
    shown = read(model._repr_html_())
    assert "script" not in shown.tags
    assert "father(X,Y) :- male(X), young(Y)." in shown.text
    assert shown.text.index("Encoder") < shown.text.index("parent(X,Y)") < shown.text.index("Decoder")


def test_results_of_a_fit(family):
    shown = read(AutoEncoder(encoder_length=1, compression=2).fit(family)._repr_html_()).text
    assert "AutoEncoder · 7 facts in " in shown
    assert " · loss 0 · bound 0 (optimal) · " in shown


def test_a_model_without_programs():
    assert "AutoEncoder(seed=3), not fitted yet" in read(AutoEncoder(seed=3)._repr_html_()).text
    assert "not fitted yet" in read(StackedAutoEncoder(2)._repr_html_()).text


def test_layers():
    below = AutoEncoder.from_programs("l(X) :- p(X).", "p(X) :- l(X).")
    above = AutoEncoder.from_programs("t(X) :- l(X).", "l(X) :- t(X).")
    text = read(StackedAutoEncoder.from_layers([below, above])._repr_html_()).text
    assert text.index("Encoder of layer 1") < text.index("t(X) :- l(X).") < text.index("Decoder of layer 2")


def test_long_programs_are_cut():
    encoder = "\n".join(f"l{i}(X) :- p(X)." for i in range(100))
    text = read(AutoEncoder.from_programs(encoder, "p(X) :- l0(X).")._repr_html_()).text
    assert "l59(X) :- p(X)." in text
    assert "l60(" not in text
    assert "and 40 more clauses" in text


def test_a_knowledge_base():
    facts = [("<script>", "</div>", i) for i in range(30)]
    shown = read(KnowledgeBase.from_facts(facts)._repr_html_())
    assert "KnowledgeBase · 30 facts · 1 predicate · 31 constants · 1 interpretation" in shown.text
    assert "'<script>'('</div>',9)." in shown.text
    assert "'</div>',10" not in shown.text
    assert "script" not in shown.tags
    assert "0 facts" in read(KnowledgeBase.from_facts([])._repr_html_()).text
