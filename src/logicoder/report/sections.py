"""The sections of a report: each turns content into markup."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from logicoder.autoencoder.run_record import versions
from logicoder.logic.gloss import glosses
from logicoder.logic.symbols import atom_text
from logicoder.report.architecture import svg_of
from logicoder.report.charts import Line, bar, line_chart
from logicoder.report.content import Content
from logicoder.report.evidence import ClauseEvidence, LayerEvidence
from logicoder.report.graph import graph_of, readable
from logicoder.report.markup import Markup, element
from logicoder.report.programs import atom_markup, clause_markup
from logicoder.report.steps import PHASES, progress_of, pruning_steps
from logicoder.report.tables import Column, Row, number, table

SCOPES = {
    "pruned": "proven for the candidates that were left",
    "enumerated": "proven for all candidates",
    "language": "proven for the whole language",
}
STOPPED = {"effort": "all effort was spent", "time limit": "the time was up"}


def section(key: str, heading: str, *content: object) -> Markup:
    """Return a section of the page with its heading."""
    return element(
        "section", element("h2", heading, id=f"{key}-heading"), *content, id=key, aria_labelledby=f"{key}-heading"
    )


# -- summary ------------------------------------------------------------------------------------------


def headline(content: Content) -> str:
    """Return the result in a sentence or two."""
    outcome = content.outcome
    latents = len(content.layers[-1].latents)
    text = (
        f"{outcome.facts:,} facts become {outcome.latent_facts:,} latent facts of {latents:,} latent "
        f"predicate{'s' if latents != 1 else ''}, "
    )
    if not outcome.loss:
        return f"{text}and all of them come back, without a single false one."
    return (
        f"{text}and {outcome.facts - len(outcome.missing):,} come back: "
        f"{len(outcome.missing):,} are missing and {len(outcome.false):,} false."
    )


def summary(content: Content) -> Markup:
    """Return numbers, settings, and how to make the model again."""
    notes = []
    if not content.on_training_data:
        notes.append(
            element(
                "p",
                f"The model was learned on other data: {number(content.result('facts'))} facts with a loss of "
                f"{number(content.result('loss'))}. Loss and predicates below are those of the data at hand; "
                "bound, gap and bits belong to the fit.",
                class_="note",
            )
        )
    return section(
        "summary",
        "Summary",
        element("dl", [_tile(*tile) for tile in _tiles(content)], class_="tiles"),
        notes,
        _reproducing(content),
        _settings(content),
    )


def _tile(name: str, value: str, remark: str) -> Markup:
    return element(
        "div",
        element("dt", name),
        element("dd", element("div", value, class_="value"), element("div", remark, class_="remark")),
        class_="tile",
    )


def _tiles(content: Content) -> Iterator[tuple[str, str, str]]:
    outcome = content.outcome
    worlds = len(content.data.interpretations)
    where = f" in {worlds:,} interpretations" if worlds > 1 else ""
    yield "facts", f"{outcome.facts:,}", f"of {len(outcome.predicates):,} predicates{where}"
    share = f"{outcome.latent_facts / outcome.facts:.0%} of the facts" if outcome.facts else ""
    yield "latent facts", f"{outcome.latent_facts:,}", share
    yield "loss", f"{outcome.loss:,}", f"{len(outcome.missing):,} missing, {len(outcome.false):,} false"
    if (bound := content.result("bound")) is not None:
        gap = content.result("gap")
        yield "gap", f"{gap:.1%}", f"bound {number(bound)}, {SCOPES.get(str(content.result('bound_scope')), '')}"
        stopped = content.result("stopped")
        yield "status", str(content.result("status")), STOPPED.get(str(stopped), stopped or "the search came to its end")
    if (saved := content.result("bits_saved")) is not None:
        plain = content.result("plain_bits")
        yield "bits saved", f"{saved:,.0f}", f"of {plain:,.0f}" + (f" ({saved / plain:.0%})" if plain else "")
    clauses = sum(len(layer.encoder) + len(layer.decoder) for layer in content.layers)
    remark = f"{clauses:,} clauses" if len(content.layers) == 1 else f"{clauses:,} clauses, {len(content.layers)} layers"
    size = content.result("size")
    yield ("size", number(size), remark) if size is not None else ("clauses", f"{clauses:,}", "")
    if seconds := (content.result("statistics") or {}).get("seconds"):
        yield "time", seconds_text(sum(seconds.values())), "for learning"


def seconds_text(seconds: float) -> str:
    """Return a duration.

    >>> seconds_text(0.123), seconds_text(75.2)
    ('0.12 s', '1 min 15 s')
    """
    if seconds < 60:
        return f"{seconds:.2f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s"


def _reproducing(content: Content) -> list[Markup]:
    """Return the command, the files with their sums, and the versions."""
    parts = []
    if command := content.record.get("command"):
        text = shlex.join(map(str, command))
        code = element("div", element("pre", element("code", text)), class_="line-of-code", data_copy_place=True)
        parts += [element("h3", "How to make it again"), element("div", code, class_="clause")]
    if inputs := content.record.get("inputs"):
        rows = [Row((element("bdi", str(item["path"])), element("code", item["sha256"]))) for item in inputs]
        listing = table("Files that were read, with their SHA-256 sums", (Column("file"), Column("sum")), rows)
        parts.append(element("details", element("summary", f"{len(rows)} files that were read"), listing))
    return parts


def _settings(content: Content) -> Markup:
    default = type(content.runs[0])().get_params()
    rows = [
        Row((name, setting_text(value), "" if name in default and default[name] == value else "changed"))
        for name, value in content.settings.items()
    ]
    made = table("Settings of the fit", (Column("setting"), Column("value"), Column("")), rows, plain=True)
    used = content.record.get("versions") or versions()
    told = table(
        "Versions", (Column("package"), Column("version")), (Row(pair) for pair in used.items()), plain=True
    )
    return element("details", element("summary", "Settings and versions"), made, told)


def setting_text(value: object) -> str:
    """Return a setting as text.

    >>> setting_text(True), setting_text(("total",)), setting_text(None)
    ('yes', 'total', '–')
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return number(value) if isinstance(value, int | float) else str(value)


