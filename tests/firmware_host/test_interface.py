"""The calls of the interface that wait for the loop, and those that are answered while it is busy or has ended."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from firmware_host.admin import pin as pins
from firmware_host.admin.access import AdminAccess
from firmware_host.admin.page import AdminPage
from firmware_host.api.admin import AdminInterface
from firmware_host.api.held_seat import HeldSeat
from firmware_host.api.interface import Lane, TableInterface
from firmware_host.api.training import LessonInterface, PuzzleInterface
from firmware_host.core.errors import UserError
from firmware_host.core.logbook import Logbook
from firmware_host.core.settings import settle
from firmware_host.records.past import PastGames
from firmware_host.seats.identity import Requester
from firmware_host.table.table import Table
from tests.firmware_host.test_loop import HERE, RunningTable

PIN = "135790"
THROUGH_LOOP: Mapping[type, set[str]] = {
    TableInterface: {
        *("claim", "take_over", "release", "seat_bot", "choose", "start"),
        *("answer", "set_manual", "use_sensors", "attend_board", "move_miniature", "reset_miniatures"),
        *("play_alone", "play_again", "offer_rematch", "decline_rematch", "abandon", "skip_bot_pauses", "pause"),
        *("import_record", "replay", "start_analysis", "stop_analysis"),
    },
    AdminInterface: {"facts", "change_settings", "forget_results", "report", "delete_game"},
    PastGames: set(),
    LessonInterface: set(),
    PuzzleInterface: {"solver", "forget", "show"},
    HeldSeat: {"submit", "offer", "assign_part", "acknowledge_wrong_pins", "read_briefing", "hand_over"},
}
"""The methods that wait for the loop. Any other method answers at once, whatever the loop is doing."""
PUBLISHED: Mapping[type, set[str]] = {
    TableInterface: {"alive", "picture", "follow", "lobby", "seats", "health", "holder", "lane", "held_seat"},
    AdminInterface: {"default_language"},
    HeldSeat: {"is_held", "read", "picture", "follow", "keep_draft", "draft"},
}
"""The methods that only read what the table has published."""


class Caller:
    """A person with a seat who has signed in on the admin page."""

    def __init__(self, running: RunningTable, folder: Path) -> None:
        pins.write_pin(folder, PIN)
        page = AdminPage(settle({"state": str(folder)}), Logbook(), network=lambda: None)
        self.running = running
        self.interface = TableInterface(running.loop, AdminAccess(folder, running.clock), page)
        self.seat = self.interface.held_seat(running.keys["sniper"])
        self.requester = Requester(
            (running.keys["sniper"],), self.interface.admin.access.sign_in(PIN, HERE), local=True
        )

    def part(self, of: type) -> object:
        """Return the part of the interface that has this class."""
        table = self.interface
        parts = (table, table.admin, table.past, table.lessons, table.puzzles, self.seat)
        return next(part for part in parts if type(part) is of)

    def arguments(self, of: type, name: str) -> tuple[Any, ...]:
        """Return the arguments for a method that does not wait for the loop."""
        if of is HeldSeat and name in ("picture", "follow", "read"):
            return (str,)
        known: dict[str, tuple[Any, ...]] = {
            "picture": ("table", str),
            "follow": ("table", str),
            "holder": (self.running.keys["sniper"],),
            "lane": (self.requester,),
            "note_request": (Lane("sniper"),),
            "stored_games": (self.requester,),
            "page": (1, 0),
            "moment": (1, 0),
            "held_seat": (self.running.keys["sniper"],),
            "map_svg": ("launch-facility",),
            "rules": ("en",),
            "play": ("sniper-elite", "sniper", [], str),
            "sign_in": (PIN, self.requester),
            "sign_out": (HERE,),
            "change_pin": (PIN, "246802", self.requester),
            "keep_draft": ("1", {}),
            "shut_down": (False, self.requester),
        }
        if of is PuzzleInterface and name != "all":
            return {"next": ("sniper-elite", "", 1000, (), str)}.get(name, ("sniper-elite", "00000000", ()))
        if name == "facts":
            return ("sniper-elite", "sniper") if of is LessonInterface else (1,)
        return known.get(name, (1,) if of is PastGames and name not in ("listed", "stored") else ())


@pytest.fixture
def caller(tmp_path: Path) -> Iterator[Caller]:
    running = RunningTable(tmp_path)
    yield Caller(running, tmp_path)
    running.loop.stop()


@contextmanager
def busy(running: RunningTable) -> Iterator[None]:
    """Keep the loop busy within the block."""
    begun, done = threading.Event(), threading.Event()

    def hold(_: Table) -> None:
        begun.set()
        done.wait()

    def ask() -> None:
        with suppress(UserError):  # the call may time out before the test ends
            running.loop.call(hold)

    thread = threading.Thread(target=ask)
    thread.start()
    begun.wait()
    try:
        yield
    finally:
        done.set()
        thread.join()


def methods(of: type) -> list[str]:
    """Return the public methods that a class defines, in order; not `check_new`, which needs a whole record."""
    return [name for name, it in vars(of).items() if callable(it) and name[0] != "_" and name != "check_new"]


def test_calls_that_do_not_need_loop_are_answered_while_busy(caller: Caller) -> None:
    with busy(caller.running):
        for one, waiting in THROUGH_LOOP.items():
            assert waiting <= {*methods(one)}
            for name in [it for it in methods(one) if it not in waiting]:
                try:
                    getattr(caller.part(one), name)(*caller.arguments(one, name))
                except UserError as error:
                    # No game was ever played here, and changing the PIN invalidates the key.
                    assert error.code in ("not-found", "no-house"), (one, name, error.sentence)


def test_published_data_can_be_read_after_loop_has_ended(caller: Caller) -> None:
    caller.running.loop.stop()
    for one, names in PUBLISHED.items():
        for name in names:
            getattr(caller.part(one), name)(*caller.arguments(one, name))
    assert not caller.interface.alive()
    with pytest.raises(UserError, match="has stopped"):
        caller.interface.pause(True, caller.requester)
