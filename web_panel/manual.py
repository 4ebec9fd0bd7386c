"""Serve the manual at /docs: the site that `make docs` builds into `site/`.

The site is not part of the repository. A table without it shows how to build it.
"""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, abort, redirect, send_from_directory
from werkzeug.wrappers import Response as AnyResponse

from firmware_host.api.interface import Text, UserError

SITE = Path(__file__).parent / "site"
HOME = "index.html"
SENT_TYPES = frozenset({".css", ".html", ".js", ".json", ".png", ".svg", ".webp"})
"""The file types that are sent to browsers."""
MISSING = Text(
    "The manual is not built into this table. In the project's folder run `make docs` and, for a table that is a "
    "service, `sudo make install`. The same pages are in its folder docs."
)


def manual_routes(site: Path = SITE) -> Blueprint:
    """Return the blueprint of the manual in a folder."""
    routes = Blueprint("manual", __name__)

    @routes.get("/docs")
    def entrance() -> AnyResponse:
        return redirect("/docs/", 308)  # the site's links are relative to its folder

    @routes.get("/docs/")
    def home() -> Response:
        return page(HOME)

    @routes.get("/docs/<path:file>")
    def page(file: str) -> Response:
        if not (site / HOME).is_file():
            raise UserError("no-manual", MISSING)
        if Path(file).suffix not in SENT_TYPES:
            abort(404)
        return send_from_directory(site, file)

    return routes


def manual_address(code: str, site: Path = SITE) -> str:
    """Return the address of the manual in a language; empty if the manual is not built."""
    if not (site / HOME).is_file():
        return ""
    return f"/docs/{code}/{HOME}" if (site / code / HOME).is_file() else "/docs/"
