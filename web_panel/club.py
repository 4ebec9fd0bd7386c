"""The page of all tables of a club, and what it asks: every table with its public facts, and the way to its TV page."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template

from firmware_host.api.interface import ClubInterface


def club(table: ClubInterface) -> Blueprint:
    """The blueprint of `/club` and `/api/club`."""
    routes = Blueprint("club", __name__)

    @routes.get("/club")
    def page() -> str:
        return render_template("club.html")

    @routes.get("/api/club")
    def tables() -> Response:
        """All tables that the broker tells of (docs/mqtt.md), by name: public facts, and whether each is online."""
        return jsonify({"tables": table.tables()})

    return routes
