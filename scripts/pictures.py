"""Make the pictures of README and site from a fit of today's learner: `make docs` runs this first.

    python scripts/pictures.py

`docs/images/family.svg` shows the demo's program in three boxes, `docs/images/report.png` a screenshot of its
report. The latter needs a browser (`scripts/install-browser`) and is left as it is where there is none.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from html import escape
from importlib.util import find_spec
from pathlib import Path

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.base.palette import INK, INPUT, LATENT, LINE, QUIET, tinted
from logicoder.datasets import family
from logicoder.report import write_report

IMAGES = Path(__file__).parents[1] / "docs" / "images"

_STYLE = f"""
text {{ font: 13px "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: {INK}; }}
.title {{ font: 600 15px "DejaVu Sans", Helvetica, Arial, sans-serif; }}
.quiet {{ font: 13px "DejaVu Sans", Helvetica, Arial, sans-serif; fill: {QUIET}; }}
"""
_WIDTHS, _APART, _LINE_HEIGHT = (262, 386, 228), 40, 19
_SHOWN = ("grandparent", "brother", "aunt", "uncle")
"""Predicates whose clauses are in the picture; enough to see what the program means."""


def program_picture(model: AutoEncoder, kb: KnowledgeBase) -> str:
    """Return an SVG: the facts that are kept, some clauses, and the facts that follow."""
    kept = model.transform(kb)
    count = sum(1 for _ in model.decoder_)
    clauses = [f"{clause}" for clause in model.decoder_ if clause.head.predicate in _SHOWN]
    others = len(kept) - sum(kept.count(name) for name in model.kept_)
    kinds = f"all {' and '.join(model.kept_)}, and {others} more"
    rebuilt = [next(iter(kb.facts(name))) for name in ("married", *_SHOWN)]
    boxes = (
        (f"{len(kept):,} facts are kept", [*_some(kept, 5), "…"], kinds, LATENT),
        (f"{count} clauses were found", [*clauses, "…"], f"and {count - len(clauses)} more", LINE),
        (f"{len(kb):,} facts come back", [*map(_fact, rebuilt), "…"], "all of them, and nothing else", INPUT),
    )
    height = 92 + _LINE_HEIGHT * max(len(lines) for _, lines, _, _ in boxes)
    x, parts = 1.0, []
    for width, (title, lines, note, colour) in zip(_WIDTHS, boxes, strict=True):
        if parts:
            parts.append(_arrow(x - _APART + 6, height / 2))
        parts.append(
            f'<rect x="{x:g}" y="1" width="{width}" height="{height - 2}" rx="8" '
            f'fill="{tinted(colour)}" stroke="{colour}"/>'
        )
        parts.append(_text(x + 14, 28, title, "title"))
        parts += [_text(x + 14, 56 + _LINE_HEIGHT * n, line) for n, line in enumerate(lines)]
        parts.append(_text(x + 14, height - 14, note, "quiet"))
        x += width + _APART
    width = x - _APART + 1
    label = "A family: few facts are kept, clauses rebuild all others"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'role="img" aria-label="{label}">'
        f'<style>{_STYLE}</style><rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>\n'
    )


def _some(kb: KnowledgeBase, number: int) -> list[str]:
    names = sorted(kb.predicates, key=kb.count, reverse=True)
    facts = [list(kb.facts(name)) for name in names[:2]]
    mixed = [fact for pair in zip(*facts, strict=False) for fact in pair]
    return [_fact(fact) for fact in mixed[:number]]


def _fact(fact: object) -> str:
    return f"{fact}."


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    chosen = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{chosen}>{escape(text, quote=False)}</text>'


def _arrow(x: float, y: float) -> str:
    return f'<path d="M{x:g} {y:g}h24m-8 -6l8 6l-8 6" fill="none" stroke="{QUIET}" stroke-width="2"/>'


def screenshot(model: AutoEncoder, kb: KnowledgeBase, path: Path) -> bool:
    """Write a picture of the report with a derivation open; return whether there was a browser to do so."""
    chromium = os.environ.get("LOGICODER_CHROMIUM") or shutil.which("chromium")
    if chromium is None or find_spec("playwright") is None:
        return False
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (not everywhere)

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "report.html"
        write_report(model, kb, page_file, title="A family of three generations")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1200, "height": 760})
        page.goto(page_file.as_uri())
        page.fill("#browser-search", "aunt erika")
        page.press("#browser-search", "Enter")
        page.locator("#browser .results button").first.click()
        page.locator("#facts, #browser").first.scroll_into_view_if_needed()
        page.screenshot(path=path)
        browser.close()
    return True


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    data = family()
    learned = AutoEncoder().fit(data)
    (IMAGES / "family.svg").write_text(program_picture(learned, data), encoding="utf-8")
    if not screenshot(learned, data, IMAGES / "report.png"):
        sys.stderr.write("no browser: docs/images/report.png is left as it is; run scripts/install-browser\n")
