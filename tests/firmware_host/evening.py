"""A whole table for tests, from the driver up, on a clock that only the test moves: no threads, no web, no waiting."""

from __future__ import annotations

import json
import math
import re
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace as changed

from engine.chance import Chance
from engine.game import TABLE
from engine.graph import Map
from firmware_host.admin.upkeep import UNSEEN, MachineChecks
from firmware_host.board.board_io import BoardIO
from firmware_host.board.drivers import open_drivers
from firmware_host.core.settings import Settings, settle
from firmware_host.records.journal import Journal
from firmware_host.seats.claims import SeatRequest
from firmware_host.table.table import Table
from hardware.ports import DARK, Note
from hardware.simulated import SimulatedBoard
from tests.firmware_host.clocked import Clocked
from tests.firmware_host.published import latest

PIN = "2468"
SEAL = re.compile('"seal":"[0-9a-f]{64}"')
"""The part of a text that is another hash in every game. `test_promise.py` says what it covers."""
_numbers = count()


def fresh_name() -> str:
    """Return a name that no act has had, as long as those of the screens."""
    return f"{next(_numbers):032x}"


UNITS = tuple(f"{squad}-{member}" for squad in ("yellow", "red", "black") for member in ("officer", "1", "2"))


def take_over(table: Table, seat: str, pin: str, device: str, share: bool = False) -> str:
    """Take a seat over with a new device, or join it with `share`, and return the new key."""
    request = SeatRequest(seat, device, share=share)
    return table.grant(request, table.seating.guesses.count_attempt(request, ()), pin)


