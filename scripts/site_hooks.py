"""Hooks of MkDocs: what the site holds beside the pages in `docs`, and what it must not hold.

Pages are written for a code host as well, so links lead to files of the repository. Here those outside of
`docs` become pages of their own: the README is the first page, examples and notebooks are shown, everything
else is a file to open. `llms.txt` lists all pages for readers that are programs. A page that would load
anything from elsewhere is an error.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from posixpath import normpath, relpath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

sys.path.insert(0, str(Path(__file__).parent))
from notebook_pages import notebook_page

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"

HOMES = {
    "README.md": "index.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CODE_OF_CONDUCT.md": "project/code-of-conduct.md",
    "SECURITY.md": "project/security.md",
    "SUPPORT.md": "project/support.md",
    "RELEASING.md": "project/releasing.md",
    "docs/decisions": "decisions/index.md",
    "examples": "tutorials/examples.md",
}
"""Files and folders of the repository that are pages elsewhere on the site."""

_LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")
_FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
_ALONE = "---\nhide: [navigation]\n---\n\n"
"""The first page has no others beside it, and needs the room for its code."""
_SEARCH_DIALOG = 'data-md-component="search" role="dialog"'
_LOADED = re.compile(
    r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"?https?:|<link\b[^>]*\bhref=\"?https?:[^>]*>"
)


# -- where things are -----------------------------------------------------------------------------------


def site_path(source: str) -> str:
    """Return where a file of the repository is on the site.

    >>> site_path("README.md"), site_path("docs/howto/run.md"), site_path("benchmarks/scale.py")
    ('index.md', 'howto/run.md', 'project/files/benchmarks/scale.py')
    """
    if source in HOMES:
        return HOMES[source]
    if source.startswith("docs/"):
        return source.removeprefix("docs/")
    if source.startswith("notebooks/"):
        return f"tutorials/{source.removesuffix('.ipynb')}.md"
    return f"project/files/{source}"


def source_path(page: str) -> str:
    """Return the file of the repository that a page of the site was made from."""
    homes = {site: source for source, site in HOMES.items()}
    if page in homes:
        return homes[page]
    if page.startswith("tutorials/notebooks/"):
        return page.removeprefix("tutorials/").removesuffix(".md") + ".ipynb"
    return f"docs/{page}"


def linked(markdown: str, page: str) -> str:
    """Return the text of a page with links that lead to pages of the site."""
    folder = os.path.dirname(source_path(page))
    here = os.path.dirname(page)

    def replaced(found: re.Match[str]) -> str:
        path, mark, anchor = found[2].partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return found[0]
        target = site_path(normpath(os.path.join(folder, path)))
        return f"{found[1]}{relpath(target, here or '.')}{mark}{anchor}{found[3]}"

    parts, last = [], 0
    for fence in _FENCE.finditer(markdown):
        parts += [_LINK.sub(replaced, markdown[last : fence.start()]), fence[0]]
        last = fence.end()
    return "".join(parts) + _LINK.sub(replaced, markdown[last:])


def plain_rows(markdown: str) -> str:
    r"""Return a page with plain bars in the code of tables, where code hosts want a backslash before them.

    >>> plain_rows(r"| `a\|b` | x\|y |")
    '| `a|b` | x\\|y |'
    """
    return re.sub(
        r"^\|.*$",
        lambda row: re.sub(r"`[^`]*`", lambda code: code[0].replace("\\|", "|"), row[0]),
        markdown,
        flags=re.MULTILINE,
    )


def title_of(text: str) -> str:
    """Return the title of a page in Markdown."""
    found = _TITLE.search(text)
    return found[1].replace("`", "") if found else ""


# -- hooks ----------------------------------------------------------------------------------------------


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fold up the decisions below the architecture in the navigation: each new one is a file more."""
    paths = sorted((DOCS / "decisions").glob("[0-9]*.md"))
    pages: list[Any] = [
        {title_of(path.read_text(encoding="utf-8")): f"decisions/{path.name}"} for path in paths
    ]
    explanation = next(entry["Explanation"] for entry in config.nav or () if "Explanation" in entry)
    design = next(entry["Design"] for entry in explanation if "Design" in entry)
    design.append({"Decisions": ["decisions/index.md", *pages]})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what does not lie in `docs`."""

    def add(path: str, text: str | bytes) -> None:
        files.append(File.generated(config, path, content=text))

    for source, page in HOMES.items():
        if (ROOT / source).is_file():
            text = (ROOT / source).read_text(encoding="utf-8")
            add(page, _ALONE + text if source == "README.md" else text)
    add("decisions/index.md", _decisions())
    add("tutorials/examples.md", _examples())
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        add(site_path(f"notebooks/{path.name}"), notebook_page(path))
        add(f"tutorials/notebooks/{path.name}", path.read_bytes())
    for source in sorted(_files_linked_to()):
        add(site_path(source), (ROOT / source).read_bytes())
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Mend the links of a page, and mark sessions as such: their prompts and outputs are not copied."""
    if page.file.src_uri.startswith("decisions/"):
        page.meta["search"] = {"boost": 0.2}  # guides and reference come before them
    return plain_rows(linked(markdown, page.file.src_uri)).replace("```python\n>>>", "```pycon\n>>>")


