"""The summary: the result in a sentence and in numbers, settings, and how to make it again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from logicoder.autoencoder.run_record import versions
from logicoder.base.numbers import seconds_text
from logicoder.report.content import Content
from logicoder.report.markup import Markup, element
from logicoder.report.page_tables import NOTHING, Column, Row, counted, number, table
from logicoder.report.search_steps import FAR, SCOPES, TOO_FAR, why_stopped
from logicoder.report.sections.frame import section

_MEANINGS = {
    "loss": "facts that do not come back, and atoms that come back but are not facts",
    "gap": "how far the program can be from the best one, according to the bound, as a share",
    "size": "latent facts and literals of clauses",
    "bits saved": "relative to the facts with only the domains of arguments",
}
"""What the words of the tiles mean; also said below them."""


def headline(content: Content) -> str:
    """Return the result in a sentence or two."""
    totals = content.totals
    latents = len(content.layers[-1].latents)
    kind = "latent" if content.result("plan") is None else "kept"
    text = (
        f"{counted(totals.facts, 'fact')} become {counted(totals.latent_facts, f'{kind} fact')} "
        f"of {counted(latents, f'{kind} predicate')}, "
    )
    if not totals.loss:
        return f"{text}and all of them come back, without a single false one."
    return (
        f"{text}and {totals.facts - totals.missing:,} come back; "
        f"{totals.missing:,} missing, {totals.false:,} false."
    )


def summary(content: Content) -> Markup:
    """Return numbers, settings, and how to make the model again."""
    notes = []
    if content.remark:
        notes.append(element("p", content.remark, class_="note"))
    if not content.on_training_data:
        notes.append(
            element(
                "p",
                f"The model was learned on other data: {number(content.result('facts'))} facts with a loss "
                f"of {number(content.result('loss'))}. Loss and predicates below are those of the data at "
                "hand; bound, gap and bits belong to the fit.",
                class_="note",
            )
        )
    return section(
        "summary",
        "Summary",
        element("dl", [_tile(*tile) for tile in _tiles(content)], class_="tiles"),
        notes,
        element("p", "; ".join(f"{name}: {told}" for name, told in _MEANINGS.items()), ".", class_="note"),
        _reproducing(content),
        _settings(content),
    )


def _tile(name: str, value: str, remark: str) -> Markup:
    return element(
        "div",
        element("dt", name, title=_MEANINGS.get(name)),
        element("dd", element("div", value, class_="value"), element("div", remark, class_="remark")),
        class_="tile",
    )


def _tiles(content: Content) -> Iterator[tuple[str, str, str]]:
    totals = content.totals
    where = f" in {content.interpretations:,} interpretations" if content.interpretations > 1 else ""
    yield "facts", f"{totals.facts:,}", f"of {len(totals.predicates):,} predicates{where}"
    share = f"{totals.latent_facts / totals.facts:.0%} of the facts" if totals.facts else ""
    yield "latent facts", f"{totals.latent_facts:,}", share
    yield "loss", f"{totals.loss:,}", f"{totals.missing:,} missing, {totals.false:,} false"
    if (minimised := content.result("objective")) not in (None, content.result("loss")):
        what = "bits" if content.goal == "bits" else "the weighted loss"
        yield "minimised", number(minimised), f"{what}, on the data of the fit"
    if (bound := content.result("bound")) is not None:
        gap, scope = content.result("gap"), str(content.result("bound_scope"))
        known = SCOPES["none"] if scope == "none" else f"bound {number(bound)}, {SCOPES.get(scope, '')}"
        far = gap >= FAR and content.goal == "bits"
        yield "gap", NOTHING if far else f"{gap:.1%}", f"bound {number(bound)}, {TOO_FAR}" if far else known
        yield (
            "status",
            str(content.result("status")),
            why_stopped(content.model) or "the search finished",
        )
    if (saved := content.result("bits_saved")) is not None:
        plain, bits = content.result("plain_bits"), content.result("bits")
        sign = "\N{MINUS SIGN}" if saved < 0 else ""
        share = f", {bits / plain:.1%} of the {plain:,.0f} of the facts themselves" if plain else ""
        yield "bits saved", f"{sign}{abs(saved):,.0f}", f"{bits:,.0f} are left{share}"
    clauses = sum(len(layer.encoder) + len(layer.decoder) for layer in content.layers)
    remark = (
        f"{clauses:,} clauses"
        if len(content.layers) == 1
        else f"{clauses:,} clauses, {len(content.layers)} layers"
    )
    size = content.result("size")
    yield ("size", number(size), remark) if size is not None else ("clauses", f"{clauses:,}", "")
    if seconds := (content.result("statistics") or {}).get("seconds"):
        yield "time", seconds_text(sum(seconds.values())), "for learning"


def _reproducing(content: Content) -> list[Markup]:
    """Return the command, the files with their sums, and the versions."""
    parts = []
    if command := content.record.get("command"):
        text = shlex.join(map(str, command))
        code = element(
            "div", element("pre", element("code", text)), class_="line-of-code", data_copy_place=True
        )
        parts += [element("h3", "How to reproduce it"), element("div", code, class_="clause")]
    if inputs := content.record.get("inputs"):
        rows = [Row((element("bdi", str(item["path"])), element("code", item["sha256"]))) for item in inputs]
        listing = table(
            "Files that were read, with their SHA-256 sums", (Column("file"), Column("sum")), rows
        )
        parts.append(
            element(
                "details",
                element(
                    "summary", f"{counted(len(rows), 'file')} that {'was' if len(rows) == 1 else 'were'} read"
                ),
                listing,
            )
        )
    return parts


def _settings(content: Content) -> Markup:
    default = type(content.runs[0])().get_params()
    rows = [
        Row((name, setting_text(value), "yes" if name in default and default[name] == value else "no"))
        for name, value in content.settings.items()
    ]
    made = table(
        "Settings of the fit", (Column("setting"), Column("value"), Column("default")), rows, plain=True
    )
    used = content.record.get("versions") or versions()
    told = table(
        "Versions", (Column("package"), Column("version")), (Row(pair) for pair in used.items()), plain=True
    )
    return element("details", element("summary", "Settings and versions"), made, told)


def setting_text(value: object) -> str:
    r"""Return a setting as text.

    >>> setting_text(True), setting_text(("total",)), setting_text(None)
    ('yes', 'total', '–')
    """
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return number(value) if isinstance(value, int | float) else str(value)