# -- architecture -------------------------------------------------------------------------------------


def architecture(content: Content) -> Markup:
    """Return the picture of each layer, whole and by predicate."""
    several = len(content.layers) > 1
    parts: list[object] = [
        element(
            "p",
            "Read from left to right: facts, the clauses that read them, the latent predicates these define, "
            "the clauses that read those, and the facts again. Numbers are facts; the square of a line's "
            "width is proportional to them. Point at a node, or move to it with tab and the arrow keys, to "
            "light its path; it leads to its clause or its row.",
            class_="note",
        )
    ]
    for number_, layer in enumerate(content.layers, start=1):
        if several:
            parts.append(element("h3", f"Layer {number_}"))
        parts.append(_pictures(layer, number_, links_of(content)))
    return section("architecture", "Architecture", parts)


def _pictures(layer: LayerEvidence, place: int, links: Mapping[str, str]) -> Markup:
    graph = graph_of(layer)
    whole = readable(graph)
    names = [node.key.removeprefix("out ") for node in graph.column(4) if node.facts]
    shown = [_picture("", svg_of(whole, "Architecture of the whole program", links), hidden=False)]
    options = [element("option", "the whole program", value="")]
    for index, name in enumerate(sorted(names)):
        part = readable(graph.leading_to([f"out {name}"]))
        text = f"how {atom_text(name)} comes back"
        options.append(element("option", text, value=index))
        shown.append(_picture(str(index), svg_of(part, f"Architecture: {text}", links), hidden=True))
    grouped = None
    if whole.grouped:
        grouped = element(
            "p",
            "The program is large: clauses of the same predicates are drawn as groups. Choose a predicate to see "
            "its own clauses.",
            class_="note",
        )
    choice = element(
        "div",
        element("label", "Show", element("select", options, id=f"picture-{place}")),
        class_="controls needs-js",
    )
    return element("div", choice, grouped, shown, data_pictures=True)


