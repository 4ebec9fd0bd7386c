"""A table in process, simulated and seeded, with its panel. Tests and screenshots use it.

`tour.py` plays a game on it and stops at the screens worth showing.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from secrets import token_hex
from typing import Any

from engine.chance import Chance
from engine.graph import Map
from firmware_host.admin import pin as pins
from firmware_host.admin.access import AdminAccess
from firmware_host.admin.page import AdminPage
from firmware_host.api.interface import TableInterface
from firmware_host.api.network import TableNetwork
from firmware_host.board.board_io import BoardIO, open_board
from firmware_host.core.errors import UserError
from firmware_host.core.logbook import Logbook
from firmware_host.core.settings import settle
from firmware_host.network.keeper import NetworkKeeper
from firmware_host.network.machine import MachineOwner
from firmware_host.network.manager import HOTSPOT, Device, NetworkManager, Wifi
from firmware_host.records.journal import Journal
from firmware_host.seats.identity import Requester
from firmware_host.table.loop import Loop
from firmware_host.table.table import Table
from hardware.ports import Note
from web_panel.app import create_app
from web_panel.serve import serve
from web_panel.settings import PanelSettings

PIN = "2468"
ADMIN_PIN = "135790"
ADDRESS = "http://192.168.1.7:8000/"
DEVICES = {"sniper": "Ada's phone", "defenders": "Bo's tablet"}
SIMULATED = PanelSettings(simulated=True)
REST_SECONDS = 2.0
"""Seconds after which a piece on the board counts as at rest."""


def retry_while_busy(call: Callable[[], object]) -> None:
    """Repeat a call while the table is busy. A repeated action has the same name, so it is done only once."""
    while True:
        try:
            call()
            return
        except UserError as error:
            if error.code != "busy":
                raise


class ShowroomManager(NetworkManager):
    """A machine in its own Wi-Fi, with three other networks in range."""

    def devices(self) -> list[Device]:
        return [Device("wlan0", "wifi", "connected", HOTSPOT, "sniperboard-1a2b")]

    def scan(self) -> list[Wifi]:
        return [Wifi("Attic", 86, "password"), Wifi("Library", 52, "open"), Wifi("Office", 31, "unsuited")]

    def profiles(self) -> dict[str, str]:
        return {}


class ShownKeeper(NetworkKeeper):
    """Treats this machine's own address as one in the table's Wi-Fi.

    The browser that takes the pictures is not in that Wi-Fi.
    """

    def __init__(self) -> None:
        super().__init__(ShowroomManager(), time.monotonic)
        self._scan()
        self.check_network()

    def is_guest(self, address: str) -> bool:
        return address == "127.0.0.1"


def shown_network() -> TableNetwork:
    """Return the network that the network page shows at a first start."""
    network = TableNetwork(ShownKeeper(), MachineOwner())
    network.owner.new_name = "sniperboard"
    return network


class Showroom:
    """A running table and its panel, set up like in the daemon, but without a port."""

    def __init__(
        self,
        folder: Path,
        settings: PanelSettings = SIMULATED,
        seed: int = 3,
        network: TableNetwork | None = None,
        **house: Any,
    ) -> None:
        """Create and start the table.

        `folder` is for its state. `house` are settings, with the names of the settings file. `network` is the network
        that the table manages.
        """
        chosen = settle({"state": str(folder), **house})
        self.folder = folder
        self.chance = Chance(Random(seed))
        # Tests advance the clock instead of waiting.
        self._ahead = 0.0

        def make_table(report: Callable[[Note], None]) -> Table:
            def make_io(board: Map) -> BoardIO:
                return open_board(chosen, board, folder, self._clock, report)

            def make_workshop_io(board: Map) -> BoardIO:
                return open_board(chosen, board, folder, self._clock, report, spares=True)

            journal = Journal(folder / "games.sqlite")
            return Table(chosen, journal, make_io, self._clock, self.chance, make_workshop_io=make_workshop_io)

        self.loop = Loop(make_table, self._clock, rest=lambda _: None, spin=lambda _: None)
        self.admin_access = AdminAccess(folder, self._clock)
        self.logbook = Logbook()
        self.ends: list[bool] = []
        around = AdminPage(chosen, self.logbook, self.ends.append, lambda: "Attic", lambda: "raspberrypi")
        self.interface = TableInterface(self.loop, self.admin_access, around, network)
        self.app = create_app(self.interface, settings)
        self.loop.start()
        self.loop.call(lambda table: setattr(table, "addresses", [ADDRESS]))
        self.loop.call(lambda table: table.board.mark_used(math.inf))  # the table's clock is ahead of the pages' clocks
        self.company = SeatedPlayers(self)

    def advance_clock(self, seconds: float = REST_SECONDS) -> None:
        """Advance the clock, by default until pieces come to rest; return once the table has noticed."""
        self._ahead += seconds
        # The loop publishes the results of a turn before it accepts the next call.
        self.loop.call(lambda _: None)
        self.loop.call(lambda _: None)

    def _clock(self) -> float:
        return time.monotonic() + self._ahead

    def stop(self) -> None:
        self.loop.stop()

    @contextmanager
    def served(self, port: int = 0) -> Iterator[str]:
        """Yield the address of its pages while they are served, at this port if it is free."""
        try:
            server = serve(self.app, "127.0.0.1", port)
        except OSError:
            server = serve(self.app, "127.0.0.1", 0)
        server.start()
        try:
            yield f"http://127.0.0.1:{server.port}/"
        finally:
            server.stop()


class SeatedPlayers:
    """The players at a showroom's table: both seats, with their keys."""

    def __init__(self, room: Showroom) -> None:
        self.room = room
        self.keys: dict[str, str] = {}
        self._admin_key = ""

    def sit_down(self) -> None:
        for seat, device in DEVICES.items():
            self.keys[seat] = self.room.interface.claim(seat, PIN, device)

    @property
    def requester(self) -> Requester:
        """Return all players as one device."""
        return Requester(tuple(self.keys.values()))

    def delete_draft(self, seat: str) -> None:
        self.room.interface.held_seat(self.keys[seat]).keep_draft("", {})

    def key(self, seat: str) -> str:
        """Return the key of a seat, or of the admin."""
        if seat == "admin" and not self._admin_key:
            pins.write_pin(self.room.folder, ADMIN_PIN)
            self._admin_key = self.room.interface.admin.access.sign_in(ADMIN_PIN, self.requester)
        if seat == "admin":
            return self._admin_key
        return self.keys[seat]

    def start(self, **options: bool) -> None:
        self.room.interface.start({"map": "launch-facility", "options": options}, self.requester)
        self.room.advance_clock()

    def picture(self, seat: str) -> dict[str, Any]:
        """Return a viewer's picture, even for a seat that another device holds: the host sees them all."""
        found: dict[str, Any] = json.loads(self.room.loop.followers.latest(seat).picture.text(str))
        return found

    def legal(self, seat: str, *types: str) -> list[dict[str, Any]]:
        """Return the legal actions of a seat that have these types."""
        return [action for action in self.picture(seat)["legal"] if action["type"] in types]

    def act(self, seat: str, action: dict[str, Any]) -> None:
        """Do an action, and move the miniatures to match."""
        held, revision = self.room.interface.held_seat(self.keys[seat]), self.picture(seat)["revision"]
        name = token_hex()
        retry_while_busy(lambda: held.submit(action, revision, name))
        self.set_up()

    def set_up(self) -> None:
        retry_while_busy(lambda: self.room.interface.reset_miniatures(self.requester))
        self.room.advance_clock()
