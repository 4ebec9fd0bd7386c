"""Create the panel from the running table and its settings. Importing this module has no side effects.

The routes are in `pages.py` and `api.py`. `seats.py` decides which requests may do what.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from flask import Flask, request
from werkzeug.routing import Rule

from firmware_host.api.interface import TableInterface
from firmware_host.core.proxies import Proxies
from web_panel.admin import admin_routes, workshop_routes
from web_panel.api import api_routes
from web_panel.compression import compress
from web_panel.description import description_routes
from web_panel.failures import PanelApp, answer_failures
from web_panel.game_screens import game_screen_routes, modules, template_globals
from web_panel.games import past_game_routes
from web_panel.guard import guard
from web_panel.language import Languages, serve_texts
from web_panel.manual import SITE, manual_address, manual_routes
from web_panel.network import hotspot_redirect, network_routes
from web_panel.origin import PROXIES
from web_panel.padding import Padding
from web_panel.pages import page_routes
from web_panel.rate_limits import RequestRates
from web_panel.seats import LANES, SEATS, Seats, lane_of
from web_panel.settings import PanelSettings
from web_panel.shell import shell_routes
from web_panel.streams import Streams
from web_panel.target import host_names
from web_panel.training import campaign_routes, learn_routes, puzzle_routes
from web_panel.versions import serve_versions


class LazyRule(Rule):
    """The rule of a route. Its builders of addresses are compiled when `url_for` needs one: few ever are, and compiling
    all of them takes most of the time of `create_app`.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        builder = cache(partial(super()._compile_builder, append_unknown))
        return lambda rule, /, **values: builder()(rule, **values)


def create_app(table: TableInterface, settings: PanelSettings, site: Path = SITE) -> Flask:
    """Return the panel of `table`; `site` is the folder of the manual."""
    app = PanelApp(__name__, static_folder="static", template_folder="templates")
    app.url_rule_class = LazyRule
    app.jinja_env.globals.update(
        simulated=settings.simulated, modules=modules, networked=table.network.exists, **template_globals()
    )
    app.jinja_env.globals["manual"] = lambda code: manual_address(code, site)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    compress(app)
    serve_versions(app)
    ours = host_names(settings.machine, settings.names)
    names = lambda: ours | host_names(table.network.name(), ())  # noqa: E731
    guard(app, names, RequestRates(time.monotonic), hotspot_redirect(table.network, settings, names))
    serve_texts(app, Languages(settings.cookie, table.admin.default_language, lambda: str(table.lobby()["game"])))
    answer_failures(app)
    seats = Seats(table, settings.cookie, settings.port)
    app.extensions[LANES], app.extensions[SEATS] = seats.lane, lambda: seats.names
    app.extensions[PROXIES] = Proxies(settings.proxies)
    app.before_request(lambda: table.note_request(lane_of(request)))
    app.wsgi_app = Padding(app.wsgi_app, seats.hides)  # type: ignore[method-assign, assignment]
    app.register_blueprint(page_routes(table, seats, settings))
    app.register_blueprint(past_game_routes(table, seats))
    app.register_blueprint(learn_routes(table))
    app.register_blueprint(campaign_routes(table))
    app.register_blueprint(puzzle_routes(table, seats))
    app.register_blueprint(manual_routes(site))
    app.register_blueprint(shell_routes())
    app.register_blueprint(game_screen_routes())
    app.register_blueprint(
        api_routes(table, seats, Streams(settings.max_streams, settings.heartbeat, lambda: seats.names))
    )
    app.register_blueprint(admin_routes(table, seats))
    app.register_blueprint(workshop_routes(table, seats))
    app.register_blueprint(network_routes(table.network, seats))
    app.register_blueprint(description_routes())
    return app
