"""Make the panel installable: the manifest, and the service worker with an offline page.

The worker stores only the offline page and FILES; the caching headers of all other answers are set in `guard.py`. The
cache's name changes with its content, so that an update of the table replaces it.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from flask import Blueprint, Response, jsonify, render_template

from web_panel.language import current_language
from web_panel.versions import revalidated, versioned_address

STATIC = Path(__file__).resolve().parent / "static"
FILES = ("style.css", "icon.svg", "away.js")
AWAY = "/away"

NIGHT = "#080b0d"
ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("icon-maskable.png", 512, "maskable"))
"""File, width and height in pixels, and purpose. `tools/icons.py` makes them from icon.svg."""


def shell_routes() -> Blueprint:
    """Return the blueprint of the manifest, the worker and the offline page."""
    routes = Blueprint("shell", __name__)

    @routes.get(AWAY)
    def away() -> str:
        return render_template("away.html")

    @routes.get("/worker.js")
    def worker() -> Response:
        stored = (AWAY, *(versioned_address(f"/static/{name}") for name in FILES))
        return revalidated(_worker(render_template("away.html"), stored), "text/javascript")

    @routes.get("/manifest.webmanifest")
    def manifest() -> Response:
        return revalidated(jsonify(_manifest()).get_data(), "application/manifest+json")

    return routes


@cache
def _worker(page: str, stored: tuple[str, ...]) -> bytes:
    """Return the worker's script, preceded by its cache's name and the addresses to store, the page's first."""
    # Any change of a cached file changes the cache's name, which makes browsers replace the cache.
    digest = hashlib.sha256(page.encode())
    for name in FILES:
        digest.update((STATIC / name).read_bytes())
    facts = f'const SHELL = "shell-{digest.hexdigest()[:16]}";\nconst KEPT = {json.dumps(stored)};\n'
    return facts.encode() + (STATIC / "worker.js").read_bytes()


def _manifest() -> dict[str, object]:
    drawn = {"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"}
    bitmaps = [
        {"src": f"/static/{name}", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for name, size, purpose in ICONS
    ]
    return {
        "id": "/",
        "name": current_language().text("frame.product"),
        "short_name": current_language().text("frame.product"),
        "description": current_language().text("frame.lobby.lead"),
        "lang": current_language().code,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": NIGHT,
        "theme_color": NIGHT,
        "icons": [drawn, *bitmaps],
    }
