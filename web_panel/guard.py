"""What a request must be before anybody reads it, and what every answer carries."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, Request, Response, request

from firmware_host.face import Said, Slip

BIGGEST_BODY = 64 * 1024

POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "worker-src 'self'",
        "manifest-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

DRAWING = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""For a drawing opened by itself: it may carry its own style, and nothing else at all."""

KEPT = ("static", "pages.qr", "pages.map_svg", "pages.rulebook", "shell.away", "shell.worker", "shell.manifest")
"""What a browser may keep, if it asks whether it is still fresh. Everything else is not stored anywhere."""


def guard(app: Flask) -> None:
    """Put the guard before and behind every view of `app`."""
    app.config["MAX_CONTENT_LENGTH"] = BIGGEST_BODY
    app.before_request(_check)
    app.after_request(_dress)


def _check() -> None:
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    if _from_elsewhere(request):
        raise Slip("cross-site", Said("A page of another site asked for that; only the table's own pages may."))
    if request.mimetype != "application/json":
        raise Slip("not-json", Said("This address takes JSON only."))


def _from_elsewhere(asked: Request) -> bool:
    """Whether a page of another site sends this. Browsers always name the origin of a POST."""
    if asked.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = asked.headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc != asked.host


def _dress(response: Response) -> Response:
    response.headers.update(HEADERS)
    if response.mimetype == "image/svg+xml":
        response.headers["Content-Security-Policy"] = DRAWING
    response.headers["Cache-Control"] = "no-cache" if request.endpoint in KEPT else "no-store"
    return response