def on_post_page(output: str, **_: Any) -> str:
    """Name the dialogue of the search, which the theme leaves without a name for screen readers."""
    return output.replace(_SEARCH_DIALOG, f'{_SEARCH_DIALOG} aria-label="Search"')


def on_post_build(config: MkDocsConfig) -> None:
    """Write `llms.txt`, and refuse pages that load something from elsewhere."""
    site = Path(config.site_dir)
    for path in sorted(site.rglob("*.html")):
        found = _LOADED.search(path.read_text(encoding="utf-8"))
        if found and 'rel="canonical"' not in found[0]:
            raise PluginError(f"{path.relative_to(site)} loads something from elsewhere: {found[0]}")
    (site / "llms.txt").write_text(_list_of_pages(config), encoding="utf-8")


# -- pages that are made --------------------------------------------------------------------------------


def _decisions() -> str:
    lines = ["# Decisions\n", "What was decided about the design, and why; the oldest first.\n"]
    for path in sorted((DOCS / "decisions").glob("[0-9]*.md")):
        lines.append(f"- [{title_of(path.read_text(encoding='utf-8'))}](decisions/{path.name})")
    return "\n".join(lines) + "\n"


def _examples() -> str:
    parts = ["# Scripts\n\nShort programs to start from; the tests run each of them.\n"]
    for path in sorted((ROOT / "examples").glob("*.py")):
        parts.append(f"## {path.stem}.py\n\n```python\n{path.read_text(encoding='utf-8').rstrip()}\n```\n")
    return "\n".join(parts)


def _files_linked_to() -> set[str]:
    """Return the files of the repository that pages link to and that are no pages themselves."""
    found = set()
    for page in [*DOCS.rglob("*.md"), *(ROOT / source for source in HOMES if source.endswith(".md"))]:
        if not page.exists():
            continue
        for _, link, _ in _LINK.findall(_FENCE.sub("", page.read_text(encoding="utf-8"))):
            target = normpath(os.path.join(os.path.dirname(page), link.partition("#")[0]))
            source = os.path.relpath(target, ROOT)
            if os.path.isfile(target) and site_path(source).startswith("project/files/"):
                found.add(source)
    return found


def _list_of_pages(config: MkDocsConfig) -> str:
    """Return the pages by section, each with its first sentence, as https://llmstxt.org has it."""
    lines = [f"# {config.site_name}", "", f"> {config.site_description}.", ""]

    def walk(entries: list[Any], level: int) -> None:
        for entry in entries:
            title, target = next(iter(entry.items())) if isinstance(entry, dict) else ("Overview", entry)
            if isinstance(target, list):
                lines.extend(["", f"{'#' * level} {title}", ""])
                walk(target, level + 1)
            else:
                lines.append(f"- [{title}]({target.removesuffix('.md')}.html){_about(target)}")

    walk(config.nav or [], 2)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)) + "\n"


def _about(page: str) -> str:
    """Return the first sentence of a page, after a colon."""
    source = ROOT / source_path(page)
    made = {"decisions/index.md": _decisions, "tutorials/examples.md": _examples}
    if page in made:
        text = made[page]()
    elif source.suffix == ".ipynb":
        text = notebook_page(source).partition("come from a run.")[2]
    else:
        text = source.read_text(encoding="utf-8") if source.is_file() else ""
    paragraphs = re.split(r"\n{2,}", _FENCE.sub("", text).strip())
    first = next((part for part in paragraphs if re.match(r"[\w*`\[(]", part)), "")
    sentence = re.split(r"[.:]\s", " ".join(first.split()))[0]
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", sentence).rstrip(":.")
    return f": {plain}." if plain else ""
