"""MkDocs' hook for the manual (mkdocs.yml): collect the pages, and move scripts out of their markup.

The pages come from the whole project. A page's address in MkDocs is its path in the project, so that the same relative
links work on the site and in the source. Pages outside `docs` are served below `project/`.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from mkdocs.utils import get_relative_url

ROOT = Path(__file__).resolve().parent.parent
PAGES = (
    "docs/**/*.md",
    "*.md",
    "systemd/*.md",
    "systemd/image/*.md",
    "web_panel/*.md",
    "hardware/*/*.md",
    "maps/*/*.md",
    "games/*/book/*.md",
    "games/*/screens/*.md",
)
PICTURES = tuple(f"docs/**/*{ending}" for ending in (".svg", ".png", ".webp"))
ICON = "web_panel/static/icon.svg"
POLISH = re.compile(r"^docs/pl/|\.pl\.md$")
"""Matches the paths of pages in Polish."""

SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
QUOTED = re.compile(r"(?<!\[)`([\w./-]+\.md)`")
"""Matches a page mentioned in the text, as a path in backticks."""
FENCED = re.compile(r"^( *)(```|~~~).*?^\1\2|^(?: {4}|\t).*?$", re.MULTILINE | re.DOTALL)
UNUSED = ("404.html", "sitemap.xml", "sitemap.xml.gz", "assets/javascripts/lunr", "**/*.map")
"""Files of the theme that the table does not serve."""


def address(path: str) -> str:
    """Return the address of a file on the site, without its file extension if it is a page."""
    if path == ICON:
        return "assets/icon.svg"
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    place = PurePosixPath("project", path)
    return str(place.parent if place.stem == "README" and place.parent.name != "project" else place).lower() + (
        ".md" if place.stem == "README" and place.parent.name != "project" else ""
    )


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Use the project's pages and pictures instead of those of one folder. The theme's own files stay."""
    kept = [file for file in files if file.src_dir != config.docs_dir]
    paths = [path for pattern in (*PAGES, *PICTURES) for path in sorted(ROOT.glob(pattern))]
    ours = dict.fromkeys([*(path.relative_to(ROOT).as_posix() for path in paths), ICON])
    return Files([*kept, *(_file(path, config) for path in ours)])


def _file(path: str, config: MkDocsConfig) -> File:
    to = re.sub(r"\.md$", ".html", address(path))
    return File(path, str(ROOT), config.site_dir, config.use_directory_urls, dest_uri=to)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn each page that is named in backticks into a link to it."""

    def linked(match: re.Match[str]) -> str:
        beside = PurePosixPath(page.file.src_uri).parent / match[1]
        for path in (match[1], str(beside)):
            found = files.get_file_from_path(path)
            if found is not None and found is not page.file:
                return f"[`{match[1]}`]({get_relative_url(path, page.file.src_uri)})"
        return match[0]

    # Leave code blocks unchanged; only the text between them gets links.
    code = [match.span() for match in FENCED.finditer(markdown)]
    parts, at = [], 0
    for start, end in (*code, (len(markdown), len(markdown))):
        parts += [QUOTED.sub(linked, markdown[at:start]), markdown[start:end]]
        at = end
    return "".join(parts)


def on_page_context(context: dict[str, Any], page: Page, config: MkDocsConfig, nav: Any) -> dict[str, Any]:
    """Set the theme's language to that of the page."""
    config.theme["language"] = "pl" if POLISH.search(page.file.src_uri) else "en"
    return context


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Move scripts out of the markup, where the content security policy forbids them."""

    def moved(match: re.Match[str]) -> str:
        # Named by its content, so that equal scripts of different pages share a file.
        name = f"assets/inline/{hashlib.sha256(match[1].encode()).hexdigest()[:12]}.js"
        file = Path(config.site_dir, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(match[1], "utf-8")
        return f'<script src="{get_relative_url(name, page.url)}"></script>'

    return SCRIPT.sub(moved, output)


def on_post_build(config: MkDocsConfig) -> None:
    """Remove files of the theme that the table does not need."""
    for pattern in UNUSED:
        # In reverse order, files come before the folders that contain them.
        for path in sorted(Path(config.site_dir).glob(pattern), reverse=True):
            for inner in sorted(path.rglob("*"), reverse=True) if path.is_dir() else ():
                inner.unlink() if inner.is_file() else inner.rmdir()
            path.unlink() if path.is_file() else path.rmdir()
