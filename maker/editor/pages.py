"""The pages of `sniperboard map edit`: one page and its API. A `Desk` does the work.

Every request contains the key from the address. The key is after `#`, a part that browsers do not send to the server.
The page sends it as a header, which pages of other sites cannot do.
"""

from __future__ import annotations

import hmac
import time
from base64 import b64decode
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Flask, Response, jsonify, render_template, request

from firmware_host.api.interface import Text, UserError, lane_for_address
from maker.editor.desk import Desk
from maker.editor.judging import check_document, explain_no_sight, find_visible_spaces
from web_panel.body import posts
from web_panel.compression import compress
from web_panel.failures import PanelApp, answer_failures
from web_panel.game_screens import modules
from web_panel.guard import guard
from web_panel.language import Languages, current_language, serve_texts
from web_panel.rate_limits import RequestRates
from web_panel.seats import LANES, SEATS
from web_panel.target import host_names

KEY, PAGE = "X-Editor-Key", "X-Editor-Page"
"""Headers: the key, and a number that each page chooses when it is opened."""
BIGGEST_DRAWING, BIGGEST_PICTURE = 4 << 20, 9 << 20
"""Maximum bytes of a body. The second is for a picture of six megabytes in base64."""
PICTURE = "/api/photo"


def create_editor(desk: Desk, key: str, machine: str = "") -> Flask:
    """Return the editor for `desk`. Requests need the `key`.

    The editor accepts the host names of the `machine`.
    """
    app = PanelApp("web_panel", static_folder="static", template_folder="templates")
    app.jinja_env.globals.update(modules=modules)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    compress(app)
    ours = host_names(machine, ())
    guard(app, lambda: ours, RequestRates(time.monotonic), lambda _: None)
    app.config["MAX_CONTENT_LENGTH"] = BIGGEST_DRAWING
    serve_texts(app, Languages("sniperboard-editor"))
    answer_failures(app, pages=False)
    # The editor has no seats: rate limits apply by address.
    app.extensions[LANES] = lambda cookies, address, here: lambda: lane_for_address(address, here)
    app.extensions[SEATS] = tuple
    app.register_blueprint(_page_routes())
    app.register_blueprint(_api_routes(desk, key))
    return app


def _page_routes() -> Blueprint:
    routes = Blueprint("editor", __name__)

    @routes.get("/")
    def page() -> str:
        return render_template("editor.html", words=current_language().address("editor"))

    return routes


def _api_routes(desk: Desk, key: str) -> Blueprint:
    routes = Blueprint("desk", __name__, url_prefix="/api")

    @routes.before_request
    def check_key() -> None:
        # Constant time: the duration must not reveal how much of the key is correct.
        if not hmac.compare_digest(request.headers.get(KEY, "").encode(), key.encode()):
            raise UserError("no-seat", Text("Open the editor by the address that the command has printed."))
        if request.path == PICTURE:
            request.max_content_length = BIGGEST_PICTURE

    _add_drawing(routes, desk)
    _add_checks(routes)
    _add_photo(routes, desk)
    return routes


def _add_drawing(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/drawing")
    def drawing() -> Response:
        return jsonify(desk.opened(_page()))

    @posts(routes, "/draft")
    def draft(document: dict[str, Any] | None = None, photo: dict[str, Any] | None = None, over: bool = False) -> None:
        desk.store_draft(document, photo, _page(), over=over)

    @posts(routes, "/discard")
    def discard() -> Response:
        return jsonify(desk.discard(_page()))

    @posts(routes, "/save")
    def save(document: dict[str, Any], photo: dict[str, Any] | None = None, over: bool = False) -> Response:
        return _translated_answer(desk.save(document, photo, _page(), over=over))


def _page() -> str:
    return request.headers.get(PAGE, "")


def _add_checks(routes: Blueprint) -> None:
    @posts(routes, "/check")
    def check(document: dict[str, Any]) -> Response:
        return _translated_answer(check_document(document))

    @posts(routes, "/sight")
    def sight(document: dict[str, Any], space: str) -> Response:
        return _translated_answer(find_visible_spaces(document, space))

    @posts(routes, "/blame")
    def blame(document: dict[str, Any], space: str, other: str) -> Response:
        return _translated_answer(explain_no_sight(document, space, other))


def _add_photo(routes: Blueprint, desk: Desk) -> None:
    @routes.get("/photo")
    def photo() -> Response:
        image = desk.photo()
        if image is None:
            raise UserError("not-found", Text("There is no photo."))
        return Response(image[0], mimetype=image[1])

    @posts(routes, "/photo")
    def take_photo(photo: str | None = None, over: bool = False) -> None:
        try:
            picture = None if photo is None else b64decode(photo, validate=True)
        except ValueError:
            raise UserError("not-understood", Text("The request cannot be read.")) from None
        desk.take_photo(picture, _page(), over=over)


def _translated_answer(answer: Mapping[str, Any]) -> Response:
    return jsonify(current_language().translate_all(answer))
