"""The page of all tables of a club, and its API. It shows each table's public data with a link to its TV page."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template

from firmware_host.api.interface import ClubInterface


def club(table: ClubInterface) -> Blueprint:
    """Return the blueprint of `/club` and `/api/club`."""
    routes = Blueprint("club", __name__)

    @routes.get("/club")
    def page() -> str:
        return render_template("club.html")

    @routes.get("/api/club")
    def tables() -> Response:
        """Return all tables known to the broker (docs/mqtt.md), by name.

        Each has its public data, and whether it is online.
        """
        return jsonify({"tables": table.tables()})

    return routes