def _picture(value: str, svg: Markup, *, hidden: bool) -> Markup:
    return element("div", svg, class_="picture", data_picture=value, hidden=hidden)


def links_of(content: Content) -> dict[str, str]:
    """Return where on the page clauses and predicates are told of."""
    found = {
        f"{side} {score.predicate}": f"predicate-{place}"
        for place, score in enumerate(content.outcome.predicates)
        for side in ("in", "out")
    }
    for layer in content.layers:
        for item in (*layer.encoder, *layer.decoder):
            found[item.key] = item.key
        for item in layer.encoder:
            for side in ("latent", "in", "out"):
                found.setdefault(f"{side} {item.clause.head.predicate}", item.key)
    return found


# -- programs -----------------------------------------------------------------------------------------


def programs(content: Content) -> Markup:
    """Return the clauses of every layer, each with its numbers and examples."""
    latents = {name for layer in content.layers for name in layer.latents}
    parts: list[object] = [
        element(
            "div",
            element(
                "label", "Filter clauses", element("input", type="search", id="clauses", autocomplete="off"), class_="grow"
            ),
            element("p", class_="note", data_count=True, role="status"),
            class_="controls needs-js",
        )
    ]
    background = content.model.background
    if background and content.layers:
        parts += [element("h3", "Background"), element("pre", element("code", str(background)))]
    for place, layer in enumerate(content.layers, start=1):
        which = f" of layer {place}" if len(content.layers) > 1 else ""
        told = glosses(content.model.programs()[place - 1][0])
        for name, items in (("Encoder", layer.encoder), ("Decoder", layer.decoder)):
            parts.append(element("h3", f"{name}{which}"))
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
            "div", code, class_="line-of-code", data_copy_place=True, data_copy=str(item.clause), data_copy_name="the clause"
        ),
        element("p", element("bdi", gloss), class_="quiet") if gloss else None,
        element("p", _numbers(item, layer)),
        _examples(item),
        class_="clause",
        id=item.key,
    )


def _numbers(item: ClauseEvidence, layer: LayerEvidence) -> list[object]:
    if item.part == "encoder":
        return [f"derives {item.derived:,} latent facts"]
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
        element("summary", f"{len(listed)} example{'s' if len(listed) > 1 else ''}"),
        element("ul", listed, class_="examples"),
    )


# -- predicates ---------------------------------------------------------------------------------------


def predicates(content: Content) -> Markup:
    """Return how each predicate came back, as bars and numbers."""
    scores = content.outcome.predicates
    most = max((score.facts + score.false for score in scores), default=1)
    rows = [
        Row(
            (
                element("code", atom_text(score.predicate)),
                bar((("good", score.rebuilt), ("missing", score.missing), ("false", score.false)), most),
                *(score.facts, score.rebuilt, score.missing, score.false),
                round(100 * score.rebuilt / score.facts, 1) if score.facts else None,
            ),
            f"predicate-{place}",
        )
        for place, score in enumerate(scores)
    ]
    columns = (
        Column("predicate"),
        Column("bar", sorts=False),
        *(Column(name, numeric=True) for name in ("facts", "reconstructed", "missing", "false", "% reconstructed")),
    )
    return section("predicates", "Predicates", _state_legend(), table("How each predicate comes back", columns, rows, sortable=True))


def _state_legend() -> Markup:
    entries = (("good", "reconstructed"), ("missing", "missing"), ("false", "false"))
    return element(
        "ul",
        [element("li", element("span", class_=f"key {kind}"), word) for kind, word in entries],
        class_="legend",
    )


# -- facts --------------------------------------------------------------------------------------------


