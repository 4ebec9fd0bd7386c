"""The campaign: its page, and what a person has reached alone against bots."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template, request

from firmware_host.api.interface import TableInterface
from web_panel.language import current_language


def campaign_routes(table: TableInterface) -> Blueprint:
    """Return the blueprint of everything about missions and careers."""
    routes = Blueprint("campaign", __name__)

    @routes.get("/campaign")
    def missions() -> str:
        return render_template("campaign.html")

    @routes.get("/api/campaign")
    def all_missions() -> Response:
        """Return the missions of all games, in order. `POST /api/play-now` with a mission's fields starts it."""
        return jsonify({"missions": current_language().translate_all(table.campaign())})

    @routes.get("/api/career")
    def career() -> Response:
        """Return what the person of this `name` has reached alone against bots, by game.

        `beaten` is bot -> wins against it, `stars` mission -> which of its stars are earned.
        """
        return jsonify(table.past.career(request.args.get("name", "")))

    return routes
