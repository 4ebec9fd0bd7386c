"""What the page with all tables of a club may ask. All of it is public; the tables publish it themselves."""

from __future__ import annotations

from typing import Any, Protocol

from engine.text import Text
from firmware_host.core.errors import UserError


class Club(Protocol):
    """The tables that a broker knows, as `firmware_host/mqtt/club.py` collects them."""

    def tables(self) -> list[dict[str, Any]]:
        """Return each table with its public facts."""
        ...


class ClubInterface:
    """The tables of a club; without a `club` there is no such page."""

    def __init__(self, club: Club | None) -> None:
        self._club = club

    @property
    def exists(self) -> bool:
        """Whether this table knows others."""
        return self._club is not None

    def tables(self) -> list[dict[str, Any]]:
        """Return the facts of each table, see `Club.tables`. Raises `UserError` if this table has no broker."""
        if self._club is None:
            raise UserError("not-now", Text("This table doesn't know other tables. Set mqtt_broker to connect it."))
        return self._club.tables()