class Evening(Clocked):
    """Two people, a board and nine miniatures at Launch Facility."""

    def __init__(
        self,
        folder: Path,
        settings: Settings | None = None,
        chance: Chance | None = None,
        machine: MachineChecks = UNSEEN,
    ) -> None:
        self.machine = machine
        self.chance = chance or Chance(Random(7))
        self.folder = folder
        # Bots choose at once: a slow one in its own process would not follow the simulated clock.
        self.settings = settings or settle({"bot_thought_ms": 0})
        self.choice: dict[str, Any] = {}
        """The lobby's choices in addition to the game's own options."""
        self.sniper_key = self.defenders_key = ""
        self.by_hand = False
        """Whether only people move the miniatures of this board."""
        self.sit_down()

    def sit_down(self) -> None:
        """Start the daemon's table with the contents of the folder."""
        journal = Journal(self.folder / "games.sqlite")
        self.table = Table(
            self.settings,
            journal,
            self._open_board,
            lambda: self.now,
            self.chance,
            luck=Chance(Random(f"bots {self.now}")),
            machine=self.machine,
        )
        self.table.board.mark_used(math.inf)
        self.table.open()

    def _open_board(self, board: Map) -> BoardIO:
        fitted = open_drivers(self.settings, board, self.folder, lambda: self.now, self._report)
        if self.by_hand:
            assert isinstance(fitted.sensors, SimulatedBoard)
            fitted.sensors.set_miniatures(UNITS)
            fitted = changed(fitted, miniatures=None)
        return BoardIO(board, fitted, self.settings, self._report)

    def _report(self, note: Note) -> None:
        self.table.feed(note)

    def pull_the_plug(self) -> None:
        """Stop the table without shutting it down, and start it again."""
        self.table.journal.close()
        self.now += 60
        self.sit_down()
        self.wait(1000)

    # --- people -------------------------------------------------------------------------------------------------

    def claim_seats(self) -> None:
        """Claim one seat for each side."""
        self.sniper_key = self.table.seating.claims.claim("sniper", PIN, "Ada's phone", ())
        self.defenders_key = self.table.seating.claims.claim("defenders", PIN, "Bo's tablet", ())

    def start(self, **options: Any) -> None:
        """Claim both seats, start, and place the miniatures."""
        self.claim_seats()
        self.table.start({**self.choice, "options": {"random_setup": True, **options}})
        self.finish_dealing()
        self.set_up()

    def start_hunt(self) -> None:
        """Start, and let the sniper enter, so that the defenders are to act."""
        self.start()
        self.enter()
        self.sniper({"type": "end-turn"})

    def finish_dealing(self) -> None:
        """Return objectives until their suits differ."""
        self.wait(0)
        while self.view("sniper")["pending"] is not None:
            self.sniper(self.sees("sniper")["legal"][0])

    def set_up(self) -> None:
        """Place all nine miniatures on their starts."""
        if self.by_hand:
            for unit, space in self.view(TABLE)["units"].items():
                self._carry(unit, space)
        else:
            self.table.session.tidy()
        self.wait(1000)

    def sniper(self, action: dict[str, Any]) -> None:
        """Make an act of the sniper on the phone."""
        self.table.submit(self.sniper_key, action, self.sees("sniper")["revision"], fresh_name())
        self.wait(0)

    def defenders(self, action: dict[str, Any]) -> None:
        """Make an act of the defenders on their screen."""
        self.table.submit(self.defenders_key, action, self.sees("defenders")["revision"], fresh_name())
        self.wait(0)

    def enter(self, steps: int = 1) -> list[str]:
        """Choose an arrow for the sniper, enter, and return the path."""
        self.sniper(self.legal("sniper", "choose-entry")[0])
        move = next(act for act in self.legal("sniper", "move") if len(act["path"]) == steps)
        self.sniper(move)
        return list(move["path"])

    # --- handling miniatures --------------------------------------------------------------------------------------

    def lift(self, miniature: str) -> None:
        """Lift a miniature."""
        self._carry(miniature, None)
        self.wait(60)

    def put(self, miniature: str, space: str, wait: float = 500) -> None:
        """Put a miniature down and wait."""
        self._carry(miniature, space)
        self.wait(wait)

    def _carry(self, miniature: str, space: str | None) -> None:
        if not self.by_hand:
            self.table.board.touch(miniature, space)
            return
        sensor = None if space is None else self.table.board.io.wiring.sensor_of(space)
        self.simulated.carry(miniature, sensor)

    # --- what is seen ---------------------------------------------------------------------------------------------

    def sees(self, viewer: str) -> dict[str, Any]:
        """Return what a viewer's screen shows."""
        picture: dict[str, Any] = json.loads(latest(self.table.followers, viewer)[1])
        return picture

    def view(self, viewer: str) -> dict[str, Any]:
        """Return the game as a viewer's screen shows it."""
        found: dict[str, Any] = self.sees(viewer)["view"]
        return found

    def legal(self, seat: str, kind: str) -> list[dict[str, Any]]:
        """Return a seat's legal actions of one type."""
        return [action for action in self.sees(seat)["legal"] if action["type"] == kind]

    def space_of(self, unit: str) -> str | None:
        """Return where the game has a unit."""
        found: str | None = self.view(TABLE)["units"][unit]
        return found

    def units_on(self, space: str) -> list[str]:
        """Return the units that the game has on a space."""
        units: dict[str, str | None] = self.view(TABLE)["units"]
        return [unit for unit, place in units.items() if place == space]

    def sentences(self, viewer: str) -> list[str]:
        """Return the sentences that a viewer got, oldest first."""
        return [entry["sentence"] for entry in self.sees(viewer)["log"]]

    @property
    def board(self) -> dict[str, Any]:
        """Return what the screens show of the board."""
        found: dict[str, Any] = self.sees(TABLE)["board"]
        return found

    def colours(self, space: str, milliseconds: int = 2500) -> set[tuple[int, int, int]]:
        """Return every colour that a space's lamp shows in the next while."""
        lamps = self.simulated
        seen = set()
        for _ in range(milliseconds // 20):
            seen.add(lamps.frame[self.table.board.io.wiring.lamps.index(space)])
            self.wait(20)
        return seen

    def lit(self) -> set[str]:
        """Return the spaces whose lamps are lit at some time in the next while."""
        seen = set()
        for _ in range(125):
            frame = self.simulated.frame
            seen |= {
                space for space, colour in zip(self.table.board.io.wiring.lamps, frame, strict=True) if colour != DARK
            }
            self.wait(20)
        return seen

    @property
    def simulated(self) -> SimulatedBoard:
        """Return the board's driver."""
        board = self.table.board.io.sensors
        assert isinstance(board, SimulatedBoard)
        return board
