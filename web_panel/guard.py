"""What a request must be before anybody reads it, and what every answer carries."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from flask import Flask, Request, Response, request
from werkzeug.exceptions import MethodNotAllowed, NotFound

from firmware_host.api.interface import Text, UserError
from web_panel.body import BIGGEST_BODY
from web_panel.crowd import ACT, RequestRates
from web_panel.names import is_ours
from web_panel.seats import HERE, lane_of
from web_panel.target import EVERYTHING, REFUSED, SERVED

NOT_ITS_NAME = Text(
    "This table does not go by that name. Open it by its address in figures, as its lobby shows it; the setting names "
    "gives it more names."
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
"""For a drawing opened by itself: it may carry its own style, and nothing else at all."""

PART = "default-src 'none'; frame-ancestors 'none'"
"""For what a page loads: opened by itself it may do nothing. A page has dozens of them, so that each header counts."""
PARTS = ("text/javascript", "text/css")
SPARED = ("Permissions-Policy", "Accept-Ranges", "Content-Disposition", "Date")
"""What only documents, media and downloads need; the server tells the date of every answer."""

KEPT = (
    "static",
    "halves.screens",
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
"""What a browser may keep, if it asks whether it is still fresh. Everything else is not stored anywhere."""

WORDS = "catalogue"

DIGESTED = (WORDS, "halves.art")
"""What has a digest of its content in its address."""

LOADED = ("static", "halves.screens", WORDS)
"""Where pages load their parts from."""


Redirect = Callable[[Request], Response | None]
"""Where a request is led that is not for the table itself; None where nowhere."""


def guard(app: Flask, names: Callable[[], frozenset[str]], pace: RequestRates, lead: Redirect) -> None:
    """Put the guard before and behind every view of `app`, which answers to `names` and at most at this pace.

    `lead` is asked before a name is looked at, for devices in the table's own Wi-Fi ask it for any name at all.
    """
    app.config["MAX_CONTENT_LENGTH"] = BIGGEST_BODY

    def check() -> Response | None:
        if (refused := request.environ.get(REFUSED)) is not None:
            raise refused
        reading = request.method in ("GET", "HEAD", "OPTIONS")
        if not request.environ.get(HERE, True):
            pace.take(lane_of(request), 1.0 if reading else ACT)
        if (led := lead(request)) is not None:
            return led
        if not is_ours(request.host, names()):
            raise UserError("not-its-name", NOT_ITS_NAME)
        if request.environ["PATH_INFO"] == EVERYTHING:
            return Response(status=204, headers={"Allow": ", ".join(SERVED)})
        if isinstance(request.routing_exception, NotFound | MethodNotAllowed):
            raise request.routing_exception
        if (not reading or request.path.startswith("/api/")) and _from_elsewhere(request):
            raise UserError(
                "cross-site", Text("A page of another site asked for that; only the table's own pages may.")
            )
        if not reading and request.mimetype != "application/json":
            raise UserError("not-json", Text("This address takes JSON only."))
        return None

    app.before_request(check)
    app.after_request(_dress)


def _from_elsewhere(asked: Request) -> bool:
    """Whether a page of another site asks this.

    Browsers always name the origin of a POST, and of whatever another site's page wants to read.
    """
    if asked.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return True
    origin = asked.headers.get("Origin")
    if origin is None:
        return False
    try:
        found = urlsplit(origin)
    except ValueError:  # no address at all
        return True
    # An https page may stand before a plain connection: a proxy that the settings do not name speaks https for us.
    return found.netloc != asked.host or (asked.is_secure and found.scheme != "https")


def _dress(response: Response) -> Response:
    response.headers.update(HEADERS)
    if response.mimetype == "image/svg+xml":
        response.headers["Content-Security-Policy"] = DRAWING
    if response.mimetype in PARTS and request.endpoint in LOADED:
        response.headers["Content-Security-Policy"] = PART
        for name in SPARED:
            response.headers.pop(name, None)
    response.headers["Cache-Control"] = "no-cache" if request.endpoint in KEPT else "no-store"
    if request.endpoint in DIGESTED:
        response.headers["Cache-Control"] = "private, max-age=31536000, immutable"
    return response
