"""The pages as empty frames; the scripts in `static/` fill them with pictures."""

from __future__ import annotations

import hashlib
import io
from functools import cache, lru_cache, partial

from flask import Blueprint, Response, abort, render_template, request

from firmware_host.api.interface import TableInterface, Text, UserError
from firmware_host.core.installed import find
from firmware_host.core.installed import names as game_names
from firmware_host.core.word_forms import tables
from web_panel.game_screens import seat_module
from web_panel.language import current_language, use_texts_of
from web_panel.rules import rule_groups, sheet_choices, sheets
from web_panel.seats import Seats
from web_panel.settings import PanelSettings
from web_panel.versions import revalidated

PLAIN = {"lobby": ["/"], "health": ["/health"], "admin": ["/admin", "/house"], "club": ["/club"]}
"""Template of a page without individual content -> its addresses, including the former one."""
PIECES = "frame.legend.piece."
"""Prefix of a game's keys that describe its pieces; the game's `screens/legend.js` draws each piece."""


def page_routes(table: TableInterface, seats: Seats, settings: PanelSettings) -> Blueprint:
    """Return the blueprint of all pages that people open."""
    routes = Blueprint("pages", __name__)
    _add_screens(routes, table, settings)
    _add_papers(routes, table)
    _add_drawings(routes, table)
    _add_private(routes, table, seats)
    return routes


def _add_screens(routes: Blueprint, table: TableInterface, settings: PanelSettings) -> None:
    for name, addresses in PLAIN.items():
        page = partial(render_template, f"{name}.html")
        for address in addresses:
            routes.add_url_rule(address, name, page)

    @routes.get("/table")
    def tv() -> str:
        return render_template("table.html", on_table=_show(table), kiosk="kiosk" in request.args)

    @routes.get("/kiosk")
    def kiosk() -> str:
        return render_template("table.html", on_table=_show(table), kiosk=True)

    @routes.get("/board")
    def board() -> str:
        if not settings.simulated:
            raise UserError("no-board", Text("This table has a real board; there is no simulated one to look at."))
        return render_template("board.html", on_table=_show(table))

    @routes.get("/workshop")
    def workshop() -> str:
        return render_template("workshop.html", on_table=_map(table))

    @routes.get("/trust")
    def trust() -> str:
        # The SHA-256 of the certificate in the format that devices show.
        digest = hashlib.sha256(settings.authority).digest() if settings.authority else b""
        return render_template("trust.html", secure=settings.secure, fingerprint=digest.hex(":").upper())

    @routes.get("/trust/sniperboard.crt")
    def authority() -> Response:
        if not settings.authority:
            raise UserError("not-now", Text("This table has no certificate authority of its own."))
        return Response(settings.authority, mimetype="application/x-x509-ca-cert")


def _add_papers(routes: Blueprint, table: TableInterface) -> None:
    """Add the pages that are rendered only once, because they don't change while the table runs."""

    @cache
    def book(game: str, code: str) -> bytes:
        rulebook = table.rules(code, game)
        title, groups = current_language().say(Text(find(game).title)), rule_groups(rulebook)
        return render_template("rules.html", game_title=title, groups=groups, forms=tables(rulebook.language)).encode()

    @cache
    def sheet(game: str, code: str) -> bytes:
        glossary = table.lobby()
        if glossary["game"] != game:  # another map may have been chosen in the meantime, and this page would be cached
            raise UserError("busy", Text("The table is busy. Try again in a moment."))
        return render_template(
            "aids.html", sheets=sheets(sheet_choices(game), table.rules(code, game), glossary)
        ).encode()

    @routes.get("/rules")
    def rulebook() -> Response:
        return revalidated(book(current_language().game, current_language().code), "text/html")

    @routes.get("/rules/<game>")
    def rulebook_of(game: str) -> Response:
        """Show the rule book of any game; lessons link to it."""
        if game not in game_names():
            abort(404)
        # The book's words are the game's own, which may not be the one on the table.
        use_texts_of(game)
        return revalidated(book(game, current_language().code), "text/html")

    @routes.get("/legend")
    def legend() -> str:
        _show(table)
        return render_template("legend.html", legend=table.legend(), pieces=current_language().family(PIECES))

    @routes.get("/aids")
    def aids() -> Response:
        return revalidated(sheet(current_language().game, current_language().code), "text/html")


def _add_drawings(routes: Blueprint, table: TableInterface) -> None:
    @routes.get("/maps/<slug>.svg")
    def map_svg(slug: str) -> Response:
        try:
            return revalidated(
                table.map_svg(slug, current_language().code, current_language().say).encode(), "image/svg+xml"
            )
        except UserError as error:
            # An unknown map is an unknown address, so use the code whose status is 404.
            raise UserError("not-found", error.sentence) from None

    @routes.get("/qr.svg")
    def qr() -> Response:
        addresses = table.lobby()["addresses"]
        if not addresses:
            raise UserError("not-found", Text("This table does not know its own address."))
        return revalidated(_code(addresses[0]), "image/svg+xml")


@lru_cache(maxsize=4)  # a machine's address changes with its network
def _code(address: str) -> bytes:
    """Return a QR code for an address, as SVG."""
    import segno  # imported here: few tables show the code before the first page is open

    code = io.BytesIO()
    segno.make(address, error="m", micro=False).save(
        code, kind="svg", xmldecl=False, omitsize=True, border=2, dark="#15110a", light="#efe4c6"
    )
    return code.getvalue()


def _add_private(routes: Blueprint, table: TableInterface, seats: Seats) -> None:
    @routes.get("/games")
    def games() -> str:
        # Without an admin key the page sends no admin requests, because browsers log each refusal.
        return render_template("games.html", keyed=bool(seats.requester().admin_key))

    @routes.get("/<seat>")
    def private(seat: str) -> str:
        listed_seat = next((table_seat for table_seat in table.seats() if table_seat.name == seat), None)
        if listed_seat is None:
            abort(404)
        title = current_language().say(listed_seat.title)
        facts = {
            "screen": seat,
            "module": seat_module(current_language().game, seat),
            "title": current_language().word(f"frame.title.{seat}", title[:1].upper() + title[1:]),
            "on_table": _map(table),
            "secret": listed_seat.secret,
        }
        # Rendered inside `read`, which checks the key once the page is ready.
        return seats.seat(seat).read(lambda holder: render_template("seat.html", holder=holder, **facts))


def _show(table: TableInterface) -> str:
    """Answer with the texts of the game that the public screens show, and return its map."""
    game, slug = table.on_screens()
    use_texts_of(game)
    return slug


def _map(table: TableInterface) -> str:
    """Return the map on the table, so that a page can request it at once."""
    slug: str = table.lobby()["map"]
    return slug
