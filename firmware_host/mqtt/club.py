"""The tables of a club, from what they publish to the broker. Anyone may publish there, so invalid data is ignored.

Thread-safe.
"""

from __future__ import annotations

import re
import threading
from typing import Any

import msgspec
from msgspec import Struct

from firmware_host.core.mqtt_checks import LONGEST_NAME, NAME
from firmware_host.core.strict import Malformed, decode
from firmware_host.mqtt.facts import TableFacts

MOST_TABLES = 64
LARGEST_FACTS = 8 * 1024
"""Bytes of a table's facts."""
ADDRESS = re.compile(r"https?://[^\s]+")


class ClubTable(Struct, frozen=True):
    """A table: whether it is `online`, and its facts once it has published them."""

    online: bool = False
    facts: TableFacts | None = None


class Club:
    """All tables of one broker and prefix, up to `MOST_TABLES`."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._tables: dict[str, ClubTable] = {}

    def receive(self, table: str, what: str, payload: bytes) -> None:
        """Store what a table published as its `state` or `availability` (`what`). An empty payload removes it."""
        if not NAME.fullmatch(table) or len(table) > LONGEST_NAME:
            return
        with self._guard:
            before = self._tables.get(table, ClubTable())
            if what == "availability":
                now = ClubTable(payload == b"online", before.facts)
            else:
                now = ClubTable(before.online, _facts(payload))
            if now == ClubTable():
                self._tables.pop(table, None)
            # Anyone may publish under new names, so only so many tables are kept.
            elif table in self._tables or len(self._tables) < MOST_TABLES:
                self._tables[table] = now

    def forget(self) -> None:
        """Forget all tables, because the connection was lost."""
        with self._guard:
            self._tables = {}

    def tables(self) -> list[dict[str, Any]]:
        """Return the tables with facts, sorted by name, as JSON: `table`, `online`, and the fields of `TableFacts`."""
        with self._guard:
            tables = dict(self._tables)
        facts = [
            {"table": table, "online": club_table.online, **msgspec.to_builtins(club_table.facts)}
            for table, club_table in tables.items()
            if club_table.facts is not None
        ]
        return sorted(facts, key=lambda entry: (entry["name"].casefold(), entry["table"]))


def _facts(payload: bytes) -> TableFacts | None:
    """Return the facts in a payload, None if it is invalid. An address that is not a web address is left out."""
    try:
        facts = msgspec.convert(decode(payload, LARGEST_FACTS), TableFacts)
    except (Malformed, msgspec.ValidationError):
        return None
    # The address becomes a link, which must not run a script.
    return facts if ADDRESS.fullmatch(facts.url) else msgspec.structs.replace(facts, url="")
