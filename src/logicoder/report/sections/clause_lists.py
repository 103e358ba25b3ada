"""The programs: every clause in colours, with its numbers and examples."""

from __future__ import annotations

from logicoder.logic.gloss import glosses
from logicoder.report.charts import bar
from logicoder.report.clause_evidence import ClauseEvidence, LayerEvidence
from logicoder.report.clause_markup import atom_markup, clause_markup
from logicoder.report.content import Content
from logicoder.report.markup import Markup, element
from logicoder.report.page_tables import counted
from logicoder.report.sections.frame import section


def programs(content: Content) -> Markup:
    """Return the clauses of every layer, each with its numbers and examples."""
    latents = {name for layer in content.layers for name in layer.latents}
    parts: list[object] = [
        element(
            "div",
            element(
                "label",
                "Filter clauses",
                element("input", type="search", id="clauses", autocomplete="off"),
                class_="grow",
            ),
            element("p", class_="note", data_count=True, role="status"),
            class_="controls needs-js",
        )
    ]
    meant = "Support: facts that a clause derives. Corruption: the share of what it derives that is false."
    parts.append(element("p", meant, class_="note"))
    background = content.model.background_program()
    if background and content.layers:
        parts += [element("h3", "Background"), element("pre", element("code", str(background)))]
    for place, layer in enumerate(content.layers, start=1):
        which = f" of layer {place}" if len(content.layers) > 1 else ""
        told = glosses(content.model.programs()[place - 1][0])
        for name, items in (("Encoder", layer.encoder), ("Decoder", layer.decoder)):
            parts.append(element("h3", f"{name}{which}"))
            if not items:
                parts.append(element("p", "No clauses: facts are kept as they are.", class_="note"))
                continue
            listed = []
            for item in items:
                gloss = told.pop(item.clause.head.predicate, None) if item.part == "encoder" else None
                listed.append(_clause(item, latents, gloss, layer))
            parts.append(element("ol", listed, class_="program"))
    return section("programs", "Programs", element("div", parts, data_programs=True))


def _clause(item: ClauseEvidence, latents: set[str], gloss: str | None, layer: LayerEvidence) -> Markup:
    code = element("pre", element("code", clause_markup(item.clause, latents)))
    return element(
        "li",
        element(
            "div",
            code,
            class_="line-of-code",
            data_copy_place=True,
            data_copy=str(item.clause),
            data_copy_name="the clause",
        ),
        element("p", element("bdi", gloss, class_="quiet") if gloss else None, _numbers(item, layer)),
        _examples(item),
        class_="clause",
        id=item.key,
    )


def _numbers(item: ClauseEvidence, layer: LayerEvidence) -> list[object]:
    if item.part == "encoder":
        return [f" \N{EM DASH} derives {counted(item.derived, 'latent fact')}"]
    total = layer.inputs.get(item.clause.head.predicate, 0)
    return [
        bar((("good", item.true), ("false", item.false)), max(total, item.derived), 90),
        f" support {item.true:,} of {total:,} facts, {item.false:,} false, corruption {item.corruption:.1%}",
    ]


def _examples(item: ClauseEvidence) -> Markup | None:
    if not item.examples:
        return None
    listed = []
    for example in item.examples:
        mark = None
        if example.right is not None:
            kind, word = ("reconstructed", "right") if example.right else ("false", "false")
            mark = [" ", element("span", word, class_=f"tag {kind}")]
        body = [piece for text in example.body for piece in (", ", atom_markup(text))][1:]
        listed.append(element("li", element("code", atom_markup(example.head), " :- ", body), mark))
    return element(
        "details",
        element("summary", counted(len(listed), "example")),
        element("ul", listed, class_="examples"),
    )