def facts(content: Content, browsable: Mapping[str, Any]) -> Markup:
    """Return the frame of the fact browser."""
    notes = [
        "Search for words of a fact, or write one out, such as ",
        element("code", _some_atom(content)),
        ": an atom that is no fact is explained as well.",
    ]
    if "answers" in browsable:
        counts = browsable["counts"]
        listing = ", ".join(f"{total:,} {state}" for state, total in counts.items())
        notes = [
            f"The data is too large for one page ({listing}): it holds a sample of "
            f"{len(browsable['answers']):,} facts, a third of each kind as far as there are so many. "
            "logicoder explain answers for all others."
        ]

    def choice(name: str, words: str, every: str) -> Markup:
        options = element("option", every, value="")
        return element("label", words, element("select", options, data_part=name, id=f"browser-{name}"))

    form = element(
        "form",
        element(
            "label",
            "Search",
            element("input", type="search", data_part="search", id="browser-search", autocomplete="off", spellcheck="false"),
            class_="grow",
        ),
        choice("predicate", "Predicate", "all"),
        choice("state", "State", "all"),
        choice("world", "Interpretation", "all"),
        class_="controls",
        role="search",
    )
    pager = element(
        "div",
        element("button", "Back", type="button", class_="button", data_part="back", aria_label="Previous page"),
        element("span", data_part="page"),
        element("button", "Next", type="button", class_="button", data_part="forth", aria_label="Next page"),
        class_="pager",
    )
    lists = element(
        "div",
        element("p", data_part="count", class_="note", role="status"),
        element("ul", data_part="results", class_="results", aria_label="Facts"),
        pager,
    )
    panel = element(
        "div",
        element("p", "Choose a fact to see how it is derived.", class_="quiet"),
        class_="panel",
        data_part="panel",
        role="region",
        aria_label="Derivation",
        tabindex=0,
    )
    browser = element(
        "div", element("p", notes, class_="note"), form, element("div", lists, panel, class_="browser"), id="browser", class_="needs-js"
    )
    without = element(
        "p",
        "The fact browser is a part of the page that needs JavaScript and a screen; on the command line, "
        "logicoder explain shows the same.",
        class_="note without-js",
    )
    return section("facts", "Facts", browser, without)


def _some_atom(content: Content) -> str:
    return next((str(fact) for fact in content.data.facts()), "p(a,b)")


# -- search -------------------------------------------------------------------------------------------


def search(content: Content) -> Markup | None:
    """Return how the search went; None for programs that nobody searched for."""
    parts: list[object] = []
    for place, run in enumerate(content.runs, start=1):
        statistics = getattr(run, "statistics_", None)
        if not statistics:
            continue
        if len(content.runs) > 1:
            parts.append(element("h3", f"Layer {place}"))
        seconds = statistics.get("seconds", {})
        end = {
            "objective": getattr(run, "objective_", None),
            "bound": getattr(run, "bound_", None),
            "seconds": seconds.get("solve"),
        }
        quantity = "bits" if run.get_params()["objective"] == "bits" else "loss"
        if moments := progress_of(run.history_, end):
            lines = [
                Line("best program", "best", [(m.seconds, m.objective) for m in moments]),
                Line("proven bound", "bound", [(m.seconds, m.bound) for m in moments]),
            ]
            told = (
                f"{quantity.capitalize()} and bound over time: from {number(moments[0].objective)} to "
                f"{number(moments[-1].objective)}, bound {number(moments[-1].bound)}, in {moments[-1].seconds:.2f} seconds"
            )
            parts += [element("h4", f"{quantity.capitalize()} and bound over time"), line_chart(lines, told, "seconds of the search", quantity)]
        if "candidates" in statistics:
            parts.append(_pruning(statistics["candidates"]))
        if seconds:
            parts.append(_phases(seconds))
    return section("search", "How the search went", parts) if parts else None


