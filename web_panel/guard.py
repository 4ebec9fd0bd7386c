"""Check every request before a view reads it, and add the security headers to every answer."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from flask import Flask, Request, Response, request
from werkzeug.exceptions import MethodNotAllowed, NotFound

from firmware_host.api.interface import Text, UserError
from web_panel.body import BIGGEST_BODY
from web_panel.rate_limits import POST_COST, TOO_OFTEN, RequestRates
from web_panel.seats import AT_TABLE, lane_of
from web_panel.target import EVERYTHING, REFUSED, SERVED, is_ours
from web_panel.versions import CACHE_FOREVER

NOT_ITS_NAME = Text(
    "This table does not accept that host name. Open it by its numeric address, which the lobby shows, or add the name "
    "to the setting extra_hostnames."
)

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
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

DRAWING = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
"""For a drawing opened by its own address: it may use its own styles, and nothing else."""

PART = "default-src 'none'; frame-ancestors 'none'"
"""For files that a page loads: opened by their own address they may do nothing.

A page loads dozens of files, so they have as few headers as possible.
"""
PARTS = ("text/javascript", "text/css", "font/woff2")
ANSWERS = ("application/json", "text/event-stream")
WORKERS = ("/static/stream.js", "/worker.js")
"""Scripts that connect to the table by themselves."""
SPARED = ("Permissions-Policy", "X-Frame-Options", "Referrer-Policy")
"""Headers that only documents need; for other files, `PART` is stricter than `X-Frame-Options`."""
NEEDLESS = ("Accept-Ranges", "Content-Disposition", "Date", "Last-Modified")
"""Headers that only media and downloads need. The server adds the date to every answer, and files have an ETag."""

KEPT = (
    "static",
    "game_screens.screens",
    "manual.home",
    "manual.page",
    "pages.qr",
    "pages.map_svg",
    "pages.rulebook",
    "pages.aids",
    "shell.away",
    "shell.worker",
    "shell.manifest",
)
"""Types that a browser may cache if it revalidates. Everything else may not be stored."""

LOADED = ("static", "game_screens.screens", "catalogue")
"""The addresses from which pages load their parts."""


Redirect = Callable[[Request], Response | None]
"""Function that returns a redirect for a request that is not meant for the table itself, or None."""


def guard(app: Flask, names: Callable[[], frozenset[str]], pace: RequestRates, lead: Redirect) -> None:
    """Check every request to `app` before its view, and add the headers to every answer.

    `app` accepts the host names `names`, and requests at most at the rate of `pace`. `lead` runs before the host name
    is checked, because devices in the table's own Wi-Fi may ask it under any name.
    """
    app.config["MAX_CONTENT_LENGTH"] = BIGGEST_BODY

    def check() -> Response | None:
        reading = request.method in ("GET", "HEAD", "OPTIONS")
        _check_rate(pace, 1.0 if reading else POST_COST)
        if (refused := request.environ.get(REFUSED)) is not None:
            raise UserError(*refused)
        if (led := lead(request)) is not None:
            return led
        # A foreign name in `Host` is DNS rebinding: another site's page that reaches the table.
        if not is_ours(request.host, names()):
            raise UserError("not-its-name", NOT_ITS_NAME)
        if request.environ["PATH_INFO"] == EVERYTHING:
            return Response(status=204, headers={"Allow": ", ".join(SERVED)})
        # Raise the error here, so that requests for unknown addresses need a valid host and count toward the rate
        # limit.
        if isinstance(request.routing_exception, NotFound | MethodNotAllowed):
            raise request.routing_exception
        if (not reading or request.path.startswith("/api/")) and _from_elsewhere(request):
            raise UserError(
                "cross-site", Text("A page of another site asked for that; only the table's own pages may.")
            )
        # A plain HTML form cannot send JSON, so no other site can post without a CORS preflight.
        if not reading and request.mimetype != "application/json":
            raise UserError("not-json", Text("This address takes JSON only."))
        return None

    app.before_request(check)
    app.after_request(_add_headers)


def _check_rate(pace: RequestRates, cost: float) -> None:
    if request.environ.get(AT_TABLE, True):  # the table's own machine has no rate limit
        return
    try:
        pace.take(lane_of(request), cost)
    except UserError:
        # The gateway delays this answer, so that repeating the request gains nothing.
        request.environ[TOO_OFTEN] = True
        raise


def _from_elsewhere(http_request: Request) -> bool:
    """Return whether a page of another site makes this request.

    Browsers always send the origin with a POST, and with every cross-site request whose answer a page could read.
    """
    if http_request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = http_request.headers.get("Origin")
    if origin is None:
        return False
    try:
        source = urlsplit(origin)
    except ValueError:  # not a valid address
        return True
    # An https page may belong to a plain connection: a proxy that the settings do not list may handle https for the
    # table.
    return source.netloc != http_request.host or (http_request.is_secure and source.scheme != "https")


def _add_headers(response: Response) -> Response:
    response.headers.update(HEADERS)
    loaded = request.endpoint in LOADED
    policy = None
    if response.mimetype == "image/svg+xml":
        policy = DRAWING
    elif request.path in WORKERS:
        policy = f"{PART}; connect-src 'self'"
    elif response.mimetype in ANSWERS or (loaded and response.mimetype in PARTS):
        policy = PART
    if policy:
        response.headers["Content-Security-Policy"] = policy
        for name in SPARED:
            del response.headers[name]
    for name in NEEDLESS if loaded else ():
        response.headers.pop(name, None)
    if response.headers.get("Cache-Control") != CACHE_FOREVER:
        # `no-cache` stores but revalidates; `no-store` keeps secrets off the device's disk.
        response.headers["Cache-Control"] = "no-cache" if request.endpoint in KEPT else "no-store"
    return response
