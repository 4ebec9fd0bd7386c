"""What the panel's page of all tables of a club may ask. All of it is public, and told by the tables themselves."""

from __future__ import annotations

from typing import Any, Protocol

from engine.text import Text
from firmware_host.api.calls import reads_snapshot
from firmware_host.core.errors import UserError


class Club(Protocol):
    """The tables that a broker knows of, as `firmware_host/mqtt/club.py` collects them."""

    def tables(self) -> list[dict[str, Any]]:
        """Return each table with its public facts."""
        ...


class ClubInterface:
    """The tables of a club; without a `club` there is no such page."""

    def __init__(self, club: Club | None) -> None:
        self._club = club

    @property
    def exists(self) -> bool:
        """Whether this table knows of others."""
        return self._club is not None

    @reads_snapshot
    def tables(self) -> list[dict[str, Any]]:
        """Each table with its facts, as `Club.tables` has them. Raises `UserError` where this table hears of none."""
        if self._club is None:
            raise UserError("not-now", Text("This table hears of no others; the setting mqtt_broker has it do so."))
        return self._club.tables()