def _pruning(candidates: Mapping[str, Any]) -> Markup:
    steps = pruning_steps(candidates)
    widest = {
        part: max([1, *(step.before for step in steps if step.part == part)]) for part in ("encoder", "decoder")
    }
    rows = [
        Row(
            (
                f"{step.part}s: {step.rule}",
                bar((("plain", step.after),), widest[step.part]),
                *(step.before, step.removed, step.after),
            )
        )
        for step in steps
    ]
    ends = [("encoders", "after_naming_variants"), ("decoders_evaluated", "decoders")]
    words = " and ".join(
        f"{number(candidates[first])} {what} candidates to {number(candidates[last])}"
        for (first, last), what in zip(ends, ("encoder", "decoder"), strict=True)
    )
    columns = (
        Column("rule"),
        Column("left", sorts=False),
        *(Column(name, numeric=True) for name in ("before", "removed", "after")),
    )
    return table(f"Candidates, from {words}", columns, rows)


def _phases(seconds: Mapping[str, float]) -> Markup:
    whole = sum(seconds.values()) or 1.0
    rows = [
        Row((PHASES.get(phase, phase), bar((("plain", spent),), whole), f"{spent:.2f}", f"{spent / whole:.0%}"))
        for phase, spent in seconds.items()
    ]
    columns = (Column("phase"), Column("share of the time", sorts=False), Column("seconds", numeric=True), Column("share", numeric=True))
    return table("Time of each phase", columns, rows)


# -- curve and layers ---------------------------------------------------------------------------------


def curve(content: Content) -> Markup | None:
    """Return the rate-distortion curve, where there is one."""
    if content.curve is None:
        return None
    points = [point for point in content.curve["points"] if point.get("minimised") is not None]
    lines = [
        Line("best program", "best", [(p["compression"], p["minimised"]) for p in points]),
        Line("proven bound", "bound", [(p["compression"], p["bound"]) for p in points]),
    ]
    names = ("compression", "latent_facts", "latent_predicates", "loss", "bound", "status")
    rows = [Row([point[name] for name in names]) for point in content.curve["points"]]
    columns = [Column(name.replace("_", " "), numeric=name != "status") for name in names]
    what = "bits" if content.curve["objective"] == "bits" else "loss"
    across = f"compression ({', '.join(content.curve['bottlenecks'])})"
    return section(
        "curve",
        "Rate and distortion",
        element("p", "How much is lost for how small a latent representation; bounds are proven.", class_="note"),
        line_chart(lines, f"{what} against {across}; the numbers follow in a table", across, what),
        table("Points of the curve", columns, rows, sortable=True),
    )


def layers(content: Content) -> Markup | None:
    """Return what each layer of a stack came to."""
    if len(content.layers) < 2:
        return None
    names = ("layer", "facts", "latent predicates", "latent facts", "loss", "bound", "status")
    rows = [
        Row(
            (
                place,
                sum(layer.inputs.values()),
                len(layer.latents),
                sum(layer.latents.values()),
                *(getattr(run, name, None) for name in ("loss_", "bound_", "status_")),
            )
        )
        for place, (layer, run) in enumerate(zip(content.layers, content.runs, strict=True), start=1)
    ]
    columns = [Column(name, numeric=name != "status") for name in names]
    return section("layers", "Layers", table("From the data upwards", columns, rows))


def everything(content: Content, browsable: Mapping[str, Any]) -> Sequence[tuple[str, str, Markup]]:
    """Return the sections with their keys and the words of the navigation."""
    made = (
        ("summary", "Summary", summary(content)),
        ("layers", "Layers", layers(content)),
        ("architecture", "Architecture", architecture(content)),
        ("programs", "Programs", programs(content)),
        ("predicates", "Predicates", predicates(content)),
        ("facts", "Facts", facts(content, browsable)),
        ("search", "Search", search(content)),
        ("curve", "Curve", curve(content)),
    )
    return [(key, words, markup) for key, words, markup in made if markup is not None]


