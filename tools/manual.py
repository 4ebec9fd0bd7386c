"""The manual as a site: build it with MkDocs (mkdocs.yml, manual_hook.py), and check its links.

Pictures are checked, too.

    python -m tools.manual          into web_panel/site, where the table serves it at /docs
    python -m tools.manual FOLDER   somewhere else

Exit codes: 0 built without broken links · 1 otherwise.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "web_panel" / "site"
LINK_ATTRIBUTES = {"a": "href", "link": "href", "img": "src", "script": "src", "source": "src"}
"""Elements -> their attribute that contains a link."""
MARKUP = re.compile(r"(?:^|\n)\s*(?:```|~~~|[-*] \S|\d+\. \S|\|.*\|\s*$)", re.MULTILINE)
"""Matches Markdown that was not converted in a paragraph: a fence, a list, a table."""


class SitePage(HTMLParser):
    """One page of the site: its anchors, its links, and errors in its markup."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.faults: list[str] = []
        self._inside: list[str] = []
        self._paragraph = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.anchors.update({found[name] for name in ("id", "name") if name in found})
        if (address := found.get(LINK_ATTRIBUTES.get(tag, ""))) is not None:
            self.links.append(address)
        if "style" in found or any(name.startswith("on") for name in found):
            self.faults.append(f"style or script in the markup of <{tag}>")
        if tag in ("script", "style") and "src" not in found and found.get("type") != "application/json":
            self.faults.append(f"<{tag}> in the markup")
        if tag == "img" and "alt" not in found:
            self.faults.append(f"a picture without alt text: {found.get('src')}")
        if tag == "p":
            self._paragraph = ""
        self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        # Elements without an end tag, such as <br>, are on the stack, too; drop them.
        while self._inside and self._inside.pop() != tag:
            pass
        if tag == "p" and MARKUP.search(self._paragraph):
            self.faults.append(f"Markdown that was not understood: {self._paragraph.strip()[:80]!r}")

    def handle_data(self, data: str) -> None:
        # Code may contain what looks like Markdown.
        if "p" in self._inside and not {"code", "pre"} & {*self._inside}:
            self._paragraph += data


def build(site: Path = SITE) -> int:
    """Build the site; return the exit code of MkDocs, which treats warnings as errors."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(site.resolve())]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


def site_faults(site: Path = SITE) -> list[str]:
    """Return all broken links, and all markup that the table's content security policy forbids."""
    pages = {path: SitePage(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        where = path.relative_to(site)
        found += [f"{where}: {fault}" for fault in page.faults]
        broken = (link for link in dict.fromkeys(page.links) if not _works(path, link, pages))
        found += [f"{where}: {link} is a broken link" for link in broken]
    return found


def _works(path: Path, lead: str, pages: dict[Path, SitePage]) -> bool:
    """Return whether a link works. Links to other machines are not followed."""
    parts = urlsplit(lead)
    if parts.scheme or parts.netloc:
        return parts.scheme in ("https", "http", "mailto", "data") and bool(parts.netloc or parts.path)
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    # Only pages of the site have known anchors.
    if not parts.fragment or target not in pages:
        return target.is_file()
    return unquote(parts.fragment) in pages[target].anchors


def main(words: list[str]) -> int:
    """Build the site and check it; return the exit code."""
    site = Path(words[0]).resolve() if words else SITE
    if (code := build(site)) != 0:
        return code
    if found := site_faults(site):
        print("\n".join(found), file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) / 2**20
    print(f"The manual: {len(list(site.rglob('*.html')))} pages, {size:.1f} MiB, in {site}.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
