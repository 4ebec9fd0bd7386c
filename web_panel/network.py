"""The network page with its API, and the redirect to it for phones in the table's own Wi-Fi.

A phone that joins a Wi-Fi checks for internet access at a known address: /generate_204, /hotspot-detect.html,
/connecttest.txt and others. In the hotspot every name resolves to the table (`systemd/sniperboard-dnsmasq.conf`). The
table redirects each request for another name to its network page, which phones then open.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from babel import Locale
from flask import Blueprint, Request, Response, jsonify, render_template

from firmware_host.api.interface import NetworkInterface, Text, UserError
from web_panel.body import posts
from web_panel.language import current_language
from web_panel.origin import PROXIED
from web_panel.seats import HOUSE, Seats
from web_panel.settings import PanelSettings
from web_panel.target import is_ours, location, without_port

PAGE = "/network"
HTTPS_ONLY = Text("This table speaks https. Write https:// before its address.")
NO_COUNTRY = ("EU", "EZ", "QO", "UN", "XA", "XB", "ZZ")
"""Two-letter codes in the CLDR that are groups of countries, or not countries."""


def network_routes(table: NetworkInterface, seats: Seats) -> Blueprint:
    """Return the blueprint of the page and of `/api/network`."""
    routes = Blueprint("network", __name__)
    _add_page(routes, table, seats)
    _add_changes(routes, table, seats)
    return routes


def hotspot_redirect(
    table: NetworkInterface, settings: PanelSettings, names: Callable[[], frozenset[str]]
) -> Callable[[Request], Response | None]:
    """Return a function that redirects certain requests, for `guard`.

    It redirects a device in the table's own Wi-Fi to the network page. If the table uses https, it redirects plain HTTP
    to https. Over plain HTTP, a table with https serves only these redirects: no page, no API, no cookie.
    """

    def lead(request: Request) -> Response | None:
        # If a guest requests another host name, it is the phone's check for internet access.
        guest, ours = table.note_visit(request.remote_addr or ""), is_ours(request.host, names())
        reading = request.method in ("GET", "HEAD")
        if guest and not ours and reading:
            address = table.address
            return _to(f"https://{address}:{settings.port}{PAGE}" if settings.secure else f"http://{address}{PAGE}")
        if settings.secure and request.scheme == "http":
            # A redirected POST would already have sent its body, for example a PIN, in plain text.
            if not reading:
                raise UserError("https-only", HTTPS_ONLY)
            if ours:
                # Behind a proxy, https has the default port.
                host = without_port(request.host) + ("" if request.environ.get(PROXIED) else f":{settings.port}")
                return _to(location("https", host, request.environ["PATH_INFO"], request.environ["QUERY_STRING"]))
        return None

    return lead


def _to(address: str) -> Response:
    return Response(status=302, headers={"Location": address})


@cache
def countries(code: str) -> list[tuple[str, str]]:
    """Return the countries as (code, name in the given language), sorted by name."""
    territories = Locale.parse(code).territories
    real = [
        (territory, name)
        for territory, name in territories.items()
        if len(territory) == 2 and territory.isalpha() and territory not in NO_COUNTRY
    ]
    return sorted(real, key=lambda country: country[1])


def _add_page(routes: Blueprint, table: NetworkInterface, seats: Seats) -> None:
    @routes.get(PAGE)
    def page() -> str:
        if not table.exists:
            raise UserError("not-now", Text("This table does not look after its network."))
        return render_template("network.html", countries=countries(current_language().code))

    @routes.get("/api/network")
    def facts() -> Response:
        """Return the network page's data: the network, the Wi-Fi networks in range, the name and country."""
        return jsonify(current_language().translate_all(table.facts(seats.requester())))

    @posts(routes, "/api/network/first-pin")
    def first_pin(pin: str) -> Response:
        """Choose the admin PIN if there is none, only in the table's own Wi-Fi; the cookie is the admin key."""
        return seats.set_key(HOUSE, table.choose_first_pin(pin, seats.requester()))


def _add_changes(routes: Blueprint, table: NetworkInterface, seats: Seats) -> None:
    @posts(routes, "/api/network/join")
    def join(name: str, password: str = "", hidden: bool = False) -> None:
        """Join a Wi-Fi. `/api/network` reports the outcome later."""
        table.join(name, password, hidden, seats.requester())

    @posts(routes, "/api/network/name")
    def name(name: str) -> None:
        """Rename the table's machine; the table is found under the new name from now on."""
        table.rename(name, seats.requester())

    @posts(routes, "/api/network/country")
    def country(country: str) -> None:
        """Choose the country whose radio rules the table follows."""
        table.set_country(country, seats.requester())
