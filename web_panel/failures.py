"""Build every error answer: `{"ok": false, "error": {"code", "sentence", "rule"}, "status"}`.

Screens get the same sentence as a page. An internal error is logged by its place in the code alone, because its message
could contain secrets.
"""

from __future__ import annotations

import json
import logging
import time
from typing import Any

from flask import Flask, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from firmware_host.api.interface import Text, UserError
from firmware_host.core.errors import place_of
from web_panel.language import current_language
from web_panel.target import REFUSED, SERVED

STATUS = {
    "bad-record": 400,
    "not-understood": 400,
    "cross-site": 403,
    "https-only": 403,
    "no-house": 403,
    "no-pin": 403,
    "no-seat": 403,
    "wrong-pin": 403,
    "not-found": 404,
    "no-board": 404,
    "no-manual": 404,
    "no-rules": 404,
    "not-allowed": 405,
    "ambiguous": 409,
    "game-fault": 409,
    "not-now": 409,
    "not-over": 409,
    "paused": 409,
    "refused": 409,
    "seat-taken": 409,
    "stale": 409,
    "too-large": 413,
    "not-json": 415,
    "not-its-name": 421,
    "locked": 429,
    "too-often": 429,
    "broken": 500,
    "not-implemented": 501,
    "busy": 503,
    "halted": 503,
    "too-many-screens": 503,
}
"""Code of a `UserError` -> status of the answer. An unlisted code is a client error: 400."""

CODES = {404: "not-found", 405: "not-allowed", 413: "too-large"}
SENTENCES = {
    "not-found": Text("There is nothing at this address. The lobby leads everywhere."),
    "not-allowed": Text("That cannot be done at this address."),
    "not-understood": Text("The request cannot be read."),
    "too-large": Text("That is more than this table reads at once."),
    "broken": Text("Something went wrong in the panel. The game is safe; try again."),
}

log = logging.getLogger("web_panel")

RELOAD_SECONDS = 5
"""Seconds after which browsers load a refused page again (at the earliest)."""
SILENT_SECONDS = 60.0
"""Seconds during which an internal error at the same place is not logged again."""
_named: dict[tuple[str, str], float] = {}
"""Logged errors: (kind, place in the code) -> time of the last log line."""


def refusal(error: UserError) -> Response:
    """Return an error answer in the common format."""
    status = STATUS.get(error.code, 400)
    fault = {"code": error.code, "sentence": _sentence(error), "rule": error.rule}
    response = jsonify({"ok": False, "error": fault, "status": status})
    response.status_code = status
    if status in (405, 501):
        response.headers["Allow"] = ", ".join(SERVED)
    return _add_retry_after(response, error)


def _add_retry_after(response: Response, error: UserError) -> Response:
    """Set when to retry after a temporary refusal. Browsers then reload a page automatically: on a TV, no one can do
    it.
    """
    if response.status_code in (429, 503):
        response.headers["Retry-After"] = str(error.after)
        response.headers["Refresh"] = str(max(error.after, RELOAD_SECONDS))
    return response


def _sentence(error: UserError) -> str:
    return current_language().say(error.sentence)


class PanelApp(Flask):
    """Flask with a last-resort error answer and a log that is free of secrets.

    It answers even if building the error answer fails, and logs every internal error by its place alone.
    """

    def log_exception(self, exc_info: Any) -> None:
        """Log the place of an error only: Flask's own log contains the error's message and the address."""
        log_place("a request failed", exc_info[1])

    def handle_exception(self, e: Exception) -> Response:
        """Return the last-resort answer, because the templates or the languages may be broken."""
        log_place("a request failed", e)
        return Response(plain_refusal("broken", SENTENCES["broken"]), 500, mimetype="application/json")


def plain_refusal(code: str, sentence: Text) -> bytes:
    """Return a refusal in English in the common format, made without Flask."""
    error = {"code": code, "sentence": sentence, "rule": None}
    return json.dumps({"ok": False, "error": error, "status": STATUS[code]}).encode()


PAGES = "FAILURE_PAGES"
"""Name of the application setting: whether an error on a page is shown as a page."""


def answer_failures(app: Flask, pages: bool = True) -> None:
    """Answer every error in `app` with a sentence, as a page or as JSON; without `pages` only as JSON."""
    app.config[PAGES] = pages
    app.register_error_handler(UserError, _on_error)
    app.register_error_handler(HTTPException, _on_http)
    app.register_error_handler(Exception, _on_fault)


def _on_error(error: UserError) -> Response:
    """Return a page for a person who opens one, and JSON for everything else."""
    # Only a person who opens a page gets one. Scripts parse JSON.
    opens = request.method in ("GET", "HEAD") and REFUSED not in request.environ
    if not opens or request.path.startswith("/api/") or not current_app.config[PAGES]:
        return refusal(error)
    page = render_template("closed.html", sentence=_sentence(error))
    return _add_retry_after(Response(page, STATUS.get(error.code, 400), mimetype="text/html"), error)


def _on_http(error: HTTPException) -> Response:
    # Werkzeug's own descriptions are English HTML; screens need a sentence in their language.
    code = CODES.get(error.code or 500, "not-understood" if (error.code or 500) < 500 else "broken")
    response = _on_error(UserError(code, SENTENCES[code]))
    allowed = getattr(error, "valid_methods", None)
    if allowed:
        response.headers["Allow"] = ", ".join(sorted(allowed))
    return response


def _on_fault(error: Exception) -> Response:
    log_place("a request failed", error)
    return _on_error(UserError("broken", SENTENCES["broken"]))


def log_place(what: str, error: BaseException) -> None:
    """Log an internal error by its place in the code, because its message could contain secrets."""
    place = place_of(error)
    # Log each place at most once per `SILENT_SECONDS` seconds: a client that can cause an error could fill the disk.
    now = time.monotonic()
    if now - _named.get((what, place), -SILENT_SECONDS) >= SILENT_SECONDS:
        _named[what, place] = now
        log.error("%s: %s", what, place)
